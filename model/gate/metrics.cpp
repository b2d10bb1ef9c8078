#include "model/gate/metrics.h"

#include "model/rules/hidden_characters.h"
#include "model/rules/utf8.h"
#include "model/rules/words.h"

#include <algorithm>

namespace handreset::gate {

using rules::toWord;

namespace {

constexpr std::size_t kLongestLabel = 128;

/// A label's value: bounded, on one line, nothing in it that cannot be seen.
std::string labelText(std::string_view text)
{
    std::string out;
    while (!text.empty() && out.size() < kLongestLabel) {
        const auto length = std::max<std::size_t>(rules::utf8SequenceLength(text), 1);
        const auto piece = text.substr(0, length);
        text.remove_prefix(length);
        const char c = piece.front();
        if (c == '\\' || c == '"')
            out += std::string("\\") + c;
        else if (static_cast<unsigned char>(c) < 0x20 || c == 0x7F
                 || (length > 1 && rules::isHiddenCharacter(rules::codePointOf(piece))))
            out += '?';
        else
            out += piece;
    }
    return out;
}

void head(std::string &out, std::string_view name, std::string_view type, std::string_view help)
{
    out.append("# HELP ").append(name).append(" ").append(help).append("\n# TYPE ");
    out.append(name).append(" ").append(type).append("\n");
}

void line(std::string &out, std::string_view name, std::string_view labels, std::uint64_t value)
{
    out += name;
    if (!labels.empty())
        out.append("{").append(labels).append("}");
    out.append(" ").append(std::to_string(value)).append("\n");
}

std::string label(std::string_view name, std::string_view value)
{
    return std::string(name) + "=\"" + labelText(value) + '"';
}

std::string secondsText(std::int64_t micros)
{
    auto fraction = std::to_string(micros % 1'000'000);
    fraction.insert(0, 6 - fraction.size(), '0');
    return std::to_string(micros / 1'000'000) + '.' + fraction;
}

std::string_view kindWord(std::size_t kind)
{
    return kind == 0 ? "step" : "call";
}

int urgencyOf(rules::BreakerState state)
{
    return state == rules::BreakerState::Open ? 2 : state == rules::BreakerState::HalfOpen ? 1 : 0;
}

int urgencyOf(rules::Rung rung)
{
    return static_cast<int>(rung);
}

/// What refuses most comes first, and of all the first `kNamed`.
template <class State>
void keepNamed(std::vector<std::pair<std::string, State>> &all)
{
    std::stable_sort(all.begin(), all.end(),
                     [](const auto &a, const auto &b) { return urgencyOf(a.second) > urgencyOf(b.second); });
    if (all.size() > kNamed)
        all.resize(kNamed);
}

template <class State>
void writeStates(std::string &out, std::string_view name, std::string_view what, std::string_view help,
                 const std::vector<std::pair<std::string, State>> &all)
{
    head(out, name, "gauge", help);
    for (const auto &[called, state] : all)
        line(out, name, label(what, called) + ',' + label("state", toWord(state)), 1);
}

} // namespace

void writeHistogram(std::string &out, std::string_view name, std::string_view labels, const engine::Latency &latency)
{
    constexpr auto kBounds = engine::Latency::kBounds;
    const std::string before = labels.empty() ? std::string() : std::string(labels) + ',';
    const std::string bucket = std::string(name) + "_bucket";
    std::uint64_t sum = 0;
    for (std::size_t i = 0; i <= kBounds.size(); ++i) {
        sum += latency.count(i);
        line(out, bucket, before + label("le", i < kBounds.size() ? secondsText(kBounds[i]) : std::string("+Inf")),
             sum);
    }
    out.append(name).append("_sum");
    if (!labels.empty())
        out.append("{").append(labels).append("}");
    out.append(" ").append(secondsText(latency.micros())).append("\n");
    line(out, std::string(name) + "_count", labels, sum);
}

void writeCommits(std::string &out, const engine::Latency &commits)
{
    head(out, "handreset_commit_seconds", "histogram", "One transaction of the store, with its sync where it has one.");
    writeHistogram(out, "handreset_commit_seconds", {}, commits);
}

void Metrics::decided(AskKind kind, const rules::Decision &decision, std::chrono::microseconds took) noexcept
{
    const auto place = static_cast<std::size_t>(kind);
    const auto source = decision.allow ? kSources : static_cast<std::size_t>(decision.reason.source);
    ++m_decisions[place][std::min(source, kSources)];
    m_took[place].add(took);
}

void Metrics::answered(int status) noexcept
{
    ++m_statuses[static_cast<std::size_t>(std::clamp(status / 100, 0, 5))];
}

void Metrics::write(std::string &out) const
{
    head(out, "handreset_decisions_total", "counter", "Decisions by kind of ask, answer and the rule that refused.");
    for (std::size_t kind = 0; kind < m_decisions.size(); ++kind) {
        for (std::size_t source = 0; source <= kSources; ++source) {
            const bool isAllowed = source == kSources;
            const auto word = isAllowed ? std::string_view() : rules::Words<rules::RefusalSource>::list[source];
            line(out, "handreset_decisions_total",
                 label("kind", kindWord(kind)) + ',' + label("answer", isAllowed ? "allow" : "deny") + ','
                     + label("source", isAllowed || !word.empty() ? word : std::string_view("store")),
                 m_decisions[kind][source].load());
        }
    }
    head(out, "handreset_decision_seconds", "histogram", "From a request's last byte to its answer, commit included.");
    for (std::size_t kind = 0; kind < m_took.size(); ++kind)
        writeHistogram(out, "handreset_decision_seconds", label("kind", kindWord(kind)), m_took[kind]);
    head(out, "handreset_http_answers_total", "counter", "Answers at the agents' door by class of status.");
    for (std::size_t hundreds = 1; hundreds < m_statuses.size(); ++hundreds)
        line(out, "handreset_http_answers_total", label("class", std::to_string(hundreds) + "xx"),
             m_statuses[hundreds].load());
    writeMetric(out, "handreset_refusals_repeated_total", "counter", "Refusals that were told again under their id.",
                m_servedAgain.load());
    writeMetric(out, "handreset_turned_away_total", "counter", "Requests without a good credential.",
                m_turnedAway.load());
}

FleetFigures figuresOf(const rules::Fleet &fleet)
{
    FleetFigures figures;
    for (const auto &[key, record] : fleet.breakers) {
        auto name = fleet.names(key.tool);
        if (key.agent.isSet())
            name += " of " + fleet.names(key.agent);
        figures.breakers.emplace_back(std::move(name), record.breaker.state);
        ++figures.breakersByState[static_cast<std::size_t>(record.breaker.state)];
    }
    for (std::uint32_t id = 1; id <= fleet.agents.size(); ++id) {
        const auto rung = fleet.agents[id - 1].rung;
        figures.agents.emplace_back(fleet.names(rules::AgentId{id}), rung);
        ++figures.agentsByRung[static_cast<std::size_t>(rung)];
    }
    keepNamed(figures.breakers);
    keepNamed(figures.agents);
    for (const auto &[id, trip] : fleet.trips)
        ++figures.trips[static_cast<std::size_t>(trip.subject.signal)];
    figures.queued = fleet.queue.size();
    figures.events = fleet.seq.value;
    return figures;
}

void write(std::string &out, const FleetFigures &figures)
{
    writeStates(out, "handreset_breaker_state", "breaker", "Breakers by name, those that are not CLOSED first.",
                figures.breakers);
    writeStates(out, "handreset_agent_rung", "agent", "Agents by name, those that are not closed first.",
                figures.agents);
    head(out, "handreset_breakers", "gauge", "Breakers by state.");
    for (std::size_t i = 0; i < figures.breakersByState.size(); ++i)
        line(out, "handreset_breakers", label("state", rules::Words<rules::BreakerState>::list[i]),
             figures.breakersByState[i]);
    head(out, "handreset_agents", "gauge", "Agents by rung.");
    for (std::size_t i = 0; i < figures.agentsByRung.size(); ++i)
        line(out, "handreset_agents", label("rung", rules::Words<rules::Rung>::list[i]), figures.agentsByRung[i]);
    head(out, "handreset_trips_active", "gauge", "Active trips by signal.");
    for (std::size_t i = 0; i < figures.trips.size(); ++i)
        line(out, "handreset_trips_active", label("signal", rules::Words<rules::Signal>::list[i]), figures.trips[i]);
    writeMetric(out, "handreset_queue_tasks", "gauge", "Tasks in the human queue.", figures.queued);
    writeMetric(out, "handreset_log_events", "gauge", "The log's last sequence number.", figures.events);
}

void writeMetric(std::string &out, std::string_view name, std::string_view type, std::string_view help,
                 std::uint64_t value)
{
    head(out, name, type, help);
    line(out, name, {}, value);
}

} // namespace handreset::gate
