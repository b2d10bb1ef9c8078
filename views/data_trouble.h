// Why what a page shows is not to be taken for all there is: the store is refused, cannot be written, or was not read.
// Pure; GUI thread (translated).
#pragma once

#include <QString>

#include <optional>

namespace handreset::live {
struct Freshness;
}

namespace handreset::views {

/// What stands in place of an empty page's own words.
struct DataTrouble {
    QString title;
    QString words;
    QString command; ///< to be run first; empty: none
    bool operator==(const DataTrouble &) const = default;
};

/// None while the store is read and the host lives: then an empty page means that there is nothing.
[[nodiscard]] std::optional<DataTrouble> dataTrouble(const live::Freshness &freshness);

} // namespace handreset::views
