// For tests: a few agents that do everything a store must remember, in an order that a seed decides.
#pragma once

#include "tests/support/temporary_store.h"

#include <array>
#include <cstdint>
#include <deque>
#include <random>
#include <string>

namespace handreset::tests {

class BusyFleet {
public:
    explicit BusyFleet(std::uint32_t seed) : m_random(seed) {}

    /// One more command, decided but not written.
    void step(Life &life)
    {
        life.pass(rules::milliseconds(1 + pick(900)));
        switch (pick(20)) {
        case 0:
            finishStep(life);
            break;
        case 1:
        case 2:
        case 3:
            finishCall(life);
            break;
        case 4:
            endOrNote(life);
            break;
        case 5:
            operate(life);
            break;
        case 6:
        case 7:
        case 8:
        case 9:
            askStep(life);
            break;
        default:
            askCall(life);
        }
    }
    /// About so many events, written in transactions of `batch` commands.
    void live(Life &life, std::size_t events, std::size_t batch)
    {
        const auto enough = life.fleet().seq.value + events;
        while (life.fleet().seq.value < enough) {
            for (std::size_t i = 0; i < batch; ++i)
                step(life);
            if (const auto written = life.write(); !written)
                qFatal("append: %s (%s)", written.error().message.c_str(), written.error().context.c_str());
        }
    }

private:
    int pick(int below) { return std::uniform_int_distribution<int>(0, below - 1)(m_random); }
    std::string agent() { return "agent $" + std::to_string(pick(5)); }
    std::string task() { return "task {" + std::to_string(m_round + pick(4)) + "}"; }

    void askStep(Life &life)
    {
        rules::AskStep ask;
        ask.agent = agent();
        ask.task = task();
        ask.model = pick(2) == 0 ? "small" : "large";
        if (const auto id = allowed(life.decide(ask)); id.isSet())
            m_steps.emplace_back(id, ask.agent);
    }
    void askCall(Life &life)
    {
        static constexpr std::array tools{"book_room", "get_quote", "send_pix"};
        rules::AskCall ask;
        ask.agent = agent();
        ask.task = task();
        ask.tool = tools.at(static_cast<std::size_t>(pick(3)));
        ask.arguments = R"({"room": )" + std::to_string(pick(6)) + R"(, "note": ")"
            + std::string(static_cast<std::size_t>(pick(8) == 0 ? 700 : 20), 'x') + "\"}";
        if (const auto id = allowed(life.decide(ask)); id.isSet())
            m_calls.emplace_back(id, ask.agent);
    }
    void finishStep(Life &life)
    {
        if (m_steps.empty())
            return;
        const auto [id, who] = m_steps.front();
        m_steps.pop_front();
        rules::FinishStep finish;
        finish.ask = id;
        finish.agent = who;
        finish.report.ok = pick(6) != 0;
        finish.report.status = finish.report.ok ? 200 : 500;
        finish.report.cost = rules::Money{rules::Decimal::fromBillionths(pick(1000) * 1'000), "USD"};
        life.decide(finish);
    }
    void finishCall(Life &life)
    {
        if (m_calls.empty())
            return;
        const auto [id, who] = m_calls.front();
        m_calls.pop_front();
        rules::FinishCall finish;
        finish.ask = id;
        finish.agent = who;
        finish.outcome = static_cast<rules::CallOutcome>(pick(3));
        life.decide(finish);
    }
    void endOrNote(Life &life)
    {
        if (pick(3) == 0)
            life.decide(rules::NoteTask{agent(), task(), "looked at it"});
        else if (pick(2) == 0)
            life.decide(rules::EndTask{agent(), task(), "done"});
        ++m_round;
    }
    void operate(Life &life)
    {
        ++m_acts;
        const std::string reason = "reason number " + std::to_string(m_acts) + " of this test";
        const auto act = pick(6);
        if (act == 0) {
            life.decide(
                rules::StopAgent{agent(), pick(2) == 0 ? rules::Rung::Open : rules::Rung::Degraded, "ann", reason});
        } else if (act == 1) {
            rules::ActOnBreaker move{"book_room", "", rules::BreakerEvent::Isolate, "ben", reason};
            const std::array events{rules::BreakerEvent::Isolate, rules::BreakerEvent::Release,
                                    rules::BreakerEvent::Reset};
            move.act = events.at(static_cast<std::size_t>(pick(3)));
            life.decide(move);
        } else if (!life.fleet().trips.empty()) {
            rearm(life, reason);
        }
    }
    void rearm(Life &life, const std::string &reason)
    {
        auto trip = life.fleet().trips.begin();
        std::advance(trip, pick(static_cast<int>(life.fleet().trips.size())));
        const auto id = trip->first;
        const auto signal = trip->second.subject.signal;
        if (!trip->second.acknowledgedAt)
            life.decide(rules::Acknowledge{id, "ann", "seen"});
        if (pick(4) == 0)
            return;
        rules::Rearm rearm;
        rearm.trip = id;
        rearm.by = "ann";
        rearm.cause = "test";
        rearm.reason = reason;
        rearm.to = pick(3) == 0 ? rules::Rung::Degraded : rules::Rung::Closed;
        rearm.grant.steps = signal == rules::Signal::Steps ? 20 : 0;
        life.decide(rearm);
    }

    std::mt19937 m_random;
    std::deque<std::pair<rules::AskId, std::string>> m_steps;
    std::deque<std::pair<rules::AskId, std::string>> m_calls;
    int m_round = 0;
    int m_acts = 0;
};

} // namespace handreset::tests
