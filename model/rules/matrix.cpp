#include "model/rules/matrix.h"

#include "model/rules/window.h"

#include <algorithm>
#include <utility>

namespace handreset::rules {

namespace {

constexpr std::size_t kMostEnvelopeLines = 2;
constexpr double kWorthALine = 0.5; ///< a further limit of steps shows from this share on

[[nodiscard]] double shareOf(double used, double limit)
{
    return limit > 0 ? std::clamp(used / limit, 0.0, 1.0) : 0.0;
}

[[nodiscard]] double asDouble(Decimal amount)
{
    return static_cast<double>(amount.billionths()) / static_cast<double>(Decimal::kScale);
}

[[nodiscard]] std::string taskWord(const Fleet &fleet, TaskId task)
{
    return "task " + fleet.names(task);
}

/// Makes the lines of one agent; lives for one call of `matrixOf`.
class Maker {
public:
    Maker(const Fleet &fleet, AgentId id, Now now)
        : m_fleet(fleet), m_id(id), m_agent(fleet.agent(id)), m_policy(fleet.agentPolicy(id)), m_now(now)
    {
    }

    [[nodiscard]] std::vector<MatrixLine> make()
    {
        addSpend();
        addSteps();
        addRepetition();
        addProvider();
        addEnvelope();
        return std::move(m_lines);
    }

private:
    [[nodiscard]] MatrixLine lineOf(Signal signal, bool sawAsk, const char *unseen) const
    {
        MatrixLine line;
        line.signal = signal;
        line.seenAt = m_fleet.recorded ? "recording" : "gate";
        line.coverage = m_fleet.recorded ? Coverage::Observed : Coverage::Enforced;
        if (!sawAsk) {
            line.coverage = Coverage::NoData;
            line.why = unseen;
            line.since = m_agent.firstSeen;
        }
        return line;
    }

    [[nodiscard]] MatrixLine stepLine(Signal signal) const
    {
        return lineOf(signal, m_agent.sawStep, "no model call was asked for here");
    }

    [[nodiscard]] MatrixLine callLine(Signal signal) const
    {
        return lineOf(signal, m_agent.sawCall, "no tool call was asked for here");
    }

    /// The worst active trip that `mine` accepts goes onto the line, with what it measured.
    template <class Mine>
    void mark(MatrixLine &line, Mine mine) const
    {
        for (const auto &[id, trip] : m_fleet.trips) {
            if (trip.subject.signal == line.signal && mine(trip) && trip.rung >= line.tripped) {
                line.trip = id;
                line.tripped = trip.rung;
                line.share = 1;
            }
        }
    }

    [[nodiscard]] bool concerns(const Trip &trip) const
    {
        return trip.agent == m_id || trip.subject.agent == m_id || m_fleet.reachesAgent(trip, m_id);
    }

    [[nodiscard]] WindowSpan span(WindowKind kind) const
    {
        const WeekDay starts = m_fleet.policy ? m_fleet.policy->weekStarts : WeekDay::Sunday;
        return windowSpan(kind, m_now.wall, m_fleet.zone, starts);
    }

    void addSpend()
    {
        const KeyPolicy &key = m_fleet.keyPolicy(m_agent.key);
        if (key.windows.empty()) {
            MatrixLine line = stepLine(Signal::Spend);
            line.coverage = Coverage::NoLimit;
            line.why = "the policy sets no window of spend";
            line.since.reset();
            line.rearm = RearmBy::Clock;
            m_lines.push_back(std::move(line));
        }
        for (const SpendWindow &window : key.windows)
            m_lines.push_back(spendLine(key, window));
    }

    [[nodiscard]] MatrixLine spendLine(const KeyPolicy &key, const SpendWindow &window) const
    {
        MatrixLine line = stepLine(Signal::Spend);
        const auto found =
            m_fleet.counters.spend.find(SpendKey{m_agent.key, window.window.hours, span(window.window).start});
        const SpendSum sum = found == m_fleet.counters.spend.end() ? SpendSum{} : found->second;
        const Decimal limit = window.limit + sum.granted;
        line.where = window.window.toString();
        line.used = sum.settled.toString(2);
        line.limit = limit.toString(2);
        line.unit = key.currency;
        line.share = shareOf(asDouble(sum.settled + sum.reserved), asDouble(limit));
        line.action = window.action;
        line.rearm = window.rearm;
        if (!key.gateway.empty())
            line.seenAt = "gateway";
        if (m_agent.sawStep && !m_agent.sawCost) {
            line.coverage = Coverage::NoData;
            line.why = "no result has stated a cost or tokens";
            line.since = m_agent.firstSeen;
        } else if (m_agent.unpriced > 0) {
            line.why = std::to_string(m_agent.unpriced) + " unpriced: the estimate was charged";
        } else if (sum.reservations > 0) {
            line.why = sum.reserved.toString(2) + " more reserved";
        }
        mark(line, [&](const Trip &trip) {
            return trip.subject.key == m_agent.key && trip.subject.windowHours == window.window.hours;
        });
        return line;
    }

