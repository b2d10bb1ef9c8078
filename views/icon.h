// The Lucide icons in the palette's colours, sharp at every scale. GUI thread; pure apart from reading the resource.
#pragma once

#include <QColor>
#include <QIcon>
#include <QString>

namespace handreset::views {

/// The icon `name` ("lock") with its strokes in `ink`, `side` device-independent pixels high. A name that the
/// resource does not have gives a null pixmap.
[[nodiscard]] QPixmap iconPixmap(const QString &name, const QColor &ink, int side, double devicePixelRatio);

/// The same for buttons and menus, painted anew for each size and scale; `disabled` is the ink of disabled ones.
[[nodiscard]] QIcon themedIcon(const QString &name, const QColor &ink, const QColor &disabled);

} // namespace handreset::views
