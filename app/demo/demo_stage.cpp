#include "app/demo/demo_stage.h"

#include <algorithm>
#include <variant>

namespace handreset::demo {

namespace {

rules::Decision decisionOf(const engine::Reply &reply)
{
    if (const auto *decision = std::get_if<rules::Decision>(&reply.outcome))
        return *decision;
    return {}; // an error allows nothing
}

} // namespace

rules::Money dollars(std::int64_t cents)
{
    return {rules::Decimal(cents).timesOver(1, 100), "USD"};
}

Stage::Stage(engine::Host &host, std::uint64_t seed, std::string run)
    : m_host(host), m_chance(seed), m_run(std::move(run))
{}

void Stage::after(rules::Duration wait, Act act)
{
    m_plan.emplace(std::pair(m_time + wait, m_acts++), std::move(act));
}

std::optional<rules::Duration> Stage::next() const
{
    if (m_plan.empty())
        return std::nullopt;
    return m_plan.begin()->first.first;
}

void Stage::doNext()
{
    const auto planned = m_plan.extract(m_plan.begin());
    m_time = std::max(m_time, planned.key().first);
    planned.mapped()();
}

rules::Duration Stage::between(rules::Duration shortest, rules::Duration longest)
{
    const auto span = static_cast<std::uint64_t>((longest - shortest).micros) + 1;
    return shortest + rules::Duration{static_cast<std::int64_t>(m_chance() % span)};
}

std::string Stage::taskName(std::string_view name) const
{
    return m_run.empty() ? std::string(name) : std::string(name) + "-" + m_run;
}

rules::Decision Stage::askStep(rules::AskStep ask)
{
    return decisionOf(engine::submitAndWait(m_host, std::move(ask)));
}

rules::Decision Stage::askCall(rules::AskCall ask)
{
    return decisionOf(engine::submitAndWait(m_host, std::move(ask)));
}

void Stage::report(rules::Command command)
{
    // Waited for, so that the log's order is the play's.
    static_cast<void>(engine::submitAndWait(m_host, std::move(command)));
}

} // namespace handreset::demo
