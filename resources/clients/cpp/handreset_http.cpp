#include "handreset_http.h"

#include <algorithm>
#include <array>
#include <cerrno>
#include <charconv>
#include <cstdint>
#include <cstring>
#include <stdexcept>
#include <system_error>
#include <thread>

#include <arpa/inet.h>
#include <fcntl.h>
#include <netinet/in.h>
#include <netinet/tcp.h>
#include <poll.h>
#include <sys/socket.h>
#include <sys/un.h>
#include <unistd.h>

namespace handreset::client {

namespace {

using namespace std::chrono_literals;

constexpr std::size_t kLargestHead = std::size_t{16} * 1024;
constexpr std::size_t kMostKept = 8;

char lower(char c)
{
    return c >= 'A' && c <= 'Z' ? static_cast<char>(c + 32) : c;
}

std::string lowered(std::string_view text)
{
    std::string out(text);
    std::transform(out.begin(), out.end(), out.begin(), lower);
    return out;
}

std::string_view trimmed(std::string_view text)
{
    const auto begin = std::min(text.find_first_not_of(" \t"), text.size());
    const auto end = text.find_last_not_of(" \t");
    return end == std::string_view::npos ? std::string_view() : text.substr(begin, end - begin + 1);
}

/// Digits and nothing else; at most nine of them.
std::optional<std::size_t> wholeNumber(std::string_view text)
{
    std::size_t value = 0;
    if (text.empty() || text.size() > 9)
        return std::nullopt;
    const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), value);
    if (error != std::errc() || end != text.data() + text.size())
        return std::nullopt;
    return value;
}

bool isToken(std::string_view name)
{
    constexpr std::string_view kSigns = "!#$%&'*+-.^_`|~";
    return !name.empty() && std::all_of(name.begin(), name.end(), [&](char c) {
        return (c >= '0' && c <= '9') || (lower(c) >= 'a' && lower(c) <= 'z')
            || kSigns.find(c) != std::string_view::npos;
    });
}

std::string wordsOf(int error)
{
    return std::generic_category().message(error); // strerror that threads may share
}

/// Waits until the descriptor is ready; false where the time is over.
bool waitFor(int descriptor, short events, std::chrono::steady_clock::time_point until)
{
    for (;;) {
        const auto left = std::chrono::ceil<std::chrono::milliseconds>(until - std::chrono::steady_clock::now());
        if (left.count() <= 0)
            return false;
        pollfd waiting{descriptor, events, 0};
        const int ready = ::poll(&waiting, 1, static_cast<int>(std::min<long long>(left.count(), 3600000)));
        if (ready > 0)
            return true;
        if (ready < 0 && errno != EINTR)
            return true; // the next call on it says what is wrong
    }
}

} // namespace

AnswerReader::State AnswerReader::feed(std::string_view data)
{
    m_hasBegun = m_hasBegun || !data.empty();
    m_data += data;
    while (!m_headIsRead) {
        const auto end = m_data.find("\r\n\r\n");
        if (std::min(end, m_data.size()) > kLargestHead)
            return State::Malformed;
        if (end == std::string::npos)
            return State::Unfinished;
        if (!readHead(std::string_view(m_data).substr(0, end)))
            return State::Malformed;
        m_data.erase(0, end + 4);
        m_headIsRead = m_answer.status >= 200; // 100 Continue and its like: the answer is still to come
    }
    if (m_data.size() > *m_length)
        return State::Malformed; // more than one answer
    if (m_data.size() < *m_length)
        return State::Unfinished;
    m_answer.body = std::move(m_data);
    return State::Whole;
}

bool AnswerReader::readHead(std::string_view head)
{
    m_length.reset();
    m_answer.retryAfter.reset();
    const auto first = head.substr(0, head.find("\r\n"));
    const bool isKnown = first.substr(0, 7) == "HTTP/1." && first.size() >= 12 && (first[7] == '0' || first[7] == '1')
        && first[8] == ' ' && (first.size() == 12 || first[12] == ' ');
    const auto status = isKnown ? wholeNumber(first.substr(9, 3)) : std::nullopt;
    if (!status || *status < 100 || *status > 599 || *status == 101)
        return false;
    m_answer.status = static_cast<int>(*status);
    m_isKept = first[7] == '1';
    for (auto rest = head.substr(first.size()); !rest.empty();) {
        rest.remove_prefix(2);
        const auto line = rest.substr(0, rest.find("\r\n"));
        if (!readHeader(line))
            return false;
        rest.remove_prefix(line.size());
    }
    if (m_answer.status < 200 || m_answer.status == 204 || m_answer.status == 304)
        m_length = 0;
    return m_length && *m_length <= kLargestBody;
}

