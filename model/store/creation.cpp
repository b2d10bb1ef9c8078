// Making a store. Only `init` does (spec 4).
#include "model/rules/command.h"
#include "model/store/new_store_file.h"
#include "model/store/opening.h"
#include "model/store/schema.h"
#include "model/store/sqlite_store.h"
#include "model/store/store.h"

#include <QFileInfo>
#include <QUuid>

namespace handreset::store {

using rules::Result;

namespace {

/// The first event, decided as any other is.
rules::Step firstStep(const InitOptions &options, rules::Now now, rules::Fleet &fleet, rules::Touched &touched)
{
    rules::CreateStore create;
    create.storeId = QUuid::createUuid().toString(QUuid::Id128).toStdString();
    create.fleet = options.fleet;
    create.recorded = options.recorded;
    create.isUnsigned = options.isUnsigned;
    rules::Moment moment;
    moment.now = now;
    rules::Step step;
    rules::run(fleet, create, moment, step, &touched);
    return step;
}

} // namespace

Result<void> Store::init(const QString &path, const InitOptions &options, rules::Now now)
{
    const QString target = QFileInfo(path).absoluteFilePath();
    if (auto folder = prepareFolder(target); !folder)
        return folder;
    auto file = NewStoreFile::begin(target);
    if (!file)
        return file.error();
    rules::Fleet fleet;
    rules::Touched touched;
    const auto step = firstStep(options, now, fleet, touched);
    if (const auto *refused = std::get_if<rules::Error>(&step.outcome))
        return *refused;
    Place end;
    {
        auto claim = OpenFile::claim((*file)->path());
        if (!claim)
            return claim.error();
        auto database = Database::open((*file)->path(), Database::Use::Host);
        if (!database)
            return database.error();
        if (auto made = createSchema(**database); !made)
            return made;
        SqliteStore store(
            (*file)->path(),
            {nullptr, std::move(*claim), std::move(*database), nullptr, nullptr, {fleet.storeId, fleet.recorded, {}}});
        if (auto prepared = store.prepare(); !prepared)
            return prepared;
        if (auto written = store.append(step.events, fleet, touched, Durability::Synced); !written)
            return written;
        end = store.end();
    }
    return (*file)->finish({fleet.storeId, end, end, presentBootId()});
}

} // namespace handreset::store
