// A tool's policy made ready for judging: pointers parsed and patterns compiled once. And what a call's arguments say.
// Pure values; any thread.
#pragma once

#include "model/rules/call_identity.h"
#include "model/rules/decimal.h"
#include "model/rules/json.h"
#include "model/rules/policy.h"
#include "model/rules/sha256.h"

#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace handreset::rules {

/// What one call's arguments come to under its tool's policy.
struct CallReading {
    Digest identity{}; ///< tool and canonical arguments less the ignored fields (spec 3.3, Repetition)
    CanonicalArguments canonical; ///< as they are compared; kept only after redaction
    std::optional<Decimal> value;   ///< the sum of all amounts; none: no value cap, or not evaluable
    std::optional<Decimal> largest; ///< the largest amount: each must pass the cap
    std::string valueProblem;       ///< why the value is outside whatever its size; empty: it can be compared
    std::string destination;        ///< the first destination that is outside, else the first; for evidence
    std::string destinationProblem; ///< why a destination is outside; empty: all are allowed
};

class CompiledTool {
public:
    explicit CompiledTool(ToolPolicy policy);

    [[nodiscard]] const ToolPolicy &policy() const noexcept { return m_policy; }
    /// Reads the arguments of one call of the tool `name`. Never fails: what cannot be evaluated is outside.
    void read(std::string_view name, std::string_view arguments, CallReading &out) const;
    /// True where the policy redacts what stands at a cap's pointer: then no event may hold it in words.
    [[nodiscard]] bool hidesValue() const noexcept { return m_hidesValue; }
    [[nodiscard]] bool hidesDestination() const noexcept { return m_hidesDestination; }
    /// The text to keep: canonical and redacted, bounded to `most` bytes (what is longer is cut and marked).
    [[nodiscard]] std::string keep(const CallReading &reading, std::size_t most) const;

private:
    struct Parts;
    void readDestination(const JsonDocument *json, std::vector<JsonValue> &values, CallReading &out) const;

    ToolPolicy m_policy;
    bool m_hidesValue = false;
    bool m_hidesDestination = false;
    std::shared_ptr<const Parts> m_parts;
};

} // namespace handreset::rules
