#include "app/ctl/progress.h"

#include <algorithm>
#include <atomic>
#include <cmath>
#include <utility>

namespace handreset::ctl {

namespace {

/// A signal has no other way to reach a program than something of static life.
std::atomic<bool> wasCancelled{false};
static_assert(std::atomic<bool>::is_always_lock_free);

void cancel(int)
{
    wasCancelled = true;
}

constexpr std::chrono::milliseconds kShowEvery{200};

} // namespace

LongWork::LongWork(Context &context, std::string what)
    : m_context(context), m_what(std::move(what)), m_nextShown(std::chrono::steady_clock::now() + kShowEvery)
{
    wasCancelled = false;
    struct sigaction action = {};
    action.sa_handler = cancel;
    action.sa_flags = static_cast<int>(SA_RESETHAND);
    sigemptyset(&action.sa_mask);
    sigaction(SIGINT, &action, &m_interruptBefore);
    sigaction(SIGTERM, &action, &m_terminateBefore);
}

LongWork::~LongWork()
{
    if (m_isShown)
        m_context.err << '\r' << std::string(m_what.size() + 6, ' ') << '\r' << std::flush;
    sigaction(SIGINT, &m_interruptBefore, nullptr);
    sigaction(SIGTERM, &m_terminateBefore, nullptr);
}

bool LongWork::report(double share)
{
    const auto present = std::chrono::steady_clock::now();
    if (m_context.showsProgress && present >= m_nextShown) {
        m_nextShown = present + kShowEvery;
        const auto percent = std::clamp(static_cast<int>(std::floor(share * 100)), 0, 100);
        const auto number = std::to_string(percent);
        m_context.err << '\r' << m_what << ' ' << std::string(3 - number.size(), ' ') << number << '%' << std::flush;
        m_isShown = true;
    }
    return !isCancelled();
}

bool LongWork::isCancelled() noexcept
{
    return wasCancelled;
}

} // namespace handreset::ctl