bool AnswerReader::readHeader(std::string_view line)
{
    const auto colon = line.find(':');
    if (colon == std::string_view::npos || !isToken(line.substr(0, colon)))
        return false;
    const auto name = lowered(line.substr(0, colon));
    const auto value = trimmed(line.substr(colon + 1));
    if (name == "transfer-encoding")
        return false; // the gate always says the length
    if (name == "content-length") {
        const bool isSecond = m_length.has_value();
        m_length = wholeNumber(value);
        return m_length && !isSecond;
    }
    if (name == "retry-after") {
        if (const auto seconds = wholeNumber(value))
            m_answer.retryAfter = static_cast<double>(*seconds);
    } else if (name == "connection" && lowered(value).find("close") != std::string::npos) {
        m_isKept = false;
    }
    return true;
}

Address Address::parse(const std::string &text)
{
    Address address;
    if (text.compare(0, 5, "unix:") == 0) {
        address.path = text.substr(5);
        if (address.path.empty() || address.path.front() != '/' || address.path.size() >= sizeof(sockaddr_un{}.sun_path)
            || address.path.find('\0') != std::string::npos)
            throw std::invalid_argument("a Unix socket is named by its whole path, of at most 107 bytes");
        return address;
    }
    auto rest = std::string_view(text);
    constexpr std::string_view kScheme = "http://";
    if (rest.substr(0, kScheme.size()) != kScheme)
        throw std::invalid_argument("the gate's address is unix:/path or http://127.0.0.1:PORT");
    rest.remove_prefix(kScheme.size());
    if (!rest.empty() && rest.back() == '/')
        rest.remove_suffix(1);
    address.name = rest;
    const auto colon = rest.rfind(':');
    const auto port = colon != std::string_view::npos ? wholeNumber(rest.substr(colon + 1)) : std::nullopt;
    if (!port || *port == 0 || *port > 65535)
        throw std::invalid_argument("the gate's address is unix:/path or http://127.0.0.1:PORT");
    address.port = static_cast<int>(*port);
    address.host = rest.substr(0, colon);
    if (address.host == "localhost")
        address.host = "127.0.0.1";
    if (address.host == "[::1]")
        address.host = "::1";
    in_addr four{};
    const bool isLoopback = address.host == "::1"
        || (inet_pton(AF_INET, address.host.c_str(), &four) == 1 && (ntohl(four.s_addr) >> 24U) == 127);
    if (!isLoopback)
        throw std::invalid_argument(address.host
                                    + " is not this machine; the gate is asked over a Unix socket or loopback only");
    return address;
}

Lines::Lines(Address address, std::chrono::milliseconds timeout) : m_address(std::move(address)), m_timeout(timeout) {}

Lines::~Lines()
{
    closeAll();
}

void Lines::closeAll()
{
    const std::lock_guard lock(m_mutex);
    for (const auto &line : m_kept)
        ::close(line.descriptor);
    m_kept.clear();
}

int Lines::takeKept()
{
    const std::lock_guard lock(m_mutex);
    while (!m_kept.empty()) {
        const auto line = m_kept.back();
        m_kept.pop_back();
        pollfd idle{line.descriptor, POLLIN, 0};
        // After a fork the parent speaks on the same socket. Readable while nothing was asked: closed, or garbage.
        if (line.process == ::getpid() && ::poll(&idle, 1, 0) == 0)
            return line.descriptor;
        ::close(line.descriptor);
    }
    return -1;
}

void Lines::keep(int descriptor)
{
    const std::lock_guard lock(m_mutex);
    if (m_kept.size() < kMostKept)
        m_kept.push_back({descriptor, ::getpid()});
    else
        ::close(descriptor);
}

