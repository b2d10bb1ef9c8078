#include "app/ctl/mcp_pipe.h"

#include <algorithm>
#include <cerrno>
#include <climits>
#include <sys/socket.h>
#include <unistd.h>

namespace handreset::ctl {

namespace {

constexpr std::size_t kWorthMoving = std::size_t{1} << 20U;

ssize_t writeWithoutWaiting(int descriptor, std::string_view bytes) noexcept
{
    const auto sent = ::send(descriptor, bytes.data(), bytes.size(), MSG_DONTWAIT | MSG_NOSIGNAL);
    if (sent >= 0 || errno != ENOTSOCK)
        return sent;
    // A pipe that polls as writable takes PIPE_BUF bytes without waiting (POSIX, write).
    return ::write(descriptor, bytes.data(), std::min<std::size_t>(bytes.size(), PIPE_BUF));
}

} // namespace

long readSome(int descriptor, char *buffer, std::size_t size) noexcept
{
    const auto got = ::read(descriptor, buffer, size);
    if (got >= 0)
        return got;
    return errno == EAGAIN || errno == EWOULDBLOCK || errno == EINTR ? -1 : 0;
}

bool McpOutbound::writeSome(int descriptor)
{
    const auto written = writeWithoutWaiting(descriptor, std::string_view(m_bytes).substr(m_done));
    if (written < 0)
        return errno == EAGAIN || errno == EWOULDBLOCK || errno == EINTR;
    m_done += static_cast<std::size_t>(written);
    if (isEmpty()) {
        clear();
    } else if (m_done > std::max(kWorthMoving, m_bytes.size() / 2)) {
        m_bytes.erase(0, m_done);
        m_done = 0;
    }
    return true;
}

void McpOutbound::clear()
{
    m_done = 0;
    if (m_bytes.capacity() > kWorthMoving)
        m_bytes = {};
    else
        m_bytes.clear();
}

} // namespace handreset::ctl
