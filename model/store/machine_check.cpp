#include "model/store/machine_check.h"

#include "model/rules/latch.h"

#include <variant>

namespace handreset::store {

using rules::BreakerEvent;
using rules::Event;
using rules::LatchEvent;
using rules::toWord;

namespace {

std::string at(const Event &event)
{
    return "event " + std::to_string(event.seq.value) + ", row " + std::to_string(event.row) + ": ";
}

std::string nameOf(const rules::BreakerKey &key)
{
    return "breaker of tool " + std::to_string(key.tool.value)
        + (key.agent.isSet() ? " and agent " + std::to_string(key.agent.value) : std::string());
}

BreakerEvent inputOf(rules::CallOutcome outcome)
{
    switch (outcome) {
    case rules::CallOutcome::Success:
        return BreakerEvent::Success;
    case rules::CallOutcome::Failure:
        return BreakerEvent::Failure;
    case rules::CallOutcome::Neutral:
        return BreakerEvent::Neutral;
    }
    return BreakerEvent::Neutral;
}

} // namespace

void MachineCheck::take(const Event &event, Findings &findings)
{
    if (event.row == 0)
        return;
    if (const auto *asked = std::get_if<rules::CallAsked>(&event.payload)) {
        takeBreaker(event, {asked->tool, asked->ownBreaker ? event.agent : rules::AgentId{}}, BreakerEvent::Ask,
                    findings);
    } else if (const auto *finished = std::get_if<rules::CallFinished>(&event.payload)) {
        takeBreaker(event, {finished->tool, finished->ownBreaker ? event.agent : rules::AgentId{}},
                    inputOf(finished->outcome), findings);
    } else if (const auto *moved = std::get_if<rules::BreakerMoved>(&event.payload)) {
        takeBreaker(event, moved->breaker, moved->event, findings);
    } else if (std::holds_alternative<rules::TripFired>(event.payload)) {
        takeLatch(event, rules::TripId{event.seq.value}, LatchEvent::Fires, findings);
    } else if (const auto *opened = std::get_if<rules::TripOpened>(&event.payload)) {
        takeLatch(event, opened->trip, LatchEvent::OverdraftUsedUp, findings);
    } else if (const auto *rearmed = std::get_if<rules::TripRearmed>(&event.payload)) {
        takeLatch(event, rearmed->trip,
                  rules::SetOf<LatchEvent>(LatchEvent::TimeOver) | LatchEvent::RearmToClosed
                      | LatchEvent::RearmToDegraded,
                  findings);
    } else if (rules::rowOfId(rules::kBreakerTable, event.row) == nullptr
               && rules::rowOfId(rules::kLatchTable, event.row) == nullptr) {
        findings.add(at(event) + "no table has this row");
    }
}

void MachineCheck::takeBreaker(const Event &event, rules::BreakerKey key, BreakerEvent input, Findings &findings)
{
    const auto *const row = rules::rowOfId(rules::kBreakerTable, event.row);
    if (row == nullptr || !row->events.has(input)) {
        findings.add(at(event) + "the breakers' table has no such row for \"" + std::string(toWord(input)) + "\"");
        return;
    }
    auto &state = m_breakers[key];
    if (!row->from.has(state))
        findings.add(at(event) + "the " + nameOf(key) + " was " + std::string(toWord(state))
                     + " after its last transition; this one does not start there");
    if (row->moves)
        state = row->to;
}

void MachineCheck::takeLatch(const Event &event, rules::TripId trip, rules::SetOf<LatchEvent> inputs,
                             Findings &findings)
{
    const auto *const row = rules::rowOfId(rules::kLatchTable, event.row);
    if (row == nullptr || (row->events.bits & inputs.bits) == 0 || row->effect == rules::LatchEffect::None) {
        findings.add(at(event) + "the latches' table has no such row for \"" + std::string(event.kindWord()) + "\"");
        return;
    }
    const auto held = m_latches.find(trip);
    const auto state = held != m_latches.end() ? held->second : rules::LatchState::Clear;
    if (!row->from.has(state))
        findings.add(at(event) + "trip " + std::to_string(trip.value) + " was " + std::string(toWord(state))
                     + "; this row does not start there");
    if (row->effect == rules::LatchEffect::Hold)
        m_latches[trip] = row->to;
    else if (row->effect != rules::LatchEffect::Open)
        m_latches.erase(trip);
}

void MachineCheck::compare(const rules::Fleet &fleet, Findings &findings) const
{
    for (const auto &[key, state] : m_breakers) {
        const auto folded = fleet.breaker(key).state;
        if (folded != state)
            findings.add("the " + nameOf(key) + " is " + std::string(toWord(folded)) + ", its transitions lead to "
                         + std::string(toWord(state)));
    }
    for (const auto &[trip, state] : m_latches) {
        const auto found = fleet.trips.find(trip);
        if (found == fleet.trips.end() || found->second.latch != state)
            findings.add("trip " + std::to_string(trip.value) + " should be " + std::string(toWord(state)));
    }
    if (fleet.trips.size() != m_latches.size())
        findings.add("the state has " + std::to_string(fleet.trips.size())
                     + " active trips, the log's transitions leave " + std::to_string(m_latches.size()));
}

} // namespace handreset::store
