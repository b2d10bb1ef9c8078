// The strict check of a request's head (RFC 9112), before anything believes a word of it. Where the standard lets a
// receiver be generous and two receivers could then see different requests, this one refuses. It works in two steps, so
// that the answer never depends on how the bytes were cut: a scan that looks at each byte once and ends at the first
// wrong one or at the empty line, then a reading of the whole head.
// Pure: no clock, no socket. Any thread; a scanner belongs to one head at a time. Failure: a Problem with its status.
#pragma once

#include "model/gate/http_limits.h"
#include "model/gate/http_message.h"

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string_view>

namespace handreset::gate {

/// Looks for the end of a head. Knows lines and bounds; what they say is readHead's.
class HeadScanner {
public:
    enum class State : std::uint8_t { More, Whole, Wrong };

    explicit HeadScanner(const Limits &limits) : m_limits(&limits) {}
    /// For the next head.
    void restart() { *this = HeadScanner(*m_limits); }
    /// `bytes`: everything since the head's first byte, also what an earlier call has seen. Never looks behind the
    /// head.
    [[nodiscard]] State scan(std::string_view bytes);
    /// Of a whole head: from the first byte to behind the empty line.
    [[nodiscard]] std::size_t length() const noexcept { return m_at; }
    /// An empty line may stand before a request (RFC 9112, 2.2); the head proper starts behind it.
    [[nodiscard]] std::size_t start() const noexcept { return m_start; }
    [[nodiscard]] const Problem &problem() const noexcept { return m_problem; }

private:
    State wrong(int status, std::string_view code, std::string_view text);
    State endOfLine(std::size_t lineLength);
    /// Where the scan must not come to, by what it knows now.
    [[nodiscard]] std::size_t bound() const noexcept;

    const Limits *m_limits;
    std::size_t m_at = 0;
    std::size_t m_start = 0;
    std::size_t m_lineStart = 0;
    std::size_t m_lines = 0;
    bool m_afterCr = false;
    Problem m_problem;
};

enum class Framing : std::uint8_t { None, Length, Chunked };

/// What a good head says. The views look into the text that was read.
struct Head {
    std::string_view method;
    std::string_view target; ///< "/path?query"; of an absolute target what follows the authority; "*" for OPTIONS
    std::string_view contentType;
    std::string_view contentEncoding;
    std::string_view authorization;
    Framing framing = Framing::None;
    std::uint64_t contentLength = 0;
    bool isHttp10 = false;
    bool keepAlive = true;
    bool expectContinue = false;
};

/// Reads a whole head, as HeadScanner found it. Refuses, first to last: a request line or field that is malformed
/// (400), a version (505), a method (501) or a length of target (414) that is not served, a Host that is absent,
/// doubled or, on TCP, not this machine's own name (400: a page in a browser that had its name rebound), any Origin
/// (403), framing that two receivers could read differently (400, 501), an expectation other than 100-continue (417).
[[nodiscard]] std::optional<Problem> readHead(std::string_view head, Door door, const Limits &limits, Head &out);

} // namespace handreset::gate
