// What a transition table is, and what the compiler checks of it. Each machine is one constexpr array of rows;
// engine, graph, tooltips, documents and tests derive from it (design, "The transition tables, once").
// Pure values; any thread.
#pragma once

#include "model/rules/words.h"

#include <array>
#include <cstddef>
#include <cstdint>
#include <string_view>

namespace handreset::rules {

/// Who may make a transition happen.
enum class Authority : std::uint8_t { Machine, Clock, Operator };
template <>
struct Words<Authority> {
    static constexpr std::array<std::string_view, 3> list{"machine", "clock", "operator"};
};

/// A set of enumerators of E as bits.
template <class E>
struct SetOf {
    std::uint32_t bits = 0;

    constexpr SetOf() = default;
    constexpr SetOf(E single) : bits(1U << static_cast<unsigned>(single)) {}
    [[nodiscard]] constexpr bool has(E e) const noexcept { return (bits >> static_cast<unsigned>(e) & 1U) != 0; }
    constexpr SetOf operator|(SetOf o) const noexcept
    {
        SetOf s;
        s.bits = bits | o.bits;
        return s;
    }
    [[nodiscard]] static constexpr SetOf all() noexcept
    {
        SetOf s;
        s.bits = (1U << Words<E>::list.size()) - 1U;
        return s;
    }
};

/// One row. `to` is looked at only when `moves`; a row that does not move stays in the state it was in.
template <class State, class Event, class Guard, class Effect>
struct Row {
    std::uint8_t id = 0; ///< unique over all machines; stands in the log
    SetOf<State> from;
    SetOf<Event> events;
    Guard guard{}; ///< the first enumerator means "else": always true
    bool moves = false;
    State to{};
    Effect effect{};
    Authority authority = Authority::Machine;
    std::string_view answer;  ///< what the asker hears; empty where nobody asks
    std::string_view changes; ///< what changes, in words, for tables and tooltips
};

/// No two rows share an id.
template <class Table>
[[nodiscard]] consteval bool idsAreUnique(const Table &table)
{
    for (std::size_t i = 0; i < table.size(); ++i) {
        for (std::size_t j = i + 1; j < table.size(); ++j) {
            if (table[i].id == table[j].id)
                return false;
        }
    }
    return true;
}

/// Every pair of state and event has a row, and the last row of each such group has no guard; no row stands
/// behind an "else" of its group, where it could never be taken.
template <class State, class Event, class Table>
[[nodiscard]] consteval bool everyGroupIsClosed(const Table &table)
{
    for (std::size_t s = 0; s < Words<State>::list.size(); ++s) {
        for (std::size_t e = 0; e < Words<Event>::list.size(); ++e) {
            bool closed = false;
            for (const auto &row : table) {
                if (row.from.has(static_cast<State>(s)) && row.events.has(static_cast<Event>(e)) && !closed)
                    closed = static_cast<int>(row.guard) == 0;
            }
            if (!closed)
                return false;
        }
    }
    return true;
}

/// Every row can be the first that matches for some state and event whose earlier rows all have guards.
template <class State, class Event, class Table>
[[nodiscard]] consteval bool noRowIsDead(const Table &table)
{
    for (std::size_t r = 0; r < table.size(); ++r) {
        bool alive = false;
        for (std::size_t s = 0; s < Words<State>::list.size(); ++s) {
            for (std::size_t e = 0; e < Words<Event>::list.size(); ++e) {
                const auto state = static_cast<State>(s);
                const auto event = static_cast<Event>(e);
                if (!table[r].from.has(state) || !table[r].events.has(event))
                    continue;
                bool shadowed = false;
                for (std::size_t i = 0; i < r; ++i) {
                    shadowed = shadowed
                        || (table[i].from.has(state) && table[i].events.has(event)
                            && static_cast<int>(table[i].guard) == 0);
                }
                alive = alive || !shadowed;
            }
        }
        if (!alive)
            return false;
    }
    return true;
}

/// Every state is the start or can be reached from it.
template <class State, class Table>
[[nodiscard]] consteval bool everyStateIsReachable(const Table &table, State start)
{
    SetOf<State> reached = start;
    for (std::size_t round = 0; round < Words<State>::list.size(); ++round) {
        for (const auto &row : table) {
            for (std::size_t s = 0; s < Words<State>::list.size(); ++s) {
                if (row.moves && row.from.has(static_cast<State>(s)) && reached.has(static_cast<State>(s)))
                    reached = reached | row.to;
            }
        }
    }
    return reached.bits == SetOf<State>::all().bits;
}

/// The row of this id. The id must exist: a row id in a log that no table knows is checked before.
template <class Table>
[[nodiscard]] constexpr const typename Table::value_type *rowOfId(const Table &table, std::uint8_t id) noexcept
{
    for (const auto &row : table) {
        if (row.id == id)
            return &row;
    }
    return nullptr;
}

} // namespace handreset::rules
