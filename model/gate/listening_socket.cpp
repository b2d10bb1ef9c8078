#include "model/gate/listening_socket.h"

#include <arpa/inet.h>
#include <fcntl.h>
#include <netinet/in.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/un.h>
#include <unistd.h>

#include <cerrno>
#include <cstddef>
#include <cstring>
#include <utility>

namespace handreset::gate {

using rules::Error;
using rules::ErrorCode;
using rules::Result;

namespace {

Error unavailable(const std::string &message, const std::string &where)
{
    return {ErrorCode::Unavailable, message, where};
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

/// The socket's folder, held open, and its address by way of it where the path is longer than an address can be.
class Place {
public:
    explicit Place(const std::string &path)
        : m_name(path.substr(path.rfind('/') + 1)), // npos + 1 is 0
          m_folder(::open(folderOf(path).c_str(), O_PATH | O_DIRECTORY | O_CLOEXEC))
    {
        const std::string byFolder = "/proc/self/fd/" + std::to_string(m_folder.get()) + "/" + m_name;
        const std::string &used = path.size() < sizeof(m_address.sun_path) ? path : byFolder;
        if (used.size() >= sizeof(m_address.sun_path) || m_name.empty())
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
    [[nodiscard]] bool setMode(mode_t mode) const { return fchmodat(m_folder.get(), m_name.c_str(), mode, 0) == 0; }
    bool remove() const { return unlinkat(m_folder.get(), m_name.c_str(), 0) == 0; }

private:
    static std::string folderOf(const std::string &path)
    {
        const std::size_t slash = path.rfind('/');
        return slash == std::string::npos ? "." : slash == 0 ? "/" : path.substr(0, slash);
    }

    std::string m_name;
    Descriptor m_folder;
    sockaddr_un m_address{};
    socklen_t m_length = 0;
};

int newSocket(int family)
{
    return ::socket(family, SOCK_STREAM | SOCK_CLOEXEC | SOCK_NONBLOCK, 0);
}

/// Looks at what is there already; an old socket of ours that nobody answers at goes.
Result<void> makeRoom(const Place &place, const std::string &path)
{
    struct stat status = {};
    if (!place.look(status))
        return errno == ENOENT ? Result<void>() : unavailable("it cannot be looked at: " + reason(), path);
    if (!S_ISSOCK(status.st_mode) || status.st_uid != geteuid())
        return unavailable("something else is where the agents' socket belongs; move it away", path);
    const Descriptor probe(newSocket(AF_UNIX));
    if (::connect(probe.get(), place.address(), place.length()) == 0 || errno != ECONNREFUSED)
        return unavailable("another gate answers at the agents' socket", path);
    if (!place.remove() && errno != ENOENT)
        return unavailable("the agents' socket of a gate that is gone cannot be taken away: " + reason(), path);
    return {};
}

/// The loopback address in `text`; false for any other.
bool readLoopback(const std::string &text, std::uint16_t port, sockaddr_storage &out, socklen_t &length)
{
    sockaddr_in four{};
    sockaddr_in6 six{};
    if (inet_pton(AF_INET, text == "localhost" ? "127.0.0.1" : text.c_str(), &four.sin_addr) == 1) {
        four.sin_family = AF_INET;
        four.sin_port = htons(port);
        std::memcpy(&out, &four, sizeof(four));
        length = sizeof(four);
        return ntohl(four.sin_addr.s_addr) >> 24U == 127;
    }
    if (inet_pton(AF_INET6, text.c_str(), &six.sin6_addr) != 1)
        return false;
    six.sin6_family = AF_INET6;
    six.sin6_port = htons(port);
    std::memcpy(&out, &six, sizeof(six));
    length = sizeof(six);
    return IN6_IS_ADDR_LOOPBACK(&six.sin6_addr);
}

std::uint16_t portOf(int descriptor)
{
    sockaddr_storage address{};
    socklen_t length = sizeof(address);
    if (getsockname(descriptor, reinterpret_cast<sockaddr *>(&address), &length) != 0)
        return 0;
    sockaddr_in four{}; // the port stands at the same place in both kinds
    std::memcpy(&four, &address, sizeof(four));
    return ntohs(four.sin_port);
}

} // namespace

Result<ListeningSocket> listenAtPath(const std::string &path, mode_t mode)
{
    const Place place(path);
    if (!place.isOpen())
        return unavailable("the folder of the agents' socket cannot be opened: " + reason(), path);
    if (!place.fits())
        return unavailable("the name of the agents' socket is empty or too long", path);
    if (const auto room = makeRoom(place, path); !room)
        return room.error();
    Descriptor listening(newSocket(AF_UNIX));
    // The mode of the descriptor, less the umask, becomes that of the file: never too wide, not even for a moment.
    if (!listening.isOpen() || fchmod(listening.get(), mode) != 0
        || ::bind(listening.get(), place.address(), place.length()) != 0)
        return unavailable("the agents' socket cannot be made: " + reason(), path);
    struct stat status = {};
    if (!place.setMode(mode) || !place.look(status) || ::listen(listening.get(), SOMAXCONN) != 0) {
        const std::string why = reason();
        place.remove();
        return unavailable("the agents' socket cannot be made: " + why, path);
    }
    return ListeningSocket{listening.release(), 0, status.st_dev, status.st_ino};
}

void removeSocketFile(const std::string &path, const ListeningSocket &socket)
{
    const Place place(path);
    struct stat status = {};
    if (place.isOpen() && place.look(status) && status.st_dev == socket.device && status.st_ino == socket.inode)
        place.remove();
}

Result<ListeningSocket> listenAtLoopback(const std::string &address, std::uint16_t port)
{
    const std::string where = address + " port " + std::to_string(port);
    sockaddr_storage wanted{};
    socklen_t length = 0;
    if (!readLoopback(address, port, wanted, length))
        return Error{ErrorCode::BadInput, "the agents' door listens on the loopback interface only: 127.0.0.1 or ::1",
                     where};
    Descriptor listening(newSocket(wanted.ss_family));
    const int on = 1;
    if (!listening.isOpen() || setsockopt(listening.get(), SOL_SOCKET, SO_REUSEADDR, &on, sizeof(on)) != 0
        || ::bind(listening.get(), reinterpret_cast<const sockaddr *>(&wanted), length) != 0
        || ::listen(listening.get(), SOMAXCONN) != 0)
        return unavailable("the agents' door cannot listen: " + reason(), where);
    ListeningSocket made;
    made.port = portOf(listening.get());
    made.descriptor = listening.release();
    return made;
}

} // namespace handreset::gate
