#include "model/store/migrations.h"

#include "model/store/file_checks.h"

#include <algorithm>
#include <sys/stat.h>

namespace handreset::store {

using rules::Result;

namespace {

const Migration *stepFrom(std::span<const Migration> steps, std::int64_t version)
{
    const auto found
        = std::find_if(steps.begin(), steps.end(), [version](const Migration &m) { return m.from == version; });
    return found != steps.end() ? &*found : nullptr;
}

Result<void> backUp(Database &database, const QString &path, std::int64_t version)
{
    QString target = path + QStringLiteral(".before-version-%1").arg(version + 1);
    for (int number = 2; exists(target); ++number)
        target = path + QStringLiteral(".before-version-%1.%2").arg(version + 1).arg(number);
    auto vacuum = database.prepare("VACUUM INTO ?1");
    if (!vacuum)
        return vacuum.error();
    if (auto made = vacuum->run(nativePath(target)); !made)
        return made;
    chmod(nativePath(target).c_str(), 0600);
    return {};
}

} // namespace

std::span<const Migration> shippedMigrations()
{
    // From version 2 on a keyframe is part of its transaction's link. Those of before are left out; the log has all.
    static const Migration steps[] = {
        {1, [](Database &database) { return database.execute("DELETE FROM main.keyframe"); }},
    };
    return steps;
}

Result<void> migrate(Database &database, const QString &path, std::int32_t wanted, std::span<const Migration> steps)
{
    const auto version = database.number("PRAGMA user_version");
    if (!version)
        return version.error();
    if (*version > wanted)
        return unavailable(
            "it was written by a newer version (schema " + std::to_string(*version) + "); use that version", path);
    for (std::int64_t at = *version; at < wanted; ++at) {
        if (stepFrom(steps, at) == nullptr)
            return unavailable("its schema version " + std::to_string(at)
                                   + " is none that a release ever wrote; put a "
                                     "backup in its place",
                               path);
    }
    if (*version == wanted)
        return {};
    if (auto saved = backUp(database, path, *version); !saved)
        return saved;
    Transaction transaction(database);
    if (auto begun = transaction.begun(); !begun)
        return begun;
    for (std::int64_t at = *version; at < wanted; ++at) {
        if (auto taken = stepFrom(steps, at)->apply(database); !taken)
            return taken;
    }
    if (auto noted = database.execute("PRAGMA user_version=" + std::to_string(wanted)); !noted)
        return noted;
    return transaction.commit();
}

} // namespace handreset::store