    /// The root task of this agent that `measure` puts first: tripped ones, then the greatest.
    template <class Measure>
    [[nodiscard]] TaskId fullestRoot(Signal signal, Measure measure) const
    {
        TaskId best;
        std::int64_t most = -1;
        for (const TaskId task : m_agent.liveTasks) {
            const TaskId root = m_fleet.rootOf(task);
            if (const std::int64_t now = measure(m_fleet.counters.root(root)); now > most) {
                best = root;
                most = now;
            }
        }
        for (const auto &[id, trip] : m_fleet.trips) {
            if (trip.subject.signal == signal && trip.subject.root.isSet() && concerns(trip))
                best = trip.subject.root;
        }
        return best;
    }

    void addSteps()
    {
        const StepsPolicy &policy = m_policy.steps;
        MatrixLine line = stepLine(Signal::Steps);
        const TaskId root = fullestRoot(Signal::Steps, [](const RootCounters &c) { return c.steps; });
        const RootCounters &counters = m_fleet.counters.root(root);
        fillCount(line, counters.steps, std::max(policy.limit, counters.grantedUpTo), "steps");
        line.where = root.isSet() ? taskWord(m_fleet, root) : "no task runs";
        mark(line, [&](const Trip &trip) { return trip.subject.cap == Cap::None && trip.subject.root == root; });
        m_lines.push_back(std::move(line));
        if (policy.perAgent)
            addStepsPerAgent(*policy.perAgent);
        if (policy.perSession)
            addStepsPerSession(*policy.perSession);
    }

    /// A further limit of steps: a line of its own when it is near or tripped, else a word on the first.
    void addFurther(MatrixLine line)
    {
        if (line.trip || line.share >= kWorthALine) {
            m_lines.push_back(std::move(line));
            return;
        }
        for (MatrixLine &first : m_lines) {
            if (first.signal == Signal::Steps && first.coverage != Coverage::NoData) {
                first.why += (first.why.empty() ? "" : "; ") + line.where + ": " + line.used + " of " + line.limit;
                return;
            }
        }
    }

    static void fillCount(MatrixLine &line, std::int64_t used, std::int64_t limit, const char *unit)
    {
        line.used = std::to_string(used);
        line.limit = std::to_string(limit);
        line.unit = unit;
        line.share = shareOf(static_cast<double>(used), static_cast<double>(limit));
    }

    void addStepsPerAgent(const StepsPolicy::PerAgent &limit)
    {
        MatrixLine line = stepLine(Signal::Steps);
        const auto found =
            m_fleet.counters.agentWindows.find(AgentWindowKey{m_id, limit.window.hours, span(limit.window).start});
        const PlainCount count = found == m_fleet.counters.agentWindows.end() ? PlainCount{} : found->second;
        fillCount(line, count.used, std::max(limit.limit, count.grantedUpTo), "steps");
        line.where = limit.window.toString() + ", all tasks";
        mark(line, [&](const Trip &trip) { return trip.subject.cap == Cap::PerAgent && concerns(trip); });
        addFurther(std::move(line));
    }

    void addStepsPerSession(std::int64_t limit)
    {
        SessionId session;
        PlainCount fullest;
        for (const TaskId task : m_agent.liveTasks) {
            const auto found = m_fleet.counters.sessions.find(m_fleet.task(task).session);
            if (found != m_fleet.counters.sessions.end() && found->second.used > fullest.used) {
                session = found->first;
                fullest = found->second;
            }
        }
        MatrixLine line = stepLine(Signal::Steps);
        fillCount(line, fullest.used, std::max(limit, fullest.grantedUpTo), "steps");
        line.where = session.isSet() ? "session " + m_fleet.names(session) : "no session runs";
        mark(line, [&](const Trip &trip) { return trip.subject.cap == Cap::PerSession && concerns(trip); });
        addFurther(std::move(line));
    }

    /// How many equal calls stand in a row, for the best period that the policy looks at.
    [[nodiscard]] std::int64_t equalCalls(const RowOfCalls &row) const
    {
        if (row.last.empty())
            return 0;
        std::int64_t most = 1;
        const auto periods = std::min<std::size_t>(static_cast<std::size_t>(m_policy.repetition.maxPeriod), row.run.size());
        for (std::size_t p = 1; p <= periods; ++p)
            most = std::max<std::int64_t>(most, row.run[p - 1] / static_cast<std::int64_t>(p) + 1);
        return most;
    }

