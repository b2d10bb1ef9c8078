#include "model/store/opening.h"

#include "model/store/chain_walk.h"
#include "model/store/event_rows.h"
#include "model/store/file_checks.h"
#include "model/store/schema.h"
#include "model/store/store.h"

#include <QFile>

#include <cerrno>
#include <chrono>
#include <cstring>
#include <fcntl.h>
#include <optional>
#include <variant>

namespace handreset::store {

using rules::Error;
using rules::Result;
using rules::Seq;

namespace {

Result<void> checkLastLink(Database &database, const QString &path, Seq last, Place &end)
{
    auto newest = database.number("SELECT coalesce(max(last_seq), 0) FROM main.batch");
    if (!newest)
        return newest.error();
    const auto before = transactionBefore(database, Seq{static_cast<std::uint64_t>(*newest)});
    if (!before)
        return before.error();
    ChainWalk chain;
    if (auto begun = chain.begin(database, *before); !begun)
        return begun;
    auto events = EventReader::range(database, before->seq.next(), last);
    if (!events)
        return events.error();
    auto arguments = ArgumentReader::range(database, before->seq.next(), last);
    if (!arguments)
        return arguments.error();
    std::optional<ChainWalk::Closed> closed;
    for (;;) {
        const auto isThere = events->next();
        if (!isThere)
            return isThere.error();
        if (!*isThere)
            break;
        const auto row = events->row();
        if (!row)
            return row.error();
        const auto text = arguments->take(row->seq);
        if (!text)
            return text.error();
        auto taken = chain.take(*row, text->value_or(std::string()));
        if (!taken)
            return taken.error();
        closed = *taken;
    }
    if (!closed || !closed->fits || closed->stored.seq != last)
        return unavailable(
            "the end of its log does not match its hash chain, so somebody changed it; keep the file, look "
            "at it with verify, and put a backup in its place",
            path);
    end = closed->stored;
    return {};
}

Result<void> checkContent(Database &database, const QString &path)
{
    if (auto checked = checkSchema(database); !checked)
        return Error{checked.error().code, checked.error().message, path.toStdString()};
    return quickCheck(database, path);
}

Result<bool> isLockedByOthers(const QString &path)
{
    constexpr off_t kLockBytes = 0x40000000; // SQLite's own: pending, reserved and 510 shared bytes
    const File file(::open(nativePath(path).c_str(), O_RDONLY | O_NOFOLLOW | O_CLOEXEC));
    if (!file.isOpen())
        return unavailable(std::string("it cannot be read: ") + std::strerror(errno), path);
    struct flock lock = {};
    lock.l_type = F_RDLCK;
    lock.l_whence = SEEK_SET;
    lock.l_start = kLockBytes;
    lock.l_len = 512;
    return fcntl(file.get(), F_GETLK, &lock) == 0 && lock.l_type != F_UNLCK;
}

/// A hostile file must not keep us for ever.
class TimeLimit {
public:
    TimeLimit(Database &database, std::chrono::seconds limit)
        : m_handle(database.handle()), m_until(std::chrono::steady_clock::now() + limit)
    {
        sqlite3_progress_handler(
            m_handle, 100'000,
            [](void *self) {
                return std::chrono::steady_clock::now() > static_cast<TimeLimit *>(self)->m_until ? 1 : 0;
            },
            this);
    }
    ~TimeLimit() { sqlite3_progress_handler(m_handle, 0, nullptr, nullptr); }
    TimeLimit(const TimeLimit &) = delete;
    TimeLimit &operator=(const TimeLimit &) = delete;

private:
    sqlite3 *m_handle;
    std::chrono::steady_clock::time_point m_until;
};

/// For an older program's file: another file must not be taken for one, whatever its head said before the WAL was read.
Result<void> bringToThisVersion(Database &database, const QString &path, const OpenSettings &settings)
{
    const auto id = database.number("PRAGMA application_id");
    if (!id)
        return id.error();
    if (*id != kApplicationId)
        return unavailable("it belongs to another program", path);
    return migrate(database, path, kSchemaVersion, settings.migrations);
}

} // namespace

Result<void> quickCheck(Database &database, const QString &path)
{
    const auto answer = database.text("PRAGMA main.quick_check(1)");
    if (!answer)
        return answer.error();
    if (*answer != "ok")
        return unavailable(
            "it is malformed (" + *answer + "); nothing was repaired: keep it and put a backup in its place", path);
    return {};
}

Result<LogEnd> readLogEnd(Database &database, const QString &path)
{
    const auto first = database.number("SELECT coalesce(min(seq), 0) FROM main.event");
    if (!first)
        return first.error();
    const auto last = database.number("SELECT coalesce(max(seq), 0) FROM main.event");
    if (!last)
        return last.error();
    if (*first != 1)
        return unavailable("its log does not begin with its first event; put a backup in its place", path);
    auto reader = EventReader::points(database);
    if (!reader)
        return reader.error();
    if (const auto found = reader->seek(Seq{1}); !found)
        return found.error();
    const auto row = reader->row();
    if (!row)
        return row.error();
    const auto event = eventOf(*row);
    if (!event)
        return event.error();
    const auto *const created = std::get_if<rules::StoreCreated>(&event->payload);
    if (created == nullptr || created->storeId.empty())
        return unavailable("its log does not begin with its own creation; put a backup in its place", path);
    LogEnd end{created->storeId, created->recorded, {}};
    if (auto checked = checkLastLink(database, path, Seq{static_cast<std::uint64_t>(*last)}, end.last); !checked)
        return checked.error();
    return end;
}

Result<Seq> judgeMark(Database &database, const MarkState &mark, const LogEnd &end, const QString &path)
{
    const std::string accept = "; if that was meant: handresetctl accept-store --reason …";
    if (mark.storeId != end.storeId)
        return unavailable("another store was put in its place (its high-water mark is of store " + mark.storeId
                               + ", the file is store " + end.storeId + ")" + accept,
                           path);
    // A keyframe that stands behind an import was linked after its transaction: the mark may be of the moment between.
    auto select = database.prepare("SELECT b.hash, k.hash FROM main.batch AS b LEFT JOIN main.keyframe AS k "
                                   "ON k.seq = b.last_seq WHERE b.last_seq = ?1");
    if (!select)
        return select.error();
    Seq vouched = mark.synced.seq;
    const bool sameBoot = !mark.bootId.empty() && mark.bootId == presentBootId();
    for (const auto &place : {mark.synced, sameBoot ? mark.latest : mark.synced}) {
        if (!place.seq.isSet())
            continue;
        if (place.seq > end.last.seq)
            return unavailable("an older copy was put back, or its end was cut off: it ends at event "
                                   + std::to_string(end.last.seq.value) + ", its high-water mark has seen event "
                                   + std::to_string(place.seq.value) + accept,
                               path);
        select->bind(place.seq);
        const auto isThere = select->step();
        if (!isThere)
            return isThere.error();
        const auto stored = *isThere ? digestOf(select->bytes(0)) : std::nullopt;
        const auto keyframe = *isThere && !select->isNull(1) ? digestOf(select->bytes(1)) : std::nullopt;
        const bool isLinkedSince = stored && keyframe && *stored == linkWithKeyframe(place.hash, *keyframe);
        if (isLinkedSince && place == mark.synced)
            vouched = Seq{place.seq.value - 1};
        if (!stored || (*stored != place.hash && !isLinkedSince))
            return unavailable(
                "its log is not the one that its high-water mark has seen: it differs at or before event "
                    + std::to_string(place.seq.value) + accept,
                path);
    }
    return vouched;
}

Result<OpenedFile> openForHost(const QString &path, const OpenSettings &settings)
{
    auto claim = OpenFile::claim(path);
    if (!claim)
        return claim.error();
    if (const auto head = checkFiles(path); !head)
        return head.error();
    std::string why;
    if (!settings.pastSentinel && sentinelIsSet(path, &why))
        return unavailable(
            "its sentinel is set (" + why + "); when verify is clean: handresetctl clear-sentinel --reason …", path);
    auto database = Database::open(path, Database::Use::Host);
    if (!database)
        return database.error();
    if (auto migrated = bringToThisVersion(**database, path, settings); !migrated)
        return migrated.error();
    if (auto checked = checkContent(**database, path); !checked)
        return checked.error();
    auto end = readLogEnd(**database, path);
    if (!end)
        return end.error();
    std::unique_ptr<Mark> mark;
    if (!settings.anyMark) {
        auto opened = Mark::open(path);
        if (!opened)
            return opened.error();
        if (auto judged = judgeMark(**database, (*opened)->state(), *end, path); !judged)
            return judged.error();
        mark = std::move(*opened);
    }
    return OpenedFile{nullptr, std::move(*claim), std::move(*database), std::move(mark), nullptr, std::move(*end)};
}

Result<OpenedFile> openCopy(const QString &path)
{
    auto original = OpenFile::claim(path);
    if (!original)
        return original.error();
    if (const auto head = checkForeignFile(path); !head)
        return head.error();
    const auto locked = isLockedByOthers(path);
    if (!locked)
        return locked.error();
    if (*locked)
        return unavailable("a host is writing to it; ask that host, or make a backup and open that", path);
    auto folder = std::make_unique<QTemporaryDir>();
    const QString copy = folder->filePath(QStringLiteral("copy.db"));
    const QString wal = beside(path, u"-wal");
    if (!folder->isValid() || !QFile::copy(path, copy) || (exists(wal) && !QFile::copy(wal, beside(copy, u"-wal"))))
        return unavailable("it cannot be copied to " + folder->path().toStdString() + "; free space there", path);
    QFile::setPermissions(copy, QFile::ReadOwner | QFile::WriteOwner);
    QFile::setPermissions(beside(copy, u"-wal"), QFile::ReadOwner | QFile::WriteOwner);
    auto claim = OpenFile::claim(copy);
    if (!claim)
        return claim.error();
    auto database = Database::open(copy, Database::Use::Copy);
    if (!database)
        return database.error();
    const TimeLimit limit(**database, std::chrono::minutes(5));
    if (auto migrated = bringToThisVersion(**database, copy, {}); !migrated)
        return Error{migrated.error().code, migrated.error().message, path.toStdString()};
    if (auto checked = checkContent(**database, path); !checked)
        return checked.error();
    auto end = readLogEnd(**database, path);
    if (!end)
        return end.error();
    if (auto closed = (*database)->execute("PRAGMA query_only=ON"); !closed)
        return closed.error();
    return OpenedFile{std::move(folder), std::move(*claim), std::move(*database), nullptr, nullptr, std::move(*end)};
}

} // namespace handreset::store
