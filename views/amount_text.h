// What a person types as "how many more", read. Pure; any thread.
#pragma once

#include "model/live/subject_detail.h"
#include "model/rules/event.h"

#include <QString>

#include <optional>

namespace handreset::views {

/// None while it must be said and is not, is no number, or is not above 0. A kind that needs none grants nothing.
[[nodiscard]] std::optional<rules::Grant> grantFrom(live::GrantKind kind, const QString &text);

} // namespace handreset::views
