#include "app/gate/service_manager.h"

#include "app/gate/printable.h"

#include <cerrno>
#include <charconv>
#include <cstddef>
#include <cstdlib>
#include <cstring>
#include <sys/socket.h>
#include <sys/un.h>
#include <unistd.h>
#include <utility>

namespace handreset::gate {

namespace {

std::string takeVariable(const char *name)
{
    const char *value = std::getenv(name);
    std::string text = value != nullptr ? value : "";
    unsetenv(name);
    return text;
}

std::optional<std::int64_t> numberOf(std::string_view text)
{
    std::int64_t number = 0;
    const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), number);
    if (error != std::errc() || end != text.data() + text.size())
        return {};
    return number;
}

/// A socket that is connected to this address; -1 with errno where it cannot be.
int connectTo(const std::string &address)
{
    sockaddr_un where = {};
    where.sun_family = AF_UNIX;
    if (address.size() >= sizeof where.sun_path) {
        errno = ENAMETOOLONG;
        return -1;
    }
    std::memcpy(where.sun_path, address.data(), address.size());
    if (where.sun_path[0] == '@')
        where.sun_path[0] = '\0'; // an abstract name: it has no file
    const auto size = static_cast<socklen_t>(offsetof(sockaddr_un, sun_path) + address.size());
    const int made = ::socket(AF_UNIX, SOCK_DGRAM | SOCK_CLOEXEC, 0);
    if (made >= 0 && ::connect(made, reinterpret_cast<const sockaddr *>(&where), size) == 0)
        return made;
    const int cause = errno;
    if (made >= 0)
        ::close(made);
    errno = cause;
    return -1;
}

} // namespace

ServiceManager ServiceManager::fromEnvironment()
{
    ServiceManager manager;
    const auto address = takeVariable("NOTIFY_SOCKET");
    const auto patience = numberOf(takeVariable("WATCHDOG_USEC"));
    const auto process = takeVariable("WATCHDOG_PID");
    if (address.empty())
        return manager;
    if (address[0] != '/' && address[0] != '@') {
        manager.m_trouble = "NOTIFY_SOCKET is neither a path nor an abstract name";
        return manager;
    }
    manager.m_socket = connectTo(address);
    if (manager.m_socket < 0)
        manager.m_trouble = std::string("the service manager cannot be reached: ") + std::strerror(errno);
    const bool isForUs = process.empty() || numberOf(process) == static_cast<std::int64_t>(::getpid());
    if (patience && *patience > 0 && isForUs && manager.isThere())
        manager.m_watchdog = std::chrono::microseconds(*patience);
    return manager;
}

ServiceManager::ServiceManager(ServiceManager &&other) noexcept
    : m_socket(std::exchange(other.m_socket, -1)), m_trouble(std::move(other.m_trouble)), m_watchdog(other.m_watchdog)
{}

ServiceManager::~ServiceManager()
{
    if (m_socket >= 0)
        ::close(m_socket);
}

bool ServiceManager::sayReady(std::string_view status)
{
    return send("READY=1\nSTATUS=" + printable(status)); // a line end in it could say anything else
}

bool ServiceManager::sayStatus(std::string_view status)
{
    return send("STATUS=" + printable(status));
}

bool ServiceManager::sayStopping()
{
    return send("STOPPING=1\nSTATUS=Stopping");
}

bool ServiceManager::sayAlive()
{
    return send("WATCHDOG=1");
}

bool ServiceManager::askForTime(std::chrono::microseconds time)
{
    return send("EXTEND_TIMEOUT_USEC=" + std::to_string(time.count()));
}

bool ServiceManager::setWatchdog(std::chrono::microseconds patience)
{
    return send("WATCHDOG_USEC=" + std::to_string(patience.count()));
}

bool ServiceManager::send(const std::string &message) const
{
    if (m_socket < 0)
        return false;
    // Not waited for: a service manager that is busy must not hold decisions up.
    return ::send(m_socket, message.data(), message.size(), MSG_NOSIGNAL | MSG_DONTWAIT)
        == static_cast<ssize_t>(message.size());
}

} // namespace handreset::gate
