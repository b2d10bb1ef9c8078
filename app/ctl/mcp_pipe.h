// Bytes on their way out, to a descriptor that somebody else made: nothing here changes its flags, because they are
// shared with whoever has it open, too. One thread.
#pragma once

#include <cstddef>
#include <string>
#include <string_view>

namespace handreset::ctl {

/// Reads what is there, after poll said so. 0: the end; -1: nothing now.
[[nodiscard]] long readSome(int descriptor, char *buffer, std::size_t size) noexcept;

class McpOutbound {
public:
    void add(std::string_view bytes) { m_bytes += bytes; }
    [[nodiscard]] bool isEmpty() const noexcept { return m_done == m_bytes.size(); }
    [[nodiscard]] std::size_t size() const noexcept { return m_bytes.size() - m_done; }
    /// Writes what fits now, after poll said that something does. False: nobody reads any more.
    [[nodiscard]] bool writeSome(int descriptor);
    void clear();

private:
    std::string m_bytes;
    std::size_t m_done = 0; ///< of m_bytes, written already
};

} // namespace handreset::ctl
