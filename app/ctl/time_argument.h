// A point of the log as a person names it: a sequence number, or a time with its zone. Pure; any thread.
#pragma once

#include "model/rules/ids.h"
#include "model/rules/instant.h"
#include "model/rules/result.h"

#include <string_view>
#include <variant>

namespace handreset::ctl {

using LogPoint = std::variant<rules::Seq, rules::Instant>;

/// A sequence number, or ISO 8601 with a zone, also as the tables print it ("2026-11-30 02:14:07.418 UTC"). BadInput
/// with examples for anything else: a time without a zone is a guess.
[[nodiscard]] rules::Result<LogPoint> parsePoint(std::string_view text);

} // namespace handreset::ctl
