#include "model/history/what_if_report.h"

#include "model/history/table_text.h"
#include "model/rules/json_text.h"

#include <algorithm>
#include <numeric>
#include <string_view>
#include <utility>

namespace handreset::history {

using rules::Cap;
using rules::Signal;
using rules::toWord;

std::optional<TripKind> tripKindOf(Signal signal, Cap cap) noexcept
{
    switch (signal) {
    case Signal::Spend:
        return TripKind::Spend;
    case Signal::Steps:
        return TripKind::Steps;
    case Signal::Repetition:
        return TripKind::Repetition;
    case Signal::Provider:
        return TripKind::Provider;
    case Signal::Envelope:
        break;
    case Signal::Operator:
    case Signal::Probation:
    case Signal::Tamper:
        return std::nullopt;
    }
    switch (cap) {
    case Cap::Value:
        return TripKind::EnvelopeValue;
    case Cap::Destination:
        return TripKind::EnvelopeDestination;
    case Cap::VolumeCalls:
        return TripKind::EnvelopeVolumeCalls;
    case Cap::VolumeValue:
        return TripKind::EnvelopeVolumeValue;
    case Cap::Model:
        return TripKind::EnvelopeModel;
    case Cap::None:
    case Cap::PerSession:
    case Cap::PerAgent:
        break;
    }
    return std::nullopt;
}

TripCounts WhatIfReport::counts() const
{
    TripCounts counts{};
    for (const auto &task : tasks) {
        for (std::size_t kind = 0; kind < kTripKinds; ++kind)
            counts[kind] += task.first[kind] != kNever ? 1 : 0;
    }
    return counts;
}

std::uint64_t WhatIfReport::refused() const
{
    return std::accumulate(tasks.begin(), tasks.end(), std::uint64_t{0},
                           [](std::uint64_t sum, const WhatIfTask &task) { return sum + task.refused; });
}

std::uint64_t WhatIfReport::prevented() const
{
    return std::accumulate(tasks.begin(), tasks.end(), std::uint64_t{0},
                           [](std::uint64_t sum, const WhatIfTask &task) { return sum + task.prevented; });
}

namespace {

/// One JSON object that grows member by member.
class ObjectText {
public:
    explicit ObjectText(std::string &out) : m_out(out) { m_out.push_back('{'); }
    void name(std::string_view name)
    {
        if (!m_isFirst)
            m_out.append(",\n");
        m_isFirst = false;
        rules::appendJsonString(m_out, name);
        m_out.append(": ");
    }
    void number(std::string_view member, std::uint64_t value)
    {
        name(member);
        m_out.append(std::to_string(value));
    }
    void finish() { m_out.push_back('}'); }

private:
    std::string &m_out;
    bool m_isFirst = true;
};

/// The kinds in the order of their words.
std::array<TripKind, kTripKinds> kindsByWord()
{
    std::array<TripKind, kTripKinds> kinds{};
    for (std::size_t i = 0; i < kTripKinds; ++i)
        kinds[i] = static_cast<TripKind>(i);
    std::sort(kinds.begin(), kinds.end(), [](TripKind a, TripKind b) { return toWord(a) < toWord(b); });
    return kinds;
}

void appendCounts(std::string &out, const TripCounts &counts)
{
    ObjectText object(out);
    for (const auto kind : kindsByWord()) {
        if (counts[static_cast<std::size_t>(kind)] != 0)
            object.number(toWord(kind), counts[static_cast<std::size_t>(kind)]);
    }
    object.finish();
}

std::vector<const WhatIfTask *> trippedTasks(const WhatIfReport &report)
{
    std::vector<const WhatIfTask *> tripped;
    for (const auto &task : report.tasks) {
        if (std::any_of(task.first.begin(), task.first.end(), [](std::uint64_t index) { return index != kNever; }))
            tripped.push_back(&task);
    }
    return tripped;
}

void appendTrips(std::string &out, const WhatIfReport &report)
{
    auto tripped = trippedTasks(report);
    std::sort(tripped.begin(), tripped.end(), [](const auto *a, const auto *b) { return a->name < b->name; });
    ObjectText object(out);
    for (const auto *task : tripped) {
        object.name(task->name);
        ObjectText kinds(out);
        for (const auto kind : kindsByWord()) {
            if (const auto index = task->first[static_cast<std::size_t>(kind)]; index != kNever)
                kinds.number(toWord(kind), index);
        }
        kinds.finish();
    }
    object.finish();
}

void appendMap(ObjectText &object, std::string &out, std::string_view name,
               const std::map<std::string, std::uint64_t> &values)
{
    if (values.empty())
        return;
    object.name(name);
    ObjectText inner(out);
    for (const auto &[word, count] : values)
        inner.number(word, count);
    inner.finish();
}

void appendGroups(std::string &out, const std::vector<WhatIfGroup> &groups)
{
    ObjectText object(out);
    for (const auto &group : groups) {
        object.name(group.name);
        ObjectText inner(out);
        inner.name("counts");
        appendCounts(out, group.counts);
        inner.number("tasks", group.tasks);
        inner.finish();
    }
    object.finish();
}

} // namespace

std::string whatIfJson(const WhatIfReport &report)
{
    std::string out;
    ObjectText object(out);
    object.name("counts");
    appendCounts(out, report.counts());
    object.number("events", report.events);
    if (!report.groups.empty()) {
        object.name("groups");
        appendGroups(out, report.groups);
    }
    appendMap(object, out, "not_replayed", report.notReplayed);
    if (!report.observed)
        object.number("prevented", report.prevented());
    appendMap(object, out, "recorded", report.recorded);
    if (!report.observed)
        object.number("refused", report.refused());
    object.number("tasks", report.tasks.size());
    object.name("trips");
    appendTrips(out, report);
    appendMap(object, out, "unknown_fields", report.unknownFields);
    if (report.furtherUnknownFields != 0)
        object.number("further_unknown_fields", report.furtherUnknownFields);
    object.finish();
    out.push_back('\n');
    return out;
}

namespace {

void appendTable(std::string &out, const WhatIfReport &report)
{
    constexpr std::size_t kFirst = 24;
    const auto row = [&](std::string_view heading, const std::string &all, const auto &cellOf) {
        out += padRight(heading, kFirst) + padLeft(all, columnWidth("all"));
        for (const auto &group : report.groups)
            out += padLeft(cellOf(group), columnWidth(group.name));
        out += "\n";
    };
    row("would trip (tasks)", "all", [](const WhatIfGroup &group) { return group.name; });
    const auto counts = report.counts();
    for (const auto kind : kindsByWord()) {
        const auto index = static_cast<std::size_t>(kind);
        if (counts[index] == 0)
            continue;
        row("  " + std::string(toWord(kind)), grouped(counts[index]),
            [index](const WhatIfGroup &group) { return grouped(group.counts[index]); });
    }
    row("tasks in all", grouped(report.tasks.size()), [](const WhatIfGroup &group) { return grouped(group.tasks); });
}

/// A name from outside on a line of its own, whatever it holds.
std::string onOneLine(std::string_view name)
{
    std::string out;
    for (const char c : name) {
        if (c == '\n')
            out += "␊";
        else if (c == '\t')
            out += "␉";
        else
            out += c;
    }
    return out;
}

/// Which tasks, each with its signals and the events on which they first held: those that trip first come first.
void appendTasks(std::string &out, const WhatIfReport &report)
{
    constexpr std::size_t kTold = 20;
    auto tripped = trippedTasks(report);
    if (tripped.empty())
        return;
    const auto firstOf
        = [](const WhatIfTask *task) { return *std::min_element(task->first.begin(), task->first.end()); };
    const auto told = std::min(tripped.size(), kTold);
    std::partial_sort(tripped.begin(), tripped.begin() + static_cast<std::ptrdiff_t>(told), tripped.end(),
                      [&](const auto *a, const auto *b) { return firstOf(a) < firstOf(b); });
    out += "\nWould trip, with the event on which (lines from 0, events of a log by their number):\n";
    for (std::size_t i = 0; i < told; ++i) {
        out += "  " + onOneLine(tripped[i]->name) + ": ";
        bool isFirst = true;
        for (const auto kind : kindsByWord()) {
            const auto index = tripped[i]->first[static_cast<std::size_t>(kind)];
            if (index == kNever)
                continue;
            out += (std::exchange(isFirst, false) ? "" : ", ") + std::string(toWord(kind)) + " at "
                + std::to_string(index);
        }
        out += "\n";
    }
    if (tripped.size() > told)
        out += "  and " + grouped(tripped.size() - told) + " more; all of them: --json\n";
}

void appendUnknownFields(std::string &out, const WhatIfReport &report)
{
    if (report.unknownFields.empty())
        return;
    out += "\nUnknown fields, left out:\n";
    for (const auto &[name, lines] : report.unknownFields)
        out += "  " + onOneLine(name) + ", on " + grouped(lines) + (lines == 1 ? " line" : " lines") + "\n";
    if (report.furtherUnknownFields != 0)
        out += "  and more of other names, " + grouped(report.furtherUnknownFields) + " times\n";
}

} // namespace

std::string whatIfText(const WhatIfReport &report)
{
    std::string out = grouped(report.events) + " events of " + grouped(report.tasks.size()) + " tasks judged";
    out += report.observed ? "; every recorded ask counted as allowed\n\n" : "; refused asks were held back\n\n";
    appendTable(out, report);
    appendTasks(out, report);
    if (!report.observed) {
        out += "\n" + grouped(report.refused()) + " asks refused, " + grouped(report.prevented())
            + " of them by a switch that had already opened: prevented\n";
    }
    if (!report.recorded.empty()) {
        out += "\nWhen it was recorded, these trips fired:\n";
        for (const auto &[kind, count] : report.recorded)
            out += "  " + padRight(kind, 22) + padLeft(grouped(count), columnWidth("all")) + "\n";
    }
    if (!report.notReplayed.empty()) {
        out += "\nCould not be replayed:\n";
        for (const auto &[what, count] : report.notReplayed)
            out += "  " + grouped(count) + " " + what + "\n";
    }
    appendUnknownFields(out, report);
    return out;
}

} // namespace handreset::history
