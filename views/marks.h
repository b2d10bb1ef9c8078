// The painted marks of every state: each has a shape of its own, so that colour only repeats what the shape says.
// Stateless painting; GUI thread.
#pragma once

#include "model/rules/breaker.h"
#include "model/rules/policy.h"
#include "views/palette.h"

#include <cstdint>

#include <QPixmap>
#include <QRectF>
#include <QString>

class QPainter;

namespace handreset::views {

enum class Mark : std::uint8_t {
    Closed,   ///< ○ outline
    Degraded, ///< ◐ half filled
    Open,     ///< ● filled, with a bar
    HalfOpen, ///< dashed ring with a dot
    Isolated, ///< ● with a padlock
    NoData,   ///< a square with a question mark: not any state
};

[[nodiscard]] Mark markOf(rules::Rung rung);
[[nodiscard]] Mark markOf(rules::BreakerState state, bool isolated);
[[nodiscard]] Tone toneOf(Mark mark);
/// "closed", "degraded", "open", "half open", "isolated", "no data": for accessible names and tooltips.
[[nodiscard]] QString markWord(Mark mark);

/// Paints the mark into the largest square in the middle of `box`. `ground` is what lies behind it.
void paintMark(QPainter &painter, const QRectF &box, Mark mark, const Colours &colours);
/// The same in one colour, for greyed or greyscale use.
void paintMark(QPainter &painter, const QRectF &box, Mark mark, const QColor &ink, const QColor &ground);

/// Diagonal hatch over what is stale. Lay it below the text, above the card's ground.
void paintStaleHatch(QPainter &painter, const QRectF &box, double radius, const Colours &colours);

/// The order of a trip by time: ① ② ③ and on; "99+" above 99; nothing for 0 or less.
void paintOrder(QPainter &painter, const QRectF &box, int order, const QColor &ink);

/// A padlock, for what a person has isolated or locked.
void paintPadlock(QPainter &painter, const QRectF &box, const QColor &ink);

/// The mark as a pixmap of `side` device-independent pixels for item delegates and icons.
[[nodiscard]] QPixmap markPixmap(Mark mark, int side, const Colours &colours, double devicePixelRatio);

} // namespace handreset::views
