#include "model/live/grants_from_fleet.h"

#include "model/live/rows_from_fleet.h"
#include "model/rules/window.h"
#include "model/rules/words_of_event.h"

#include <algorithm>
#include <set>
#include <string>
#include <utility>

namespace handreset::live {

using namespace rules;

namespace {

constexpr std::size_t kRootsShown = 12;

/// Makes the options of one agent; lives for one call of `grantsOf`.
class Maker {
public:
    Maker(const Fleet &fleet, AgentId id, Now now) : m_fleet(fleet), m_id(id), m_now(now) {}

    [[nodiscard]] std::vector<GrantOption> make()
    {
        findRoots();
        addSpend();
        addSteps();
        for (const ToolId tool : toolsUsed())
            addVolume(tool);
        std::stable_partition(m_options.begin(), m_options.end(), [](const GrantOption &o) { return o.tripped; });
        return std::move(m_options);
    }

private:
    void findRoots()
    {
        const auto &live = m_fleet.agent(m_id).liveTasks;
        for (auto it = live.rbegin(); it != live.rend() && m_roots.size() < kRootsShown; ++it) {
            if (const TaskId root = m_fleet.rootOf(*it); std::ranges::find(m_roots, root) == m_roots.end())
                m_roots.push_back(root);
        }
    }

    [[nodiscard]] std::set<ToolId> toolsUsed() const
    {
        std::set<ToolId> tools;
        for (const auto &[key, record] : m_fleet.breakers) {
            if (record.usedBy.contains(m_id))
                tools.insert(key.tool);
        }
        return tools;
    }

    [[nodiscard]] WindowSpan span(WindowKind kind) const { return m_fleet.calendar().span(kind, m_now.wall); }

    /// The trip of the same limit, however the engine filled in what does not tell limits apart.
    [[nodiscard]] bool isTripped(const TripSubject &subject) const
    {
        return std::ranges::any_of(m_fleet.trips, [&](const auto &entry) {
            const TripSubject &of = entry.second.subject;
            return of.signal == subject.signal && of.cap == subject.cap && of.root == subject.root
                && of.key == subject.key && of.tool == subject.tool && of.windowHours == subject.windowHours
                && of.session == subject.session
                && (!subject.agent || of.agent == subject.agent || entry.second.agent == subject.agent);
        });
    }

    void add(const TripSubject &subject, GrantKind kind, const std::string &where, const std::string &used,
             const std::string &limit, const std::string &unit, std::optional<Instant> until)
    {
        m_options.push_back({.subject = subject,
                             .kind = kind,
                             .title = toText(where),
                             .used = toText(used + " of " + limit + (unit.empty() ? "" : ' ' + unit)),
                             .unit = toText(unit),
                             .until = until,
                             .tripped = isTripped(subject)});
    }

    void addSpend()
    {
        const KeyId id = m_fleet.agent(m_id).key;
        const KeyPolicy &key = m_fleet.keyPolicy(id);
        for (const SpendWindow &window : key.windows) {
            TripSubject subject;
            subject.signal = Signal::Spend;
            subject.key = id;
            subject.windowHours = window.window.hours;
            const WindowSpan now = span(window.window);
            const auto found = m_fleet.counters.spend.find(SpendKey{id, window.window.hours, now.start});
            const SpendSum sum = found == m_fleet.counters.spend.end() ? SpendSum{} : found->second;
            add(subject, GrantKind::Spend, "spend, " + window.window.toString() + ", key " + m_fleet.names(id),
                sum.settled.toString(2), (window.limit + sum.granted).toString(2), key.currency, now.end);
        }
    }

    void addSteps()
    {
        const StepsPolicy &policy = m_fleet.agentPolicy(m_id).steps;
        for (const TaskId root : m_roots) {
            TripSubject subject;
            subject.signal = Signal::Steps;
            subject.root = root;
            const RootCounters &count = m_fleet.counters.root(root);
            const auto limit = m_fleet.agentPolicy(m_fleet.task(root).agent).steps.limit;
            add(subject, GrantKind::Steps, "steps, task " + m_fleet.names(root), std::to_string(count.steps),
                std::to_string(std::max(limit, count.grantedUpTo)), "steps", {});
        }
        if (policy.perAgent)
            addStepsOfAgent(*policy.perAgent);
        if (policy.perSession)
            addStepsOfSessions(*policy.perSession);
    }

