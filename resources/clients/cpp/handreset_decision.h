// What the gate answers to an ask.
#pragma once

#include <optional>
#include <string>
#include <string_view>

namespace handreset::client {

enum class Rung { Closed, Degraded, Open };

/// When asking again makes sense. AfterSeconds and AfterCalls (calls that the breaker turns away first) have an amount.
struct Retry {
    enum class Kind { Untold, Never, AfterHuman, AfterSeconds, AfterCalls };
    Kind kind = Kind::Untold;
    double amount = 0;
};

/// One answer of the gate or, with `offline`, of the offline rules in its place.
struct Decision {
    std::string id; ///< of the ask; empty where a refusal has none
    bool allowed = false;
    Rung rung = Rung::Open; ///< of the task, after this ask
    bool writes = false;    ///< whether write tools are allowed now
    std::string model;      ///< the model to use while degraded; empty: any that the policy allows
    bool probe = false;     ///< the one trial call of a breaker that is HALF_OPEN
    // Who refused, and why. Empty in an allow.
    std::string source;
    std::string text;
    std::string trip;
    std::string breaker;
    Retry retry;
    bool offline = false;
};

/// What the gate says of a request that is wrong.
struct ErrorText {
    std::string code;
    std::string message;
    std::string field;     ///< empty: not said
    long long offset = -1; ///< in bytes; -1: not said
};

/// The decision in the body of a 200 to the ask with this id. None where anything is not as the gate writes it: a word
/// that is not known is never taken for the nearest one, and an allow of another ask is no allow of this one.
[[nodiscard]] std::optional<Decision> readDecision(std::string_view body, std::string_view asked);
[[nodiscard]] ErrorText readError(std::string_view body);
/// None where the word is no rung.
[[nodiscard]] std::optional<Rung> readRung(std::string_view word);
/// "steps: 26 of 25; the model to use is small-model (a human must re-arm first)".
[[nodiscard]] std::string inWords(const Decision &decision);

} // namespace handreset::client
