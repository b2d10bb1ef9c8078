#include "model/history/recording.h"

#include <algorithm>
#include <cstring>

namespace handreset::history {

using rules::LineKind;
using rules::RecordedLine;

std::vector<std::string> RunNames::taskTitles() const
{
    rules::NameNumbers texts; // without their agents
    std::vector<std::uint32_t> textOf(tasks.count());
    std::vector<std::uint32_t> times;
    for (std::uint32_t task = 1; task <= tasks.count(); ++task) {
        const auto text = textOf[task - 1] = texts.number(tasks.text(task));
        times.resize(texts.count());
        ++times[text - 1];
    }
    std::vector<std::string> titles;
    titles.reserve(tasks.count());
    for (std::uint32_t task = 1; task <= tasks.count(); ++task) {
        const bool isShared = times[textOf[task - 1] - 1] > 1;
        titles.push_back(isShared ? agents.text(tasks.owner(task)) + " " + tasks.text(task) : tasks.text(task));
    }
    return titles;
}

RecordedAsk LineReader::read(const RecordedLine &line)
{
    RecordedAsk ask;
    ask.index = line.index;
    ask.agent = {m_names.agents.number(line.agent)};
    ask.task = ask.root = {m_names.tasks.number(line.task, ask.agent.value)};
    const auto time = m_times.timeOf(ask.task.value, line.time);
    ask.at = time.at;
    ask.measured = time.measured;
    ask.ok = line.succeeded();
    if (!line.tool.empty())
        ask.tool = {m_names.tools.number(line.tool)};
    if (m_keepsLabels && !line.labels.empty()) {
        if (m_labels.size() < ask.task.value)
            m_labels.resize(ask.task.value);
        m_labels[ask.task.value - 1].emplace_back(line.labels);
    }
    switch (line.kind) {
    case LineKind::TaskStart:
        break;
    case LineKind::ModelCall:
        ask.kind = AskKind::Step;
        ask.hasOutcome = true;
        ask.cost = line.costUsd;
        ask.tokensIn = line.tokensIn;
        ask.tokensOut = line.tokensOut;
        if (!line.model.empty()) {
            ask.model = {m_names.models.number(line.model)};
            ask.endpoint = {m_names.endpoints.number(line.model)}; // no endpoint is stated: the model's name stands for it
        }
        break;
    case LineKind::ToolCall:
        ask.kind = AskKind::Call;
        ask.arguments = line.arguments;
        m_pairing.called(ask.task.value, line.index, ask.tool.value, line.call);
        break;
    case LineKind::ToolResult:
        ask.kind = AskKind::CallResult;
        ask.ofCall = m_pairing.answered(ask.task.value, ask.tool.value, line.call);
        break;
    case LineKind::TaskEnd:
        ask.kind = AskKind::End;
        m_pairing.ended(ask.task.value);
        break;
    }
    return ask;
}

std::string_view Recording::keep(std::string_view text)
{
    if (text.empty())
        return {};
    constexpr std::size_t kBlock = 1024 * 1024;
    if (text.size() > m_left) {
        const auto size = std::max(kBlock, text.size());
        m_blocks.emplace_back(new char[size]);
        m_place = m_blocks.back().get();
        m_left = size;
    }
    std::memcpy(m_place, text.data(), text.size());
    const std::string_view kept(m_place, text.size());
    m_place += text.size();
    m_left -= text.size();
    return kept;
}

void Recording::add(const RecordedAsk &ask)
{
    m_asks.push_back(ask);
    m_asks.back().arguments = keep(ask.arguments);
    m_asks.back().currency = ask.currency == "USD" ? std::string_view("USD") : keep(ask.currency);
}

} // namespace handreset::history
