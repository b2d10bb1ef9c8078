#include "views/rail.h"

#include "views/age_words.h"
#include "views/palette.h"
#include "views/plain_label.h"
#include "views/typography.h"

#include <algorithm>

#include <QAbstractButton>
#include <QButtonGroup>
#include <QFontMetricsF>
#include <QPainter>
#include <QShortcut>
#include <QVBoxLayout>

namespace handreset::views {

/// One page's entry. A button, so that focus, keys and screen readers come with it.
class RailButton : public QAbstractButton {
public:
    RailButton(const QString &title, QWidget *parent)
        : QAbstractButton(parent)
    {
        setText(title);
        setCheckable(true);
        setAttribute(Qt::WA_Hover);
        setFixedHeight(34);
        setSizePolicy(QSizePolicy::Expanding, QSizePolicy::Fixed);
    }

    void setCount(int count)
    {
        m_count = count;
        setAccessibleName(count > 0 ? text() + QStringLiteral(", ") + QString::number(count) : text());
        update();
    }

    [[nodiscard]] QSize sizeHint() const override { return {152, 34}; }

protected:
    void paintEvent(QPaintEvent *) override
    {
        QPainter painter(this);
        painter.setRenderHint(QPainter::Antialiasing);
        const Colours &colours = coloursOf(*this);
        const QRectF box = QRectF(rect()).adjusted(1, 0, -1, 0);
        if (isChecked() || underMouse()) {
            painter.setPen(Qt::NoPen);
            painter.setBrush(isChecked() ? colours.raised : mixed(colours.rail, colours.raised, 0.5));
            painter.drawRoundedRect(box, kSmallRadius, kSmallRadius);
        }
        if (isChecked())
            painter.fillRect(QRectF(box.left(), box.top() + 7, 2.5, box.height() - 14), colours.text);
        if (hasFocus()) {
            painter.setPen(QPen(colours.probing, 2));
            painter.setBrush(Qt::NoBrush);
            painter.drawRoundedRect(box.adjusted(1, 1, -1, -1), kSmallRadius, kSmallRadius);
        }
        painter.setFont(textFont(TextSize::Text, isChecked() ? QFont::DemiBold : QFont::Medium));
        painter.setPen(isChecked() ? colours.text : colours.secondary);
        painter.drawText(box.adjusted(kGap - 1, 0, -kGap, 0), Qt::AlignLeft | Qt::AlignVCenter, text());
        paintCount(painter, box, colours);
    }

private:
    void paintCount(QPainter &painter, const QRectF &box, const Colours &colours) const
    {
        if (m_count <= 0)
            return;
        const QString words = countWords(m_count);
        painter.setFont(textFont(TextSize::Caption, QFont::DemiBold));
        const double width = std::max(24.0, QFontMetricsF(painter.font()).horizontalAdvance(words) + 14);
        const QRectF pill(box.right() - width - 12.5, box.center().y() - 8.5, width, 17);
        painter.setPen(QPen(colours.line, 1));
        painter.setBrush(themeOf(palette()) == Theme::Light ? colours.card : colours.raised);
        painter.drawRoundedRect(pill, pill.height() / 2, pill.height() / 2);
        painter.setPen(colours.text);
        painter.drawText(pill, Qt::AlignCenter, words);
    }

    int m_count = 0;
};

Rail::Rail(QWidget *parent)
    : QWidget(parent)
    , m_list(new QVBoxLayout)
    , m_group(new QButtonGroup(this))
{
    setFixedWidth(168);
    auto *outer = new QVBoxLayout(this);
    outer->setContentsMargins(8, 18, 8, kGap);
    outer->setSpacing(0);
    m_list->setSpacing(6);
    outer->addLayout(m_list);
    outer->addStretch(1);
    for (const QString &hint : {tr("Ctrl+K everything"), tr("F1 keys of this page")}) {
        auto *line = new PlainLabel(hint, this);
        line->setLook(TextSize::Secondary, QFont::Normal, Shade::Faint);
        line->setContentsMargins(kGap, 2, 0, 2);
        outer->addWidget(line);
    }
    m_group->setExclusive(true);
    connect(m_group, &QButtonGroup::idClicked, this, &Rail::pageActivated);
}

void Rail::setItems(const std::vector<RailItem> &items)
{
    qDeleteAll(m_buttons);
    m_buttons.clear();
    for (std::size_t i = 0; i < items.size(); ++i) {
        auto *button = new RailButton(items[i].title, this);
        button->setObjectName(QStringLiteral("rail%1").arg(i + 1));
        button->setCount(items[i].count);
        m_list->addWidget(button);
        m_group->addButton(button, static_cast<int>(i));
        m_buttons.push_back(button);
        if (i >= 9)
            continue;
        const QKeySequence keys(QStringLiteral("Ctrl+%1").arg(i + 1));
        button->setToolTip(keys.toString(QKeySequence::NativeText));
        auto *shortcut = new QShortcut(keys, button);
        shortcut->setContext(Qt::WindowShortcut);
        connect(shortcut, &QShortcut::activated, button, &QAbstractButton::click);
    }
}

void Rail::setCount(int page, int count)
{
    if (page >= 0 && page < static_cast<int>(m_buttons.size()))
        m_buttons[static_cast<std::size_t>(page)]->setCount(count);
}

void Rail::setCurrent(int page)
{
    if (page >= 0 && page < static_cast<int>(m_buttons.size()))
        m_buttons[static_cast<std::size_t>(page)]->setChecked(true);
}

int Rail::current() const
{
    return m_group->checkedId();
}

void Rail::paintEvent(QPaintEvent *)
{
    QPainter painter(this);
    const Colours &colours = coloursOf(*this);
    painter.fillRect(rect(), colours.rail);
    painter.fillRect(QRect(width() - 1, 0, 1, height()), colours.line);
}

} // namespace handreset::views
