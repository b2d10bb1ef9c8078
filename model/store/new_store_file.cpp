#include "model/store/new_store_file.h"

#include "model/store/file_checks.h"
#include "model/store/store.h"

#include <QDir>
#include <QFileInfo>

#include <cerrno>
#include <csignal>
#include <cstdio>
#include <cstring>
#include <fcntl.h>
#include <unistd.h>

namespace handreset::store {

using rules::Error;
using rules::ErrorCode;
using rules::Result;

namespace {

void remove(const QString &path)
{
    ::unlink(nativePath(path).c_str());
}

std::string name(const QString &path)
{
    return QFileInfo(path).fileName().toStdString();
}

/// What a process that is no more had begun for this target ("fleet.db.new-4711" and what SQLite lays beside it).
void removeLeftOvers(const QString &target)
{
    const QFileInfo about(target);
    const QString prefix = about.fileName() + QStringLiteral(".new-");
    const QDir folder(about.absolutePath());
    for (const auto &entry : folder.entryList(QDir::Files | QDir::Hidden | QDir::System)) {
        if (!entry.startsWith(prefix))
            continue;
        const auto rest = entry.sliced(prefix.size());
        bool isNumber = false;
        const auto process = rest.left(rest.indexOf(u'-')).toInt(&isNumber);
        const auto side = rest.contains(u'-') ? rest.sliced(rest.indexOf(u'-')) : QString();
        const bool isOurs = side.isEmpty() || side == u"-wal" || side == u"-journal";
        if (isNumber && process > 0 && isOurs && ::kill(process, 0) != 0 && errno == ESRCH)
            remove(folder.filePath(entry));
    }
}

Result<void> syncPath(const QString &path, int flags)
{
    const File file(::open(nativePath(path).c_str(), flags | O_CLOEXEC));
    if (!file.isOpen() || fsync(file.get()) != 0)
        return unavailable(std::string("it cannot be synced: ") + std::strerror(errno), path);
    return {};
}

} // namespace

Result<std::unique_ptr<NewStoreFile>> NewStoreFile::begin(const QString &target)
{
    removeLeftOvers(target);
    for (const auto suffix : {u"", u"-wal", u"-journal", u".mark", u".sentinel"}) {
        if (!exists(beside(target, suffix)))
            continue;
        if (suffix == QStringView(u".mark") || suffix == QStringView(u".sentinel"))
            return Error{
                ErrorCode::BadInput,
                "its mark or its sentinel is here and it is not: it was deleted or moved away (put a backup in its "
                "place), or making it was interrupted. To make a new one, remove "
                    + name(beside(target, u".mark")) + " and " + name(beside(target, u".sentinel")),
                target.toStdString()};
        return Error{ErrorCode::BadInput, "a new store never replaces anything, and this exists; name another file",
                     beside(target, suffix).toStdString()};
    }
    const QString path = target + QStringLiteral(".new-%1").arg(::getpid());
    std::unique_ptr<NewStoreFile> made(new NewStoreFile(target, path));
    const File file(::open(nativePath(path).c_str(), O_RDWR | O_CREAT | O_EXCL | O_NOFOLLOW | O_CLOEXEC, 0600));
    if (!file.isOpen()) {
        made->m_isFinished = true; // it is not ours to take away
        return unavailable(std::string("its file cannot be made: ") + std::strerror(errno), path);
    }
    return made;
}

NewStoreFile::~NewStoreFile()
{
    if (m_isFinished)
        return;
    for (const auto suffix : {u"", u"-wal", u"-journal"})
        remove(beside(m_path, suffix));
    if (m_hasSides) {
        remove(beside(m_target, u".mark"));
        remove(beside(m_target, u".sentinel"));
    }
}

Result<void> NewStoreFile::finish(const MarkState &mark)
{
    if (exists(beside(m_path, u"-wal"))) // closing tells nobody when its last checkpoint failed
        return unavailable("its last pages could not be written; free space on its disk, or look at it", m_path);
    if (auto synced = syncPath(m_path, O_RDWR); !synced)
        return synced;
    if (auto made = Mark::create(m_target, mark); !made)
        return made;
    m_hasSides = true;
    if (auto cleared = clearSentinel(m_target); !cleared)
        return cleared;
    if (renameat2(AT_FDCWD, nativePath(m_path).c_str(), AT_FDCWD, nativePath(m_target).c_str(), RENAME_NOREPLACE) != 0)
        return unavailable(std::string("its file cannot be put in place: ") + std::strerror(errno), m_target);
    m_isFinished = true;
    return syncPath(QFileInfo(m_target).absolutePath(), O_RDONLY | O_DIRECTORY);
}

} // namespace handreset::store
