#include "model/feeds/mcp_line_cutter.h"

namespace handreset::feeds {

void McpLineCutter::feed(std::string_view bytes)
{
    while (!bytes.empty()) {
        const auto end = bytes.find('\n');
        const bool isEnd = end != std::string_view::npos;
        const auto length = isEnd ? end + 1 : bytes.size();
        take(bytes.substr(0, length), isEnd);
        bytes.remove_prefix(length);
    }
}

/// The next bytes of one line.
void McpLineCutter::take(std::string_view bytes, bool isEnd)
{
    if (!m_isTooLong && m_begun.size() + bytes.size() > m_longest) {
        m_isTooLong = true;
        m_finder = {};
        m_finder.feed(m_begun);
        m_sink.piece(m_begun);
        m_begun = {}; // its memory, too
    }
    if (m_isTooLong) {
        m_finder.feed(bytes);
        m_sink.piece(bytes);
        if (isEnd) {
            m_isTooLong = false;
            m_sink.tooLong(m_finder);
        }
    } else if (!isEnd) {
        m_begun += bytes;
    } else if (m_begun.empty()) {
        m_sink.line(bytes);
    } else {
        m_begun += bytes;
        m_sink.line(m_begun);
        m_begun.clear();
    }
}

void McpLineCutter::finish()
{
    if (m_isTooLong) {
        m_isTooLong = false;
        m_sink.tooLong(m_finder);
    } else if (!m_begun.empty()) {
        m_sink.line(m_begun);
        m_begun.clear();
    }
}

} // namespace handreset::feeds
