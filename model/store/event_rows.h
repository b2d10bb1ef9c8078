// Events as rows of the log, and back. Internal to model/store; thread: the store's.
#pragma once

#include "model/rules/event.h"
#include "model/store/database.h"
#include "model/store/packing.h"

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace handreset::store {

/// One of so many events of an agent stands in the index of anchors.
inline constexpr std::uint64_t kAnchorEvery = 32;

/// The columns of one event. The payload's bytes belong to somebody else.
struct EventRow {
    std::uint64_t seq = 0;
    std::uint8_t kind = 0;
    std::int64_t ruleTime = 0;
    std::int64_t steadyOffset = 0;
    std::optional<std::int64_t> sourceTime;
    std::uint32_t agent = 0;
    std::uint32_t task = 0;
    std::int64_t subject = 0;
    std::uint8_t row = 0;
    std::uint64_t agentPrev = 0;
    bool anchor = false;
    std::string_view payload;
};

/// The end of each agent's history, so that every event knows the one before it.
class AgentHeads {
public:
    struct Head {
        std::uint64_t last = 0;  ///< seq of its last event; 0: none
        std::uint64_t count = 0; ///< of its events
    };

    [[nodiscard]] Head of(rules::AgentId agent) const;
    void set(rules::AgentId agent, Head head);
    /// Takes one more event of this agent; gives the head before it.
    Head advance(rules::AgentId agent, rules::Seq seq);
    [[nodiscard]] std::size_t size() const noexcept { return m_heads.size(); }

    /// From here on `undo` leads back to where `mark` was called.
    void mark() { m_before.clear(); }
    void undo();

private:
    std::vector<Head> m_heads; ///< by id - 1
    std::vector<std::pair<rules::AgentId, Head>> m_before;
};

/// The event's columns; `payload` receives the bytes that the row then points to.
[[nodiscard]] EventRow rowOf(const rules::Event &event, AgentHeads &heads, std::string &payload);
/// Strict: an unknown kind, a malformed payload or a subject that is not the payload's is an Error naming the event.
[[nodiscard]] rules::Result<rules::Event> eventOf(const EventRow &row);

/// Writes events and their arguments; within the caller's transaction.
class EventWriter {
public:
    [[nodiscard]] rules::Result<void> prepare(Database &database);
    [[nodiscard]] rules::Result<void> write(const EventRow &row, std::string_view arguments);

private:
    Statement m_event;
    Statement m_argument;
    Packer m_packer;
};

/// Reads the log forwards. Each reader has its own cursor.
class EventReader {
public:
    /// Events with first <= seq <= last, ascending.
    [[nodiscard]] static rules::Result<EventReader> range(Database &database, rules::Seq first, rules::Seq last);
    /// A reader for single rows.
    [[nodiscard]] static rules::Result<EventReader> points(Database &database);

    [[nodiscard]] rules::Result<bool> next() { return m_statement.step(); }
    [[nodiscard]] rules::Result<bool> seek(rules::Seq seq);
    /// The present row; its payload is valid until the next step.
    [[nodiscard]] rules::Result<EventRow> row() const;

private:
    Statement m_statement;
};

/// Reads arguments beside an EventReader, in the same order.
class ArgumentReader {
public:
    [[nodiscard]] static rules::Result<ArgumentReader> range(Database &database, rules::Seq first, rules::Seq last);
    /// The arguments of this event; nothing where none are stored. `seq` must rise from call to call.
    [[nodiscard]] rules::Result<std::optional<std::string>> take(std::uint64_t seq);
    /// The next row that was not taken; 0: none is left.
    [[nodiscard]] rules::Result<std::uint64_t> leftOver();

private:
    [[nodiscard]] rules::Result<void> advance();

    Statement m_statement;
    Packer m_packer;
    std::uint64_t m_seq = 0; ///< of the row under the cursor; 0: none yet
    bool m_ended = false;
};

/// A stored argument as text.
[[nodiscard]] rules::Result<std::string> argumentText(Packer &packer, std::int64_t form, std::string_view body);

/// A sequence number as a column; the largest possible for "no end".
[[nodiscard]] std::int64_t columnOf(rules::Seq seq) noexcept;

} // namespace handreset::store
