// The matrix of one agent: one decision a line — which signal, which limit, how near it is, what happens, who re-arms,
// and whether the limit can really refuse (spec 3.2, 3.3 "No data is not OK"). Pure values; any thread.
#pragma once

#include "model/rules/fleet.h"
#include "model/rules/ids.h"
#include "model/rules/instant.h"
#include "model/rules/policy.h"
#include "model/rules/words.h"

#include <array>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace handreset::rules {

/// What a limit can do for this agent.
enum class Coverage : std::uint8_t {
    Enforced, ///< it can refuse
    Observed, ///< it can only be seen, after the fact
    NoData,   ///< it cannot be evaluated: never drawn as good
    NoLimit,  ///< the policy sets none
};
template <>
struct Words<Coverage> {
    static constexpr std::array<std::string_view, 4> list{"enforced", "observed", "no data", "no limit"};
};

/// One line.
struct MatrixLine {
    Signal signal = Signal::Steps;
    std::string where;  ///< which window, task, endpoint or cap: "24h", "task t-91", "send_pix value"; empty: none
    std::string used;   ///< a number in words: "10.00", "11"; empty with no data
    std::string limit;  ///< "10.00", "25"; empty where there is none
    std::string unit;   ///< "USD", "steps", "equal calls", "per minute"
    double share = 0;   ///< used of limit, 0 to 1
    Rung action = Rung::Open;
    RearmBy rearm = RearmBy::Human;
    std::string seenAt; ///< "gate", "gateway", "recording"
    Coverage coverage = Coverage::Enforced;
    std::string why;    ///< why it is not enforced, or a remark; empty else
    std::optional<Instant> since; ///< since when there is no data
    TripId trip;        ///< the active trip of this line, if there is one
    Rung tripped = Rung::Closed; ///< its rung
    bool operator==(const MatrixLine &) const = default;
};

/// The lines of one agent in the order of `kFiveSignals`; each signal has at least one. Of spend one a window, of
/// envelope at most two: tripped caps first, then the fullest; `why` of the last says how many more there are. Further
/// limits of steps get a line when they are near.
[[nodiscard]] std::vector<MatrixLine> matrixOf(const Fleet &fleet, AgentId agent, Now now);

/// "all five signals enforced", "4 enforced, 1 no data": the matrix in one line.
[[nodiscard]] std::string coverageWords(const std::vector<MatrixLine> &matrix);

} // namespace handreset::rules
