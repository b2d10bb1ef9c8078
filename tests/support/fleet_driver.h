// Drives a fleet by commands on a time that only the test moves, and keeps every event: the fold of what it kept must
// be the fleet. Owns its fleet; one thread.
#pragma once

#include "model/rules/command.h"
#include "model/rules/policy_text.h"

#include <QtGlobal>

#include <memory>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace handreset::test {

class FleetDriver {
public:
    explicit FleetDriver(std::string_view policyText = {}, bool recorded = false)
    {
        using namespace rules;
        moment.now = {Instant{kStart}, Steady{kStart}};
        act(CreateStore{"00000000000000000000000000000001", "test", recorded, true});
        act(StartHost{"boot-1", 0, "test", "ana"});
        if (!policyText.empty())
            applyPolicy(policyText);
    }

    /// 2026-03-04T10:00:00Z.
    static constexpr std::int64_t kStart = 1'772'618'400'000'000;

    rules::Fleet fleet;
    rules::Moment moment;
    rules::Step step;
    std::vector<rules::Event> log;

    void wait(rules::Duration time)
    {
        moment.now.wall = moment.now.wall + time;
        moment.now.steady = moment.now.steady + time;
    }

    const rules::Outcome &act(const rules::Command &command)
    {
        rules::run(fleet, command, moment, step);
        log.insert(log.end(), step.events.begin(), step.events.end());
        return step.outcome;
    }
    rules::Decision ask(const rules::Command &command)
    {
        const auto &outcome = act(command);
        const auto *decision = std::get_if<rules::Decision>(&outcome);
        return decision != nullptr ? *decision : rules::Decision{.reason = {.text = problem()}};
    }
    /// The Error of the last act; empty when it was done.
    [[nodiscard]] std::string problem() const
    {
        const auto *error = std::get_if<rules::Error>(&step.outcome);
        return error != nullptr ? (error->message.empty() ? "?" : error->message) : std::string();
    }
    [[nodiscard]] bool done(const rules::Command &command)
    {
        act(command);
        return problem().empty();
    }

    void applyPolicy(std::string_view text)
    {
        auto reading = rules::readPolicy(text, "test.toml");
        if (!reading.accepted())
            qFatal("the test's policy is refused: %s", reading.problems.front().toString().c_str());
        act(rules::ApplyPolicy{std::string(text), "test.toml",
                               std::make_shared<const rules::Policy>(std::move(*reading.policy)), rules::Zone{}, "ana",
                               "for the test"});
    }

    rules::Decision askStep(const std::string &agent, const std::string &task, const std::string &model = "m")
    {
        return ask(rules::AskStep{.agent = agent, .task = task, .model = model});
    }
    rules::Decision askCall(const std::string &agent, const std::string &task, const std::string &tool,
                            const std::string &arguments = "{}")
    {
        return ask(rules::AskCall{.agent = agent, .task = task, .tool = tool, .arguments = arguments});
    }
    void finishStep(const std::string &agent, rules::AskId id, std::string_view cost = "0")
    {
        rules::StepReport report;
        report.cost = rules::Money{*rules::Decimal::parse(cost), "USD"};
        act(rules::FinishStep{id, agent, report});
    }
    void finishCall(const std::string &agent, rules::AskId id, rules::CallOutcome outcome)
    {
        act(rules::FinishCall{.ask = id, .agent = agent, .outcome = outcome});
    }
    /// The only active trip of a signal; fails loudly where there is none or more.
    [[nodiscard]] const rules::Trip *trip(rules::Signal signal) const
    {
        const rules::Trip *found = nullptr;
        for (const auto &[id, trip] : fleet.trips) {
            if (trip.subject.signal == signal) {
                if (found != nullptr)
                    qFatal("more than one active trip of the signal");
                found = &trip;
            }
        }
        return found;
    }
    [[nodiscard]] rules::AgentId agent(std::string_view name) const
    {
        return rules::AgentId{fleet.names.find(rules::NameKind::Agent, name)};
    }
    [[nodiscard]] rules::TaskId task(std::string_view agentName, std::string_view name) const
    {
        return rules::TaskId{fleet.names.find(rules::NameKind::Task, name, agent(agentName))};
    }
    [[nodiscard]] rules::BreakerKey breakerKey(std::string_view tool) const
    {
        return {rules::ToolId{fleet.names.find(rules::NameKind::Tool, tool)}, {}};
    }
    /// The log folded from its beginning.
    [[nodiscard]] rules::Fleet folded() const
    {
        rules::Fleet again;
        for (const auto &event : log) {
            const auto applied = rules::apply(again, event);
            if (!applied)
                qFatal("the log cannot be folded: %s", applied.error().message.c_str());
        }
        return again;
    }
};

} // namespace handreset::test
