#include "views/hold_button.h"

#include "views/palette.h"
#include "views/typography.h"

#include <algorithm>
#include <cmath>
#include <memory>

#include <QElapsedTimer>
#include <QFontMetricsF>
#include <QKeyEvent>
#include <QMouseEvent>
#include <QPainter>
#include <QPainterPath>

namespace handreset::views {

namespace {

constexpr int kFrameMs = 33;
/// X11 tells a key that repeats as releases and presses, and not always which of them are repeats: a release that a press
/// follows so soon was none.
constexpr int kReleaseMs = 60;

HoldButton::Clock elapsedClock()
{
    auto timer = std::make_shared<QElapsedTimer>();
    timer->start();
    return [timer] { return timer->elapsed(); };
}

} // namespace

HoldButton::HoldButton(const QString &text, QWidget *parent, Clock clock)
    : QAbstractButton(parent)
    , m_clock(clock ? std::move(clock) : elapsedClock())
{
    setText(text);
    setFont(textFont(TextSize::Text, QFont::DemiBold));
    setAccessibleDescription(tr("Hold the mouse button or the space bar for a second and a half, then release. "
                                "Enter does nothing."));
    setFocusPolicy(Qt::StrongFocus);
    setAttribute(Qt::WA_Hover);
    setSizePolicy(QSizePolicy::Preferred, QSizePolicy::Fixed);
    m_repaint.setInterval(kFrameMs);
    connect(&m_repaint, &QTimer::timeout, this, qOverload<>(&QWidget::update));
    m_release.setSingleShot(true);
    m_release.setInterval(kReleaseMs);
    connect(&m_release, &QTimer::timeout, this, &HoldButton::cancel);
}

double HoldButton::progress() const
{
    if (!isHeld())
        return 0;
    return std::clamp(static_cast<double>(m_clock() - m_since) / static_cast<double>(kHoldMs), 0.0, 1.0);
}

QSize HoldButton::sizeHint() const
{
    const QFontMetricsF metrics(font());
    const double words = std::max(metrics.horizontalAdvance(text()), metrics.horizontalAdvance(tr("Release to confirm")));
    return {static_cast<int>(std::ceil(words)) + 3 * kGap, 36};
}

void HoldButton::hold(HeldBy by)
{
    m_heldBy = by;
    m_since = m_clock();
    setDown(true);
    m_repaint.start();
    update();
}

void HoldButton::letGo()
{
    const bool full = progress() >= 1;
    if (!full) {
        cancel();
        return;
    }
    m_heldBy = HeldBy::Nothing;
    m_repaint.stop();
    m_release.stop();
    setDown(false);
    update();
    Q_EMIT confirmed();
}

void HoldButton::cancel()
{
    if (!isHeld())
        return;
    m_heldBy = HeldBy::Nothing;
    m_repaint.stop();
    m_release.stop();
    setDown(false);
    update();
    Q_EMIT cancelled();
}

void HoldButton::mousePressEvent(QMouseEvent *event)
{
    if (event->button() == Qt::LeftButton && !isHeld())
        hold(HeldBy::Mouse);
    event->accept();
}

void HoldButton::mouseMoveEvent(QMouseEvent *event)
{
    if (m_heldBy == HeldBy::Mouse && !rect().contains(event->position().toPoint()))
        cancel();
    event->accept();
}

void HoldButton::mouseReleaseEvent(QMouseEvent *event)
{
    if (event->button() == Qt::LeftButton && m_heldBy == HeldBy::Mouse)
        rect().contains(event->position().toPoint()) ? letGo() : cancel();
    event->accept();
}

void HoldButton::keyPressEvent(QKeyEvent *event)
{
    if (event->key() == Qt::Key_Space && event->modifiers() == Qt::NoModifier) {
        m_release.stop();
        if (!event->isAutoRepeat() && !isHeld())
            hold(HeldBy::Key);
        return;
    }
    if (event->key() == Qt::Key_Return || event->key() == Qt::Key_Enter || event->key() == Qt::Key_Select)
        return; // swallowed: a dialogue's default button must not hear it from here either
    if (event->key() == Qt::Key_Escape && isHeld()) {
        cancel();
        return;
    }
    QWidget::keyPressEvent(event);
}

void HoldButton::keyReleaseEvent(QKeyEvent *event)
{
    if (event->key() != Qt::Key_Space) {
        QWidget::keyReleaseEvent(event);
        return;
    }
    // A repeating key sends releases too; only the last one is a finger's.
    if (event->isAutoRepeat() || m_heldBy != HeldBy::Key)
        return;
    if (progress() >= 1)
        letGo();
    else
        m_release.start();
}

void HoldButton::focusOutEvent(QFocusEvent *event)
{
    cancel();
    QAbstractButton::focusOutEvent(event);
}

void HoldButton::hideEvent(QHideEvent *event)
{
    cancel();
    QAbstractButton::hideEvent(event);
}

void HoldButton::changeEvent(QEvent *event)
{
    if (event->type() == QEvent::EnabledChange && !isEnabled())
        cancel();
    QAbstractButton::changeEvent(event);
}

void HoldButton::paintEvent(QPaintEvent *)
{
    QPainter painter(this);
    painter.setRenderHint(QPainter::Antialiasing);
    const Colours &colours = coloursOf(*this);
    const double border = hasFocus() ? 2 : 1.2;
    const QRectF box = QRectF(rect()).adjusted(border / 2, border / 2, -border / 2, -border / 2);
    QPainterPath outline;
    outline.addRoundedRect(box, kSmallRadius, kSmallRadius);
    painter.fillPath(outline, underMouse() && isEnabled() ? mixed(colours.raised, colours.line, 0.4) : colours.raised);
    const double share = progress();
    if (share > 0) {
        painter.save();
        painter.setClipPath(outline);
        painter.fillRect(QRectF(box.left(), box.top(), box.width() * share, box.height()),
                         mixed(colours.raised, colours.probing, share >= 1 ? 0.5 : 0.35));
        painter.restore();
    }
    const bool blue = isEnabled() && (hasFocus() || isHeld());
    painter.setPen(QPen(blue ? colours.probing : colours.line, border));
    painter.drawPath(outline);
    painter.setPen(isEnabled() ? colours.text : colours.faint);
    painter.setFont(font());
    painter.drawText(rect(), Qt::AlignCenter, share >= 1 ? tr("Release to confirm") : text());
}

} // namespace handreset::views
