// Long work on a terminal: how far it is, and an end by Ctrl-C that leaves everything whole.
// Thread: the main thread's. Ownership: the context outlives it. While one lives, SIGINT and SIGTERM only ask it to
// stop; a second one ends the process as ever.
#pragma once

#include "app/ctl/output.h"

#include <chrono>
#include <csignal>
#include <string>

namespace handreset::ctl {

class LongWork {
public:
    LongWork(Context &context, std::string what);
    LongWork(const LongWork &) = delete;
    LongWork &operator=(const LongWork &) = delete;
    ~LongWork();

    /// Shows the share (0 to 1) on a terminal, a few times a second at most. False: stop.
    [[nodiscard]] bool report(double share);
    [[nodiscard]] static bool isCancelled() noexcept;

private:
    Context &m_context;
    std::string m_what;
    struct sigaction m_interruptBefore = {};
    struct sigaction m_terminateBefore = {};
    std::chrono::steady_clock::time_point m_nextShown;
    bool m_isShown = false;
};

} // namespace handreset::ctl
