// Walks a site that has no end: its twenty-sixth model call in one task trips the steps limit. Then it asks now and
// then, and is refused. Thread and ownership: as DemoAgent.
#pragma once

#include "app/demo/demo_agent.h"

namespace handreset::demo {

class CrawlerAgent final : public DemoAgent {
public:
    explicit CrawlerAgent(Stage &stage) : DemoAgent(stage, "crawler") {}
    void start() override;

private:
    void walk();

    int m_refused = 0;
    int m_pages = 0;
};

} // namespace handreset::demo
