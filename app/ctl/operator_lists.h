// Operators, requests that wait and open reviews, as people and machines read them. Pure; any thread.
#pragma once

#include "app/ctl/json_writer.h"
#include "model/rules/fleet.h"

#include <string>
#include <string_view>

namespace handreset::ctl {

inline constexpr std::string_view kOperatorFields
    = "name, role, active, key, fingerprint, root (the first one), enrolled_at, enrolled_by, key_since, retired_at, "
      "retired_by";
inline constexpr std::string_view kRequestFields
    = "request, act, by, machine, agent, trip, why, reason, changes [text], requested_at, expires";
inline constexpr std::string_view kReviewFields = "review, act, by, agent, why, reason, at";

void writeOperators(JsonWriter &json, const rules::Fleet &fleet);
void writeRequests(JsonWriter &json, const rules::Fleet &fleet);
void writeReviews(JsonWriter &json, const rules::Fleet &fleet);

[[nodiscard]] std::string operatorsText(const rules::Fleet &fleet);
[[nodiscard]] std::string requestsText(const rules::Fleet &fleet, rules::Now now);
[[nodiscard]] std::string requestText(const rules::Fleet &fleet, rules::Seq id, const rules::ActRequest &request);
[[nodiscard]] std::string reviewsText(const rules::Fleet &fleet);

} // namespace handreset::ctl
