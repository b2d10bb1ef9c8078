#include "model/engine/history_read.h"

#include <algorithm>
#include <chrono>
#include <iterator>
#include <string>
#include <utility>

namespace handreset::engine {

namespace {

constexpr std::size_t kPage = 256;              ///< events that one slice decodes at most
constexpr std::uint64_t kNarrowest = 256;       ///< sequence numbers
constexpr std::uint64_t kWidest = 1'000'000;    ///< sequence numbers
constexpr std::uint64_t kEventsFolded = 500;    ///< in one slice
constexpr std::uint64_t kFoldOnAtMost = 10'000; ///< farther than this a keyframe is nearer

/// Wider where a slice was quick, narrower where it was slow: a slice stays near a millisecond whatever the log holds.
std::uint64_t adapted(std::uint64_t span, std::chrono::steady_clock::duration took)
{
    if (took < std::chrono::microseconds(400))
        return std::min(span * 2, kWidest);
    return took > std::chrono::milliseconds(1) ? std::max(span / 2, kNarrowest) : span;
}

} // namespace

EventsRead::EventsRead(EventQuery query, Done done) : m_query(std::move(query)), m_done(std::move(done)) {}

bool EventsRead::slice(store::Store &store)
{
    if (!m_isStarted) {
        m_isStarted = true;
        m_query.first = std::max(m_query.first, rules::Seq{1});
        m_query.last = std::min(m_query.last, store.lastSeq());
    }
    if (m_query.first > m_query.last || m_query.limit == 0) {
        m_done(std::move(m_found));
        return true;
    }
    const store::Store::Filter filter = nextFilter();
    const auto begin = std::chrono::steady_clock::now();
    auto found = store.find(filter);
    m_span = adapted(m_span, std::chrono::steady_clock::now() - begin);
    if (!found) {
        m_done(found.error());
        return true;
    }
    const bool isOver = advance(filter, *found);
    m_query.limit -= std::min(m_query.limit, found->size());
    std::ranges::move(*found, std::back_inserter(m_found));
    if (!isOver && m_query.limit > 0)
        return false;
    m_done(std::move(m_found));
    return true;
}

store::Store::Filter EventsRead::nextFilter() const
{
    store::Store::Filter filter;
    filter.first = m_query.first;
    filter.last = m_query.last;
    if (m_query.last.value - m_query.first.value >= m_span) {
        if (m_query.newestFirst)
            filter.first.value = m_query.last.value - m_span + 1;
        else
            filter.last.value = m_query.first.value + m_span - 1;
    }
    filter.agent = m_query.agent;
    filter.task = m_query.task;
    filter.subject = m_query.subject;
    filter.kinds = m_query.kinds;
    filter.row = m_query.row;
    filter.newestFirst = m_query.newestFirst;
    filter.limit = std::min(kPage, m_query.limit);
    return filter;
}

bool EventsRead::advance(const store::Store::Filter &filter, const std::vector<rules::Event> &found)
{
    const bool isFull = found.size() >= filter.limit;
    if (m_query.newestFirst) {
        const rules::Seq seen = isFull ? found.back().seq : filter.first;
        if (seen <= m_query.first)
            return true;
        m_query.last.value = seen.value - 1;
        return false;
    }
    const rules::Seq seen = isFull ? found.back().seq : filter.last;
    if (seen >= m_query.last)
        return true;
    m_query.first = seen.next();
    return false;
}

StateRead::StateRead(rules::Seq seq, std::shared_ptr<LastState> last, Done done)
    : m_seq(seq), m_last(std::move(last)), m_done(std::move(done))
{}

bool StateRead::slice(store::Store &store)
{
    const auto step = m_fleet ? foldOn(store) : begin(store);
    if (!step) {
        m_done(step.error());
        return true;
    }
    if (m_fleet->seq < m_seq)
        return false;
    m_last->fleet = std::make_shared<const rules::Fleet>(*std::move(m_fleet));
    m_done(m_last->fleet);
    return true;
}

rules::Result<void> StateRead::begin(store::Store &store)
{
    if (m_seq > store.lastSeq()) {
        return rules::Error{rules::ErrorCode::NotFound,
                            "the log ends at " + std::to_string(store.lastSeq().value) + ": there is no state at "
                                + std::to_string(m_seq.value) + " yet",
                            {}};
    }
    const rules::Fleet *last = m_last->fleet.get();
    if (last != nullptr && last->seq <= m_seq && m_seq.value - last->seq.value <= kFoldOnAtMost) {
        m_fleet.emplace(*last);
        return {};
    }
    auto base = store.asOf(m_seq);
    if (!base)
        return base.error();
    m_fleet.emplace(std::move(base).value());
    return {};
}

rules::Result<void> StateRead::foldOn(store::Store &store)
{
    const rules::Seq first = m_fleet->seq.next();
    const rules::Seq last{std::min(m_seq.value, m_fleet->seq.value + kEventsFolded)};
    rules::Result<void> folded;
    const auto read = store.read(first, last, false, [&](const rules::Event &event) {
        folded = rules::apply(*m_fleet, event);
        return folded.ok();
    });
    if (!read)
        return read;
    if (folded && m_fleet->seq < last)
        return rules::Error{rules::ErrorCode::Unavailable, "the log has a gap: run verify", {}};
    return folded;
}

SeqRead::SeqRead(rules::Instant time, Done done) : m_time(time), m_done(std::move(done)) {}

bool SeqRead::slice(store::Store &store)
{
    m_done(store.seqAt(m_time));
    return true;
}

StoreJob::StoreJob(Job job) : m_job(std::move(job)) {}

bool StoreJob::slice(store::Store &store)
{
    m_job(&store);
    return true;
}

} // namespace handreset::engine
