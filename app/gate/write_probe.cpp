#include "app/gate/write_probe.h"

#include <QFile>
#include <QFileInfo>

#include <array>
#include <cerrno>
#include <cstdlib>
#include <cstring>
#include <fcntl.h>
#include <unistd.h>

namespace handreset::gate {

namespace {

/// A file without a name; where the file system has no such thing, one whose name is taken away at once.
int openNameless(const std::string &folder)
{
    const int made = ::open(folder.c_str(), O_TMPFILE | O_WRONLY | O_CLOEXEC, 0600);
    if (made >= 0 || (errno != EOPNOTSUPP && errno != EISDIR))
        return made;
    std::string name = folder + "/.handreset-probe-XXXXXX";
    const int named = ::mkostemp(name.data(), O_CLOEXEC);
    if (named >= 0)
        ::unlink(name.c_str());
    return named;
}

} // namespace

std::string writeTrouble(const QString &storePath)
{
    const auto folder = QFile::encodeName(QFileInfo(storePath).absolutePath()).toStdString();
    const int file = openNameless(folder);
    if (file < 0)
        return std::string("no file can be made beside the store: ") + std::strerror(errno);
    const std::array<char, 4096> block{};
    const ssize_t done = ::write(file, block.data(), block.size());
    std::string trouble;
    if (done != static_cast<ssize_t>(block.size()))
        trouble = std::string("the store's disk takes no writes: ") + std::strerror(done < 0 ? errno : ENOSPC);
    else if (::fdatasync(file) != 0)
        trouble = std::string("the store's disk cannot be synced: ") + std::strerror(errno);
    ::close(file);
    return trouble;
}

} // namespace handreset::gate
