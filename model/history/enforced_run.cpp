#include "model/history/enforced_run.h"

#include "model/rules/command.h"

#include <algorithm>
#include <optional>
#include <unordered_map>
#include <utility>

namespace handreset::history {

using rules::AskId;
using rules::Decision;
using rules::Error;
using rules::ErrorCode;
using rules::Instant;
using rules::Result;

namespace {

/// When each ask is run: its own time, never before the last of its task; where it has none, when the ask before it
/// in the recording was.
std::vector<Instant> runTimes(const std::vector<RecordedAsk> &asks, std::size_t tasks)
{
    std::vector<Instant> times;
    times.reserve(asks.size());
    std::vector<std::optional<Instant>> ofTask(tasks);
    Instant last;
    for (const auto &ask : asks) {
        auto &own = ofTask[ask.task.value - 1];
        if (ask.at)
            own = own ? std::max(*own, *ask.at) : *ask.at;
        last = own.value_or(last);
        times.push_back(last);
    }
    return times;
}

class Run {
public:
    Run(const RunNames &names, std::size_t tasks) : m_names(names)
    {
        m_result.first.resize(tasks, kNoTrips);
        m_result.refused.resize(tasks);
        m_result.prevented.resize(tasks);
    }

    Result<void> start(const TriedPolicy &tried, Instant at)
    {
        send(rules::CreateStore{std::string(32, '0'), "what-if", false, true}, at);
        rules::ApplyPolicy apply;
        apply.text = tried.text;
        apply.file = tried.file;
        apply.policy = tried.policy;
        apply.zone = tried.zone;
        apply.by = "what-if";
        apply.reason = "tried on recorded asks";
        send(apply, at);
        if (const auto *error = std::get_if<Error>(&m_step.outcome))
            return *error;
        return {};
    }

    void take(const RecordedAsk &ask, Instant at)
    {
        switch (ask.kind) {
        case AskKind::Step:
            askStep(ask, at);
            return;
        case AskKind::Call:
            askCall(ask, at);
            return;
        case AskKind::StepResult:
            finish(ask, at, rules::FinishStep{{}, agentOf(ask), reportOf(ask)});
            return;
        case AskKind::CallResult:
            finish(ask, at, rules::FinishCall{{}, agentOf(ask), outcomeOf(ask), {}, {}});
            return;
        case AskKind::End:
            send(rules::EndTask{agentOf(ask), m_names.tasks.text(ask.task.value), {}}, at);
            return;
        case AskKind::Other:
            return;
        }
    }

