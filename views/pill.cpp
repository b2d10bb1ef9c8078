#include "views/pill.h"

#include "views/marks.h"
#include "views/palette.h"

#include <algorithm>
#include <cmath>

#include <QFontMetricsF>
#include <QPainter>

namespace handreset::views {

namespace {

constexpr double kDot = 7;

} // namespace

Pill::Pill(Kind kind, const QString &text, QWidget *parent)
    : QWidget(parent)
    , m_kind(kind)
{
    setSizePolicy(QSizePolicy::Fixed, QSizePolicy::Fixed);
    setContent(kind, text);
}

void Pill::setContent(Kind kind, const QString &text)
{
    if (kind == m_kind && text == m_text)
        return;
    m_kind = kind;
    m_text = text;
    setAccessibleName(text);
    updateGeometry();
    update();
}

QFont Pill::textFace() const
{
    return textFont(m_kind == Kind::Count ? TextSize::Caption : TextSize::Secondary, QFont::DemiBold);
}

QSize Pill::sizeHint() const
{
    const double text = QFontMetricsF(textFace()).horizontalAdvance(m_text);
    const double dot = m_kind == Kind::Live ? kDot + 6 : 0;
    const int height = m_kind == Kind::Count ? 18 : 24;
    return {std::max(height + 6, static_cast<int>(std::ceil(text + dot)) + 2 * (m_kind == Kind::Count ? 8 : 12)), height};
}

void Pill::paintEvent(QPaintEvent *)
{
    const Colours &colours = coloursOf(*this);
    QPainter painter(this);
    painter.setRenderHint(QPainter::Antialiasing);
    const QRectF box = QRectF(rect()).adjusted(0.75, 0.75, -0.75, -0.75);
    const double radius = box.height() / 2;
    const bool replay = m_kind == Kind::Replay;
    const QColor border = m_kind == Kind::Note ? colours.degraded : m_kind == Kind::Stale ? colours.secondary : colours.line;
    painter.setPen(replay ? QPen(Qt::NoPen) : QPen(border, m_kind == Kind::Note ? 1.5 : 1));
    painter.setBrush(replay ? colours.operatorAct : themeOf(palette()) == Theme::Light ? colours.card : colours.raised);
    painter.drawRoundedRect(box, radius, radius);
    if (m_kind == Kind::Stale)
        paintStaleHatch(painter, box, radius, colours);
    painter.setFont(textFace());
    painter.setPen(replay ? colours.card : colours.text);
    QRectF textBox = rect();
    if (m_kind == Kind::Live) {
        textBox.adjust(kDot + 6, 0, 0, 0);
        const double text = QFontMetricsF(textFace()).horizontalAdvance(m_text);
        const double left = textBox.center().x() - text / 2 - kDot - 6;
        painter.save();
        painter.setPen(Qt::NoPen);
        painter.setBrush(colours.text);
        painter.drawEllipse(QRectF(left, box.center().y() - kDot / 2, kDot, kDot));
        painter.restore();
    }
    painter.drawText(textBox, Qt::AlignCenter, m_text);
}

} // namespace handreset::views
