#include "model/engine/act_under_signature.h"

#include <type_traits>
#include <variant>

namespace handreset::engine {

std::optional<rules::Act> actIn(const rules::Command &command)
{
    return std::visit(
        [](const auto &one) -> std::optional<rules::Act> {
            using One = std::remove_cvref_t<decltype(one)>;
            if constexpr (std::is_same_v<One, rules::Signed>) {
                auto act = rules::decodeAct(one.act.act);
                return act ? std::optional(std::move(*act)) : std::nullopt;
            } else if constexpr (std::is_constructible_v<rules::Act, One> && requires { one.by; }) {
                return rules::Act(one);
            } else {
                return std::nullopt;
            }
        },
        command);
}

} // namespace handreset::engine
