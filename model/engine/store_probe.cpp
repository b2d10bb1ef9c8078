#include "model/engine/store_probe.h"

#include <QFile>

#include <sys/stat.h>
#include <sys/statvfs.h>

namespace handreset::engine {

StoreProbe::StoreProbe(const QString &path) : m_path(QFile::encodeName(path).toStdString())
{
    struct stat found {};
    if (m_path.empty() || stat(m_path.c_str(), &found) != 0)
        return;
    m_device = found.st_dev;
    m_file = found.st_ino;
}

std::string StoreProbe::trouble() const
{
    if (m_file == 0)
        return {};
    struct stat found {};
    if (stat(m_path.c_str(), &found) != 0)
        return "the store's file is gone from " + m_path;
    if (found.st_dev != m_device || found.st_ino != m_file)
        return "another file stands in the place of the store at " + m_path;
    struct statvfs system {};
    if (statvfs(m_path.c_str(), &system) == 0 && (system.f_flag & ST_RDONLY) != 0)
        return "the file system of the store has become read-only";
    return {};
}

} // namespace handreset::engine
