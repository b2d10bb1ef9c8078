// Builds each widget of the kit in its states, for pictures that people look at. GUI thread.
#pragma once

#include "views/palette.h"

#include <functional>
#include <memory>
#include <string_view>
#include <vector>

#include <QImage>
#include <QSize>
#include <QWidget>

namespace handreset::tests {

/// One picture: a name for its file, its size at 100 %, and how its widget is made.
struct GalleryPiece {
    const char *name;
    QSize size;
    std::function<std::unique_ptr<QWidget>()> make;
};

[[nodiscard]] const std::vector<GalleryPiece> &galleryPieces();

/// The piece painted in a theme; `scale` is the screen's: 1 or 2.
[[nodiscard]] QImage picture(const GalleryPiece &piece, views::Theme theme, double scale);

} // namespace handreset::tests
