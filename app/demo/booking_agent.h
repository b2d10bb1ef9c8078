// Books a room in each run. The tool `book_room` is down for its first nine real calls; a run makes at most three of
// them, with backoff, and the breaker hears of a run once (spec 2, the reference run). So it opens after the third run,
// turns runs away, lets one probe out and closes. Thread and ownership: as DemoAgent.
#pragma once

#include "app/demo/demo_agent.h"

#include <cstdint>
#include <string>

namespace handreset::demo {

class BookingAgent final : public DemoAgent {
public:
    explicit BookingAgent(Stage &stage) : DemoAgent(stage, "booking") {}
    void start() override;

private:
    void beginRun();
    void look();
    void book();
    void callTool();
    void toolCame();
    void endRun(const char *outcome, rules::Duration pause);

    int m_run = 0;
    int m_realCalls = 0; ///< of book_room, ever
    int m_attempt = 0;   ///< of this run, from 1
    int m_booked = 0;
    rules::Decision m_decision; ///< on this run's book_room
    std::string m_task;
};

} // namespace handreset::demo
