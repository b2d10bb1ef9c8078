// What the gate tells systemd, if that started it: the protocol of sd_notify(3), a datagram to the socket that
// NOTIFY_SOCKET names, without its library. Thread: the one that made it. Failure: where nobody listens, nothing is
// said.
#pragma once

#include <chrono>
#include <optional>
#include <string>
#include <string_view>

namespace handreset::gate {

class ServiceManager {
public:
    /// Takes NOTIFY_SOCKET, WATCHDOG_USEC and WATCHDOG_PID out of the environment: they are for this process alone.
    [[nodiscard]] static ServiceManager fromEnvironment();
    ServiceManager(ServiceManager &&other) noexcept;
    ServiceManager &operator=(ServiceManager &&) = delete;
    ~ServiceManager();

    /// Somebody listens.
    [[nodiscard]] bool isThere() const noexcept { return m_socket >= 0; }
    /// What is wrong with the address that was given; empty: nothing.
    [[nodiscard]] const std::string &trouble() const noexcept { return m_trouble; }
    /// How long the watchdog waits for a sign of life; nothing: no watchdog is set on this process.
    [[nodiscard]] std::optional<std::chrono::microseconds> watchdog() const noexcept { return m_watchdog; }

    /// False where it could not be delivered now.
    bool sayReady(std::string_view status);
    bool sayStatus(std::string_view status);
    bool sayStopping();
    bool sayAlive();
    /// The start takes as long again: a large store is read, or another host still has it.
    bool askForTime(std::chrono::microseconds time);
    /// Another patience of the watchdog; zero: it is not to wait for signs of life at all.
    bool setWatchdog(std::chrono::microseconds patience);

private:
    ServiceManager() = default;
    bool send(const std::string &message) const;

    int m_socket = -1;
    std::string m_trouble;
    std::optional<std::chrono::microseconds> m_watchdog;
};

} // namespace handreset::gate
