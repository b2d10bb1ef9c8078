#include "model/rules/breaker.h"

#include <algorithm>

namespace handreset::rules {

namespace {

bool holds(BreakerGuard guard, const Breaker &breaker, const BreakerInput &input, const BreakerPolicy &policy,
           Steady now)
{
    const bool current = input.generation == breaker.generation;
    const bool isTheProbe = breaker.probe.isSet() && input.call == breaker.probe;
    switch (guard) {
    case BreakerGuard::Else:
        return true;
    case BreakerGuard::Isolated:
        return breaker.isolation.has_value();
    case BreakerGuard::NotIsolated:
        return !breaker.isolation.has_value();
    case BreakerGuard::CooledDownAndAuto:
        return policy.probe == ProbeBy::Auto && isCooledDown(breaker, policy, now);
    case BreakerGuard::NoProbeIsOut:
        return !breaker.probe.isSet();
    case BreakerGuard::ProbeIsOut: {
        const auto end = probeLeaseEnd(breaker, policy);
        return end && now >= *end;
    }
    case BreakerGuard::CurrentAndReachesThreshold:
        return current && breaker.failureCount + 1 >= policy.failureThreshold;
    case BreakerGuard::Current:
        return current;
    case BreakerGuard::TheProbe:
        return current && isTheProbe;
    case BreakerGuard::TheProbeAndAuto:
        return current && isTheProbe && policy.probe == ProbeBy::Auto;
    }
    return false;
}

void openNow(Breaker &breaker, const BreakerChange &change)
{
    breaker.rejectedWhileOpen = 0;
    breaker.openedAt = change.now.steady;
    breaker.openedAtWall = change.now.wall;
    breaker.cooldownMet = false;
    breaker.probe = {};
}

void takeEffect(Breaker &breaker, BreakerEffect effect, const BreakerChange &change)
{
    switch (effect) {
    case BreakerEffect::None:
        break;
    case BreakerEffect::ClearFailures:
        breaker.failureCount = 0;
        break;
    case BreakerEffect::CountFailure:
        ++breaker.failureCount;
        break;
    case BreakerEffect::Trip:
        ++breaker.failureCount;
        openNow(breaker, change);
        break;
    case BreakerEffect::CountRejection:
        breaker.rejectedWhileOpen = std::min(breaker.rejectedWhileOpen + 1, change.cooldownCalls);
        break;
    case BreakerEffect::TakeProbe:
        breaker.probe = change.call;
        breaker.probeSince = change.now.steady;
        breaker.cooldownMet = true;
        break;
    case BreakerEffect::CloseAfterProbe:
    case BreakerEffect::Reset:
        breaker.failureCount = 0;
        breaker.probe = {};
        breaker.cooldownMet = false;
        break;
    case BreakerEffect::ReopenAfterProbe:
        openNow(breaker, change);
        break;
    case BreakerEffect::FreeProbe:
        breaker.probe = {};
        break;
    case BreakerEffect::Isolate:
        openNow(breaker, change);
        breaker.isolation = Isolation{change.by, change.reason, change.now.wall};
        break;
    case BreakerEffect::LetProbeOut:
        breaker.isolation.reset();
        breaker.probe = {};
        breaker.cooldownMet = true;
        break;
    }
}

std::int64_t secondsLeft(Steady end, Steady now)
{
    const auto left = (end - now).micros;
    return left <= 0 ? 0 : (left + 999'999) / 1'000'000;
}

} // namespace

const BreakerRow &decideBreaker(const Breaker &breaker, const BreakerInput &input, const BreakerPolicy &policy,
                                Steady now)
{
    for (const auto &row : kBreakerTable) {
        if (row.from.has(breaker.state) && row.events.has(input.event)
            && holds(row.guard, breaker, input, policy, now))
            return row;
    }
    return kBreakerTable.back(); // the compiler has checked that every group is closed
}

void applyBreaker(Breaker &breaker, const BreakerRow &row, const BreakerChange &change)
{
    takeEffect(breaker, row.effect, change);
    if (!row.moves)
        return;
    if (breaker.state != row.to)
        ++breaker.generation;
    breaker.state = row.to;
    breaker.lastRow = row.id;
    breaker.changedAt = change.now.wall;
}

bool isCooledDown(const Breaker &breaker, const BreakerPolicy &policy, Steady now)
{
    if (breaker.cooldownMet)
        return true;
    if (policy.cooldownCalls && breaker.rejectedWhileOpen < *policy.cooldownCalls)
        return false;
    return !policy.cooldownSeconds || now - breaker.openedAt >= seconds(*policy.cooldownSeconds);
}

std::optional<Steady> probeLeaseEnd(const Breaker &breaker, const BreakerPolicy &policy)
{
    if (!breaker.probe.isSet())
        return std::nullopt;
    return breaker.probeSince + seconds(policy.probeLeaseSeconds);
}

std::string_view meaningOf(const Breaker &breaker, const BreakerPolicy &policy, Steady now)
{
    switch (breaker.state) {
    case BreakerState::Closed:
        return "CLOSED, calls pass";
    case BreakerState::HalfOpen:
        return "HALF_OPEN, one probe";
    case BreakerState::Open:
        break;
    }
    if (breaker.isolation)
        return "OPEN, isolated";
    if (!isCooledDown(breaker, policy, now))
        return "OPEN, calls refused";
    return policy.probe == ProbeBy::Auto ? "OPEN, due, waiting for a call" : "OPEN, due, waiting for an operator";
}

std::string whatEndsIt(const Breaker &breaker, const BreakerPolicy &policy, Steady now)
{
    if (breaker.state == BreakerState::Closed)
        return {};
    if (breaker.state == BreakerState::HalfOpen) {
        const auto end = probeLeaseEnd(breaker, policy);
        return end ? "the probe's result, at the latest in " + std::to_string(secondsLeft(*end, now)) + " s"
                   : "the next call is the probe";
    }
    if (breaker.isolation)
        return "an operator's release";
    std::string words;
    if (!breaker.cooldownMet && policy.cooldownCalls)
        words = std::to_string(breaker.rejectedWhileOpen) + " of " + std::to_string(*policy.cooldownCalls)
            + " rejections";
    if (!breaker.cooldownMet && policy.cooldownSeconds) {
        const auto left = secondsLeft(breaker.openedAt + seconds(*policy.cooldownSeconds), now);
        words += (words.empty() ? "" : ", ") + std::to_string(left) + " s left";
    }
    if (isCooledDown(breaker, policy, now))
        words = "due, waiting for a call";
    if (policy.probe == ProbeBy::Operator)
        words += words.empty() ? "an operator's probe" : ", then an operator's probe";
    return words;
}

} // namespace handreset::rules
