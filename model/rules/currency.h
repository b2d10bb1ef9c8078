// The currency codes that a policy may name (ISO 4217). Pure; any thread.
#pragma once

#include <string_view>

namespace handreset::rules {

/// True for an active ISO 4217 code ("USD"). Codes of metals, funds and tests (XAU, XXX) are not money to spend.
[[nodiscard]] bool isCurrency(std::string_view code) noexcept;

} // namespace handreset::rules
