#include "model/store/open_files.h"

#include "model/store/file_checks.h"

#include <mutex>
#include <set>
#include <sys/stat.h>
#include <utility>

namespace handreset::store {

namespace {

/// One list a process, because the locks that it guards are one set a process.
struct Held {
    std::mutex mutex;
    std::set<std::pair<dev_t, ino_t>> files;
};

Held &held()
{
    static Held instance;
    return instance;
}

} // namespace

rules::Result<OpenFile> OpenFile::claim(const QString &path)
{
    struct stat status = {};
    if (lstat(nativePath(path).c_str(), &status) != 0)
        return missing(path);
    const std::lock_guard lock(held().mutex);
    if (!held().files.emplace(status.st_dev, status.st_ino).second)
        return unavailable("it is in use by this very process", path);
    return OpenFile(status.st_dev, status.st_ino);
}

OpenFile::~OpenFile()
{
    if (!m_holds)
        return;
    const std::lock_guard lock(held().mutex);
    held().files.erase({m_device, m_inode});
}

OpenFile::OpenFile(OpenFile &&other) noexcept
    : m_device(other.m_device), m_inode(other.m_inode), m_holds(std::exchange(other.m_holds, false))
{}

} // namespace handreset::store
