// The last hour as a few bars, small enough for a table's cell. GUI thread; owned by its Qt parent.
#pragma once

#include "views/palette.h"

#include <algorithm>
#include <vector>

#include <QPainter>
#include <QWidget>

namespace handreset::views {

/// One span of time: how many calls, and how many of them failed or were refused.
struct SparkBar {
    double calls = 0;
    double bad = 0;
};

/// Paints the bars into `box`, scaled to the highest; a span without calls is a hairline, not a gap.
inline void paintSpark(QPainter &painter, const QRectF &box, const std::vector<SparkBar> &bars, const Colours &colours)
{
    if (bars.empty())
        return;
    double highest = 0;
    for (const SparkBar &bar : bars)
        highest = std::max(highest, bar.calls);
    const double pitch = std::min(18.0, box.width() / static_cast<double>(bars.size()));
    const double width = std::max(1.0, pitch * 0.72);
    for (std::size_t i = 0; i < bars.size(); ++i) {
        const double x = box.left() + pitch * static_cast<double>(i);
        const double height = highest > 0 ? bars[i].calls / highest * box.height() : 0;
        const QRectF bar(x, box.bottom() - std::max(height, 1.5), width, std::max(height, 1.5));
        painter.fillRect(bar, bars[i].calls > 0 ? colours.faint : colours.line);
        const double bad = highest > 0 ? std::min(bars[i].bad, bars[i].calls) / highest * box.height() : 0;
        if (bad > 0)
            painter.fillRect(QRectF(x, box.bottom() - std::max(bad, 1.5), width, std::max(bad, 1.5)), colours.open);
    }
}

class SparkBars : public QWidget {
public:
    explicit SparkBars(QWidget *parent = nullptr)
        : QWidget(parent)
    {
        setMinimumSize(64, 16);
        setSizePolicy(QSizePolicy::Preferred, QSizePolicy::Fixed);
    }

    /// The words say the same for screen readers: "last hour: 42 calls, 3 failed".
    void setBars(std::vector<SparkBar> bars, const QString &words)
    {
        m_bars = std::move(bars);
        setAccessibleName(words);
        update();
    }
    [[nodiscard]] QSize sizeHint() const override { return {144, 22}; }

protected:
    void paintEvent(QPaintEvent *) override
    {
        QPainter painter(this);
        paintSpark(painter, rect(), m_bars, coloursOf(*this));
    }

private:
    std::vector<SparkBar> m_bars;
};

} // namespace handreset::views