int Lines::connect(Until until, std::string &why) const
{
    sockaddr_storage storage{};
    socklen_t size = 0;
    if (!m_address.path.empty()) {
        auto *place = reinterpret_cast<sockaddr_un *>(&storage);
        place->sun_family = AF_UNIX;
        std::memcpy(place->sun_path, m_address.path.c_str(), m_address.path.size() + 1);
        size = sizeof(sockaddr_un);
    } else if (m_address.host == "::1") {
        auto *place = reinterpret_cast<sockaddr_in6 *>(&storage);
        place->sin6_family = AF_INET6;
        place->sin6_port = htons(static_cast<std::uint16_t>(m_address.port));
        place->sin6_addr = in6addr_loopback;
        size = sizeof(sockaddr_in6);
    } else {
        auto *place = reinterpret_cast<sockaddr_in *>(&storage);
        place->sin_family = AF_INET;
        place->sin_port = htons(static_cast<std::uint16_t>(m_address.port));
        inet_pton(AF_INET, m_address.host.c_str(), &place->sin_addr);
        size = sizeof(sockaddr_in);
    }
    const int descriptor = ::socket(storage.ss_family, SOCK_STREAM | SOCK_CLOEXEC | SOCK_NONBLOCK, 0);
    int error = descriptor < 0 ? errno : 0;
    while (descriptor >= 0) {
        error = ::connect(descriptor, reinterpret_cast<sockaddr *>(&storage), size) == 0 ? 0 : errno;
        if (error == EAGAIN && std::chrono::steady_clock::now() < until) {
            std::this_thread::sleep_for(2ms); // a Unix socket whose queue is full says so at once
            continue;
        }
        if (error == EINPROGRESS) {
            error = ETIMEDOUT;
            socklen_t length = sizeof error;
            if (waitFor(descriptor, POLLOUT, until))
                ::getsockopt(descriptor, SOL_SOCKET, SO_ERROR, &error, &length);
        }
        break;
    }
    if (error != 0) {
        why = wordsOf(error);
        if (descriptor >= 0)
            ::close(descriptor);
        return -1;
    }
    if (m_address.path.empty()) {
        const int on = 1;
        ::setsockopt(descriptor, IPPROTO_TCP, TCP_NODELAY, &on, sizeof on);
    }
    return descriptor;
}

Lines::End Lines::talk(int descriptor, std::string_view request, Until until, AnswerReader &reader, std::string &why)
{
    while (!request.empty()) {
        if (!waitFor(descriptor, POLLOUT, until))
            return End::Late;
        const auto written = ::send(descriptor, request.data(), request.size(), MSG_NOSIGNAL);
        if (written >= 0) {
            request.remove_prefix(static_cast<std::size_t>(written));
        } else if (errno != EAGAIN && errno != EINTR) {
            why = wordsOf(errno);
            return errno == EPIPE || errno == ECONNRESET ? End::Closed : End::Failed;
        }
    }
    std::array<char, 16384> buffer;
    for (;;) {
        if (!waitFor(descriptor, POLLIN, until))
            return End::Late;
        const auto got = ::recv(descriptor, buffer.data(), buffer.size(), 0);
        if (got < 0 && (errno == EAGAIN || errno == EINTR))
            continue;
        if (got <= 0) {
            why = got == 0 ? "the connection was closed before the answer was whole" : wordsOf(errno);
            return End::Closed;
        }
        switch (reader.feed({buffer.data(), static_cast<std::size_t>(got)})) {
        case AnswerReader::State::Unfinished:
            break;
        case AnswerReader::State::Whole:
            return End::Answered;
        case AnswerReader::State::Malformed:
            why = "malformed answer";
            return End::Malformed;
        }
    }
}

Reply Lines::exchange(std::string_view request)
{
    const auto until = std::chrono::steady_clock::now() + m_timeout;
    Reply reply;
    for (;;) {
        const int kept = takeKept();
        const int descriptor = kept >= 0 ? kept : connect(until, reply.why);
        if (descriptor < 0)
            return reply;
        reply.sent = true;
        AnswerReader reader;
        const auto end = talk(descriptor, request, until, reader, reply.why);
        if (end == End::Answered) {
            if (reader.isKept())
                keep(descriptor);
            else
                ::close(descriptor);
            reply.answer = std::move(reader.answer());
            return reply;
        }
        ::close(descriptor);
        // A kept connection that the gate had closed meanwhile is no try of its own.
        if (end == End::Closed && kept >= 0 && !reader.hasBegun())
            continue;
        if (end == End::Late)
            reply.why = "no answer within " + std::to_string(m_timeout.count()) + " ms";
        return reply;
    }
}

} // namespace handreset::client
