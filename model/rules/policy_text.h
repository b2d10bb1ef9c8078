// Reading a policy from its text: the TOML file of policy.md becomes a Policy, or every reason why it does not.
// Pure: the text and a name for the messages are passed in; no file, no clock. Any thread. Never throws.
#pragma once

#include "model/rules/policy.h"

#include <cstddef>
#include <cstdint>
#include <functional>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace handreset::rules {

/// An error keeps the policy out; a warning is told and shown at the desk, and the policy holds all the same.
enum class Severity : std::uint8_t { Warning, Error };
template <>
struct Words<Severity> {
    static constexpr std::array<std::string_view, 2> list{"warning", "error"};
};

/// One thing that is wrong with a policy's text, and what to do about it.
struct PolicyProblem {
    std::string file;         ///< as it was passed in
    std::uint32_t line = 1;   ///< from 1
    std::uint32_t column = 1; ///< from 1, in code points
    std::string field;        ///< "defaults.steps.limit", "keys.acme.spend[0].window"; empty where the text is no TOML
    std::string message;
    std::string remedy; ///< never empty
    Severity severity = Severity::Error;
    bool operator==(const PolicyProblem &) const = default;

    /// One line for people: `FILE:LINE:COLUMN: error: FIELD: MESSAGE. REMEDY`.
    [[nodiscard]] std::string toString() const;
};

/// What a text turned out to be.
struct PolicyReading {
    std::optional<Policy> policy;        ///< set exactly when no problem is an error
    std::vector<PolicyProblem> problems; ///< all of them, in the order of the text

    [[nodiscard]] bool accepted() const noexcept { return policy.has_value(); }
    [[nodiscard]] std::size_t errorCount() const noexcept;
    [[nodiscard]] std::size_t warningCount() const noexcept;
};

/// True for the name of a time zone that the machine knows ("America/Sao_Paulo").
using ZoneExists = std::function<bool(std::string_view)>;

/// Reads, merges and checks (policy.md; the hard rules and warnings of spec 2 and 3.2). A text above kMostPolicyBytes
/// is refused unread. Without `zoneExists` a time zone is held to the spelling of IANA names only, so that a
/// text that was taken once is taken again on a machine that knows fewer zones.
/// Warnings are looked for only where there is no error, so that none speaks of a value that was not understood.
[[nodiscard]] PolicyReading readPolicy(std::string_view text, std::string_view fileName,
                                       const ZoneExists &zoneExists = {});

inline constexpr std::size_t kMostPolicyBytes = 1024 * 1024;

} // namespace handreset::rules
