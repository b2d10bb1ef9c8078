// Undoes the framing of a request's body: so many bytes, or chunks (RFC 9112, 7.1). Strict as the head's check, and
// bounded in what it keeps and in what it takes from the wire. Chunk extensions and trailers are checked and dropped:
// nothing that stands behind a head ever becomes a header.
// Pure: no clock, no socket. Any thread; a reader belongs to one body at a time. Failure: a Problem with its status.
#pragma once

#include "model/gate/http_head.h"
#include "model/gate/http_limits.h"
#include "model/gate/http_message.h"

#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>

namespace handreset::gate {

class BodyReader {
public:
    enum class State : std::uint8_t { More, Whole, Wrong };

    explicit BodyReader(const Limits &limits) : m_limits(&limits) {}
    /// For the body that follows `head`. Whole where there is none, Wrong where it is declared too long.
    [[nodiscard]] State start(const Head &head);
    /// Takes from `bytes`, which follow what was taken before, and appends data to `body`. `used`: how many it took;
    /// all of them while it wants more, none behind the body's end.
    [[nodiscard]] State read(std::string_view bytes, std::size_t &used, std::string &body);
    [[nodiscard]] const Problem &problem() const noexcept { return m_problem; }

private:
    enum class At : std::uint8_t {
        Length,       ///< data of a body whose length is known
        Size,         ///< digits of a chunk's size
        Extension,    ///< between the size and its CR
        SizeLf,       ///< the LF behind it
        Data,         ///< a chunk's data
        DataCr,       ///< the CR behind it
        DataLf,       ///< the LF behind that
        TrailerStart, ///< first character of a trailer, or of the last line
        TrailerName,
        TrailerValue,
        TrailerLf,
        LastLf,
    };
    State take(std::string_view bytes, std::size_t &used, std::string &body);
    State step(char byte);
    State sizeDigit(char byte);
    State trailerStep(char byte);
    State wrong(int status, std::string_view text);

    const Limits *m_limits;
    At m_at = At::Length;
    std::uint64_t m_left = 0;  ///< bytes of data until the body's or the chunk's end
    std::size_t m_data = 0;    ///< declared so far by chunks
    std::size_t m_line = 0;    ///< bytes of the chunk's line
    std::size_t m_framing = 0; ///< bytes that were no data
    State m_state = State::Whole;
    Problem m_problem;
};

} // namespace handreset::gate
