// JSON pointers (RFC 6901) with one addition: `*` means every element of an array (spec 3.3 Envelope).
// Pure; any thread.
#pragma once

#include "model/rules/json.h"
#include "model/rules/result.h"

#include <cstddef>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace handreset::rules {

class Pointer {
public:
    /// At most this many steps: a value cannot stand deeper.
    static constexpr std::size_t kMaxSteps = static_cast<std::size_t>(kMaxJsonDepth);

    /// The whole value.
    Pointer() = default;

    /// Reads "" (the whole value) or "/a/0/*/b~1c". BadInput where it does not begin with '/', a '~' is not followed
    /// by 0 or 1, it is not UTF-8, or it has too many steps.
    [[nodiscard]] static Result<Pointer> parse(std::string_view text);
    /// As it was written.
    [[nodiscard]] const std::string &text() const noexcept { return m_text; }

    /// Appends every value that the pointer names. False where a place is missing: no such member or element, `*` on
    /// what is no array, or one of the elements under `*` lacks it; those that are there are appended all the same.
    /// `*` over an empty array names nothing and misses nothing. In an object `*` is missing, whatever members it has.
    bool resolve(JsonValue root, std::vector<JsonValue> &values) const;

    bool operator==(const Pointer &other) const noexcept { return m_text == other.m_text; }

private:
    struct Step {
        std::string name;
        std::optional<std::size_t> place; ///< where the name is an array's index: no sign, no leading zero
        bool isEvery = false;
    };

    bool resolveFrom(std::size_t step, JsonValue value, std::vector<JsonValue> &values) const;

    std::string m_text;
    std::vector<Step> m_steps;
};

} // namespace handreset::rules
