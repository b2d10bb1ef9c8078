// Who asks, and the refusals that every ask shares: ended task, open rung, waiting in the queue. Internal to
// model/rules. Pure; any thread.
#pragma once

#include "model/rules/draft.h"

#include <cstdint>
#include <optional>
#include <string>

namespace handreset::rules {

/// The places of an ask, resolved and checked.
struct Place {
    AgentId agent;
    TaskId task;
    TaskId root;
    TaskId parent;
    SessionId session;
};

/// Nothing where the texts can be names; else what is wrong.
[[nodiscard]] std::optional<Error> checkPlace(const std::string &agent, const std::string &task,
                                              const std::string &session, const std::string &parent);
/// Resolves who asks, naming what is new. An Error where the ask is wrong; then nothing was named.
[[nodiscard]] Result<Place> resolvePlace(Draft &draft, const std::string &agent, const std::string &task,
                                         const std::string &session, const std::string &parent);
/// The refusals that evaluate nothing further.
[[nodiscard]] std::optional<Refusal> refusedByRung(const Draft &draft, const Place &place, bool isWrite);
/// Answers a refusal by rung: counted by the second, not logged one by one (spec 4).
void denyUncounted(Draft &draft, const Place &place, ToolId tool, Refusal refusal);
/// Answers the ask of a task that is not known yet where its agent is open: such a task gets no name, so that an agent
/// that hammers with ever new names writes nothing. False where the ask must be looked at.
[[nodiscard]] bool refusedBeforeNaming(Draft &draft, const std::string &agent, const std::string &task);
/// What would end the refusal: the trip's clock, or a human.
void retryWhenLifted(Refusal &refusal, const Trip &trip, Now now);
/// The refusal that a signal's firing is.
[[nodiscard]] Refusal refusalOf(const Fleet &fleet, RefusalSource source, const Firing &firing,
                                const FiringContext &context);
/// Keeps the first refusal.
void refuse(std::optional<Refusal> &first, Refusal next);
[[nodiscard]] Decision allowed(const Draft &draft, const Place &place, AskId id);
[[nodiscard]] Decision denied(const Draft &draft, const Place &place, AskId id, const Refusal &refusal, TripId trip);

/// The result that a report states, priced (spec 3.3, Spend). `reserved` stands for a cost that nobody stated.
[[nodiscard]] StepOutcome outcomeOf(const Draft &draft, AgentId agent, KeyId key, const StepReport &report,
                                    const std::string &askedModel, std::optional<Decimal> reserved);

} // namespace handreset::rules
