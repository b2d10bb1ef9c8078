// A host without thread or store, for tests of what follows one: it decides with the rules on the caller's thread, and
// can hold its commits back, lose one, or refuse to answer.
#pragma once

#include "model/engine/host.h"
#include "model/engine/host_clock.h"
#include "model/rules/command.h"
#include "model/rules/fleet.h"

#include <algorithm>
#include <functional>
#include <memory>
#include <utility>
#include <vector>

namespace handreset::test {

class FakeHost final : public engine::Host {
public:
    explicit FakeHost(engine::FakeClock &clock) : m_clock(clock)
    {
        decide(rules::CreateStore{.storeId = "0123456789abcdef0123456789abcdef", .fleet = "test", .isUnsigned = true});
        decide(rules::StartHost{.bootId = "boot-1", .bootMicros = 0, .version = "test", .operatorName = "ana"});
    }

    void submit(rules::Command command, std::function<void(const engine::Reply &)> done) override
    {
        if (unreachable) {
            done({rules::Error{rules::ErrorCode::Unavailable, "the store cannot be reached", {}}, m_fleet.seq});
            return;
        }
        rules::Outcome outcome = decide(command);
        done({std::move(outcome), m_fleet.seq});
    }
    void follow(engine::Follower *follower) override
    {
        m_follower = follower;
        ++followed;
        follower->snapshot(std::make_shared<const rules::Fleet>(m_fleet));
    }
    void unfollow(engine::Follower *) override { m_follower = nullptr; }
    [[nodiscard]] engine::HostStatus status() const override { return {health, trouble, m_fleet.seq, m_clock.now(), 0}; }

    void readEvents(engine::EventQuery query,
                    std::function<void(rules::Result<std::vector<rules::Event>>)> done) override
    {
        std::vector<rules::Event> found;
        for (const rules::Event &event : log) {
            if (event.seq >= query.first && event.seq <= query.last)
                found.push_back(event);
        }
        if (query.newestFirst)
            std::reverse(found.begin(), found.end());
        if (found.size() > query.limit)
            found.resize(query.limit);
        done(std::move(found));
    }
    void stateAt(rules::Seq, std::function<void(rules::Result<std::shared_ptr<const rules::Fleet>>)> done) override
    {
        done(std::make_shared<const rules::Fleet>(m_fleet));
    }
    void seqAt(rules::Instant, std::function<void(rules::Result<rules::Seq>)> done) override { done(m_fleet.seq); }

    /// A sign of life, as the real host gives one each second.
    void beat()
    {
        if (m_follower)
            m_follower->beat(status());
    }
    /// Hands on what was held back.
    void release()
    {
        holdCommits = false;
        for (auto &commit : std::exchange(m_held, {}))
            m_follower->committed(commit);
    }
    rules::Outcome decide(const rules::Command &command)
    {
        rules::Step step;
        rules::run(m_fleet, command, {.now = m_clock.now(), .sourceTime = {}}, step);
        log.insert(log.end(), step.events.begin(), step.events.end());
        if (m_follower && !step.events.empty() && !std::exchange(loseNext, false)) {
            auto commit = std::make_shared<engine::Commit>(engine::Commit{step.events, m_clock.now()});
            if (holdCommits)
                m_held.push_back(commit);
            else
                m_follower->committed(commit);
        }
        return step.outcome;
    }
    [[nodiscard]] const rules::Fleet &fleet() const { return m_fleet; }

    std::vector<rules::Event> log;
    engine::StoreHealth health = engine::StoreHealth::Writable;
    std::string trouble;
    bool unreachable = false;
    bool holdCommits = false;
    bool loseNext = false;
    int followed = 0;

private:
    engine::FakeClock &m_clock;
    rules::Fleet m_fleet;
    engine::Follower *m_follower = nullptr;
    std::vector<std::shared_ptr<const engine::Commit>> m_held;
};

} // namespace handreset::test
