// One event as a sentence for a person. Texts in it that came from agents are as they came: whoever shows them must
// show them as plain text. Pure values; any thread.
#pragma once

#include "model/rules/event.h"
#include "model/rules/fleet.h"
#include "model/rules/trip.h"

#include <cstdint>
#include <string>

namespace handreset::rules {

/// How much an event asks for a person's eye.
enum class Weight : std::uint8_t {
    Ordinary, ///< allowed asks, results, names
    Refused,  ///< an ask was refused
    Moved,    ///< a state changed by itself: a transition, a clock's re-arm
    Trip,     ///< a latch closed, or got worse
    ByOperator, ///< an operator's act
};

struct EventWords {
    std::string word;     ///< "trip", "refused", "allowed": what happened, in one or two words
    std::string subject;  ///< the tool, key, endpoint or trip it is about; empty where agent and task say all
    std::string sentence; ///< "envelope: send_pix 900.00 over 500.00 BRL, open"
    Weight weight = Weight::Ordinary;
};

/// `fleet` is the state just after the event.
[[nodiscard]] EventWords wordsOf(const Event &event, const Fleet &fleet);

/// What a trip's limit is about: "spend 24h", "steps", "envelope send_pix value", "stop to open".
[[nodiscard]] std::string tripTitle(const TripSubject &subject, const NameTable &names);
/// What it measured against which limit, in one line: "900.00 BRL over 500.00 BRL".
[[nodiscard]] std::string tripMeasured(const Trip &trip);

} // namespace handreset::rules
