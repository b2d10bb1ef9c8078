#include "model/rules/judge.h"

#include <algorithm>

namespace handreset::rules {

namespace {

const Zone &utc()
{
    static const Zone zone;
    return zone;
}

Decimal whole(std::int64_t n)
{
    return Decimal(n);
}

Firing stepsFiring(Cap cap, Reach reach, std::int64_t used, std::int64_t limit, std::int32_t hours)
{
    Firing firing;
    firing.signal = Signal::Steps;
    firing.cap = cap;
    firing.action = Rung::Open;
    firing.reach = reach;
    firing.measured = whole(used + 1);
    firing.limit = whole(limit);
    firing.windowHours = hours;
    return firing;
}

} // namespace

WindowSpan Calendar::span(WindowKind kind, Instant at) const
{
    return windowSpan(kind, at, zone != nullptr ? *zone : utc(), weekStarts);
}

// ---- Steps -------------------------------------------------------------------------------------------------

void judgeSteps(const Counters &counters, const StepsPolicy &ofRoot, const StepsPolicy &ofAgent,
                const StepSubject &subject, std::optional<Instant> at, const Calendar &calendar, Judgement &out)
{
    const auto &root = counters.root(subject.root);
    const auto limit = std::max(ofRoot.limit, root.grantedUpTo);
    if (root.steps >= limit)
        out.fired.push_back(stepsFiring(Cap::None, ofRoot.reaches, root.steps, limit, 0));
    else if (ofRoot.watch && root.steps == *ofRoot.watch)
        out.watched.push_back(stepsFiring(Cap::None, ofRoot.reaches, root.steps, *ofRoot.watch, 0));

    if (ofAgent.perSession && subject.session.isSet()) {
        const auto found = counters.sessions.find(subject.session);
        const auto count = found != counters.sessions.end() ? found->second : PlainCount{};
        const auto most = std::max(*ofAgent.perSession, count.grantedUpTo);
        if (count.used >= most)
            out.fired.push_back(stepsFiring(Cap::PerSession, Reach::Agent, count.used, most, 0));
    }
    if (ofAgent.perAgent && at) {
        const auto kind = ofAgent.perAgent->window;
        const auto found = counters.agentWindows.find({subject.agent, kind.hours, calendar.span(kind, *at).start});
        const auto count = found != counters.agentWindows.end() ? found->second : PlainCount{};
        const auto most = std::max(ofAgent.perAgent->limit, count.grantedUpTo);
        if (count.used >= most)
            out.fired.push_back(stepsFiring(Cap::PerAgent, Reach::Agent, count.used, most, kind.hours));
    }
}

void countStep(Counters &counters, const StepsPolicy &ofAgent, const StepSubject &subject, std::optional<Instant> at,
               const Calendar &calendar, Past past)
{
    ++counters.root(subject.root).steps;
    if (subject.session.isSet())
        ++counters.sessions[subject.session].used;
    if (!ofAgent.perAgent || !at)
        return;
    const auto kind = ofAgent.perAgent->window;
    const auto start = calendar.span(kind, *at).start;
    const auto [place, isNew] = counters.agentWindows.try_emplace({subject.agent, kind.hours, start});
    ++place->second.used;
    if (past == Past::Ended && isNew && place != counters.agentWindows.begin()) {
        const auto before = std::prev(place); // the agent's window before the last one is of no further use
        if (before->first.agent == subject.agent && before->first.hours == kind.hours && before != counters.agentWindows.begin()) {
            const auto older = std::prev(before);
            if (older->first.agent == subject.agent && older->first.hours == kind.hours)
                counters.agentWindows.erase(older);
        }
    }
}

// ---- Repetition --------------------------------------------------------------------------------------------

namespace {

/// How long the row of period `period` would be with this call: calls that equal the one `period` before them.
std::int32_t runWith(const RowOfCalls &row, const Digest &identity, std::size_t period)
{
    const bool equal = row.last.size() >= period && row.last[period - 1] == identity;
    return equal ? row.run[period - 1] + 1 : 0;
}

} // namespace

void judgeRepetition(const RowOfCalls &row, const Digest &identity, const RepetitionPolicy &policy,
                     const ToolPolicy &tool, Judgement &out)
{
    if (tool.repetitionExempt)
        return;
    const auto limit = tool.repetitionLimit.value_or(policy.limit);
    const auto longest = std::min<std::size_t>(static_cast<std::size_t>(std::max(policy.maxPeriod, 1)), kLongestPeriod);
    for (std::size_t period = 1; period <= longest; ++period) {
        const auto run = runWith(row, identity, period);
        const auto blockLength = static_cast<std::int64_t>(period);
        const auto firing = [&](std::int64_t against) {
            Firing f;
            f.signal = Signal::Repetition;
            f.action = policy.action;
            f.reach = policy.reaches;
            f.measured = whole(run / blockLength + 1);
            f.limit = whole(against);
            f.period = static_cast<std::int32_t>(period);
            return f;
        };
        if (run >= (limit - 1) * blockLength && run > 0) {
            out.fired.push_back(firing(limit));
            return;
        }
        if (policy.watch && run > 0 && run == (*policy.watch - 1) * blockLength)
            out.watched.push_back(firing(*policy.watch));
    }
}

void countCall(RowOfCalls &row, const Digest &identity)
{
    for (std::size_t period = 1; period <= kLongestPeriod; ++period)
        row.run[period - 1] = runWith(row, identity, period);
    if (row.run[0] == 0)
        row.changed.reset();
    row.last.insert(row.last.begin(), identity);
    if (row.last.size() > kLongestPeriod)
        row.last.pop_back();
}

void countResult(RowOfCalls &row, const Digest &identity, std::optional<bool> changed)
{
    if (row.last.empty() || row.last.front() != identity || !changed)
        return;
    row.changed = row.changed.value_or(false) || *changed;
    row.lastResultOf = identity;
}

void restartRow(RowOfCalls &row)
{
    row = RowOfCalls{};
}

// ---- Spend -------------------------------------------------------------------------------------------------

SpendSum spendAt(const Counters &counters, KeyId key, WindowKind kind, Instant at, const Calendar &calendar)
{
    const auto found = counters.spend.find({key, kind.hours, calendar.span(kind, at).start});
    return found != counters.spend.end() ? found->second : SpendSum{};
}

SpendVerdict judgeSpendAsk(const Counters &counters, KeyId key, const SpendWindow &window, bool onOverdraft,
                           Decimal estimate, Decimal policyEstimate, Instant at, const Calendar &calendar)
{
    using Kind = SpendVerdict::Kind;
    SpendVerdict verdict;
    verdict.window = &window;
    verdict.sum = spendAt(counters, key, window.window, at, calendar);
    verdict.cap = window.limit + verdict.sum.granted;
    if (onOverdraft)
        verdict.cap += window.overdraft;
    const auto taken = verdict.sum.settled + verdict.sum.reserved;
    if (verdict.sum.settled >= verdict.cap)
        verdict.kind = Kind::Full;
    else if (taken + estimate <= verdict.cap)
        verdict.kind = Kind::Fits;
    else if (verdict.sum.reservations > 0)
        verdict.kind = Kind::WaitForOthers;
    else
        verdict.kind = verdict.sum.settled + policyEstimate > verdict.cap ? Kind::Full : Kind::AskTooLarge;
    return verdict;
}

void judgeSpendSettled(const Counters &counters, KeyId key, const KeyPolicy &policy, Decimal cost, Instant at,
                       const Calendar &calendar, Judgement &out)
{
    for (const auto &window : policy.windows) {
        const auto sum = spendAt(counters, key, window.window, at, calendar);
        const auto cap = window.limit + sum.granted;
        Firing firing;
        firing.signal = Signal::Spend;
        firing.action = window.action;
        firing.reach = Reach::Key;
        firing.measured = sum.settled;
        firing.limit = cap;
        firing.windowHours = window.window.hours;
        if (sum.settled >= cap) {
            out.fired.push_back(firing);
        } else if (window.watch && sum.settled >= *window.watch && sum.settled - cost < *window.watch) {
            firing.limit = *window.watch;
            out.watched.push_back(firing);
        }
    }
}

namespace {

/// Drops an ended window of the key that nothing is reserved in any more, when a later one has begun.
void dropEndedWindows(Counters &counters, KeyId key, std::int32_t hoursOfKind, Instant present)
{
    auto place = counters.spend.lower_bound({key, hoursOfKind, Instant{INT64_MIN}});
    while (place != counters.spend.end() && place->first.key == key && place->first.hours == hoursOfKind
           && place->first.start < present) {
        const bool isIdle = place->second.reservations <= 0;
        place = isIdle ? counters.spend.erase(place) : std::next(place);
    }
}

Instant slotOf(Instant at)
{
    auto remainder = at.micros % kSpendSlot.micros;
    if (remainder < 0)
        remainder += kSpendSlot.micros;
    return Instant{at.micros - remainder};
}

} // namespace

void reserveSpend(Counters &counters, KeyId key, const KeyPolicy &policy, Decimal amount, Instant at,
                  const Calendar &calendar)
{
    for (const auto &window : policy.windows) {
        const auto start = calendar.span(window.window, at).start;
        const auto [place, isNew] = counters.spend.try_emplace({key, window.window.hours, start});
        place->second.reserved += amount;
        ++place->second.reservations;
        if (isNew)
            dropEndedWindows(counters, key, window.window.hours, start);
    }
}

void settleSpend(Counters &counters, KeyId key, const KeyPolicy &policy, Decimal cost, std::optional<Decimal> reserved,
                 Instant at, const Calendar &calendar)
{
    for (const auto &window : policy.windows) {
        auto &sum = counters.spend[{key, window.window.hours, calendar.span(window.window, at).start}];
        sum.settled += cost;
        if (reserved && sum.reservations > 0) {
            --sum.reservations;
            sum.reserved = std::max(sum.reserved - *reserved, Decimal{});
        }
    }
    if (cost.isZero())
        return;
    auto &slots = counters.spendSlots[key];
    slots[slotOf(at)] += cost;
    while (slots.begin()->first < at - kSpendSlotsKept)
        slots.erase(slots.begin());
}

void recountSpend(Counters &counters, KeyId key, const KeyPolicy &policy, Instant now, const Calendar &calendar)
{
    const auto slots = counters.spendSlots.find(key);
    for (auto sum = counters.spend.lower_bound({key, INT32_MIN, Instant{INT64_MIN}});
         sum != counters.spend.end() && sum->first.key == key; ++sum) {
        sum->second.reserved = {};
        sum->second.reservations = 0;
    }
    for (const auto &window : policy.windows) {
        const auto span = calendar.span(window.window, now);
        const auto place = counters.spend.try_emplace({key, window.window.hours, span.start}).first;
        dropEndedWindows(counters, key, window.window.hours, span.start);
        place->second.settled = {};
        if (slots == counters.spendSlots.end())
            continue;
        for (auto slot = slots->second.lower_bound(span.start); slot != slots->second.end() && slot->first < span.end;
             ++slot)
            place->second.settled += slot->second;
    }
}

Cost costOf(const std::optional<Money> &reported, std::optional<std::int64_t> tokensIn,
            std::optional<std::int64_t> tokensOut, std::string_view model, const Policy &policy,
            const std::string &currency, Decimal estimate)
{
    Cost cost;
    cost.stated = reported || tokensIn || tokensOut;
    if (reported && (reported->currency.empty() || reported->currency == currency)) {
        cost.reported = true;
        cost.amount = reported->amount;
    }
    const bool hasTokens = tokensIn.value_or(0) > 0 || tokensOut.value_or(0) > 0;
    const auto price = policy.prices.find(model);
    const bool known = price != policy.prices.end() && price->second.in.currency == currency
        && price->second.out.currency == currency;
    if (known && (tokensIn || tokensOut)) {
        constexpr std::int64_t kMillion = 1'000'000;
        const auto byTable = price->second.in.amount.timesOver(std::max<std::int64_t>(tokensIn.value_or(0), 0), kMillion)
            + price->second.out.amount.timesOver(std::max<std::int64_t>(tokensOut.value_or(0), 0), kMillion);
        cost.priced = byTable > cost.amount || !cost.reported;
        cost.amount = std::max(cost.amount, byTable);
    } else if ((!cost.reported && (hasTokens || reported)) || (hasTokens && cost.amount.isZero())) {
        cost.unpriced = true; // a foreign currency, or tokens of a model without a price, whatever 0 is claimed
        cost.amount = estimate;
    }
    return cost;
}

// ---- Provider ----------------------------------------------------------------------------------------------

ProviderResult classify(bool ok, std::int32_t status)
{
    if (ok)
        return ProviderResult::Success;
    if (status == 429 || status == 401 || status == 404 || status == 408)
        return ProviderResult::TripsAtOnce;
    if (status >= 400 && status < 500)
        return ProviderResult::Ignored;
    return ProviderResult::Failure; // 5xx, a timeout, a connection that failed: no status
}

void judgeProvider(const EndpointCounters &endpoint, ProviderResult result, std::int32_t status,
                   const ProviderPolicy &policy, Steady at, Judgement &out)
{
    if (result == ProviderResult::Success || result == ProviderResult::Ignored)
        return;
    std::int64_t calls = 1;
    std::int64_t fails = 1;
    for (const auto &call : endpoint.calls) {
        if (call.at > at - seconds(60) && call.at <= at) {
            ++calls;
            fails += call.failed ? 1 : 0;
        }
    }
    const bool tooMany = fails > policy.allowedFails;
    const bool mostFailed = calls >= 5 && fails * 2 > calls;
    if (result != ProviderResult::TripsAtOnce && !tooMany && !mostFailed)
        return;
    Firing firing;
    firing.signal = Signal::Provider;
    firing.action = policy.action;
    firing.reach = Reach::Endpoint;
    firing.measured = whole(fails);
    firing.limit = whole(policy.allowedFails);
    if (result == ProviderResult::TripsAtOnce)
        firing.why = "HTTP " + std::to_string(status) + " trips at once";
    else if (!tooMany)
        firing.why = std::to_string(fails) + " of " + std::to_string(calls) + " calls failed within a minute";
    out.fired.push_back(std::move(firing));
}

void countProvider(EndpointCounters &endpoint, ProviderResult result, Steady at, Past past)
{
    if (result == ProviderResult::Ignored)
        return;
    auto &calls = endpoint.calls;
    calls.push_back({at, result == ProviderResult::Failure || result == ProviderResult::TripsAtOnce});
    if (past == Past::Returns) {
        if (calls.size() >= 2 * kRecordedCallsKept) // now and then, for the same reason as below
            calls.erase(calls.begin(), calls.end() - static_cast<std::ptrdiff_t>(kRecordedCallsKept));
        return;
    }
    const auto oldest = at - seconds(60);
    if (calls.front().at <= oldest - seconds(60)) // now and then, so that a busy endpoint costs no more than a quiet one
        std::erase_if(calls, [oldest](const ProviderCall &call) { return call.at <= oldest; });
}

// ---- Envelope ----------------------------------------------------------------------------------------------

namespace {

Firing envelopeFiring(const EnvelopePolicy &policy, Cap cap, Decimal measured, Decimal limit, std::string why)
{
    Firing firing;
    firing.signal = Signal::Envelope;
    firing.cap = cap;
    firing.action = policy.action;
    firing.reach = policy.reaches;
    firing.measured = measured;
    firing.limit = limit;
    firing.why = std::move(why);
    return firing;
}

void judgeVolume(const VolumeCap &cap, const CallReading &reading, const Volume &volume, const EnvelopePolicy &policy,
                 Judgement &out)
{
    const auto hoursOfWindow = cap.window ? cap.window->hours : 0;
    if (cap.calls && volume.calls + 1 > *cap.calls + volume.grantedCalls) {
        out.fired.push_back(envelopeFiring(policy, Cap::VolumeCalls, whole(volume.calls + 1),
                                           whole(*cap.calls + volume.grantedCalls), {}));
        out.fired.back().windowHours = hoursOfWindow;
    }
    if (cap.value && reading.value && !reading.value->isNegative()) {
        const auto sum = volume.value + *reading.value;
        const auto most = *cap.value + volume.grantedValue;
        if (sum > most) {
            out.fired.push_back(envelopeFiring(policy, Cap::VolumeValue, sum, most, {}));
            out.fired.back().windowHours = hoursOfWindow;
        }
    }
}

} // namespace

void judgeEnvelope(const CompiledTool &tool, const CallReading &reading, const Volume &volume,
                   const EnvelopePolicy &policy, Judgement &out)
{
    const auto &caps = tool.policy();
    if (caps.value) {
        if (!reading.valueProblem.empty())
            out.fired.push_back(envelopeFiring(policy, Cap::Value, reading.largest.value_or(Decimal{}), caps.value->max,
                                               reading.valueProblem));
        else if (reading.largest && *reading.largest > caps.value->max)
            out.fired.push_back(envelopeFiring(policy, Cap::Value, *reading.largest, caps.value->max, {}));
        else if (reading.largest && caps.value->watch && *reading.largest > *caps.value->watch)
            out.watched.push_back(envelopeFiring(policy, Cap::Value, *reading.largest, *caps.value->watch, {}));
    }
    if (caps.destination && !reading.destinationProblem.empty())
        out.fired.push_back(envelopeFiring(policy, Cap::Destination, {}, {}, reading.destinationProblem));
    if (caps.volume)
        judgeVolume(*caps.volume, reading, volume, policy, out);
}

Volume volumeAt(const Counters &counters, const VolumeCap &cap, AgentId agent, TaskId root, ToolId tool,
                std::optional<Instant> at, const Calendar &calendar)
{
    if (!cap.window) {
        const auto &volumes = counters.root(root).volumes;
        const auto found = volumes.find(tool);
        return found != volumes.end() ? found->second : Volume{};
    }
    if (!at)
        return {};
    const auto found = counters.volumes.find({agent, tool, cap.window->hours, calendar.span(*cap.window, *at).start});
    return found != counters.volumes.end() ? found->second : Volume{};
}

void countVolume(Counters &counters, std::int32_t windowHours, AgentId agent, TaskId root, ToolId tool,
                 std::optional<Decimal> value, std::optional<Instant> at, const Calendar &calendar)
{
    const auto add = [&value](Volume &volume) {
        ++volume.calls;
        if (value && !value->isNegative())
            volume.value += *value;
    };
    if (windowHours == 0)
        add(counters.root(root).volumes[tool]);
    else if (at)
        add(counters.volumes[{agent, tool, windowHours, calendar.span(WindowKind{windowHours}, *at).start}]);
}

} // namespace handreset::rules
