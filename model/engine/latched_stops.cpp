#include "model/engine/latched_stops.h"

#include "model/rules/fold.h"

#include <QByteArray>
#include <QList>

#include <utility>
#include <variant>

namespace handreset::engine {

namespace {

constexpr std::string_view kWordStart = " !stop=";
constexpr std::size_t kLongestText = 3'900; ///< the sentinel's file has 4,096 bytes, its own words included
constexpr std::size_t kLongestTrouble = 1'500;
constexpr qsizetype kLongestWhy = 200;

/// No space, no comma, no line end: an agent's name can be anything.
std::string escaped(const std::string &text)
{
    return QByteArray::fromStdString(text).toPercentEncoding().toStdString();
}

std::string wordOf(const LatchedStop &stop)
{
    const std::string why = QByteArray::fromStdString(stop.why).left(kLongestWhy).toStdString();
    return std::string(kWordStart) + std::string(rules::toWord(stop.rung)) + ',' + escaped(stop.agent) + ','
        + escaped(why);
}

LatchedStop readWord(std::string_view word)
{
    const QList<QByteArray> parts = QByteArray(word.data(), static_cast<qsizetype>(word.size())).split(',');
    const auto rung = parts.size() == 3 ? rules::fromWord<rules::Rung>(parts[0].toStdString()) : std::nullopt;
    if (!rung || *rung == rules::Rung::Closed)
        return {{}, rules::Rung::Open, "a stop that could not be written, and could not be read back"};
    return {QByteArray::fromPercentEncoding(parts[1]).toStdString(), *rung,
            QByteArray::fromPercentEncoding(parts[2]).toStdString()};
}

} // namespace

std::vector<LatchedStop> stopsAmong(std::span<const rules::Event> events, const rules::Fleet &fleet)
{
    std::vector<LatchedStop> stops;
    for (const rules::Event &event : events) {
        const auto *fired = std::get_if<rules::TripFired>(&event.payload);
        if (fired == nullptr)
            continue;
        const std::string why = "a trip of " + std::string(rules::toWord(fired->subject.signal))
            + " that could not be written: " + fired->evidence.measured + " against " + fired->evidence.limit;
        const auto *const trip = fleet.trip(rules::TripId{event.seq.value});
        if (fired->reach == rules::Reach::Fleet || (trip == nullptr && !event.agent.isSet())) {
            stops.push_back({std::string(), fired->rung, why});
        } else if (trip == nullptr) {
            stops.push_back({fleet.names(event.agent), fired->rung, why});
        } else {
            for (const auto agent : rules::fold::agentsOf(fleet, *trip))
                stops.push_back({fleet.names(agent), fired->rung, why});
        }
    }
    return stops;
}

LatchedStop stopOf(const rules::StopAgent &stop)
{
    return {stop.agent, stop.to, "a stop by " + stop.by + " that could not be written: " + stop.reason};
}

std::string sentinelText(std::string_view trouble, std::span<const LatchedStop> stops)
{
    const std::string start(trouble.substr(0, kLongestTrouble));
    std::string text = start;
    for (const LatchedStop &stop : stops)
        text += wordOf(stop);
    if (text.size() > kLongestText)
        return start + wordOf({{}, rules::Rung::Open, "more stops than fit that could not be written"});
    return text;
}

std::string troubleIn(std::string_view sentinelText)
{
    return std::string(sentinelText.substr(0, sentinelText.find(kWordStart)));
}

std::vector<LatchedStop> stopsIn(std::string_view sentinelText)
{
    std::vector<LatchedStop> stops;
    for (auto at = sentinelText.find(kWordStart); at != std::string_view::npos; at = sentinelText.find(kWordStart)) {
        sentinelText.remove_prefix(at + kWordStart.size());
        stops.push_back(readWord(sentinelText.substr(0, sentinelText.find_first_of(" \n"))));
    }
    return stops;
}

} // namespace handreset::engine
