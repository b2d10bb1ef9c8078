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

Result<std::unique_ptr<SqliteStore>> opened(const QString &path, Result<OpenedFile> file)
{
    if (!file)
        return file.error();
    auto store = std::make_unique<SqliteStore>(path, std::move(*file));
    if (auto prepared = store->prepare(); !prepared)
        return prepared.error();
    return store;
}

Result<std::unique_ptr<Store>> asStore(Result<std::unique_ptr<SqliteStore>> store)
{
    if (!store)
        return store.error();
    return std::unique_ptr<Store>(std::move(*store));
}

} // namespace

Result<void> Store::eachRow(rules::Seq, rules::Seq, KindSet, const EachRow &)
{
    return rules::Error{rules::ErrorCode::Unavailable, "this store's log cannot be read row by row", "log"};
}

Result<bool> Store::useWitness(const QString &)
{
    return false;
}

Result<void> Store::makeWitness(const QString &)
{
    return {};
}

Result<std::unique_ptr<Store>> Store::open(const QString &path, Sentinel sentinel)
{
    const QString absolute = QFileInfo(path).absoluteFilePath();
    OpenSettings settings;
    settings.pastSentinel = sentinel == Sentinel::SteppedOver;
    return asStore(opened(absolute, openForHost(absolute, settings)));
}

Result<std::unique_ptr<Store>> Store::openReadOnly(const QString &path)
{
    const QString absolute = QFileInfo(path).absoluteFilePath();
    return asStore(opened(absolute, openCopy(absolute)));
}

Result<void> acceptStore(const QString &storePath, const std::function<Result<void>(Store &)> &record)
{
    const QString path = QFileInfo(storePath).absoluteFilePath();
    OpenSettings settings;
    settings.anyMark = settings.pastSentinel = true;
    auto file = openForHost(path, settings);
    if (!file)
        return file.error();
    const std::string storeId = file->end.storeId;
    auto store = opened(path, std::move(file));
    if (!store)
        return store.error();
    if (auto recorded = record(**store); !recorded)
        return recorded;
    (*store)->checkpoint();
    const Place end = (*store)->end();
    QFile::remove(path + QStringLiteral(".mark"));
    return Mark::create(path, {storeId, end, end, presentBootId()});
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
