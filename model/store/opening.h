// Opening is checking (spec 4): all that must hold before a store is believed. Internal to model/store.
// Thread: the store's. Failure: an Error that says what is wrong and what to do; the file is left as it is.
#pragma once

#include "model/store/database.h"
#include "model/store/mark.h"
#include "model/store/migrations.h"
#include "model/store/open_files.h"

#include <QString>
#include <QTemporaryDir>

#include <memory>
#include <span>
#include <string>

namespace handreset::store {

/// Where the log ends, and whose it is.
struct LogEnd {
    std::string storeId;
    bool recorded = false;
    Place last;
};

struct OpenSettings {
    std::span<const Migration> migrations = shippedMigrations();
    bool anyMark = false;      ///< a human has said that this copy is the right one
    bool pastSentinel = false; ///< to look, to verify, or to clear it
};

/// A store whose every check was passed. Members go in reverse order: the lock last.
struct OpenedFile {
    std::unique_ptr<QTemporaryDir> folder; ///< of a copy
    OpenFile claim;
    std::unique_ptr<Database> database;
    std::unique_ptr<Mark> mark; ///< none for a copy
    std::unique_ptr<Mark> witness; ///< the mark outside the store's folder; none where nobody keeps one
    LogEnd end;
};

/// For the host.
[[nodiscard]] rules::Result<OpenedFile> openForHost(const QString &path, const OpenSettings &settings);
/// A private copy of a file that is not trusted.
[[nodiscard]] rules::Result<OpenedFile> openCopy(const QString &path);
/// Reads the first event and checks the last link of the chain.
[[nodiscard]] rules::Result<LogEnd> readLogEnd(Database &database, const QString &path);
/// Holds the log against its mark: an Error when the mark has seen more, or something else. Gives the last event up to
/// which the mark vouches for keyframes as well: one that was linked after the mark was written could be anybody's.
[[nodiscard]] rules::Result<rules::Seq> judgeMark(Database &database, const MarkState &mark, const LogEnd &end,
                                                  const QString &path);
/// PRAGMA quick_check.
[[nodiscard]] rules::Result<void> quickCheck(Database &database, const QString &path);

} // namespace handreset::store
