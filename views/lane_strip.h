// Lanes of time: who was in which state, when each trip came, and (below a lane) its calls. GUI thread; owned by its
// Qt parent. Times are milliseconds since the epoch, given from outside; it holds no clock.
#pragma once

#include "views/painted_items.h"
#include "views/palette.h"

#include <cstdint>
#include <optional>
#include <vector>

namespace handreset::views {

/// A stretch of a state that is not normal. Normal ones are not given: they are the empty lane.
struct LaneSpan {
    qint64 fromMs = 0;
    qint64 toMs = 0;
    Tone tone = Tone::Open;
    QString words; ///< "open, envelope", for the tooltip
    bool operator==(const LaneSpan &) const = default;
};

/// A trip on its lane.
struct LaneMarker {
    qint64 atMs = 0;
    int order = 0;
    QString words;
    bool operator==(const LaneMarker &) const = default;
};

struct LaneTick {
    qint64 atMs = 0;
    bool refused = false;
    bool operator==(const LaneTick &) const = default;
};

struct Lane {
    QString name;
    QString kind; ///< "agent", "tool"; empty: not shown
    std::vector<LaneSpan> spans;
    std::vector<LaneMarker> markers;
    std::vector<LaneTick> ticks;
    qint64 knownFromMs = 0; ///< before it nothing is known, or it did not exist: hatched
    bool operator==(const Lane &) const = default;
};

struct AxisMark {
    qint64 atMs = 0;
    QString text;
    bool operator==(const AxisMark &) const = default;
};

struct LaneStripState {
    qint64 fromMs = 0;
    qint64 toMs = 0;
    std::vector<Lane> lanes;
    std::vector<AxisMark> axis;
    std::optional<qint64> cursorMs; ///< the replay's cursor
    bool operator==(const LaneStripState &) const = default;
};

/// Marks at even distances back from `toMs`: "-15 min", "-12 min" … "now".
/// `end`: what the last one says.
[[nodiscard]] std::vector<AxisMark> relativeAxis(qint64 fromMs, qint64 toMs, const QString &end = {});

class LaneStrip : public PaintedItems {
    Q_OBJECT

public:
    explicit LaneStrip(QWidget *parent = nullptr);

    void setState(const LaneStripState &state);
    [[nodiscard]] const LaneStripState &state() const { return m_state; }

    /// Items are the spans and markers, lane by lane and by time.
    [[nodiscard]] int itemCount() const override { return static_cast<int>(m_items.size()); }
    [[nodiscard]] QRectF itemRect(int item) const override;
    [[nodiscard]] QString itemName(int item) const override;
    [[nodiscard]] QStringList itemDetails(int item) const override;
    [[nodiscard]] bool isItemActivatable(int item) const override;

    [[nodiscard]] QSize sizeHint() const override;
    [[nodiscard]] QSize minimumSizeHint() const override;

Q_SIGNALS:
    /// A span or marker was clicked: show this moment.
    void timeActivated(qint64 atMs);

protected:
    void itemActivated(int item) override;
    void paintEvent(QPaintEvent *event) override;
    void resizeEvent(QResizeEvent *event) override;

private:
    struct Item {
        std::size_t lane = 0;
        bool isMarker = false;
        std::size_t index = 0;
        QRectF rect;
    };

    void arrange();
    void arrangeMarkers(std::size_t lane, double top);
    [[nodiscard]] double xOf(qint64 ms) const;
    [[nodiscard]] QRectF laneRect(std::size_t lane) const;
    [[nodiscard]] double laneHeight(std::size_t lane) const;
    [[nodiscard]] double neededHeight() const;
    void paintLane(QPainter &painter, std::size_t lane) const;
    void paintSpan(QPainter &painter, const QRectF &box, Tone tone) const;
    void paintAxis(QPainter &painter) const;
    void paintCursor(QPainter &painter) const;

    LaneStripState m_state;
    std::vector<Item> m_items;
    double m_nameWidth = 100;
};

} // namespace handreset::views
