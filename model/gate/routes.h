// Which call of the agents' door a request is (spec 5's table), and what its head must say. Pure; any thread.
#pragma once

#include "model/gate/fault.h"

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <variant>

namespace handreset::gate {

struct Route {
    enum class What : std::uint8_t {
        Step,
        StepResult,
        Call,
        CallResult,
        Note,
        End,
        Agent,
        Health,
        Ready,
        Metrics,
    };
    What what = What::Health;
    std::string name; ///< the path's own part, unescaped: an ask's id, a task, an agent; empty where it has none
};

/// 404, or 405 with what the path allows; 400 for a path that is none.
struct RouteFault {
    Fault fault;
    std::string allow; ///< of a 405: "POST"
};

[[nodiscard]] std::variant<Route, RouteFault> routeOf(std::string_view method, std::string_view target);
/// Whether it takes no token: what probes and scrapers of this machine ask.
[[nodiscard]] bool isOpenToAll(Route::What what) noexcept;
/// 415 where a body is due and is no plain JSON.
[[nodiscard]] std::optional<Fault> faultOfMedia(std::string_view contentType, std::string_view contentEncoding,
                                                Route::What what);

} // namespace handreset::gate
