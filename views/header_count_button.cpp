#include "views/header_count_button.h"

#include "views/typography.h"

#include <cmath>

#include <QFontMetricsF>
#include <QPainter>

namespace handreset::views {

namespace {

constexpr int kMark = 14;
constexpr int kPadding = 6;

} // namespace

HeaderCountButton::HeaderCountButton(QWidget *parent)
    : QAbstractButton(parent)
{
    setSizePolicy(QSizePolicy::Fixed, QSizePolicy::Fixed);
    setFocusPolicy(Qt::TabFocus);
    setAttribute(Qt::WA_Hover);
}

void HeaderCountButton::setContent(std::optional<Mark> mark, const QString &words, bool strong)
{
    m_mark = mark;
    m_strong = strong;
    setText(words);
    setAccessibleName(words);
    updateGeometry();
    update();
}

QFont HeaderCountButton::face() const
{
    return textFont(TextSize::Text, m_strong ? QFont::DemiBold : QFont::Normal);
}

QSize HeaderCountButton::sizeHint() const
{
    const int words = static_cast<int>(std::ceil(QFontMetricsF(face()).horizontalAdvance(text())));
    return {words + 2 * kPadding + (m_mark ? kMark + kPadding : 0), 28};
}

void HeaderCountButton::paintEvent(QPaintEvent *)
{
    QPainter painter(this);
    painter.setRenderHint(QPainter::Antialiasing);
    const Colours &colours = coloursOf(*this);
    if (hasFocus() || underMouse()) {
        painter.setPen(hasFocus() ? QPen(colours.probing, 2) : QPen(Qt::NoPen));
        painter.setBrush(underMouse() ? QBrush(colours.raised) : QBrush(Qt::NoBrush));
        painter.drawRoundedRect(QRectF(rect()).adjusted(1, 1, -1, -1), kSmallRadius, kSmallRadius);
    }
    QRectF box = QRectF(rect()).adjusted(kPadding, 0, -kPadding, 0);
    if (m_mark) {
        paintMark(painter, {box.left(), box.center().y() - kMark / 2.0, kMark, kMark}, *m_mark,
                  toneColour(colours, toneOf(*m_mark)), colours.rail);
        box.setLeft(box.left() + kMark + kPadding);
    }
    painter.setFont(face());
    painter.setPen(m_strong ? colours.text : colours.secondary);
    painter.drawText(box, Qt::AlignLeft | Qt::AlignVCenter, text());
}

} // namespace handreset::views