    void addRepetition()
    {
        MatrixLine line = callLine(Signal::Repetition);
        const TaskId root =
            fullestRoot(Signal::Repetition, [this](const RootCounters &c) { return equalCalls(c.row); });
        fillCount(line, equalCalls(m_fleet.counters.root(root).row), m_policy.repetition.limit, "equal calls");
        line.where = root.isSet() ? taskWord(m_fleet, root) : "no task runs";
        line.action = m_policy.repetition.action;
        mark(line, [&](const Trip &trip) { return trip.subject.root == root || (concerns(trip) && !trip.subject.root); });
        if (line.trip) {
            const Trip &trip = *m_fleet.trip(line.trip);
            line.used = line.limit; // the Nth was refused and so is not in the row
            if (trip.evidence.tool)
                line.where = m_fleet.names(trip.evidence.tool);
        }
        m_lines.push_back(std::move(line));
    }

    [[nodiscard]] std::int64_t failuresOf(const EndpointCounters &endpoint) const
    {
        return std::count_if(endpoint.calls.begin(), endpoint.calls.end(), [this](const ProviderCall &call) {
            return call.failed && call.at > m_now.steady - seconds(60);
        });
    }

    void addProvider()
    {
        const ProviderPolicy &policy = m_policy.provider;
        EndpointId worst;
        std::int64_t most = -1;
        for (const auto &[id, endpoint] : m_fleet.counters.endpoints) {
            const auto seen = endpoint.seen.find(m_id);
            if (seen != endpoint.seen.end() && seen->second > m_now.steady - kEndpointSeen && failuresOf(endpoint) > most) {
                worst = id;
                most = failuresOf(endpoint);
            }
        }
        for (const auto &[id, trip] : m_fleet.trips) {
            if (trip.subject.signal == Signal::Provider && concerns(trip)) {
                worst = trip.subject.endpoint;
                most = std::max<std::int64_t>(most, 0);
            }
        }
        MatrixLine line = stepLine(Signal::Provider);
        fillCount(line, std::max<std::int64_t>(most, 0), policy.allowedFails, "per minute");
        line.where = worst.isSet() ? m_fleet.names(worst) : "no endpoint seen lately";
        line.action = policy.action;
        line.rearm = policy.rearm;
        mark(line, [&](const Trip &trip) { return trip.subject.endpoint == worst && concerns(trip); });
        m_lines.push_back(std::move(line));
    }

    void addEnvelope()
    {
        std::vector<MatrixLine> caps;
        if (m_fleet.policy) {
            for (const auto &[name, unused] : m_fleet.policy->tools)
                addCapsOf(name, caps);
            for (const auto &[pair, unused] : m_fleet.policy->agentTools) {
                if (pair.first == m_fleet.names(m_id) && !m_fleet.policy->tools.contains(pair.second))
                    addCapsOf(pair.second, caps);
            }
        }
        if (const auto model = modelCap())
            caps.push_back(*model);
        std::stable_sort(caps.begin(), caps.end(), [](const MatrixLine &a, const MatrixLine &b) {
            return std::pair(a.tripped, a.share) > std::pair(b.tripped, b.share);
        });
        if (caps.empty()) {
            MatrixLine line = callLine(Signal::Envelope);
            line.coverage = Coverage::NoLimit;
            line.why = "the policy caps no tool";
            line.since.reset();
            caps.push_back(std::move(line));
        }
        if (caps.size() > kMostEnvelopeLines) {
            const std::size_t more = caps.size() - kMostEnvelopeLines;
            caps.resize(kMostEnvelopeLines);
            caps.back().why = std::to_string(more) + " more caps, all within";
        }
        std::move(caps.begin(), caps.end(), std::back_inserter(m_lines));
    }

    [[nodiscard]] MatrixLine capLine(const std::string &where) const
    {
        MatrixLine line = callLine(Signal::Envelope);
        line.where = where;
        line.action = m_policy.envelope.action;
        return line;
    }

    void markCap(MatrixLine &line, ToolId tool, Cap cap) const
    {
        mark(line, [&](const Trip &trip) {
            return trip.subject.cap == cap && trip.subject.tool == tool && (tool.isSet() || cap == Cap::Model)
                && concerns(trip);
        });
        if (!line.trip)
            return;
        const Trip &trip = *m_fleet.trip(line.trip);
        line.used = trip.evidence.measured;
        // "900.00 BRL" beside a limit in BRL: the unit stands once.
        if (const std::string tail = ' ' + line.unit; line.used.ends_with(tail))
            line.used.erase(line.used.size() - tail.size());
    }

