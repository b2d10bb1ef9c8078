#include "model/store/file_checks.h"

#include "model/store/schema.h"

#include <QDir>
#include <QFile>
#include <QFileInfo>

#include <array>
#include <cerrno>
#include <cstring>
#include <fcntl.h>
#include <sys/stat.h>
#include <sys/statfs.h>
#include <unistd.h>

namespace handreset::store {

using rules::Error;
using rules::ErrorCode;
using rules::Result;

namespace {

constexpr std::size_t kHeadSize = 100;
constexpr std::string_view kMagic{"SQLite format 3\0", 16};

std::uint32_t bigEndian(const std::array<unsigned char, kHeadSize> &head, std::size_t at, std::size_t size = 4)
{
    std::uint32_t value = 0;
    for (std::size_t i = 0; i < size; ++i)
        value = value << 8U | head[at + i];
    return value;
}

std::string fileName(const QString &path)
{
    return QFileInfo(path).fileName().toStdString();
}

QString folderOf(const QString &path)
{
    return QFileInfo(path).absolutePath();
}

Result<void> checkPlain(const QString &path, const struct stat &status)
{
    if (S_ISLNK(status.st_mode))
        return unavailable("it is a symbolic link; name the file itself", path);
    if (!S_ISREG(status.st_mode))
        return unavailable("it is not a plain file", path);
    if (status.st_nlink != 1)
        return unavailable("it has further hard links, by which others could reach it; remove them", path);
    return {};
}

Result<void> checkOurs(const QString &path, const struct stat &status, std::string_view mode)
{
    if (status.st_uid != geteuid())
        return unavailable("it belongs to another user (" + std::to_string(status.st_uid) + "); run as that user",
                           path);
    if ((status.st_mode & 077U) != 0)
        return unavailable("group or others have rights to it; set them right: chmod " + std::string(mode), path);
    return {};
}

Result<void> checkFolder(const QString &folder)
{
    struct stat status = {};
    if (stat(nativePath(folder).c_str(), &status) != 0)
        return unavailable(std::string("its folder cannot be read: ") + std::strerror(errno), folder);
    if (auto ours = checkOurs(folder, status, "700"); !ours)
        return ours;
    struct statfs system = {};
    if (statfs(nativePath(folder).c_str(), &system) != 0)
        return unavailable(std::string("its file system cannot be told: ") + std::strerror(errno), folder);
    if (isNetworkFileSystem(system.f_type))
        return unavailable(
            "it lies on a network file system, where locks and syncs cannot be trusted; use a local disk", folder);
    return {};
}

/// Files that SQLite or we would write to: where they are there at all, they must be plain and ours.
Result<void> checkSideFiles(const QString &path)
{
    for (const auto suffix : {u"-wal", u"-journal", u"-shm", u".mark", u".sentinel"}) {
        const QString side = beside(path, suffix);
        struct stat status = {};
        if (lstat(nativePath(side).c_str(), &status) != 0)
            continue;
        if (auto plain = checkPlain(side, status); !plain)
            return plain;
        if (auto ours = checkOurs(side, status, "600"); !ours)
            return ours;
    }
    return {};
}

/// The file must have all the pages that its head promises, unless the WAL still holds some of them.
Result<void> checkLength(const QString &path, const std::array<unsigned char, kHeadSize> &head, off_t size)
{
    struct stat wal = {};
    if (lstat(nativePath(beside(path, u"-wal")).c_str(), &wal) == 0 && wal.st_size > 0)
        return {};
    const std::uint32_t stated = bigEndian(head, 16, 2);
    const std::uint64_t pageSize = stated == 1 ? 65536 : stated;
    const std::uint64_t pages = bigEndian(head, 28);
    const bool isCurrent = bigEndian(head, 24) == bigEndian(head, 92);
    if (pageSize < 512 || (isCurrent && pages * pageSize > static_cast<std::uint64_t>(size)))
        return unavailable("it is truncated: " + std::to_string(size) + " bytes of " + std::to_string(pages * pageSize)
                               + "; keep it and put a backup in its place",
                           path);
    return {};
}

/// Before whose it is and who may enter its folder: a file that is none of SQLite's is not ours to give advice on.
/// What cannot be read is left to the checks behind this one, and so is a store whose head is lost: a mark is beside
/// it.
Result<void> checkMagic(const QString &path)
{
    if (exists(beside(path, u".mark")))
        return {};
    const File file(::open(nativePath(path).c_str(), O_RDONLY | O_NOFOLLOW | O_CLOEXEC | O_NONBLOCK));
    std::array<char, kMagic.size()> begin{};
    const ssize_t got = file.isOpen() ? pread(file.get(), begin.data(), begin.size(), 0) : 0;
    if (got > 0
        && kMagic.substr(0, static_cast<std::size_t>(got))
            != std::string_view(begin.data(), static_cast<std::size_t>(got)))
        return unavailable("it is no Handreset store; name the file that `handresetctl init` made", path);
    return {};
}

Result<FileHead> readHead(const QString &path, off_t size)
{
    if (size == 0)
        return unavailable("it is empty; nothing was made of it: put a backup in its place", path);
    const File file(::open(nativePath(path).c_str(), O_RDONLY | O_NOFOLLOW | O_CLOEXEC));
    if (!file.isOpen())
        return unavailable(std::string("it cannot be read: ") + std::strerror(errno), path);
    std::array<unsigned char, kHeadSize> head{};
    const ssize_t got = pread(file.get(), head.data(), head.size(), 0);
    if (got != static_cast<ssize_t>(head.size()) || std::memcmp(head.data(), kMagic.data(), kMagic.size()) != 0)
        return unavailable("it is no SQLite file, or was cut off in its head; put a backup in its place", path);
    if (auto whole = checkLength(path, head, size); !whole)
        return whole.error();
    const FileHead found{static_cast<std::int32_t>(bigEndian(head, 68)),
                         static_cast<std::int32_t>(bigEndian(head, 60))};
    if (found.applicationId != kApplicationId)
        return unavailable("it belongs to another program (application id " + std::to_string(found.applicationId)
                               + "); name a store of Handreset",
                           path);
    if (found.userVersion > kSchemaVersion)
        return unavailable("it was written by a newer version (schema " + std::to_string(found.userVersion)
                               + ", this one knows " + std::to_string(kSchemaVersion) + "); use that version",
                           path);
    return found;
}

} // namespace

File::~File()
{
    if (m_descriptor >= 0)
        ::close(m_descriptor);
}

Error unavailable(std::string message, const QString &path)
{
    return {ErrorCode::Unavailable, "the store is refused: " + std::move(message), path.toStdString()};
}

Error missing(const QString &path)
{
    if (!exists(beside(path, u".mark")))
        return unavailable("there is none; `handresetctl init` makes one", path);
    return unavailable("its mark is here and it is not. It was deleted or moved away: put a backup in its place, then "
                       "`handresetctl accept-store`. Or making it was interrupted: remove "
                           + fileName(path) + ".mark and " + fileName(path) + ".sentinel beside it, and make it again",
                       path);
}

std::string nativePath(const QString &path)
{
    return QFile::encodeName(path).toStdString();
}

QString beside(const QString &path, QStringView suffix)
{
    return path + suffix.toString();
}

bool exists(const QString &path)
{
    struct stat status = {};
    return lstat(nativePath(path).c_str(), &status) == 0;
}

bool isNetworkFileSystem(std::int64_t type) noexcept
{
    constexpr std::array<std::int64_t, 12> known{
        0x6969,     // NFS
        0x517B,     // SMB
        0xFF534D42, // CIFS
        0xFE534D42, // SMB 2 and 3
        0x65735546, // FUSE: sshfs and its kind; what is behind it cannot be told
        0x01021997, // 9P
        0x5346414F, // AFS
        0x73757245, // Coda
        0x564C,     // NCP
        0x00C36400, // Ceph
        0x0BD00BD0, // Lustre
        0x47504653, // GPFS
    };
    const std::int64_t bits = type & 0xFFFFFFFFLL; // signed on some machines
    for (const std::int64_t one : known) {
        if (bits == one)
            return true;
    }
    return false;
}

Result<FileHead> checkFiles(const QString &path)
{
    struct stat status = {};
    if (lstat(nativePath(path).c_str(), &status) != 0) {
        if (errno == ENOENT || errno == ENOTDIR)
            return missing(path);
        return unavailable(std::string("it cannot be reached: ") + std::strerror(errno), path);
    }
    for (const auto &check : {checkPlain(path, status), checkMagic(path), checkOurs(path, status, "600"),
                              checkFolder(folderOf(path)), checkSideFiles(path)}) {
        if (!check)
            return check.error();
    }
    return readHead(path, status.st_size);
}

Result<void> checkOwnFile(int descriptor, const QString &path)
{
    struct stat status = {};
    if (fstat(descriptor, &status) != 0)
        return unavailable(std::string("it cannot be reached: ") + std::strerror(errno), path);
    if (auto plain = checkPlain(path, status); !plain)
        return plain;
    return checkOurs(path, status, "600");
}

Result<FileHead> checkForeignFile(const QString &path)
{
    struct stat status = {};
    if (lstat(nativePath(path).c_str(), &status) != 0)
        return unavailable(std::string("it cannot be reached: ") + std::strerror(errno), path);
    if (!S_ISREG(status.st_mode))
        return unavailable("it is not a plain file; name the file itself", path);
    return readHead(path, status.st_size);
}

Result<void> prepareFolder(const QString &path)
{
    const QString folder = folderOf(path);
    if (!exists(folder)) {
        if (!QDir().mkpath(QFileInfo(folder).absolutePath()))
            return unavailable("its folder cannot be made", folder);
        if (mkdir(nativePath(folder).c_str(), 0700) != 0)
            return unavailable(std::string("its folder cannot be made: ") + std::strerror(errno), folder);
    }
    return checkFolder(folder);
}

} // namespace handreset::store
