// The doors of store.h.
#include "model/store/store.h"

#include "model/store/opening.h"
#include "model/store/sqlite_store.h"

#include <QFile>
#include <QFileInfo>
#include <QStandardPaths>

namespace handreset::store {

using rules::Result;

namespace {

Result<std::unique_ptr<Store>> opened(const QString &path, Result<OpenedFile> file)
{
    if (!file)
        return file.error();
    auto store = std::make_unique<SqliteStore>(path, std::move(*file));
    if (auto prepared = store->prepare(); !prepared)
        return prepared.error();
    return std::unique_ptr<Store>(std::move(store));
}

} // namespace

Result<void> Store::eachRow(rules::Seq, rules::Seq, KindSet, const EachRow &)
{
    return rules::Error{rules::ErrorCode::Unavailable, "this store's log cannot be read row by row", "log"};
}

Result<std::unique_ptr<Store>> Store::open(const QString &path)
{
    const QString absolute = QFileInfo(path).absoluteFilePath();
    return opened(absolute, openForHost(absolute, {}));
}

Result<std::unique_ptr<Store>> Store::openReadOnly(const QString &path)
{
    const QString absolute = QFileInfo(path).absoluteFilePath();
    return opened(absolute, openCopy(absolute));
}

Result<void> acceptStore(const QString &storePath)
{
    const QString path = QFileInfo(storePath).absoluteFilePath();
    OpenSettings settings;
    settings.anyMark = true;
    auto file = openForHost(path, settings);
    if (!file)
        return file.error();
    if (auto synced = file->database->execute("PRAGMA wal_checkpoint(FULL)"); !synced)
        return synced;
    const Place end = file->end.last;
    QFile::remove(path + QStringLiteral(".mark"));
    return Mark::create(path, {file->end.storeId, end, end, presentBootId()});
}

QString defaultStorePath()
{
    QString chosen = qEnvironmentVariable("HANDRESET_STORE");
    if (!chosen.isEmpty())
        return chosen;
    return QStandardPaths::writableLocation(QStandardPaths::GenericDataLocation)
        + QStringLiteral("/handreset/fleet.db");
}

} // namespace handreset::store
