// Pays invoices, until it does not: it looks the same invoice up again and again (repetition), tries a Pix of 900 BRL
// against a cap of 500 (envelope), while model calls in flight spend the last of its day's 10 USD and the overdraft
// (spend). Refused, it keeps asking now and then, as agents do. Thread and ownership: as DemoAgent.
#pragma once

#include "app/demo/demo_agent.h"

#include <cstdint>
#include <string>
#include <vector>

namespace handreset::demo {

class BillingAgent final : public DemoAgent {
public:
    explicit BillingAgent(Stage &stage) : DemoAgent(stage, "billing") {}
    void start() override;

private:
    void payAnInvoice();

    void loop();
    void loopStopped();

    void closeTheMonth();
    void readStatements(int left);
    void sendThree();
    void payTooMuch();
    void answersCome(std::size_t index);

    void hammer(const std::string &task, int left);

    std::string m_loop;
    std::string m_month;
    int m_lookups = 0;
    std::vector<rules::AskId> m_inFlight;
};

} // namespace handreset::demo
