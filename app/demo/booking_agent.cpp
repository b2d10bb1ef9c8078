#include "app/demo/booking_agent.h"

#include <array>

namespace handreset::demo {

namespace {

constexpr int kDownFor = 9;   ///< real calls
constexpr int kAttempts = 3;  ///< real calls of one run
constexpr int kBookings = 14; ///< then the agent has done its work
constexpr int kMostRuns = 120;
constexpr std::array kBackoff{rules::milliseconds(100), rules::milliseconds(200), rules::milliseconds(400)};

} // namespace

void BookingAgent::start()
{
    m_stage.after(rules::seconds(3), [this] { beginRun(); });
}

void BookingAgent::beginRun()
{
    ++m_run;
    m_attempt = 0;
    m_task = m_stage.taskName("trip-" + std::to_string(400 + m_run));
    if (!think(m_task, "large-model", dollars(2))) {
        endRun("refused", rules::seconds(6));
        return;
    }
    m_stage.after(rules::milliseconds(600), [this] { look(); });
}

void BookingAgent::look()
{
    const std::string guest = std::to_string(m_run);
    use(m_task, "list_rooms", R"({"city":"Porto","guest":)" + guest + "}");
    use(m_task, "get_quote", R"({"room":204,"nights":2,"guest":)" + guest + "}");
    m_stage.after(rules::milliseconds(600), [this] { book(); });
}

void BookingAgent::book()
{
    m_decision = askTool(m_task, "book_room", R"({"room":204,"nights":2,"guest":)" + std::to_string(m_run) + "}");
    if (m_decision.allow) {
        callTool();
        return;
    }
    // Two runs come soon after the breaker opened and are turned away; the next one later, when the time is over too.
    const bool isSoon = m_decision.reason.retry == rules::RetryKind::AfterCalls;
    endRun("turned away", isSoon ? rules::milliseconds(300) : rules::milliseconds(2'800));
}

void BookingAgent::callTool()
{
    // A probe takes its time, so that a person sees HALF_OPEN.
    ++m_attempt;
    m_stage.after(m_decision.probe ? rules::seconds(3) : rules::milliseconds(350), [this] { toolCame(); });
}

void BookingAgent::toolCame()
{
    if (++m_realCalls > kDownFor) {
        toolAnswered(m_decision.id, rules::CallOutcome::Success);
        ++m_booked;
        endRun("booked", m_stage.between(rules::seconds(5), rules::seconds(9)));
    } else if (m_attempt < kAttempts) {
        m_stage.after(kBackoff[static_cast<std::size_t>(m_attempt - 1)], [this] { callTool(); });
    } else {
        toolAnswered(m_decision.id, rules::CallOutcome::Failure, "503 from the booking service, three times");
        endRun("failed", m_run < 3 ? rules::seconds(4) : rules::milliseconds(500));
    }
}

void BookingAgent::endRun(const char *outcome, rules::Duration pause)
{
    end(m_task, outcome);
    if (m_booked < kBookings && m_run < kMostRuns)
        m_stage.after(pause, [this] { beginRun(); });
}

} // namespace handreset::demo
