#include "model/feeds/recorded_commands.h"

#include <functional>
#include <string>
#include <utility>

namespace handreset::feeds {

using rules::LineKind;
using rules::RecordedLine;

namespace {

rules::AskStep stepOf(const RecordedLine &line)
{
    rules::AskStep ask;
    ask.agent = line.agent;
    ask.task = line.task;
    ask.model = line.model;
    rules::StepReport report;
    report.ok = line.succeeded();
    report.error = line.error;
    report.model = line.model;
    if (line.costUsd)
        report.cost = rules::Money{*line.costUsd, "USD"};
    report.tokensIn = line.tokensIn;
    report.tokensOut = line.tokensOut;
    ask.outcome = std::move(report);
    return ask;
}

rules::AskCall callOf(const RecordedLine &line)
{
    rules::AskCall ask;
    ask.agent = line.agent;
    ask.task = line.task;
    ask.tool = line.tool;
    ask.arguments = line.arguments;
    return ask;
}

rules::FinishCall resultOf(const RecordedLine &line)
{
    rules::FinishCall finish;
    finish.agent = line.agent;
    finish.outcome = line.succeeded() ? rules::CallOutcome::Success : rules::CallOutcome::Failure;
    finish.error = line.error;
    return finish;
}

rules::EndTask endOf(const RecordedLine &line)
{
    std::string outcome = !line.ok && line.error.empty() ? "ended" : line.succeeded() ? "ok" : "failed";
    if (!line.error.empty())
        outcome.append(": ").append(line.error);
    return {std::string(line.agent), std::string(line.task), std::move(outcome)};
}

} // namespace

void RecordedCommands::translate(const RecordedLine &line, std::vector<RecordedCommand> &out)
{
    const auto agent = m_agents.number(line.agent);
    const auto task = m_tasks.number(line.task, agent);
    const auto tool = line.tool.empty() ? 0 : m_tools.number(line.tool);
    const auto time = m_times.timeOf(task, line.time);
    rules::Moment moment;
    moment.sourceTime = time.at;
    moment.timeMeasured = time.measured;
    moment.windows = time.at.has_value();
    if (time.at)
        moment.now = {*time.at, rules::Steady{time.at->micros}};
    m_unmeasuredTimes += time.at && !time.measured ? 1 : 0;
    m_linesWithoutTime += time.at ? 0 : 1;

    const auto add = [&](rules::Command command) -> RecordedCommand & {
        out.push_back({std::move(command), moment, line.index, std::nullopt, 0, task});
        return out.back();
    };
    if (!line.labels.empty())
        add(rules::LabelTask{std::string(line.agent), std::string(line.task), {}, std::string(line.labels)});
    switch (line.kind) {
    case LineKind::TaskStart:
        break;
    case LineKind::ModelCall:
        add(stepOf(line));
        break;
    case LineKind::ToolCall:
        m_pairing.called(task, line.index, tool, line.call);
        add(callOf(line));
        break;
    case LineKind::ToolResult:
        if (const auto call = m_pairing.answered(task, tool, line.call)) {
            auto &result = add(resultOf(line));
            result.ofCall = call;
            result.resultHash = std::hash<std::string_view>{}(line.result);
        } else {
            ++m_resultsWithoutCall;
        }
        break;
    case LineKind::TaskEnd:
        m_pairing.ended(task);
        add(endOf(line));
        break;
    }
}

} // namespace handreset::feeds
