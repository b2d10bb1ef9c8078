#include "app/demo/demo_agent.h"

namespace handreset::demo {

bool DemoAgent::think(const std::string &task, std::string_view model, const rules::Money &cost,
                      std::string_view endpoint)
{
    const rules::Decision decision = askModel(task, model, cost, endpoint);
    if (decision.allow)
        modelAnswered(decision.id, model, cost);
    return decision.allow;
}

rules::Decision DemoAgent::askModel(const std::string &task, std::string_view model, const rules::Money &estimate,
                                    std::string_view endpoint, std::string_view parent)
{
    rules::AskStep ask;
    ask.agent = m_name;
    ask.task = task;
    ask.parent = parent;
    ask.endpoint = endpoint;
    ask.model = model;
    ask.estimate = estimate;
    return m_stage.askStep(std::move(ask));
}

void DemoAgent::modelAnswered(rules::AskId ask, std::string_view model, const rules::Money &cost)
{
    rules::StepReport report;
    report.status = 200;
    report.model = model;
    report.cost = cost;
    m_stage.report(rules::FinishStep{ask, m_name, std::move(report)});
}

void DemoAgent::modelFailed(rules::AskId ask, int status, std::string_view error)
{
    rules::StepReport report;
    report.ok = false;
    report.status = status;
    report.error = error;
    report.cost = dollars(0);
    m_stage.report(rules::FinishStep{ask, m_name, std::move(report)});
}

rules::Decision DemoAgent::askTool(const std::string &task, std::string_view tool, std::string arguments)
{
    rules::AskCall ask;
    ask.agent = m_name;
    ask.task = task;
    ask.tool = tool;
    ask.arguments = std::move(arguments);
    return m_stage.askCall(std::move(ask));
}

bool DemoAgent::use(const std::string &task, std::string_view tool, std::string arguments, bool changed)
{
    const rules::Decision decision = askTool(task, tool, std::move(arguments));
    if (decision.allow)
        toolAnswered(decision.id, rules::CallOutcome::Success, {}, changed);
    return decision.allow;
}

void DemoAgent::toolAnswered(rules::AskId ask, rules::CallOutcome outcome, std::string_view error, bool changed)
{
    rules::FinishCall finish;
    finish.ask = ask;
    finish.agent = m_name;
    finish.outcome = outcome;
    finish.error = error;
    if (outcome == rules::CallOutcome::Success)
        finish.changed = changed;
    m_stage.report(std::move(finish));
}

void DemoAgent::note(const std::string &task, std::string text)
{
    m_stage.report(rules::NoteTask{m_name, task, std::move(text)});
}

void DemoAgent::end(const std::string &task, std::string outcome)
{
    m_stage.report(rules::EndTask{m_name, task, std::move(outcome)});
}

} // namespace handreset::demo
