// Rows of what waits for a second person, and of broken glass, from the state of the fleet. Pure functions; any thread
// that may read the fleet.
#pragma once

#include "model/live/operators.h"
#include "model/live/request_row.h"
#include "model/rules/fleet.h"

namespace handreset::live {

/// `request`: one of `fleet.requests`.
[[nodiscard]] RequestRow requestRow(const rules::Fleet &fleet, rules::Seq seq, const rules::ActRequest &request);
[[nodiscard]] RequestRow reviewRow(const rules::Fleet &fleet, rules::Seq seq, const rules::OpenReview &review);
/// The row as it is after its end.
void end(RequestRow &row, const rules::Fleet &fleet, const rules::RequestEnded &ended);
void end(RequestRow &row, const rules::Fleet &fleet, const rules::ReviewClosed &closed);

[[nodiscard]] OperatorsNow operatorsNow(const rules::Fleet &fleet);

} // namespace handreset::live
