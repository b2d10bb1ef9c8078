// What a command is as an operator's act, whether it stands bare or under a signature. Pure; any thread.
#pragma once

#include "model/rules/command.h"

#include <optional>

namespace handreset::engine {

/// The act in the command, its signature unchecked; none: an agent's or the host's own command.
[[nodiscard]] std::optional<rules::Act> actIn(const rules::Command &command);

/// The act in the command where it is one of this kind.
template <class One>
[[nodiscard]] std::optional<One> actOfKind(const rules::Command &command)
{
    if (const auto *bare = std::get_if<One>(&command))
        return *bare;
    if (!std::holds_alternative<rules::Signed>(command))
        return std::nullopt;
    const auto act = actIn(command);
    const auto *one = act ? std::get_if<One>(&*act) : nullptr;
    return one != nullptr ? std::optional(*one) : std::nullopt;
}

} // namespace handreset::engine
