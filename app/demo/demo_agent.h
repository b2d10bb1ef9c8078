// What every agent of the demo can do: ask for a model call, ask for a tool, report, note, end. Its own thread is the
// stage's. Ownership: the stage outlives it, and it outlives the acts that it planned. Failure: as the stage.
#pragma once

#include "app/demo/demo_stage.h"

#include <string>
#include <string_view>
#include <utility>

namespace handreset::demo {

class DemoAgent {
public:
    DemoAgent(Stage &stage, std::string name) : m_stage(stage), m_name(std::move(name)) {}
    DemoAgent(const DemoAgent &) = delete;
    DemoAgent &operator=(const DemoAgent &) = delete;
    virtual ~DemoAgent() = default;
    /// Plans the agent's first act.
    virtual void start() = 0;

protected:
    /// A model call that is asked for and answered at once, for `cost`. False when it was refused.
    bool think(const std::string &task, std::string_view model, const rules::Money &cost,
               std::string_view endpoint = {});
    /// Asks only; the result is reported later.
    [[nodiscard]] rules::Decision askModel(const std::string &task, std::string_view model,
                                           const rules::Money &estimate, std::string_view endpoint = {},
                                           std::string_view parent = {});
    void modelAnswered(rules::AskId ask, std::string_view model, const rules::Money &cost);
    void modelFailed(rules::AskId ask, int status, std::string_view error);

    [[nodiscard]] rules::Decision askTool(const std::string &task, std::string_view tool, std::string arguments);
    /// A tool call that is asked for and succeeds at once. False when it was refused.
    bool use(const std::string &task, std::string_view tool, std::string arguments, bool changed = true);
    void toolAnswered(rules::AskId ask, rules::CallOutcome outcome, std::string_view error = {}, bool changed = true);

    void note(const std::string &task, std::string text);
    void end(const std::string &task, std::string outcome);

    Stage &m_stage;
    const std::string m_name;
};

} // namespace handreset::demo
