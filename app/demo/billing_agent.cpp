#include "app/demo/billing_agent.h"

#include <array>

namespace handreset::demo {

namespace {

constexpr int kMostLookups = 12;
constexpr std::array<std::int64_t, 3> kLastCosts{130, 145, 160}; ///< cents: what the calls in flight turn out to cost

std::string pix(std::string_view amount, int request)
{
    return R"({"amount":)" + std::string(amount) + R"(,"currency":"BRL","pix_key":"acme@example.com","request_id":")"
        + std::to_string(request) + R"("})";
}

} // namespace

void BillingAgent::start()
{
    m_stage.after(rules::seconds(6), [this] { payAnInvoice(); });
    m_stage.after(rules::seconds(24), [this] { loop(); });
    m_stage.after(rules::seconds(56), [this] { closeTheMonth(); });
}

void BillingAgent::payAnInvoice()
{
    const std::string task = m_stage.taskName("invoice-2229");
    think(task, "large-model", dollars(4));
    use(task, "lookup_invoice", R"({"id":2229})");
    think(task, "large-model", dollars(3));
    use(task, "send_pix", pix("120.00", 1));
    end(task, "paid");
}

/// Each answer is the same, valid and useless: no call fails, and every turn costs.
void BillingAgent::loop()
{
    m_loop = m_stage.taskName("invoice-2231");
    if (++m_lookups > kMostLookups)
        return;
    const bool thinks = think(m_loop, "large-model", dollars(6));
    // Key order and spaces change from call to call. It is the same call.
    const bool finds
        = use(m_loop, "lookup_invoice", m_lookups % 2 == 0 ? R"({ "id" : 2231 })" : R"({"id":2231})", false);
    if (thinks && finds)
        m_stage.after(rules::milliseconds(2'500), [this] { loop(); });
    else
        m_stage.after(rules::seconds(2), [this] { loopStopped(); });
}

void BillingAgent::loopStopped()
{
    // Degraded: the large model is refused and the small one named; a note for whoever takes over; no writing.
    if (!think(m_loop, "large-model", dollars(6)))
        think(m_loop, "small-model", dollars(1));
    note(m_loop,
         "The supplier's portal shows invoice 2231 as open and as paid. I asked again, and the answer is the "
         "same. Somebody should look at the bank statement of 28 November.");
    use(m_loop, "send_pix", pix("310.00", 2));
    hammer(m_loop, 4);
}

void BillingAgent::closeTheMonth()
{
    m_month = m_stage.taskName("month-end");
    readStatements(6);
}

void BillingAgent::readStatements(int left)
{
    if (left == 0) {
        sendThree();
        return;
    }
    think(m_month, "large-model", dollars(125));
    use(m_month, "lookup_invoice", R"({"id":)" + std::to_string(2240 - left) + "}");
    m_stage.after(rules::milliseconds(2'800), [this, left] { readStatements(left - 1); });
}

/// Three model calls of sub-tasks leave at once: each fits by its estimate, together they do not by their cost.
void BillingAgent::sendThree()
{
    for (int part = 1; part <= 3; ++part) {
        const std::string task = m_stage.taskName("month-end-part-" + std::to_string(part));
        const rules::Decision decision = askModel(task, "large-model", dollars(60), {}, m_month);
        if (decision.allow)
            m_inFlight.push_back(decision.id);
    }
    m_stage.after(rules::seconds(3), [this] { payTooMuch(); });
    m_stage.after(rules::seconds(9), [this] { answersCome(0); });
}

void BillingAgent::payTooMuch()
{
    use(m_month, "send_pix", pix("900.00", 3));
    m_stage.after(rules::seconds(2), [this] { hammer(m_month, 9); });
}

void BillingAgent::answersCome(std::size_t index)
{
    if (index >= m_inFlight.size())
        return;
    modelAnswered(m_inFlight[index], "large-model", dollars(kLastCosts[index]));
    m_stage.after(rules::seconds(6), [this, index] { answersCome(index + 1); });
}

/// A refused agent asks again, in bursts.
void BillingAgent::hammer(const std::string &task, int left)
{
    if (left == 0)
        return;
    for (int ask = 0; ask < 3; ++ask)
        use(task, "send_pix", pix("300.00", 100 + ask));
    think(task, "large-model", dollars(10));
    m_stage.after(m_stage.between(rules::seconds(4), rules::seconds(8)),
                  [this, task, left] { hammer(task, left - 1); });
}

} // namespace handreset::demo
