// Collecting differences field by field, each with what it means. Internal to policy_diff.cpp. Pure; one thread.
#pragma once

#include "model/rules/policy_diff.h"

#include <algorithm>
#include <array>
#include <optional>
#include <set>
#include <string>
#include <utility>
#include <vector>

namespace handreset::rules::policydiff {

inline const std::string kNone = "none";

/// How a field's growth is to be read.
enum class More { Loosens, Tightens, Neutral };

inline std::string spell(std::int64_t value)
{
    return std::to_string(value);
}
inline std::string spell(const Decimal &value)
{
    return value.toString(2);
}
inline std::string spell(const std::string &value)
{
    return value.empty() ? kNone : value;
}
inline std::string spell(bool value)
{
    return value ? "true" : "false";
}
inline std::string spell(Duration value)
{
    const std::int64_t whole = value.micros / 1'000'000;
    if (whole % 86'400 == 0 && whole > 0)
        return std::to_string(whole / 86'400) + "d";
    if (whole % 3600 == 0)
        return std::to_string(whole / 3600) + "h";
    return whole % 60 == 0 ? std::to_string(whole / 60) + "m" : std::to_string(whole) + "s";
}
template <Worded E>
std::string spell(E value)
{
    return std::string(toWord(value));
}
inline std::string spell(const std::vector<std::string> &list)
{
    std::string out;
    for (const std::string &item : list)
        out.append(out.empty() ? "" : ", ").append(item);
    return out.empty() ? kNone : out;
}
template <class T>
std::string spell(const std::optional<T> &value)
{
    return value ? spell(*value) : kNone;
}
inline std::string spell(const Money &value)
{
    return value.amount.toString(2) + " " + value.currency;
}
inline std::string spell(const WeekDay &day)
{
    constexpr std::array<std::string_view, 7> kDays{"sunday",   "monday", "tuesday", "wednesday",
                                                    "thursday", "friday", "saturday"};
    return std::string(kDays[static_cast<std::size_t>(day) % kDays.size()]);
}
inline std::string spell(const RearmBy &by)
{
    return by == RearmBy::Clock ? "auto" : "human";
}

inline std::string spell(const std::vector<Signal> &list)
{
    std::string out;
    for (const Signal signal : list)
        out.append(out.empty() ? "" : ", ").append(toWord(signal));
    return out.empty() ? kNone : out;
}

/// Collects the differences below one path.
class Differ {
public:
    explicit Differ(std::string path) : m_path(std::move(path)) {}

    std::vector<PolicyChange> take() { return std::move(m_changes); }
    [[nodiscard]] const std::string &path() const { return m_path; }

    void add(const std::string &field, std::string before, std::string after, Direction direction, std::string words)
    {
        m_changes.push_back({m_path.empty() ? field : m_path + "." + field, std::move(before), std::move(after),
                             direction, std::move(words)});
    }

    /// A value whose size says what it means.
    template <class T>
    void size(const std::string &field, const T &before, const T &after, More more, const std::string &thing = "limit")
    {
        if (before == after)
            return;
        const bool grows = before < after;
        add(field, spell(before), spell(after), directionOf(grows, more), (grows ? "a higher " : "a lower ") + thing);
    }

    /// The same with "none" for no limit at all.
    template <class T>
    void limit(const std::string &field, const std::optional<T> &before, const std::optional<T> &after)
    {
        if (before == after)
            return;
        if (before && after)
            size(field, *before, *after, More::Loosens);
        else
            add(field, spell(before), spell(after), after ? Direction::Tightens : Direction::Loosens,
                after ? "a limit where there was none" : "the limit is gone");
    }

    /// A value that differs, with the direction known by the caller.
    template <class T>
    void value(const std::string &field, const T &before, const T &after, Direction direction, std::string words)
    {
        if (!(before == after))
            add(field, spell(before), spell(after), direction, std::move(words));
    }

    /// A list whose entries allow (`More::Loosens`) or bind (`More::Tightens`).
    template <class T>
    void list(const std::string &field, const std::vector<T> &before, const std::vector<T> &after, More more)
    {
        const std::set<T> from(before.begin(), before.end());
        const std::set<T> to(after.begin(), after.end());
        if (from == to)
            return;
        const bool wider = std::includes(to.begin(), to.end(), from.begin(), from.end());
        const bool narrower = std::includes(from.begin(), from.end(), to.begin(), to.end());
        const bool isOther = !wider && !narrower;
        add(field, spell(before), spell(after),
            isOther && more != More::Neutral ? Direction::Loosens : directionOf(wider, more),
            isOther     ? "another list"
                : wider ? "a wider list"
                        : "a shorter list");
    }

private:
    static Direction directionOf(bool grows, More more)
    {
        if (more == More::Neutral)
            return Direction::Neutral;
        return grows == (more == More::Loosens) ? Direction::Loosens : Direction::Tightens;
    }

    std::string m_path;
    std::vector<PolicyChange> m_changes;
};

[[nodiscard]] inline Direction loosensIf(bool yes)
{
    return yes ? Direction::Loosens : Direction::Tightens;
}

} // namespace handreset::rules::policydiff
