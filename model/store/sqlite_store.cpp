#include "model/store/sqlite_store.h"

#include "model/store/backup.h"
#include "model/store/chain_walk.h"
#include "model/store/event_search.h"
#include "model/store/file_checks.h"
#include "model/store/verify.h"

#include <QFile>
#include <QFileInfo>
#include <QStandardPaths>

#include <algorithm>
#include <fcntl.h>
#include <unistd.h>

namespace handreset::store {

using rules::Error;
using rules::ErrorCode;
using rules::Event;
using rules::Fleet;
using rules::Result;
using rules::Seq;

namespace {

constexpr int kCheckpointAt = 4'000;                    // frames; design, "What was measured"
constexpr off_t kWalSize = off_t{4'200} * (4'096 + 24); // so many frames with their heads

} // namespace

SqliteStore::SqliteStore(QString path, OpenedFile file) : m_path(std::move(path)), m_file(std::move(file)) {}

SqliteStore::~SqliteStore()
{
    m_ahead.reset();
    m_transaction.reset();
    if (m_file.mark == nullptr)
        return;
    if (!m_trouble && m_file.database->checkpoint()) // then all of the log is in the file, and synced
        static_cast<void>(m_file.mark->advance(m_file.end.last, true));
    m_file.mark->sync();
}

Result<void> SqliteStore::prepare()
{
    auto &database = *m_file.database;
    if (auto read = readHeads(); !read)
        return read;
    if (auto prepared = m_writer.prepare(database); !prepared)
        return prepared;
    if (auto prepared = m_projection.prepare(database, "main"); !prepared)
        return prepared;
    if (auto prepared = m_keyframes.prepare(database); !prepared)
        return prepared;
    auto batch = database.prepare("INSERT INTO main.batch (last_seq, hash) VALUES (?1, ?2)");
    if (!batch)
        return batch.error();
    auto time = database.prepare("SELECT rule_time FROM main.event WHERE seq = ?1");
    if (!time)
        return time.error();
    m_batch = std::move(*batch);
    m_timeAt = std::move(*time);
    return m_file.mark != nullptr ? m_file.mark->advance(m_file.end.last, false) : Result<void>();
}

Result<void> SqliteStore::readHeads()
{
    auto heads = m_file.database->prepare("SELECT id, last_seq, events FROM main.agent ORDER BY id");
    if (!heads)
        return heads.error();
    for (;;) {
        const auto isThere = heads->step();
        if (!isThere)
            return isThere.error();
        if (!*isThere)
            return {};
        m_heads.set(rules::AgentId{static_cast<std::uint32_t>(heads->integer(0))},
                    {static_cast<std::uint64_t>(heads->integer(1)), static_cast<std::uint64_t>(heads->integer(2))});
    }
}

Result<bool> SqliteStore::useWitness(const QString &file)
{
    bool isMissing = false;
    auto witness = Mark::openAt(file, &isMissing);
    if (isMissing)
        return false;
    if (!witness)
        return witness.error();
    const auto &state = (*witness)->state();
    const auto judged = judgeMark(*m_file.database, state, m_file.end, m_path);
    if (!judged)
        return judged.error();
    m_trusted = *judged;
    m_file.witness = std::move(*witness);
    return true;
}

Result<void> SqliteStore::makeWitness(const QString &file)
{
    QFile::remove(file);
    const Place end = m_file.end.last;
    if (auto made = Mark::createAt(file, {m_file.end.storeId, end, end, presentBootId()}); !made)
        return made;
    auto used = useWitness(file);
    return used ? Result<void>() : Result<void>(used.error());
}

Result<Fleet> SqliteStore::load()
{
    auto fleet = asOf(lastSeq());
    m_isFolded = fleet.ok();
    if (m_isFolded)
        m_trusted = lastSeq();
    return fleet;
}

Result<void> SqliteStore::checkWritable() const
{
    if (isReadOnly())
        return Error{ErrorCode::Refused, "this is a copy for reading; nothing can be written to it",
                     m_path.toStdString()};
    if (m_trouble)
        return *m_trouble;
    return {};
}

Result<void> SqliteStore::checkAppend(std::span<const Event> events, const Fleet &after) const
{
    if (auto writable = checkWritable(); !writable)
        return writable;
    for (std::size_t i = 0; i < events.size(); ++i) {
        if (events[i].seq.value != lastSeq().value + 1 + i)
            return Error{ErrorCode::BadInput, "events out of turn; the log ends at " + std::to_string(lastSeq().value),
                         "event " + std::to_string(events[i].seq.value)};
    }
    if (after.seq != events.back().seq)
        return Error{ErrorCode::BadInput, "the fleet is not the one after these events",
                     "fleet at " + std::to_string(after.seq.value)};
    return {};
}

Result<void> SqliteStore::append(std::span<const Event> events, const Fleet &after, const rules::Touched &touched,
                                 Durability durability)
{
    auto ahead = m_ahead ? m_ahead->settle() : Result<std::vector<Event>>(std::vector<Event>());
    if (!ahead) {
        abandon(ahead.error());
        return ahead.error();
    }
    const auto written = ahead->size();
    if (written != 0) {
        ahead->insert(ahead->end(), events.begin(), events.end());
        events = *ahead;
    }
    if (events.empty())
        return {};
    auto appended = appendAll(events, written, after, touched, durability);
    if (!appended) {
        abandon(appended.error());
        return appended;
    }
    afterCommit(durability);
    return {};
}

Result<void> SqliteStore::appendAll(std::span<const Event> events, std::size_t written, const Fleet &after,
                                    const rules::Touched &touched, Durability durability)
{
    if (auto checked = checkAppend(events, after); !checked)
        return checked;
    const auto forgotten = forgottenTrips(events, after, touched);
    if (!forgotten)
        return forgotten.error();
    if (!m_transaction) {
        if (auto begun = begin(durability); !begun)
            return begun;
    }
    if (auto rest = writeEvents(events.subspan(written)); !rest)
        return rest;
    return finish(events, after, touched, *forgotten);
}

Result<void> SqliteStore::begin(Durability durability)
{
    if (auto set = m_file.database->setSynced(durability == Durability::Synced); !set)
        return set;
    growWal();
    m_heads.mark();
    m_transaction.emplace(*m_file.database);
    m_link.begin(m_file.end.last.hash);
    return m_transaction->begun();
}

Result<void> SqliteStore::writeEvents(std::span<const Event> events)
{
    for (const auto &event : events) {
        const auto row = rowOf(event, m_heads, m_payload);
        m_link.add(row, event.arguments);
        if (auto written = m_writer.write(row, event.arguments); !written)
            return written;
    }
    return {};
}

Result<void> SqliteStore::finish(std::span<const Event> events, const Fleet &after, const rules::Touched &touched,
                                 const Trips &forgotten)
{
    Place end{events.back().seq, m_link.finish()};
    const bool withKeyframe = m_keyframes.isDue(end.seq);
    if (withKeyframe) {
        const auto keyframe = m_keyframes.make(after);
        if (!keyframe)
            return keyframe.error();
        end.hash = linkWithKeyframe(end.hash, *keyframe);
    }
    if (auto written = m_batch.run(end.seq, Blob{bytesOf(end.hash)}); !written)
        return written;
    const auto tripOf = [&](rules::TripId id) {
        const auto *const trip = after.trip(id);
        if (trip != nullptr)
            return trip;
        const auto found = forgotten.find(id);
        return found != forgotten.end() ? &found->second : nullptr;
    };
    if (auto projected = m_projection.project(after, touched, events, m_heads, tripOf); !projected)
        return projected;
    if (withKeyframe) {
        if (auto written = m_keyframes.write(); !written)
            return written;
    }
    if (auto committed = m_transaction->commit(); !committed)
        return committed;
    m_transaction.reset();
    m_file.end.last = end;
    if (withKeyframe)
        m_keyframes.written();
    return {};
}

void SqliteStore::abandon(const Error &why)
{
    if (!m_transaction)
        return;
    m_transaction.reset();
    static_cast<void>(m_link.finish());
    m_heads.undo();
    if (sqlite3_get_autocommit(m_file.database->handle()) == 0)
        m_trouble = Error{ErrorCode::Unavailable,
                          "a failed transaction could not be undone: end this host and run verify", why.context};
}

/// A transaction that ends very many trips leaves some of them out of the fleet's short memory. They are found by
/// folding these events once more.
Result<SqliteStore::Trips> SqliteStore::forgottenTrips(std::span<const Event> events, const Fleet &after,
                                                       const rules::Touched &touched)
{
    Trips trips;
    const bool hasAll = std::all_of(touched.trips.begin(), touched.trips.end(),
                                    [&after](rules::TripId id) { return after.trip(id) != nullptr; });
    if (hasAll)
        return trips;
    auto fleet = lastSeq().isSet() ? asOf(lastSeq()) : Result<Fleet>(Fleet());
    if (!fleet)
        return fleet.error();
    for (const auto &event : events) {
        rules::Touched moved;
        if (auto applied = rules::apply(*fleet, event, &moved); !applied)
            return applied.error();
        for (const auto id : moved.trips) {
            if (const auto *trip = fleet->trip(id); trip != nullptr && after.trip(id) == nullptr)
                trips[id] = *trip;
        }
    }
    return trips;
}

/// A WAL that grows while it is written costs a quarter to a half of the rate.
void SqliteStore::growWal()
{
    if (m_walGrown || m_file.mark == nullptr)
        return;
    m_walGrown = true;
    const File wal(::open(nativePath(beside(m_path, u"-wal")).c_str(), O_RDWR | O_NOFOLLOW | O_CLOEXEC));
    if (wal.isOpen())
        static_cast<void>(posix_fallocate(wal.get(), 0, kWalSize)); // without room it grows as it is written
}

/// What was written ahead was begun before it was known that its commit must be on the disk.
bool SqliteStore::syncWal() const
{
    const File wal(::open(nativePath(beside(m_path, u"-wal")).c_str(), O_RDONLY | O_NOFOLLOW | O_CLOEXEC));
    return wal.isOpen() && ::fdatasync(wal.get()) == 0;
}

void SqliteStore::afterCommit(Durability durability)
{
    const bool wantsSync = durability == Durability::Synced;
    const bool isSynced = wantsSync && (m_file.database->isSynced() || syncWal());
    if (wantsSync && !isSynced)
        m_trouble
            = Error{ErrorCode::Unavailable, "the disk did not confirm what was written: end this host and run verify",
                    m_path.toStdString()};
    if (m_file.mark != nullptr) {
        if (auto advanced = m_file.mark->advance(m_file.end.last, isSynced); !advanced)
            m_trouble = advanced.error(); // this transaction stands; the next one is refused
    }
    if (m_isFolded)
        m_trusted = lastSeq();
    if (m_file.witness != nullptr) {
        if (auto advanced = m_file.witness->advance(m_file.end.last, isSynced); !advanced)
            m_trouble = advanced.error();
    }
    if (m_file.database->walFrames() >= kCheckpointAt)
        checkpoint();
}

Result<void> SqliteStore::read(Seq first, Seq last, bool withArguments, const std::function<bool(const Event &)> &each)
{
    auto events = EventReader::range(*m_file.database, first, last);
    if (!events)
        return events.error();
    auto arguments = ArgumentReader::range(*m_file.database, first, last);
    if (!arguments)
        return arguments.error();
    for (;;) {
        const auto isThere = events->next();
        if (!isThere)
            return isThere.error();
        if (!*isThere)
            return {};
        const auto row = events->row();
        if (!row)
            return row.error();
        auto event = eventOf(*row);
        if (!event)
            return event.error();
        if (withArguments) {
            auto text = arguments->take(row->seq);
            if (!text)
                return text.error();
            event->arguments = std::move(*text).value_or(std::string());
        }
        if (!each(*event))
            return {};
    }
}

Result<std::string> SqliteStore::argumentsOf(Seq ask)
{
    auto reader = EventReader::points(*m_file.database);
    if (!reader)
        return reader.error();
    const auto isThere = reader->seek(ask);
    if (!isThere)
        return isThere.error();
    if (!*isThere)
        return Error{ErrorCode::NotFound, "there is no such event", "event " + std::to_string(ask.value)};
    const auto row = reader->row();
    const auto event = row ? eventOf(*row) : Result<Event>(row.error());
    if (!event)
        return event.error();
    const auto *const asked = std::get_if<rules::CallAsked>(&event->payload);
    if (asked == nullptr)
        return Error{ErrorCode::NotFound, "this event is no tool call", "event " + std::to_string(ask.value)};
    const bool isEarlier = asked->form == rules::ArgumentsForm::SameAsEarlier;
    return storedArguments(*m_file.database, isEarlier ? asked->sameAs : ask);
}

Result<std::vector<Event>> SqliteStore::find(const Filter &filter)
{
    return searchEvents(*m_file.database, filter, m_heads);
}

Result<Seq> SqliteStore::seqAt(rules::Instant time)
{
    if (m_file.end.recorded) { // its times are as given, in no order
        auto statement = m_file.database->prepare("SELECT coalesce(max(seq), 0) FROM main.event WHERE rule_time <= ?1");
        if (!statement)
            return statement.error();
        statement->bind(time);
        if (const auto isThere = statement->step(); !isThere)
            return isThere.error();
        return Seq{static_cast<std::uint64_t>(statement->integer(0))};
    }
    std::uint64_t low = 0; // at or before `time`
    std::uint64_t high = lastSeq().value + 1;
    while (high - low > 1) {
        const std::uint64_t middle = low + (high - low) / 2;
        m_timeAt.bind(middle);
        const auto isThere = m_timeAt.step();
        if (!isThere)
            return isThere.error();
        (m_timeAt.integer(0) <= time.micros ? low : high) = middle;
        m_timeAt.reset();
    }
    return Seq{low};
}

Result<Fleet> SqliteStore::asOf(Seq seq)
{
    if (seq > lastSeq())
        return Error{ErrorCode::NotFound, "the log ends at event " + std::to_string(lastSeq().value),
                     "event " + std::to_string(seq.value)};
    return foldAlongChain(*m_file.database, m_keyframes, seq, m_trusted, m_file.witness != nullptr);
}

Result<Verification> SqliteStore::verify(const Progress &progress)
{
    const auto *const mark = m_file.mark != nullptr ? &m_file.mark->state() : nullptr;
    return verifyStore(*m_file.database, mark, m_file.end, m_path, progress);
}

Result<void> SqliteStore::backup(const QString &target, const Progress &progress)
{
    return backUp(*m_file.database, m_file.end, QFileInfo(target).absoluteFilePath(), progress);
}

void SqliteStore::beginBulk()
{
    m_keyframes.setBulk(true);
    m_ahead = std::make_unique<Ahead>([this](std::span<const Event> events) {
        auto begun = m_transaction ? Result<void>() : checkWritable();
        if (begun && !m_transaction)
            begun = begin(Durability::Ordered);
        return begun ? writeEvents(events) : begun;
    });
}

void SqliteStore::writeAhead(std::vector<Event> events)
{
    if (m_ahead)
        m_ahead->put(std::move(events));
}

Result<void> SqliteStore::endBulk(const Fleet &fleet)
{
    m_keyframes.setBulk(false);
    m_ahead.reset();
    abandon({ErrorCode::Cancelled, "written ahead and not appended", "log"});
    if (isReadOnly() || fleet.seq != lastSeq() || !m_keyframes.isDue(lastSeq()))
        return {};
    Transaction transaction(*m_file.database);
    if (auto begun = transaction.begun(); !begun)
        return begun;
    const auto keyframe = m_keyframes.make(fleet);
    if (!keyframe)
        return keyframe.error();
    Place end = m_file.end.last;
    end.hash = linkWithKeyframe(end.hash, *keyframe);
    auto relink = m_file.database->prepare("UPDATE main.batch SET hash = ?2 WHERE last_seq = ?1");
    if (!relink)
        return relink.error();
    if (auto linked = relink->run(end.seq, Blob{bytesOf(end.hash)}); !linked)
        return linked;
    if (auto written = m_keyframes.write(); !written)
        return written;
    if (auto committed = transaction.commit(); !committed)
        return committed;
    m_keyframes.written();
    m_file.end.last = end;
    afterCommit(Durability::Synced);
    return {};
}

void SqliteStore::checkpoint()
{
    if (isReadOnly())
        return;
    static_cast<void>(m_file.database->checkpoint());
    if (m_file.mark != nullptr)
        m_file.mark->sync();
}

} // namespace handreset::store
