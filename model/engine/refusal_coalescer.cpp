#include "model/engine/refusal_coalescer.h"

namespace handreset::engine {

namespace {

rules::Instant startOfSecond(rules::Instant at)
{
    constexpr std::int64_t second = rules::seconds(1).micros;
    const std::int64_t rest = at.micros % second;
    return {at.micros - (rest < 0 ? rest + second : rest)};
}

} // namespace

void RefusalCoalescer::add(const rules::UncountedRefusal &refusal, rules::Instant at)
{
    rules::CountRefusals one;
    one.agent = refusal.agent;
    one.task = refusal.task;
    one.counted.refusal = refusal.refusal;
    one.counted.tool = refusal.tool;
    one.counted.second = startOfSecond(at);
    const auto [place, isNew] = m_counts.try_emplace(keyOf(one), one);
    ++place->second.counted.count;
}

bool RefusalCoalescer::isDue(rules::Instant now) const
{
    const rules::Instant present = startOfSecond(now);
    return !m_counts.empty()
        && (m_counts.begin()->first.second != present || m_counts.rbegin()->first.second != present);
}

std::vector<rules::CountRefusals> RefusalCoalescer::due(rules::Instant now) const
{
    // A wall clock that was set back leaves counts "in the future": they are due too, else they would wait for hours.
    const rules::Instant present = startOfSecond(now);
    std::vector<rules::CountRefusals> result;
    for (const auto &[key, count] : m_counts) {
        if (key.second != present)
            result.push_back(count);
    }
    return result;
}

std::vector<rules::CountRefusals> RefusalCoalescer::all() const
{
    std::vector<rules::CountRefusals> result;
    result.reserve(m_counts.size());
    for (const auto &[key, count] : m_counts)
        result.push_back(count);
    return result;
}

void RefusalCoalescer::written(const std::vector<rules::CountRefusals> &counts)
{
    for (const rules::CountRefusals &count : counts) {
        const auto place = m_counts.find(keyOf(count));
        if (place == m_counts.end())
            continue;
        place->second.counted.count -= count.counted.count;
        if (place->second.counted.count <= 0)
            m_counts.erase(place);
    }
}

RefusalCoalescer::Key RefusalCoalescer::keyOf(const rules::CountRefusals &count)
{
    const rules::Refusal &refusal = count.counted.refusal;
    return {count.counted.second, count.agent,  count.task,  count.counted.tool,
            refusal.source,       refusal.trip, refusal.text};
}

} // namespace handreset::engine