    EnforcedTasks &&result() && { return std::move(m_result); }

private:
    [[nodiscard]] static rules::CallOutcome outcomeOf(const RecordedAsk &ask)
    {
        if (ask.isNeutral)
            return rules::CallOutcome::Neutral;
        return ask.ok ? rules::CallOutcome::Success : rules::CallOutcome::Failure;
    }
    void send(const rules::Command &command, Instant at)
    {
        rules::Moment moment;
        moment.now = {at, rules::Steady{at.micros}};
        rules::run(m_fleet, command, moment, m_step);
    }
    [[nodiscard]] const std::string &agentOf(const RecordedAsk &ask) const { return m_names.agents.text(ask.agent.value); }
    [[nodiscard]] rules::StepReport reportOf(const RecordedAsk &ask) const
    {
        rules::StepReport report;
        report.ok = ask.ok;
        report.status = ask.status;
        if (ask.model.isSet())
            report.model = m_names.models.text(ask.model.value);
        if (ask.cost)
            report.cost = rules::Money{*ask.cost, std::string(ask.currency)};
        report.tokensIn = ask.tokensIn;
        report.tokensOut = ask.tokensOut;
        return report;
    }
    /// Who asks; a sub-task's root stands for its parent, for counts and trips belong to the root.
    template <class Ask>
    void place(const RecordedAsk &ask, Ask &command) const
    {
        command.agent = agentOf(ask);
        command.task = m_names.tasks.text(ask.task.value);
        if (ask.session.isSet())
            command.session = m_names.sessions.text(ask.session.value);
        if (ask.root != ask.task)
            command.parent = m_names.tasks.text(ask.root.value);
    }
    void askStep(const RecordedAsk &ask, Instant at)
    {
        rules::AskStep command;
        place(ask, command);
        if (ask.model.isSet())
            command.model = m_names.models.text(ask.model.value);
        if (ask.endpoint.isSet())
            command.endpoint = m_names.endpoints.text(ask.endpoint.value);
        send(command, at);
        const auto id = answered(ask);
        if (id && ask.hasOutcome) {
            send(rules::FinishStep{*id, agentOf(ask), reportOf(ask)}, at);
            noteTrips(ask);
        }
    }
    void askCall(const RecordedAsk &ask, Instant at)
    {
        if (!ask.isEvaluable)
            return; // what was redacted must not look like an amount outside: counted where it was read
        rules::AskCall command;
        place(ask, command);
        command.tool = m_names.tools.text(ask.tool.value);
        command.arguments = ask.arguments;
        send(command, at);
        static_cast<void>(answered(ask));
    }
    /// Counts what became of an ask. Its id where it was allowed.
    std::optional<AskId> answered(const RecordedAsk &ask)
    {
        noteTrips(ask);
        const auto *decision = std::get_if<Decision>(&m_step.outcome);
        if (decision == nullptr) {
            ++m_result.notReplayed["asks that the gate would not take (a name or a parent that the policy does not allow)"];
            return std::nullopt;
        }
        if (decision->allow) {
            m_allowed.emplace(ask.index, decision->id);
            return decision->id;
        }
        using Source = rules::RefusalSource;
        const auto source = decision->reason.source;
        ++m_result.refused[ask.task.value - 1];
        if (source == Source::Rung || source == Source::Queue || source == Source::TaskEnded)
            ++m_result.prevented[ask.task.value - 1];
        return std::nullopt;
    }
    void finish(const RecordedAsk &ask, Instant at, auto command)
    {
        const auto asked = ask.ofCall ? m_allowed.find(*ask.ofCall) : m_allowed.end();
        if (asked == m_allowed.end())
            return; // of a call that was refused: it never went out
        command.ask = asked->second;
        m_allowed.erase(asked);
        send(command, at);
        noteTrips(ask);
    }
    void noteTrips(const RecordedAsk &ask)
    {
        for (const auto &event : m_step.events) {
            if (const auto *fired = std::get_if<rules::TripFired>(&event.payload))
                note(ask, event.task, fired->subject);
            else if (const auto *again = std::get_if<rules::TripFiredAgain>(&event.payload))
                note(ask, event.task, m_fleet.trip(again->trip)->subject);
        }
    }
    void note(const RecordedAsk &ask, rules::TaskId, const rules::TripSubject &subject)
    {
        const auto kind = tripKindOf(subject.signal, subject.cap);
        if (!kind)
            return;
        const auto task = subject.root.isSet() ? ask.root : ask.task;
        auto &first = m_result.first[task.value - 1][static_cast<std::size_t>(*kind)];
        first = std::min(first, ask.index);
    }

    const RunNames &m_names;
    rules::Fleet m_fleet;
    rules::Step m_step;
    std::unordered_map<std::uint64_t, AskId> m_allowed; ///< by event index
    EnforcedTasks m_result;
};

} // namespace

Result<EnforcedTasks> runEnforced(const TriedPolicy &tried, const RunNames &names, std::vector<RecordedAsk> &asks)
{
    const auto times = runTimes(asks, names.tasks.count());
    std::vector<std::size_t> order(asks.size());
    for (std::size_t i = 0; i < order.size(); ++i)
        order[i] = i;
    std::stable_sort(order.begin(), order.end(), [&](std::size_t a, std::size_t b) { return times[a] < times[b]; });

    Run run(names, names.tasks.count());
    if (auto started = run.start(tried, times.empty() ? Instant{} : times[order.front()]); !started)
        return started.error();
    for (const auto place : order)
        run.take(asks[place], times[place]);
    auto result = std::move(run).result();
    const auto timeless = static_cast<std::uint64_t>(
        std::count_if(asks.begin(), asks.end(), [](const RecordedAsk &ask) { return !ask.at; }));
    if (timeless != 0)
        result.notReplayed["events without any time: run at the time of the event before them"] = timeless;
    return result;
}

} // namespace handreset::history