    void addCapsOf(const std::string &name, std::vector<MatrixLine> &caps) const
    {
        const ToolPolicy &tool = m_fleet.policy->forTool(m_fleet.names(m_id), name);
        const ToolId id{m_fleet.names.find(NameKind::Tool, name)};
        if (tool.value) {
            MatrixLine line = capLine(name + " value");
            line.limit = tool.value->max.toString(2);
            line.unit = tool.value->currency;
            markCap(line, id, Cap::Value);
            caps.push_back(std::move(line));
        }
        if (tool.destination) {
            MatrixLine line = capLine(name + " destination");
            line.limit = std::to_string(tool.destination->exact.size() + tool.destination->patterns.size());
            line.unit = "allowed";
            markCap(line, id, Cap::Destination);
            caps.push_back(std::move(line));
        }
        if (tool.volume)
            addVolumeOf(name, id, *tool.volume, tool.value ? tool.value->currency : std::string(), caps);
    }

    /// The volume's count that is nearest to its cap: of the window, or of the fullest live task.
    [[nodiscard]] Volume volumeOf(ToolId tool, const VolumeCap &cap) const
    {
        if (cap.window) {
            const auto found =
                m_fleet.counters.volumes.find(VolumeKey{m_id, tool, cap.window->hours, span(*cap.window).start});
            return found == m_fleet.counters.volumes.end() ? Volume{} : found->second;
        }
        Volume fullest;
        for (const TaskId task : m_agent.liveTasks) {
            const auto &volumes = m_fleet.counters.root(m_fleet.rootOf(task)).volumes;
            if (const auto found = volumes.find(tool); found != volumes.end() && found->second.calls > fullest.calls)
                fullest = found->second;
        }
        return fullest;
    }

    void addVolumeOf(const std::string &name, ToolId id, const VolumeCap &cap, const std::string &currency,
                     std::vector<MatrixLine> &caps) const
    {
        const Volume volume = volumeOf(id, cap);
        const std::string per = cap.window ? " per " + cap.window->toString() : " per task";
        if (cap.calls) {
            MatrixLine line = capLine(name + per);
            fillCount(line, volume.calls, *cap.calls + volume.grantedCalls, "calls");
            markCap(line, id, Cap::VolumeCalls);
            caps.push_back(std::move(line));
        }
        if (cap.value) {
            MatrixLine line = capLine(name + per);
            const Decimal limit = *cap.value + volume.grantedValue;
            line.used = volume.value.toString(2);
            line.limit = limit.toString(2);
            line.unit = currency;
            line.share = shareOf(asDouble(volume.value), asDouble(limit));
            markCap(line, id, Cap::VolumeValue);
            caps.push_back(std::move(line));
        }
    }

    /// A result from another model than the degraded one is a trip of its own (spec 3.1).
    [[nodiscard]] std::optional<MatrixLine> modelCap() const
    {
        MatrixLine line = stepLine(Signal::Envelope);
        line.where = "model";
        line.limit = m_policy.degradedModel;
        markCap(line, {}, Cap::Model);
        return line.trip ? std::optional(line) : std::nullopt;
    }

    const Fleet &m_fleet;
    AgentId m_id;
    const Agent &m_agent;
    const AgentPolicy &m_policy;
    Now m_now;
    std::vector<MatrixLine> m_lines;
};

} // namespace

std::vector<MatrixLine> matrixOf(const Fleet &fleet, AgentId agent, Now now)
{
    return Maker(fleet, agent, now).make();
}

std::string coverageWords(const std::vector<MatrixLine> &matrix)
{
    // A signal counts as what its weakest line is.
    std::array<std::int64_t, Words<Coverage>::list.size()> counts{};
    for (const Signal signal : kFiveSignals) {
        Coverage worst = Coverage::Enforced;
        for (const MatrixLine &line : matrix) {
            if (line.signal == signal)
                worst = std::max(worst, line.coverage);
        }
        ++counts[static_cast<std::size_t>(worst)];
    }
    if (counts[0] == static_cast<std::int64_t>(kFiveSignals.size()))
        return "all five signals enforced";
    std::string words;
    for (std::size_t i = 0; i < counts.size(); ++i) {
        if (counts[i] != 0)
            words += (words.empty() ? "" : ", ") + std::to_string(counts[i]) + ' ' + std::string(Words<Coverage>::list[i]);
    }
    return words;
}

} // namespace handreset::rules
