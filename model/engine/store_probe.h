// A cheap look at whether the store could still be written: its file is the one that was opened, and its file system
// takes writes. It stands behind a heartbeat when no commit has proved the same. Host's thread; no failure of its own.
#pragma once

#include <QString>

#include <cstdint>
#include <string>

namespace handreset::engine {

class StoreProbe {
public:
    StoreProbe() = default;
    /// Remembers which file stands at `path` now.
    explicit StoreProbe(const QString &path);
    /// What is wrong; empty when nothing is. Two system calls.
    [[nodiscard]] std::string trouble() const;

private:
    std::string m_path; ///< empty: nothing is looked at
    std::uint64_t m_device = 0;
    std::uint64_t m_file = 0;
};

} // namespace handreset::engine
