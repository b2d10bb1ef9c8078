// Painted items for screen readers: each one a child with name, place and action. GUI thread; Qt owns the interfaces.
#pragma once

namespace handreset::views {

/// Makes Qt ask us about every PaintedItems widget. May be called again.
void installPaintedItemsAccessibility();

} // namespace handreset::views
