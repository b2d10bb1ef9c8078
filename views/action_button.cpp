#include "views/action_button.h"

#include "views/palette.h"
#include "views/typography.h"

#include <algorithm>
#include <cmath>

#include <QFontMetricsF>
#include <QPainter>
#include <QStyleOptionButton>

namespace handreset::views {

namespace {

constexpr int kPadding = 12;

} // namespace

ActionButton::ActionButton(const QString &text, const QString &key, ButtonRole role, QWidget *parent)
    : QPushButton(text, parent)
    , m_key(key)
{
    setFont(textFont(TextSize::Text, QFont::DemiBold));
    setButtonRole(*this, role);
    setAutoDefault(false);
    setSizePolicy(QSizePolicy::Fixed, QSizePolicy::Fixed);
    if (!key.isEmpty())
        setAccessibleDescription(tr("key %1").arg(key));
}

QSize ActionButton::sizeHint() const
{
    const double words = QFontMetricsF(font()).horizontalAdvance(text());
    const double keys = m_key.isEmpty() ? 0 : QFontMetricsF(numberFont(TextSize::Caption)).horizontalAdvance(m_key) + 16;
    return {std::max(static_cast<int>(std::ceil(words + keys)) + 2 * kPadding, 72), 34};
}

void ActionButton::paintEvent(QPaintEvent *)
{
    QPainter painter(this);
    QStyleOptionButton option;
    initStyleOption(&option);
    style()->drawControl(QStyle::CE_PushButtonBevel, &option, &painter, this);
    const Colours &colours = coloursOf(*this);
    const bool stop = buttonRole(this) == ButtonRole::Stop;
    painter.setPen(!isEnabled() ? colours.faint : stop ? colours.open : colours.text);
    painter.setFont(font());
    const QRectF inner = QRectF(rect()).adjusted(kPadding, 0, -kPadding, 0);
    const auto side = m_key.isEmpty() ? Qt::AlignHCenter : Qt::AlignLeft;
    painter.drawText(inner, static_cast<int>(side | Qt::AlignVCenter) | Qt::TextShowMnemonic, text());
    if (m_key.isEmpty())
        return;
    painter.setPen(isEnabled() ? colours.secondary : colours.faint);
    painter.setFont(numberFont(TextSize::Caption));
    painter.drawText(inner, Qt::AlignRight | Qt::AlignVCenter, m_key);
}

} // namespace handreset::views
