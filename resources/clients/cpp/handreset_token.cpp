#include "handreset_token.h"

#include <algorithm>
#include <array>
#include <cerrno>
#include <cstdlib>
#include <cstring>
#include <stdexcept>

#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

namespace handreset::client {

namespace {

constexpr std::size_t kLongestToken = 4096;

bool isToken(const std::string &text)
{
    return !text.empty() && text.size() <= kLongestToken
        && std::all_of(text.begin(), text.end(), [](char c) { return c > 0x20 && c < 0x7F; });
}

std::string fromEnvironment(const char *name)
{
    const char *found = std::getenv(name);
    return found != nullptr ? found : "";
}

/// A descriptor that closes itself.
class Opened {
public:
    // Without O_NONBLOCK a pipe would hold us up until somebody writes into it.
    explicit Opened(const std::string &path) : m_descriptor(::open(path.c_str(), O_RDONLY | O_CLOEXEC | O_NONBLOCK)) {}
    ~Opened()
    {
        if (m_descriptor >= 0)
            ::close(m_descriptor);
    }
    Opened(const Opened &) = delete;
    Opened &operator=(const Opened &) = delete;
    [[nodiscard]] int get() const noexcept { return m_descriptor; }

private:
    const int m_descriptor;
};

/// `named` says who named the file.
std::string readTokenFile(const std::string &path, const std::string &named)
{
    const auto fail = [&](const std::string &why) { throw std::invalid_argument(named + ", " + path + ": " + why); };
    const Opened file(path);
    struct stat kind {};
    if (file.get() < 0 || ::fstat(file.get(), &kind) != 0)
        fail(std::string("cannot be read: ") + std::strerror(errno));
    if (!S_ISREG(kind.st_mode))
        fail("not a plain file");
    std::array<char, kLongestToken + 3> buffer; // room for the end of the line, and for seeing that there is more
    const auto got = ::read(file.get(), buffer.data(), buffer.size());
    if (got < 0)
        fail(std::string("cannot be read: ") + std::strerror(errno));
    std::string token(buffer.data(), static_cast<std::size_t>(got));
    for (const char end : {'\n', '\r'})
        if (!token.empty() && token.back() == end)
            token.pop_back();
    if (!isToken(token))
        fail("it holds no token: one line of visible ASCII, without spaces");
    return token;
}

} // namespace

std::string findToken(const std::string &given, const std::string &file)
{
    if (!given.empty() && !file.empty())
        throw std::invalid_argument("a token or a token file, not both");
    if (!file.empty())
        return readTokenFile(file, "the token file");
    if (const auto named = fromEnvironment("HANDRESET_TOKEN_FILE"); given.empty() && !named.empty())
        return readTokenFile(named, "HANDRESET_TOKEN_FILE");
    auto token = given.empty() ? fromEnvironment("HANDRESET_TOKEN") : given;
    if (!isToken(token))
        throw std::invalid_argument("a token is needed: in the options, or HANDRESET_TOKEN_FILE or HANDRESET_TOKEN; it "
                                    "is visible ASCII, without spaces");
    return token;
}

} // namespace handreset::client
