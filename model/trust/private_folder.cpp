#include "model/trust/private_folder.h"

#include "model/trust/secret_bytes.h"
#include "model/trust/text_fields.h"

#include <QDir>
#include <QFile>
#include <QFileInfo>

#include <algorithm>
#include <cerrno>
#include <cstdio>
#include <cstring>
#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>
#include <utility>

namespace handreset::trust {

using rules::Error;
using rules::ErrorCode;
using rules::Result;

namespace {

/// An open file that is closed when it goes.
class File {
public:
    explicit File(int descriptor) noexcept : m_descriptor(descriptor) {}
    ~File()
    {
        if (m_descriptor >= 0)
            ::close(m_descriptor);
    }
    File(const File &) = delete;
    File &operator=(const File &) = delete;
    [[nodiscard]] int get() const noexcept { return m_descriptor; }
    [[nodiscard]] bool isOpen() const noexcept { return m_descriptor >= 0; }

private:
    int m_descriptor;
};

std::string native(const QString &path)
{
    return QFile::encodeName(path).toStdString();
}

std::string cause(std::string_view what)
{
    return std::string(what) + ": " + std::strerror(errno);
}

/// What is wrong with whose it is and who has rights to it; empty: nothing.
std::string wrongRights(const struct stat &status, std::string_view mode)
{
    if (status.st_uid != geteuid())
        return "it belongs to another user (" + std::to_string(status.st_uid) + "); run as that user";
    if ((status.st_mode & 077U) != 0)
        return "group or others have rights to it; set them right: chmod " + std::string(mode);
    return {};
}

std::string wrongFile(const struct stat &status)
{
    if (!S_ISREG(status.st_mode))
        return "it is not a plain file";
    if (status.st_nlink != 1)
        return "it has further hard links, by which others could reach it; remove them";
    return wrongRights(status, "600");
}

/// Each folder that is missing, for the user alone; those that are there stay as they are.
bool makeFolders(const QString &path)
{
    if (QFileInfo::exists(path))
        return true;
    const QString above = QFileInfo(path).absolutePath();
    if (above == path || !makeFolders(above))
        return false;
    return mkdir(native(path).c_str(), 0700) == 0 || errno == EEXIST;
}

bool writeAll(int descriptor, std::string_view text)
{
    while (!text.empty()) {
        const ssize_t done = ::write(descriptor, text.data(), text.size());
        if (done < 0 && errno == EINTR)
            continue;
        if (done <= 0)
            return false;
        text.remove_prefix(static_cast<std::size_t>(done));
    }
    return true;
}

/// Moves only where nothing is; with a link where the file system knows no such move.
bool moveToFree(int folder, const std::string &from, const std::string &to)
{
    if (renameat2(folder, from.c_str(), folder, to.c_str(), RENAME_NOREPLACE) == 0)
        return true;
    if (errno != EINVAL && errno != ENOSYS)
        return false;
    return linkat(folder, from.c_str(), folder, to.c_str(), 0) == 0 && unlinkat(folder, from.c_str(), 0) == 0;
}

} // namespace

PrivateFolder::PrivateFolder(int descriptor, QString path, std::string what)
    : m_descriptor(descriptor), m_path(std::move(path)), m_what(std::move(what))
{}

PrivateFolder::PrivateFolder(PrivateFolder &&other) noexcept
    : m_descriptor(std::exchange(other.m_descriptor, -1)),
      m_path(std::move(other.m_path)),
      m_what(std::move(other.m_what))
{}

PrivateFolder::~PrivateFolder()
{
    if (m_descriptor >= 0)
        ::close(m_descriptor);
}

Result<PrivateFolder> PrivateFolder::open(const QString &path, std::string what)
{
    const std::string refused = "the folder of the " + what + "s is refused: ";
    const auto context = path.toStdString();
    PrivateFolder folder(::open(native(path).c_str(), O_RDONLY | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC), path,
                         std::move(what));
    if (folder.m_descriptor < 0 && errno == ENOENT)
        return Error{ErrorCode::NotFound, "there is no folder of " + folder.m_what + "s yet", context};
    if (folder.m_descriptor < 0 && (errno == ENOTDIR || errno == ELOOP))
        return Error{ErrorCode::Unavailable, refused + "it is a symbolic link or no folder; name the folder itself",
                     context};
    struct stat status = {};
    if (folder.m_descriptor < 0 || fstat(folder.m_descriptor, &status) != 0)
        return Error{ErrorCode::Unavailable, refused + cause("it cannot be opened"), context};
    if (const auto wrong = wrongRights(status, "700"); !wrong.empty())
        return Error{ErrorCode::Unavailable, refused + wrong, context};
    return folder;
}

Result<PrivateFolder> PrivateFolder::make(const QString &path, std::string what)
{
    if (!makeFolders(QFileInfo(path).absoluteFilePath()))
        return Error{ErrorCode::Unavailable, cause("the folder of the " + what + "s cannot be made"),
                     path.toStdString()};
    return open(path, std::move(what));
}

Error PrivateFolder::refused(std::string why, const std::string &name) const
{
    return {ErrorCode::Unavailable, "the " + m_what + " is refused: " + std::move(why), pathOf(name)};
}

std::string PrivateFolder::pathOf(const std::string &name) const
{
    return m_path.toStdString() + "/" + name;
}

Result<std::string> PrivateFolder::read(const std::string &name, std::size_t most) const
{
    // O_NONBLOCK: a pipe put there must not hold the program up.
    const File file(openat(m_descriptor, name.c_str(), O_RDONLY | O_NOFOLLOW | O_CLOEXEC | O_NONBLOCK));
    if (!file.isOpen() && errno == ENOENT)
        return Error{ErrorCode::NotFound, "there is no such " + m_what, pathOf(name)};
    if (!file.isOpen() && errno == ELOOP)
        return refused("it is a symbolic link; put the file itself there", name);
    struct stat status = {};
    if (!file.isOpen() || fstat(file.get(), &status) != 0)
        return refused(cause("it cannot be opened"), name);
    if (auto wrong = wrongFile(status); !wrong.empty())
        return refused(std::move(wrong), name);
    if (status.st_size > static_cast<off_t>(most))
        return refused("it is too large to be one", name);
    std::string text(most + 1, '\0');
    const ssize_t got = pread(file.get(), text.data(), text.size(), 0);
    if (got < 0)
        return refused(cause("it cannot be read"), name);
    text.resize(static_cast<std::size_t>(got));
    return text;
}

Result<void> PrivateFolder::write(const std::string &name, std::string_view text, Replace replace) const
{
    const std::string made = name + ".new-" + toHex(randomBytes(8));
    auto written = writeNew(made, text);
    if (written)
        written = place(made, name, replace);
    if (!written)
        unlinkat(m_descriptor, made.c_str(), 0);
    return written;
}

Result<void> PrivateFolder::writeNew(const std::string &name, std::string_view text) const
{
    const File file(
        openat(m_descriptor, name.c_str(), O_WRONLY | O_CREAT | O_EXCL | O_NOFOLLOW | O_CLOEXEC, S_IRUSR | S_IWUSR));
    if (!file.isOpen())
        return refused(cause("it cannot be made"), name);
    if (!writeAll(file.get(), text) || fsync(file.get()) != 0)
        return refused(cause("it cannot be written"), name);
    return {};
}

Result<void> PrivateFolder::place(const std::string &made, const std::string &name, Replace replace) const
{
    if (replace == Replace::Yes)
        return rename(made, name);
    if (!moveToFree(m_descriptor, made, name)) {
        if (errno == EEXIST)
            return Error{ErrorCode::Refused, "there is one already, and it is never overwritten", pathOf(name)};
        return refused(cause("it cannot be put in its place"), name);
    }
    return sync();
}

Result<void> PrivateFolder::rename(const std::string &from, const std::string &to) const
{
    if (renameat(m_descriptor, from.c_str(), m_descriptor, to.c_str()) != 0)
        return refused(cause("it cannot be put in its place"), to);
    return sync();
}

Result<void> PrivateFolder::sync() const
{
    if (fsync(m_descriptor) != 0)
        return Error{ErrorCode::Unavailable, cause("the folder of the " + m_what + "s cannot be synced"),
                     m_path.toStdString()};
    return {};
}

std::vector<std::string> PrivateFolder::names() const
{
    std::vector<std::string> names;
    for (const auto &name : QDir(m_path).entryList(QDir::Files | QDir::Hidden | QDir::System))
        names.push_back(native(name));
    std::sort(names.begin(), names.end());
    return names;
}

} // namespace handreset::trust
