// What the host keeps outside the store, so that who can write the store cannot make themselves its root: for each
// store the key of the operator who enrolled first (spec 4). Thread: any. Failure: as PrivateFolder; a pin that cannot
// be read is an Error, never "none".
#pragma once

#include "model/rules/operator.h"
#include "model/rules/result.h"

#include <QString>

#include <optional>
#include <string>
#include <string_view>

namespace handreset::trust {

struct RootPin {
    std::string storeId; ///< 32 hexadecimal digits
    rules::PublicKey root{};
    bool operator==(const RootPin &) const = default;
};

enum class Replace { No, Yes };

/// <state>/handreset: what a host keeps that is neither its store nor for anybody else ($XDG_STATE_HOME, else
/// ~/.local/state).
[[nodiscard]] QString stateFolder();
/// $HANDRESET_PINS, else `stateFolder`/pins.
[[nodiscard]] QString pinFolder();

/// Nothing where this host has never pinned the store.
[[nodiscard]] rules::Result<std::optional<RootPin>> readPin(const QString &folder, std::string_view storeId);
/// Pins the store. Where the same is pinned already, nothing is written; another key is Refused unless a human said
/// that it is to be replaced. A pin that is damaged or within others' reach is never replaced.
[[nodiscard]] rules::Result<void> writePin(const QString &folder, const RootPin &pin, Replace replace = Replace::No);

} // namespace handreset::trust
