#include "model/store/log_check.h"

#include <limits>
#include <utility>
#include <variant>

namespace handreset::store {

using rules::Error;
using rules::ErrorCode;
using rules::Event;
using rules::Result;
using rules::Seq;

namespace {

constexpr std::size_t kChunk = 5'000;
constexpr Seq kEnd{std::numeric_limits<std::int64_t>::max()};

std::string eventName(std::uint64_t seq)
{
    return "event " + std::to_string(seq);
}

} // namespace

Result<void> LogCheck::prepare(const std::string &schema)
{
    auto arguments = ArgumentReader::range(m_database, Seq{0}, kEnd);
    if (!arguments)
        return arguments.error();
    m_arguments = std::move(*arguments);
    auto batches = m_database.prepare("SELECT b.last_seq, b.hash, k.hash FROM main.batch AS b "
                                       "LEFT JOIN main.keyframe AS k ON k.seq = b.last_seq ORDER BY b.last_seq");
    if (!batches)
        return batches.error();
    m_batches = std::move(*batches);
    auto places = Keyframes::places(m_database);
    if (!places)
        return places.error();
    m_places = std::move(*places);
    m_link.begin(kGenesis);
    if (auto prepared = m_projection.prepare(m_database, schema); !prepared)
        return prepared;
    return nextBatch();
}

Result<void> LogCheck::run(const std::string &schema, const Progress &progress, Verification &out)
{
    if (auto prepared = prepare(schema); !prepared)
        return prepared;
    const auto last = m_database.number("SELECT coalesce(max(seq), 0) FROM main.event");
    if (!last)
        return last.error();
    auto reader = EventReader::range(m_database, Seq{0}, kEnd);
    if (!reader)
        return reader.error();
    for (;;) {
        const auto isThere = reader->next();
        if (!isThere)
            return isThere.error();
        if (!*isThere)
            break;
        const auto row = reader->row();
        if (!row)
            return row.error();
        if (auto taken = takeRow(*row); !taken)
            return taken;
        if (m_eventCount % kChunk == 0 && progress
            && !progress(0.9 * static_cast<double>(m_lastSeq) / static_cast<double>(*last)))
            return Error{ErrorCode::Cancelled, "verify was stopped", eventName(m_lastSeq)};
    }
    return finish(out);
}

Result<void> LogCheck::takeRow(const EventRow &row)
{
    ++m_eventCount;
    if (row.seq != m_lastSeq + 1) {
        m_findings.add("the log has no events " + std::to_string(m_lastSeq + 1) + " to " + std::to_string(row.seq - 1));
        m_folds = false;
    }
    m_lastSeq = row.seq;
    checkHistory(row);
    auto arguments = m_arguments.take(row.seq);
    if (!arguments) {
        m_findings.add(arguments.error().context + ": " + arguments.error().message);
        m_folds = false;
        return {};
    }
    m_link.add(row, arguments->value_or(std::string()));
    ++m_linked;
    if (auto closed = closeLinks(row); !closed)
        return closed;
    auto event = eventOf(row);
    if (!event) {
        m_findings.add(event.error().context + ": " + event.error().message);
        m_folds = false;
        return {};
    }
    if (*arguments && !std::holds_alternative<rules::CallAsked>(event->payload))
        m_findings.add("argument: row " + std::to_string(row.seq) + " belongs to an event that has none");
    m_machines.take(*event, m_findings);
    event->arguments = arguments->value_or(std::string());
    return m_folds ? takeEvent(std::move(*event)) : Result<void>();
}

void LogCheck::checkHistory(const EventRow &row)
{
    const auto before = m_heads.advance(rules::AgentId{row.agent}, Seq{row.seq});
    m_heads.mark();
    if (row.agentPrev != before.last)
        m_findings.add(eventName(row.seq) + ": agent_prev is " + std::to_string(row.agentPrev)
                       + ", the agent's event before is " + std::to_string(before.last));
    if (row.anchor != (row.agent != 0 && before.count % kAnchorEvery == 0))
        m_findings.add(eventName(row.seq) + ": an anchor where none belongs, or none where one does");
}

Result<void> LogCheck::nextBatch()
{
    const auto isThere = m_batches.step();
    if (!isThere)
        return isThere.error();
    m_batchEnd = *isThere ? static_cast<std::uint64_t>(m_batches.integer(0)) : 0;
    if (!*isThere)
        return {};
    ++m_batchCount;
    const auto hash = digestOf(m_batches.bytes(1));
    m_batchHash = hash.value_or(kGenesis);
    m_batchKeyframe.reset();
    if (!m_batches.isNull(2))
        m_batchKeyframe = digestOf(m_batches.bytes(2)).value_or(kGenesis);
    return {};
}

/// At the end of each transaction, its link. The next one is made over the stored hash, so that one change is told
/// once.
Result<void> LogCheck::closeLinks(const EventRow &row)
{
    while (m_batchEnd != 0 && m_batchEnd <= row.seq) {
        auto made = m_link.finish();
        if (m_batchKeyframe)
            made = linkWithKeyframe(made, *m_batchKeyframe);
        if (made != m_batchHash)
            m_findings.add("batch " + std::to_string(m_batchEnd) + ": its hash is not that of the events up to it ("
                           + std::to_string(m_linked) + " events); they, it, its keyframe, or the link before it were changed");
        m_head = m_batchHash;
        m_link.begin(m_head);
        m_linked = 0;
        if (auto moved = nextBatch(); !moved)
            return moved;
    }
    return {};
}

Result<void> LogCheck::takeEvent(Event event)
{
    rules::Touched touched;
    if (auto applied = rules::apply(m_fleet, event, &touched); !applied) {
        m_findings.add(eventName(event.seq.value)
                       + ": it cannot follow from the state before it: " + applied.error().message);
        m_folds = false;
        return {};
    }
    for (const auto id : touched.trips) { // at once: the fleet forgets ended trips by and by
        const auto *const trip = m_fleet.trip(id);
        if (trip == nullptr)
            continue;
        m_incidents.insert(trip->incident);
        if (auto written = m_projection.writeTrip(*trip); !written)
            return written;
    }
    event.arguments.clear();
    m_events.push_back(std::move(event));
    if (auto checked = checkKeyframe(); !checked)
        return checked;
    return m_events.size() >= kChunk ? flush() : Result<void>();
}

Result<void> LogCheck::checkKeyframe()
{
    while (m_nextPlace < m_places.size() && m_places[m_nextPlace] < m_fleet.seq)
        m_findings.add("keyframe " + std::to_string(m_places[m_nextPlace++].value) + ": no event has its number");
    if (m_nextPlace == m_places.size() || m_places[m_nextPlace] != m_fleet.seq)
        return {};
    const std::string name = "keyframe " + std::to_string(m_places[m_nextPlace++].value);
    ++m_keyframeCount;
    const auto stored = m_keyframes.before(m_database, m_fleet.seq);
    if (!stored || !*stored) {
        m_findings.add(name + ": " + (stored ? std::string("it cannot be found") : stored.error().message));
        return {};
    }
    const std::string folded = rules::encodeFleet(m_fleet);
    if ((*stored)->fleet != folded)
        m_findings.add(name + ": it is not the fold of the log up to it");
    const auto decoded = rules::decodeFleet((*stored)->fleet);
    if (!decoded || rules::encodeFleet(*decoded) != (*stored)->fleet)
        m_findings.add(name + ": it does not read back as it was written");
    return {};
}

/// Only what counts events needs them one by one; the state's own rows are all written at the end.
Result<void> LogCheck::flush()
{
    auto done = m_projection.projectEvents(m_events);
    m_events.clear();
    return done;
}

Result<void> LogCheck::finish(Verification &out)
{
    out.events = m_eventCount;
    if (m_linked != 0)
        m_findings.add("the last " + std::to_string(m_linked) + " events have no link of the chain");
    while (m_batchEnd != 0) {
        m_findings.add("batch " + std::to_string(m_batchEnd)
                       + ": the events up to it are missing at the end of the log");
        if (auto moved = nextBatch(); !moved)
            return moved;
    }
    const auto left = m_arguments.leftOver();
    if (!left)
        m_findings.add(left.error().message);
    else if (*left != 0)
        m_findings.add("argument: row " + std::to_string(*left) + " belongs to no event");
    for (; m_folds && m_nextPlace < m_places.size(); ++m_nextPlace)
        m_findings.add("keyframe " + std::to_string(m_places[m_nextPlace].value) + ": no event has its number");
    out.batches = m_batchCount;
    out.keyframes = m_keyframeCount;
    out.headHash = rules::toHex(m_head);
    if (!m_folds)
        return {};
    m_machines.compare(m_fleet, m_findings);
    if (auto flushed = flush(); !flushed)
        return flushed;
    if (auto written = m_projection.projectIncidents(m_incidents); !written)
        return written;
    return m_projection.projectAll(m_fleet, m_heads);
}

} // namespace handreset::store
