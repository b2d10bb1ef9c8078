#include "model/store/backup.h"

#include "model/store/chain.h"
#include "model/store/file_checks.h"
#include "model/store/new_store_file.h"

#include <memory>

namespace handreset::store {

using rules::Error;
using rules::ErrorCode;
using rules::Result;

namespace {

constexpr int kPagesAStep = 2'000;

using Connection = std::unique_ptr<sqlite3, int (*)(sqlite3 *)>;

/// The copy's own connection: it is nobody's store yet.
Connection openTarget(const QString &path)
{
    sqlite3 *handle = nullptr;
    sqlite3_open_v2(nativePath(path).c_str(), &handle, SQLITE_OPEN_READWRITE | SQLITE_OPEN_NOFOLLOW, nullptr);
    return {handle, sqlite3_close};
}

Result<void> copyPages(sqlite3 *from, sqlite3 *to, const Progress &progress)
{
    sqlite3_backup *const backup = sqlite3_backup_init(to, "main", from, "main");
    if (backup == nullptr)
        return sqliteError(to, "beginning a backup");
    int code = SQLITE_OK;
    bool isStopped = false;
    while (code == SQLITE_OK && !isStopped) {
        code = sqlite3_backup_step(backup, kPagesAStep);
        const int all = sqlite3_backup_pagecount(backup);
        const double share = all > 0 ? 1.0 - static_cast<double>(sqlite3_backup_remaining(backup)) / all : 1.0;
        isStopped = progress && !progress(0.95 * share);
    }
    const int finished = sqlite3_backup_finish(backup);
    if (isStopped)
        return Error{ErrorCode::Cancelled, "the backup was stopped; nothing was kept", ""};
    if (code != SQLITE_DONE || finished != SQLITE_OK)
        return sqliteError(to, "copying pages");
    return {};
}

/// The copy is read as any file is; in the end it stands alone, without a WAL.
Result<void> checkCopy(sqlite3 *copy, const LogEnd &end)
{
    sqlite3_stmt *statement = nullptr;
    sqlite3_prepare_v2(copy,
                       "SELECT (SELECT quick_check FROM pragma_quick_check(1)), (SELECT max(seq) FROM event), "
                       "(SELECT hash FROM batch ORDER BY last_seq DESC LIMIT 1)",
                       -1, &statement, nullptr);
    const bool isRead = sqlite3_step(statement) == SQLITE_ROW;
    const auto *const answer = reinterpret_cast<const char *>(sqlite3_column_text(statement, 0));
    const bool isSound = isRead && answer != nullptr && std::string_view(answer) == "ok";
    const auto *const hash = static_cast<const char *>(sqlite3_column_blob(statement, 2));
    const std::string_view link(hash, hash != nullptr ? static_cast<std::size_t>(sqlite3_column_bytes(statement, 2)) : 0);
    const bool isWhole = isSound && static_cast<std::uint64_t>(sqlite3_column_int64(statement, 1)) == end.last.seq.value
        && link == bytesOf(end.last.hash);
    auto failed = isSound
        ? Error{ErrorCode::Unavailable, "the copy does not end where the store does; nothing was kept", ""}
        : sqliteError(copy, "checking the copy");
    sqlite3_finalize(statement);
    if (!isWhole)
        return failed;
    return {};
}

} // namespace

Result<void> backUp(Database &database, const LogEnd &end, const QString &target, const Progress &progress)
{
    if (auto folder = prepareFolder(target); !folder)
        return folder;
    auto file = NewStoreFile::begin(target);
    if (!file)
        return file.error();
    {
        const auto copy = openTarget((*file)->path());
        if (copy == nullptr || sqlite3_errcode(copy.get()) != SQLITE_OK)
            return sqliteError(copy.get(), "opening the copy");
        if (auto copied = copyPages(database.handle(), copy.get(), progress); !copied)
            return copied;
        if (auto checked = checkCopy(copy.get(), end); !checked)
            return checked;
    }
    if (auto done = (*file)->finish({end.storeId, end.last, end.last, presentBootId()}); !done)
        return done;
    if (progress)
        static_cast<void>(progress(1.0));
    return {};
}

} // namespace handreset::store
