// Whose signature an act needs, and whether the log's events stand under one (spec 3.4, 4). `decide` asks before it
// writes; `apply` asks again of everything that is folded, so that a forged log is found wherever it is read.
// Pure; any thread.
#pragma once

#include "model/rules/act.h"
#include "model/rules/event.h"
#include "model/rules/fleet.h"

#include <optional>
#include <string>

namespace handreset::rules {

/// Why the signed act may not be taken; empty where it may. `now` is the host's time. `act` is what `signedAct` holds.
[[nodiscard]] std::string faultOfSigned(const Fleet &fleet, const SignedAct &signedAct, const Act &act,
                                        const ActOrigin &origin, Instant now);
/// What asks for a second person before this act is done, in words; none: nothing does. A policy to apply must have
/// been read. `now` is the host's time.
[[nodiscard]] std::optional<std::string> secondPersonFor(const Fleet &fleet, const Act &act, Instant now);
/// The agent that the act is about; none: the fleet.
[[nodiscard]] AgentId agentOf(const Fleet &fleet, const Act &act);
/// The trip that the act is about; none: no trip.
[[nodiscard]] TripId tripOf(const Act &act);

/// Why this event may not stand in a signed store here; empty where it may. Marks the licence as used.
[[nodiscard]] std::string faultOfLicence(Fleet &fleet, const Event &event);
/// What an approval of this request signs for: who asked, and the act's bytes.
[[nodiscard]] Digest digestOf(const ActRequest &request);
/// Why these two may not be the two persons of one act; empty where they may.
[[nodiscard]] std::string faultOfSecondPerson(const Fleet &fleet, const ActRequest &request, OperatorId second);

} // namespace handreset::rules
