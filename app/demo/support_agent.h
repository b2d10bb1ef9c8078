// Works through forty quiet tasks. Nothing happens to it, and that is the point. Thread and ownership: as DemoAgent.
#pragma once

#include "app/demo/demo_agent.h"

#include <string>

namespace handreset::demo {

class SupportAgent final : public DemoAgent {
public:
    explicit SupportAgent(Stage &stage) : DemoAgent(stage, "support") {}
    void start() override;

private:
    void begin(int number);
    void answer(const std::string &task, int number, int left);
};

} // namespace handreset::demo
