// What is wrong with a request at the agents' door, and the answer that says so (spec 5). Pure values; any thread.
#pragma once

#include "model/rules/result.h"

#include <cstddef>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <variant>

namespace handreset::gate {

struct Fault {
    int status = 400;
    std::string code;                  ///< "bad_json", "bad_field", "conflict" …; stable, for machines
    std::string message;               ///< what is wrong, and what to send instead
    std::string field;                 ///< the body's field; empty: none
    std::optional<std::size_t> offset; ///< the byte of the body
};

/// What was read, or what is wrong with it.
template <class T>
using Read = std::variant<T, Fault>;

/// {"error":{"code":…,"message":…,"field":…,"offset":…}}
[[nodiscard]] std::string bodyOf(const Fault &fault);

/// What an Error of the rules or of the host is at this door.
[[nodiscard]] Fault faultOf(const rules::Error &error);

} // namespace handreset::gate
