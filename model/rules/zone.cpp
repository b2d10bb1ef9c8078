#include "model/rules/zone.h"

#include <algorithm>
#include <iterator>

namespace handreset::rules {

std::int32_t Zone::offsetAt(Instant at) const noexcept
{
    const auto later = std::upper_bound(transitions.begin(), transitions.end(), at,
                                        [](Instant t, const Transition &transition) { return t < transition.at; });
    return later == transitions.begin() ? firstOffsetSeconds : std::prev(later)->offsetSeconds;
}

} // namespace handreset::rules
