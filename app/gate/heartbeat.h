// Says when the gate may tell the service manager that it is alive: only after the decision loop has turned since the
// last time, the store is Writable, and a write went through (the log's end moved, or a probe beside it). Thread: one.
#pragma once

#include "model/engine/host.h"

#include <functional>
#include <string>

namespace handreset::gate {

class Heartbeat {
public:
    /// `probe` tells what keeps the disk from being written; empty: nothing. It may wait for the disk.
    explicit Heartbeat(std::function<std::string()> probe) : m_probe(std::move(probe)) {}

    /// True: everything that the gate is for works. Where not, `trouble` says why.
    [[nodiscard]] bool beats(const engine::HostStatus &status);
    [[nodiscard]] const std::string &trouble() const noexcept { return m_trouble; }

private:
    std::function<std::string()> m_probe;
    rules::Steady m_lastTurn{-1};
    rules::Seq m_committed;
    std::string m_trouble;
};

} // namespace handreset::gate