    void addStepsOfAgent(const StepsPolicy::PerAgent &limit)
    {
        TripSubject subject;
        subject.signal = Signal::Steps;
        subject.cap = Cap::PerAgent;
        subject.agent = m_id;
        subject.windowHours = limit.window.hours;
        const WindowSpan now = span(limit.window);
        const auto found = m_fleet.counters.agentWindows.find(AgentWindowKey{m_id, limit.window.hours, now.start});
        const PlainCount count = found == m_fleet.counters.agentWindows.end() ? PlainCount{} : found->second;
        add(subject, GrantKind::Steps, "steps, " + limit.window.toString() + ", all tasks", std::to_string(count.used),
            std::to_string(std::max(limit.limit, count.grantedUpTo)), "steps", now.end);
    }

    void addStepsOfSessions(std::int64_t limit)
    {
        std::set<SessionId> done;
        for (const TaskId root : m_roots) {
            const SessionId session = m_fleet.task(root).session;
            const auto found = m_fleet.counters.sessions.find(session);
            if (!session || found == m_fleet.counters.sessions.end() || !done.insert(session).second)
                continue;
            TripSubject subject;
            subject.signal = Signal::Steps;
            subject.cap = Cap::PerSession;
            subject.agent = m_id;
            subject.session = session;
            add(subject, GrantKind::Steps, "steps, session " + m_fleet.names(session),
                std::to_string(found->second.used), std::to_string(std::max(limit, found->second.grantedUpTo)), "steps",
                {});
        }
    }

    void addVolume(ToolId tool)
    {
        const ToolPolicy &policy = m_fleet.toolPolicy(m_id, tool);
        if (!policy.volume)
            return;
        if (policy.volume->window) {
            const WindowSpan now = span(*policy.volume->window);
            const auto found
                = m_fleet.counters.volumes.find(VolumeKey{m_id, tool, policy.volume->window->hours, now.start});
            TripSubject subject;
            subject.agent = m_id;
            subject.windowHours = policy.volume->window->hours;
            addCaps(subject, tool, policy, found == m_fleet.counters.volumes.end() ? Volume{} : found->second,
                    policy.volume->window->toString(), now.end);
            return;
        }
        for (const TaskId root : m_roots) {
            const RootCounters &counters = m_fleet.counters.root(root);
            const auto found = counters.volumes.find(tool);
            if (found == counters.volumes.end())
                continue;
            TripSubject subject;
            subject.root = root;
            addCaps(subject, tool, policy, found->second, "task " + m_fleet.names(root), {});
        }
    }

    void addCaps(TripSubject subject, ToolId tool, const ToolPolicy &policy, const Volume &volume,
                 const std::string &where, std::optional<Instant> until)
    {
        subject.signal = Signal::Envelope;
        subject.tool = tool;
        const std::string name = m_fleet.names(tool) + ", " + where;
        if (policy.volume->calls) {
            subject.cap = Cap::VolumeCalls;
            add(subject, GrantKind::VolumeCalls, "calls of " + name, std::to_string(volume.calls),
                std::to_string(*policy.volume->calls + volume.grantedCalls), "calls", until);
        }
        if (policy.volume->value) {
            subject.cap = Cap::VolumeValue;
            add(subject, GrantKind::VolumeValue, "value of " + name, volume.value.toString(2),
                (*policy.volume->value + volume.grantedValue).toString(2), policy.value ? policy.value->currency : "",
                until);
        }
    }

    const Fleet &m_fleet;
    AgentId m_id;
    Now m_now;
    std::vector<TaskId> m_roots; ///< the latest first
    std::vector<GrantOption> m_options;
};

} // namespace

std::vector<GrantOption> grantsOf(const Fleet &fleet, AgentId agent, Now now)
{
    return Maker(fleet, agent, now).make();
}

} // namespace handreset::live
