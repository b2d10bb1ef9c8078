// How much of a limit is used, as a bar. GUI thread; owned by its Qt parent.
#pragma once

#include "views/palette.h"

#include <algorithm>
#include <optional>

#include <QPainter>
#include <QWidget>

namespace handreset::views {

/// Paints the bar into `box`. `share`: 1 is the limit, more is drawn full with an end mark; `watch`: where a notch
/// stands, or none. No share: no data, an empty dashed outline.
inline void paintUsage(QPainter &painter, const QRectF &box, std::optional<double> share, Tone tone,
                       std::optional<double> watch, const Colours &colours)
{
    painter.save();
    painter.setRenderHint(QPainter::Antialiasing);
    const double radius = std::min(box.height() / 2, 3.0);
    const QRectF frame = box.adjusted(0.5, 0.5, -0.5, -0.5);
    painter.setPen(QPen(colours.line, 1, share ? Qt::SolidLine : Qt::DashLine));
    painter.setBrush(colours.raised);
    painter.drawRoundedRect(frame, radius, radius);
    if (share && *share > 0) {
        QRectF filled = box;
        filled.setWidth(std::max(2.0, box.width() * std::min(*share, 1.0)));
        painter.setPen(Qt::NoPen);
        painter.setBrush(tone == Tone::Normal ? colours.faint : toneColour(colours, tone));
        painter.drawRoundedRect(filled, radius, radius);
        if (*share > 1) // over the limit: a gap near the end, so that "full" and "over" differ without colour
            painter.fillRect(QRectF(box.right() - 9, box.top(), 2.5, box.height()), colours.card);
    }
    if (watch && *watch > 0 && *watch < 1)
        painter.fillRect(QRectF(box.left() + box.width() * *watch - 0.75, box.top() - 2, 1.5, box.height() + 4), colours.text);
    painter.restore();
}

class UsageBar : public QWidget {
public:
    explicit UsageBar(QWidget *parent = nullptr)
        : QWidget(parent)
    {
        setMinimumSize(48, 8);
        setSizePolicy(QSizePolicy::Expanding, QSizePolicy::Fixed);
    }

    /// The words say the same for screen readers: "11 of 25".
    void setUsage(std::optional<double> share, Tone tone, const QString &words, std::optional<double> watch = {})
    {
        m_share = share;
        m_tone = tone;
        m_watch = watch;
        setAccessibleName(words);
        update();
    }
    [[nodiscard]] QSize sizeHint() const override { return {160, 12}; }

protected:
    void paintEvent(QPaintEvent *) override
    {
        QPainter painter(this);
        const QRectF box(0, (height() - 8) / 2.0, width(), 8);
        paintUsage(painter, box, m_share, m_tone, m_watch, coloursOf(*this));
    }

private:
    std::optional<double> m_share;
    std::optional<double> m_watch;
    Tone m_tone = Tone::Normal;
};

} // namespace handreset::views
