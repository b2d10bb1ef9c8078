#include "views/plain_label.h"

#include "views/plain_text.h"

#include <algorithm>
#include <cmath>

#include <QFontMetricsF>
#include <QHelpEvent>
#include <QPainter>
#include <QStyle>
#include <QToolTip>

namespace handreset::views {

namespace {

constexpr int kWidestHint = 640;

} // namespace

QColor shadeColour(const Colours &colours, Shade shade)
{
    switch (shade) {
    case Shade::Text:
        return colours.text;
    case Shade::Secondary:
        return colours.secondary;
    case Shade::Faint:
        return colours.faint;
    case Shade::Open:
        return colours.open;
    case Shade::Degraded:
        return colours.degraded;
    case Shade::Probing:
        return colours.probing;
    case Shade::Operator:
        return colours.operatorAct;
    }
    return colours.text;
}

PlainLabel::PlainLabel(QWidget *parent)
    : QLabel(parent)
{
    setTextFormat(Qt::PlainText);
    setTextInteractionFlags(Qt::NoTextInteraction);
    setFont(textFont());
    setSizePolicy(QSizePolicy::Preferred, QSizePolicy::Fixed);
}

PlainLabel::PlainLabel(const QString &untrusted, QWidget *parent)
    : PlainLabel(parent)
{
    setPlain(untrusted);
}

void PlainLabel::setPlain(const QString &untrusted)
{
    const QString shown = visibleText(untrusted);
    if (shown == text())
        return;
    setText(shown);
    setAccessibleName(shown);
}

void PlainLabel::setShade(Shade shade)
{
    m_shade = shade;
    update();
}

void PlainLabel::setLook(TextSize size, QFont::Weight weight, Shade shade)
{
    setFont(textFont(size, weight));
    setShade(shade);
}

void PlainLabel::setNumberLook(TextSize size, QFont::Weight weight, Shade shade)
{
    setFont(numberFont(size, weight));
    setShade(shade);
}

void PlainLabel::setDetails(const QStringList &untrustedLines)
{
    m_details = untrustedLines;
    setAccessibleDescription(visibleText(untrustedLines.join(QStringLiteral("; "))));
}

QSize PlainLabel::sizeHint() const
{
    if (wordWrap())
        return QLabel::sizeHint();
    const QFontMetricsF metrics(font());
    // An advance of 4,000 letters is dear and never needed: the head decides that it is too wide.
    const double width = metrics.horizontalAdvance(text().left(400));
    const QMargins margins = contentsMargins();
    return {std::min(static_cast<int>(std::ceil(width)) + 1, kWidestHint) + margins.left() + margins.right(),
            static_cast<int>(std::ceil(metrics.height())) + margins.top() + margins.bottom()};
}

QSize PlainLabel::minimumSizeHint() const
{
    if (wordWrap())
        return QLabel::minimumSizeHint();
    const QSize hint = sizeHint();
    const int few = static_cast<int>(QFontMetricsF(font()).averageCharWidth() * 5);
    return {std::min(hint.width(), few), hint.height()};
}

bool PlainLabel::isElided() const
{
    if (wordWrap())
        return false;
    return QFontMetricsF(font()).horizontalAdvance(text().left(2'000)) > contentsRect().width() + 0.5;
}

bool PlainLabel::event(QEvent *event)
{
    if (event->type() != QEvent::ToolTip)
        return QLabel::event(event);
    QStringList lines = m_details;
    if (isElided())
        lines.prepend(text());
    const QString tip = plainTooltip(lines);
    if (tip.isEmpty()) {
        QToolTip::hideText();
        event->ignore();
    } else {
        QToolTip::showText(static_cast<QHelpEvent *>(event)->globalPos(), tip, this);
    }
    return true;
}

void PlainLabel::paintEvent(QPaintEvent *)
{
    QPainter painter(this);
    const Colours &colours = coloursOf(*this);
    painter.setPen(isEnabled() ? shadeColour(colours, m_shade) : colours.faint);
    const QRectF box = contentsRect();
    const auto align = static_cast<int>(QStyle::visualAlignment(layoutDirection(), alignment()));
    if (wordWrap()) {
        painter.drawText(box, align | Qt::TextWordWrap, text());
        return;
    }
    const QString shown = elidedMiddle(text(), QFontMetricsF(font()), box.width());
    painter.drawText(box, align | Qt::TextSingleLine, shown);
}

} // namespace handreset::views
