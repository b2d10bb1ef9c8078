#include "model/link/socket_path.h"

#include <QFile>
#include <QFileInfo>

#include <cerrno>
#include <cstddef>
#include <cstring>
#include <fcntl.h>
#include <string>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/un.h>
#include <unistd.h>
#include <utility>

namespace handreset::link {

using rules::Error;
using rules::ErrorCode;
using rules::Result;

namespace {

constexpr int kBacklog = 64;

Error unavailable(const std::string &message, const QString &path)
{
    return {ErrorCode::Unavailable, message, path.toStdString()};
}

std::string reason()
{
    return std::strerror(errno);
}

/// A descriptor that is closed when it goes.
class Descriptor {
public:
    explicit Descriptor(int descriptor) noexcept : m_descriptor(descriptor) {}
    ~Descriptor()
    {
        if (m_descriptor >= 0)
            ::close(m_descriptor);
    }
    Descriptor(const Descriptor &) = delete;
    Descriptor &operator=(const Descriptor &) = delete;
    [[nodiscard]] int get() const noexcept { return m_descriptor; }
    [[nodiscard]] bool isOpen() const noexcept { return m_descriptor >= 0; }
    [[nodiscard]] int release() noexcept { return std::exchange(m_descriptor, -1); }

private:
    int m_descriptor;
};

/// The socket's folder, held open, and its address by way of it where the path itself is too long.
class Place {
public:
    explicit Place(const QString &path)
        : m_name(QFile::encodeName(QFileInfo(path).fileName()).toStdString()),
          m_folder(
              ::open(QFile::encodeName(QFileInfo(path).absolutePath()).constData(), O_PATH | O_DIRECTORY | O_CLOEXEC))
    {
        const std::string whole = QFile::encodeName(QFileInfo(path).absoluteFilePath()).toStdString();
        const std::string byFolder = "/proc/self/fd/" + std::to_string(m_folder.get()) + "/" + m_name;
        const std::string &used = whole.size() < sizeof(m_address.sun_path) ? whole : byFolder;
        if (used.size() >= sizeof(m_address.sun_path))
            return;
        m_address.sun_family = AF_UNIX;
        used.copy(m_address.sun_path, used.size());
        m_length = static_cast<socklen_t>(offsetof(sockaddr_un, sun_path) + used.size() + 1);
    }
    [[nodiscard]] bool isOpen() const noexcept { return m_folder.isOpen(); }
    [[nodiscard]] bool fits() const noexcept { return m_length != 0; }
    [[nodiscard]] const sockaddr *address() const noexcept { return reinterpret_cast<const sockaddr *>(&m_address); }
    [[nodiscard]] socklen_t length() const noexcept { return m_length; }
    /// Of the file itself, no link followed.
    [[nodiscard]] bool look(struct stat &status) const
    {
        return fstatat(m_folder.get(), m_name.c_str(), &status, AT_SYMLINK_NOFOLLOW) == 0;
    }
    bool remove() const { return unlinkat(m_folder.get(), m_name.c_str(), 0) == 0; }

private:
    std::string m_name;
    Descriptor m_folder;
    sockaddr_un m_address{};
    socklen_t m_length = 0;
};

int newSocket()
{
    return ::socket(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC | SOCK_NONBLOCK, 0);
}

/// Looks at what is there already; an old socket of ours that nobody answers at goes.
Result<void> makeRoom(const Place &place, const QString &path)
{
    struct stat status = {};
    if (!place.look(status))
        return errno == ENOENT ? Result<void>() : unavailable("it cannot be looked at: " + reason(), path);
    if (!S_ISSOCK(status.st_mode) || status.st_uid != geteuid())
        return unavailable("something else is where the operators' socket belongs; move it away", path);
    const Descriptor probe(newSocket());
    if (::connect(probe.get(), place.address(), place.length()) == 0 || errno != ECONNREFUSED)
        return unavailable("another host answers at the operators' socket of this store", path);
    if (!place.remove() && errno != ENOENT)
        return unavailable("the operators' socket of a host that is gone cannot be taken away: " + reason(), path);
    return {};
}

} // namespace

QString socketPathOf(const QString &storePath)
{
    return QFileInfo(storePath).absoluteFilePath() + QStringLiteral(".link");
}

Result<ListeningSocket> listenAt(const QString &socketPath)
{
    const Place place(socketPath);
    if (!place.isOpen())
        return unavailable("the folder of the operators' socket cannot be opened: " + reason(), socketPath);
    if (!place.fits())
        return unavailable("the store's file name is too long for the operators' socket beside it", socketPath);
    if (const auto room = makeRoom(place, socketPath); !room)
        return room.error();
    Descriptor listening(newSocket());
    // The mode of the descriptor becomes that of the file, so that there is no moment in which others could connect.
    if (!listening.isOpen() || fchmod(listening.get(), 0600) != 0
        || ::bind(listening.get(), place.address(), place.length()) != 0 || ::listen(listening.get(), kBacklog) != 0)
        return unavailable("the operators' socket cannot be made: " + reason(), socketPath);
    struct stat status = {};
    if (!place.look(status))
        return unavailable("the operators' socket cannot be looked at: " + reason(), socketPath);
    return ListeningSocket{listening.release(), status.st_dev, status.st_ino};
}

void removeSocket(const QString &socketPath, const ListeningSocket &socket)
{
    const Place place(socketPath);
    struct stat status = {};
    if (place.isOpen() && place.look(status) && status.st_dev == socket.device && status.st_ino == socket.inode)
        place.remove();
}

Result<int> connectTo(const QString &socketPath)
{
    const Place place(socketPath);
    struct stat status = {};
    if (!place.isOpen() || !place.look(status)) {
        if (errno == ENOENT || errno == ENOTDIR)
            return Error{ErrorCode::NotFound, "no host is at work on this store", socketPath.toStdString()};
        return unavailable("the operators' socket cannot be reached: " + reason(), socketPath);
    }
    if (!place.fits())
        return unavailable("the store's file name is too long for the operators' socket beside it", socketPath);
    Descriptor connected(newSocket());
    if (!connected.isOpen() || ::connect(connected.get(), place.address(), place.length()) != 0) {
        if (errno == EACCES)
            return unavailable("the operators' socket is for the host's own user and root", socketPath);
        return unavailable("no host answers at the operators' socket: " + reason(), socketPath);
    }
    if (peerOf(connected.get()) != status.st_uid)
        return unavailable("who answers at the operators' socket is not its owner", socketPath);
    return connected.release();
}

std::optional<uid_t> peerOf(int descriptor)
{
    ucred peer{};
    socklen_t size = sizeof(peer);
    if (getsockopt(descriptor, SOL_SOCKET, SO_PEERCRED, &peer, &size) != 0)
        return std::nullopt;
    return peer.uid;
}

} // namespace handreset::link
