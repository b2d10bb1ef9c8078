// Names as dense numbers while a stream of them goes by: what-if and import meet the same few thousand names in
// every line. Unlike NameTable this is no part of the state: nothing of it is written. Pure; one thread at a time.
#pragma once

#include <cstddef>
#include <cstdint>
#include <deque>
#include <functional>
#include <string>
#include <string_view>
#include <vector>

namespace handreset::rules {

/// Numbers from 1 in the order of first sight. A name may belong to an owner: the same text of two owners is two
/// names. Open addressing over stored hashes, so that a name that was seen costs one comparison of texts.
class NameNumbers {
public:
    [[nodiscard]] std::uint32_t number(std::string_view text, std::uint32_t owner = 0)
    {
        if (m_previous != 0 && isAt(m_previous, text, owner)) // lines of one task mostly follow each other
            return m_previous;
        if ((m_entries.size() + 1) * 2 > m_slots.size())
            grow();
        const auto hash = std::hash<std::string_view>{}(text) ^ (owner * 0x9E3779B97F4A7C15ULL);
        std::size_t place = hash & (m_slots.size() - 1);
        while (m_slots[place].number != 0) {
            if (m_slots[place].hash == hash && isAt(m_slots[place].number, text, owner))
                return m_previous = m_slots[place].number;
            place = (place + 1) & (m_slots.size() - 1);
        }
        m_entries.push_back({std::string(text), owner});
        m_slots[place] = {hash, static_cast<std::uint32_t>(m_entries.size())};
        return m_previous = m_slots[place].number;
    }
    [[nodiscard]] std::uint32_t count() const noexcept { return static_cast<std::uint32_t>(m_entries.size()); }
    /// The text of a number that `number` gave; it keeps its place in memory.
    [[nodiscard]] const std::string &text(std::uint32_t number) const { return m_entries[number - 1].text; }
    [[nodiscard]] std::uint32_t owner(std::uint32_t number) const { return m_entries[number - 1].owner; }

private:
    struct Entry {
        std::string text;
        std::uint32_t owner = 0;
    };
    struct Slot {
        std::size_t hash = 0;
        std::uint32_t number = 0; ///< 0: free
    };

    [[nodiscard]] bool isAt(std::uint32_t number, std::string_view text, std::uint32_t owner) const
    {
        const auto &entry = m_entries[number - 1];
        return entry.owner == owner && entry.text == text;
    }
    void grow()
    {
        std::vector<Slot> old(m_slots.empty() ? 64 : m_slots.size() * 2);
        old.swap(m_slots);
        for (const auto &slot : old) {
            if (slot.number == 0)
                continue;
            std::size_t place = slot.hash & (m_slots.size() - 1);
            while (m_slots[place].number != 0)
                place = (place + 1) & (m_slots.size() - 1);
            m_slots[place] = slot;
        }
    }

    std::deque<Entry> m_entries;
    std::vector<Slot> m_slots;
    std::uint32_t m_previous = 0;
};

} // namespace handreset::rules
