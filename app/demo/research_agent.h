// Reads news through the endpoint `mistral-eu`, which fails for a while: the provider's trip degrades the agent, it
// goes on with the cheaper model elsewhere, and the clock re-arms it. Thread and ownership: as DemoAgent.
#pragma once

#include "app/demo/demo_agent.h"

#include <string>

namespace handreset::demo {

class ResearchAgent final : public DemoAgent {
public:
    explicit ResearchAgent(Stage &stage) : DemoAgent(stage, "research") {}
    void start() override;

private:
    void read();
    void elsewhere();

    int m_reads = 0;
    int m_failed = 0;
    std::string m_task;
};

} // namespace handreset::demo
