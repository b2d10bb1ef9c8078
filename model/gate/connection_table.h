// The connections of the agents' door, by slot and by how much each is needed. Private to http_loop.cpp, the one file
// with Boost.Asio. Thread: the I/O thread. Ownership: the table owns every connection until it goes; a closed one waits
// for the next client, because completions may still be on their way to it.
#pragma once

#include "model/gate/http_conversation.h"

#include <utility>

#include <boost/asio/generic/stream_protocol.hpp>
#include <boost/asio/io_context.hpp>

#include <array>
#include <chrono>
#include <cstddef>
#include <cstdint>
#include <list>
#include <memory>
#include <vector>

namespace handreset::gate {

/// What a connection is to others: each kind is kept in the order in which it came to be so.
enum class Kind : std::uint8_t {
    Spare,    ///< idle, or waiting for the client to close
    Arriving, ///< in the middle of a request
    Busy,     ///< waits for its answer, or for the client to take it
};

struct Connection {
    using Clock = std::chrono::steady_clock;

    Connection(boost::asio::io_context &io, const Limits &limits) : socket(io), talk(limits) {}

    boost::asio::generic::stream_protocol::socket socket;
    HttpConversation talk;
    std::list<Connection *>::iterator place; ///< in the list of its kind
    Clock::time_point since;                 ///< when it came to be what it is
    Clock::time_point deadline;              ///< when that has taken too long
    std::uint64_t ticket = 0;                ///< of the request that waits for its answer; 0: none
    std::size_t held = 0;                    ///< of its body that is arriving
    std::size_t thrownAway = 0;              ///< bytes that came after the last answer
    std::uint32_t slot = 0;
    std::uint32_t generation = 0; ///< tells a late completion that its connection is another now
    Kind kind = Kind::Spare;
    HttpConversation::Phase phase = HttpConversation::Phase::Ended; ///< since `since`; Ended also: to be seen anew
    bool isOpen = false;
    bool isReading = false;
    bool isBlocked = false; ///< the socket takes nothing more; it will tell when it does
    bool isStuck = false;   ///< since it was blocked, not all has left yet
    bool isLingering = false;
    bool hasFinished = false; ///< the client sends no more
};

class ConnectionTable {
public:
    ConnectionTable(boost::asio::io_context &io, const Limits &limits) : m_io(io), m_limits(limits) {}

    [[nodiscard]] std::size_t open() const noexcept { return m_all.size() - m_free.size(); }

    /// A connection for a new client, open and spare; its socket is the caller's to assign.
    Connection &add()
    {
        auto &spare = m_kinds[index(Kind::Spare)];
        if (m_free.empty()) {
            m_all.push_back(std::make_unique<Connection>(m_io, m_limits));
            m_all.back()->slot = static_cast<std::uint32_t>(m_all.size() - 1);
            m_free.reserve(m_all.capacity()); // so that giving one back cannot fail
            m_free.push_back(m_all.back()->slot);
        }
        Connection &connection = *m_all[m_free.back()];
        connection.place = spare.insert(spare.end(), &connection);
        m_free.pop_back();
        connection.kind = Kind::Spare;
        connection.phase = HttpConversation::Phase::Ended;
        connection.thrownAway = 0;
        connection.isReading = connection.isBlocked = connection.isStuck = false;
        connection.isLingering = connection.hasFinished = false;
        connection.isOpen = true;
        return connection;
    }
    /// Its slot is free from now on, and its generation over.
    void remove(Connection &connection)
    {
        connection.isOpen = false;
        connection.ticket = 0;
        ++connection.generation;
        m_kinds[index(connection.kind)].erase(connection.place);
        m_free.push_back(connection.slot);
    }

    /// The open connection of that slot and generation; null where it has gone.
    [[nodiscard]] Connection *find(std::uint32_t slot, std::uint32_t generation) const
    {
        Connection &connection = *m_all[slot];
        return connection.isOpen && connection.generation == generation ? &connection : nullptr;
    }
    /// The open connection that waits for the answer of that ticket; null where it has gone, or had its answer.
    [[nodiscard]] Connection *waitingFor(std::uint64_t ticket, std::uint32_t slot) const
    {
        Connection &connection = *m_all[slot];
        return connection.isOpen && connection.ticket == ticket ? &connection : nullptr;
    }

    /// From now on it is of that kind, the youngest.
    void note(Connection &connection, Kind kind)
    {
        connection.since = Connection::Clock::now();
        auto &to = m_kinds[index(kind)];
        to.splice(to.end(), m_kinds[index(connection.kind)], connection.place);
        connection.kind = kind;
    }
    [[nodiscard]] Connection *oldest(Kind kind) const
    {
        const auto &all = m_kinds[index(kind)];
        return all.empty() ? nullptr : all.front();
    }
    /// All open ones for which `test` holds, in a list that stays good while they are closed; until the next call.
    template <class Test>
    const std::vector<Connection *> &select(Test test)
    {
        m_selected.clear();
        for (const auto &kind : m_kinds)
            for (Connection *const connection : kind)
                if (test(*connection))
                    m_selected.push_back(connection);
        return m_selected;
    }

private:
    static constexpr std::size_t index(Kind kind) noexcept { return static_cast<std::size_t>(kind); }

    boost::asio::io_context &m_io;
    const Limits &m_limits;
    std::vector<std::unique_ptr<Connection>> m_all; ///< by slot
    std::vector<std::uint32_t> m_free;
    std::array<std::list<Connection *>, 3> m_kinds;
    std::vector<Connection *> m_selected;
};

} // namespace handreset::gate
