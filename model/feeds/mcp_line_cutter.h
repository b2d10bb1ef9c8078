// Cuts a stream into lines. A line that is too long to hold comes in pieces instead, so that memory stays bounded.
// Pure; one thread.
#pragma once

#include "model/feeds/mcp_id_finder.h"
#include "model/feeds/mcp_message.h"

#include <cstddef>
#include <string>
#include <string_view>

namespace handreset::feeds {

/// Hears of what was cut. The views live for the call alone.
class McpLineSink {
public:
    McpLineSink() = default;
    McpLineSink(const McpLineSink &) = delete;
    McpLineSink &operator=(const McpLineSink &) = delete;
    virtual ~McpLineSink() = default;
    /// A line with its end; the last of a stream may have none.
    virtual void line(std::string_view line) = 0;
    /// The next piece of a line that is too long.
    virtual void piece(std::string_view bytes) = 0;
    /// That line is over; these ids stood in it.
    virtual void tooLong(const McpIdFinder &ids) = 0;
};

class McpLineCutter {
public:
    explicit McpLineCutter(McpLineSink &sink, std::size_t longest = kMaxMcpLine) : m_sink(sink), m_longest(longest) {}

    void feed(std::string_view bytes);
    /// The stream is over.
    void finish();

private:
    void take(std::string_view bytes, bool isEnd);

    McpLineSink &m_sink;
    const std::size_t m_longest;
    std::string m_begun; ///< of a line whose end has not come
    bool m_isTooLong = false;
    McpIdFinder m_finder;
};

} // namespace handreset::feeds
