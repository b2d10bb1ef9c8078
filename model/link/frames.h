// How messages stand on the wire: a length of four bytes, most significant first, then as many bytes. The length is
// looked at before anything is kept, so that a peer can claim what it likes and takes no memory with it.
// Thread: one reader belongs to one thread at a time. Failure: a length of zero or above the bound ends the reading for
// good; the peer speaks something else, or means harm.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>

class QByteArray;

namespace handreset::link {

/// Longest message to a client: a fleet's state, packed.
inline constexpr std::size_t kMostToClient = std::size_t{64} * 1024 * 1024;
/// Longest message to a server: the longest policy that is taken (1 MiB), and what stands around it.
inline constexpr std::size_t kMostToServer = std::size_t{1024 + 64} * 1024;
/// Longest message from a peer that nobody has admitted yet.
inline constexpr std::size_t kMostFromStranger = std::size_t{16} * 1024;
/// Bytes of the length before each message.
inline constexpr std::size_t kFrameHead = 4;

/// The message with its length before it. It must be shorter than 4 GiB.
[[nodiscard]] QByteArray framed(std::string_view message);

class FrameReader {
public:
    explicit FrameReader(std::size_t most) : m_most(most) {}

    /// Another bound from the next message on.
    void setMost(std::size_t most) noexcept { m_most = most; }
    void feed(std::string_view bytes);
    /// True with the next whole message; false when there is none yet, or ever again.
    [[nodiscard]] bool next(std::string &message);
    [[nodiscard]] bool failed() const noexcept { return m_failed; }

private:
    std::size_t m_most;
    std::string m_bytes;
    std::size_t m_at = 0; ///< what stands before was handed out
    bool m_failed = false;
};

} // namespace handreset::link
