#include "model/gate/http_head.h"

#include "model/gate/http_characters.h"

#include <algorithm>
#include <arpa/inet.h>
#include <array>
#include <string>

namespace handreset::gate {

namespace {

constexpr std::string_view kMalformed = "malformed_head";
/// A request line is its target, a method, a version and two spaces.
constexpr std::size_t kRoomBesideTarget = 64;
constexpr std::size_t kMostLengthDigits = 19; // 2^63 - 1 has as many

Problem malformed(std::string_view text)
{
    return {400, kMalformed, text};
}

std::string_view trimmed(std::string_view text)
{
    while (!text.empty() && isBlank(text.front()))
        text.remove_prefix(1);
    while (!text.empty() && isBlank(text.back()))
        text.remove_suffix(1);
    return text;
}

/// The fields that mean something here. One may stand in a head once only, but for Connection.
enum Field : std::size_t {
    Host,
    ContentLength,
    TransferEncoding,
    Connection,
    Expect,
    Origin,
    ContentType,
    ContentEncoding,
    Authorization,
    kFields
};

constexpr std::array<std::string_view, kFields> kNames{"host",         "content-length",   "transfer-encoding",
                                                       "connection",   "expect",           "origin",
                                                       "content-type", "content-encoding", "authorization"};

struct Fields {
    std::array<std::optional<std::string_view>, kFields> values;
    bool saysClose = false;
    bool saysKeepAlive = false;
};

void readConnection(std::string_view value, Fields &fields)
{
    while (!value.empty()) {
        const std::size_t comma = std::min(value.find(','), value.size());
        const std::string_view option = trimmed(value.substr(0, comma));
        fields.saysClose |= equalsLower(option, "close");
        fields.saysKeepAlive |= equalsLower(option, "keep-alive");
        value.remove_prefix(std::min(comma + 1, value.size()));
    }
}

std::optional<Problem> readField(std::string_view line, Fields &fields)
{
    const std::size_t colon = line.find(':');
    if (colon == std::string_view::npos)
        return malformed("A line of the head is no field: it has no colon.");
    const std::string_view name = line.substr(0, colon);
    // Folded lines, blanks before the colon and empty names end here: a blank is no character of a name.
    if (!isToken(name))
        return malformed("The name of a field is empty or has a character that names cannot have.");
    const auto known = std::find_if(kNames.begin(), kNames.end(),
                                    [name](std::string_view other) { return equalsLower(name, other); });
    if (known == kNames.end())
        return std::nullopt;
    const auto field = static_cast<std::size_t>(known - kNames.begin());
    const std::string_view value = trimmed(line.substr(colon + 1));
    if (field == Connection)
        readConnection(value, fields);
    else if (fields.values[field])
        return malformed("A field stands in the head twice that may stand there once.");
    fields.values[field] = value;
    return std::nullopt;
}

bool isServed(std::string_view method)
{
    constexpr std::array<std::string_view, 7> served{"GET", "POST", "HEAD", "PUT", "PATCH", "DELETE", "OPTIONS"};
    return std::find(served.begin(), served.end(), method) != served.end();
}

bool isVersion(std::string_view text)
{
    return text.size() == 8 && text.starts_with("HTTP/") && isDigit(text[5]) && text[6] == '.' && isDigit(text[7]);
}

/// host [":" port], as RFC 3986 spells them.
bool isAuthority(std::string_view text)
{
    std::size_t end = 0;
    if (text.starts_with('[')) {
        while (++end < text.size() && (isHexDigit(text[end]) || text[end] == ':' || text[end] == '.'))
            ;
        if (end < 3 || end >= text.size() || text[end] != ']')
            return false;
        ++end;
    } else {
        end = std::min(text.find(':'), text.size());
        if (!isTargetText(text.substr(0, end)) || text.substr(0, end).find_first_of("/?@") != std::string_view::npos)
            return false;
    }
    if (end == text.size())
        return true;
    const std::string_view port = text.substr(end + 1);
    return text[end] == ':' && port.size() <= 5 && std::all_of(port.begin(), port.end(), isDigit)
        && (port.size() < 5 || port <= "65535");
}

/// Names of this machine that no name server can point elsewhere, or from elsewhere to here.
bool isOwnName(std::string_view authority)
{
    const std::size_t port = authority.find(':', authority.starts_with('[') ? authority.find(']') : 0);
    const std::string_view host = authority.substr(0, port);
    in_addr four{}; // any address of the loopback network, spelt in full: no page's name resolves to itself
    const bool isLoopback
        = inet_pton(AF_INET, std::string(host).c_str(), &four) == 1 && (ntohl(four.s_addr) >> 24U) == 127;
    return equalsLower(host, "localhost") || isLoopback || host == "[::1]";
}

std::optional<Problem> checkAuthority(std::string_view authority, Door door)
{
    if (!isAuthority(authority))
        return malformed("The host is not spelled as a host.");
    if (door == Door::Tcp && !isOwnName(authority))
        return Problem{400, "foreign_host",
                       "The host must be localhost, 127.0.0.1 or another address of it, or [::1] here."};
    return std::nullopt;
}

/// Leaves in `target` what the routes shall see.
std::optional<Problem> readTarget(std::string_view &target, std::string_view method, Door door)
{
    constexpr std::string_view scheme = "http://";
    if (target == "*" && method == "OPTIONS")
        return std::nullopt;
    if (target.size() > scheme.size() && equalsLower(target.substr(0, scheme.size()), scheme)) {
        target.remove_prefix(scheme.size());
        const std::size_t end = std::min(target.find_first_of("/?#"), target.size());
        if (end == 0)
            return malformed("The target has no host.");
        if (auto problem = checkAuthority(target.substr(0, end), door))
            return problem;
        target.remove_prefix(end);
        if (target.empty())
            target = "/";
    }
    if (!target.starts_with('/') || !isTargetText(target))
        return malformed("The target is not a path that begins with / and is spelled as RFC 3986 says.");
    return std::nullopt;
}

std::optional<Problem> readRequestLine(std::string_view line, Door door, const Limits &limits, Head &out)
{
    const std::size_t first = line.find(' ');
    const std::size_t last = line.rfind(' ');
    if (first == std::string_view::npos || first == last)
        return malformed("The request line is not a method, a target and a version with one space between them.");
    const std::string_view version = line.substr(last + 1);
    out.method = line.substr(0, first);
    out.target = line.substr(first + 1, last - first - 1);
    if (!isToken(out.method) || !isVersion(version) || out.target.find_first_of(" \t") != std::string_view::npos)
        return malformed("The request line is not a method, a target and a version with one space between them.");
    if (version != "HTTP/1.1" && version != "HTTP/1.0")
        return Problem{505, "http_version", "HTTP/1.1 and HTTP/1.0 are spoken here."};
    out.isHttp10 = version == "HTTP/1.0";
    if (!isServed(out.method))
        return Problem{501, "unknown_method", "This method is not known here."};
    if (out.target.size() > limits.target)
        return Problem{414, "target_too_long", "The target is too long."};
    return readTarget(out.target, out.method, door);
}

std::optional<Problem> readLength(std::string_view text, Head &out)
{
    std::uint64_t length = 0;
    if (text.empty() || text.size() > kMostLengthDigits || !std::all_of(text.begin(), text.end(), isDigit))
        return malformed("Content-Length is not a number of bytes.");
    for (const char digit : text)
        length = length * 10 + static_cast<std::uint64_t>(digit - '0');
    if (length > static_cast<std::uint64_t>(INT64_MAX))
        return malformed("Content-Length is not a number of bytes.");
    out.contentLength = length;
    out.framing = length == 0 ? Framing::None : Framing::Length;
    return std::nullopt;
}

/// RFC 9112, 6.1 and 6.3. Anything but the one word is refused: what is not understood would leave a body behind that
/// the next reader takes for a request.
std::optional<Problem> readCoding(std::string_view text, Head &out)
{
    if (out.isHttp10)
        return malformed("HTTP/1.0 has no Transfer-Encoding.");
    if (equalsLower(text, "chunked")) {
        out.framing = Framing::Chunked;
        return std::nullopt;
    }
    const std::size_t comma = text.rfind(',');
    if (comma != std::string_view::npos && equalsLower(trimmed(text.substr(comma + 1)), "chunked")
        && isToken(trimmed(text.substr(0, comma))) && !equalsLower(trimmed(text.substr(0, comma)), "chunked"))
        return Problem{501, "transfer_coding", "Of the transfer codings only chunked is known here."};
    return Problem{400, "transfer_coding", "The body's end cannot be told: Transfer-Encoding must be chunked."};
}

std::optional<Problem> readFraming(const Fields &fields, Head &out)
{
    const auto &length = fields.values[ContentLength];
    const auto &coding = fields.values[TransferEncoding];
    if (length && coding)
        return malformed("Content-Length and Transfer-Encoding stand in one head.");
    if (length)
        return readLength(*length, out);
    if (coding)
        return readCoding(*coding, out);
    return std::nullopt;
}

std::optional<Problem> judge(const Fields &fields, Door door, Head &out)
{
    if (const auto &host = fields.values[Host]) {
        if (auto problem = checkAuthority(*host, door))
            return problem;
    } else if (!out.isHttp10) {
        return malformed("HTTP/1.1 needs a Host.");
    }
    if (auto problem = readFraming(fields, out))
        return problem;
    if (fields.values[Origin])
        return Problem{403, "browser_origin", "Requests of web pages are refused here."};
    if (const auto &expect = fields.values[Expect]) {
        if (!equalsLower(*expect, "100-continue"))
            return Problem{417, "expectation", "Of the expectations only 100-continue is met here."};
        out.expectContinue = !out.isHttp10 && out.framing != Framing::None;
    }
    out.keepAlive = !fields.saysClose && (!out.isHttp10 || fields.saysKeepAlive);
    out.contentType = fields.values[ContentType].value_or(std::string_view());
    out.contentEncoding = fields.values[ContentEncoding].value_or(std::string_view());
    out.authorization = fields.values[Authorization].value_or(std::string_view());
    return std::nullopt;
}

} // namespace

HeadScanner::State HeadScanner::wrong(int status, std::string_view code, std::string_view text)
{
    m_problem = {status, code, text};
    return State::Wrong;
}

HeadScanner::State HeadScanner::endOfLine(std::size_t lineLength)
{
    const bool isEmpty = lineLength == 0;
    if (isEmpty && m_lines > 0)
        return State::Whole;
    if (isEmpty && m_start > 0)
        return wrong(400, kMalformed, "Empty lines stand before the request.");
    m_lineStart = m_at;
    if (isEmpty)
        m_start = m_at;
    else
        ++m_lines;
    if (m_lines > m_limits->headers + 1)
        return wrong(431, "head_too_large", "The head has too many fields.");
    return State::More;
}

std::size_t HeadScanner::bound() const noexcept
{
    const std::size_t head = m_start + m_limits->head;
    return m_lines > 0 ? head : std::min(head, m_lineStart + m_limits->target + kRoomBesideTarget);
}

HeadScanner::State HeadScanner::scan(std::string_view bytes)
{
    if (!m_problem.code.empty())
        return State::Wrong;
    while (m_at < bytes.size()) {
        if (!m_afterCr) { // what means nothing here is stepped over at once
            const std::size_t end = std::min(bytes.size(), bound());
            while (m_at < end && !isControl(bytes[m_at]))
                ++m_at;
            if (m_at == bytes.size())
                break;
        }
        if (m_at >= m_start + m_limits->head)
            return wrong(431, "head_too_large", "The head is too large.");
        if (m_at >= bound())
            return wrong(414, "target_too_long", "The request line is too long.");
        const char byte = bytes[m_at];
        if (m_afterCr != (byte == '\n'))
            return wrong(400, kMalformed, "A line of the head does not end in CR LF.");
        ++m_at;
        m_afterCr = byte == '\r';
        if (byte == '\n') {
            if (const State state = endOfLine(m_at - m_lineStart - 2); state != State::More)
                return state;
        } else if (isControl(byte) && byte != '\r' && byte != '\t') {
            return wrong(400, kMalformed, "The head has a control character.");
        }
    }
    return State::More;
}

std::optional<Problem> readHead(std::string_view head, Door door, const Limits &limits, Head &out)
{
    out = Head();
    Fields fields;
    bool isRequestLine = true;
    while (!head.empty()) {
        const std::size_t end = head.find("\r\n");
        if (end == std::string_view::npos)
            return malformed("A line of the head does not end in CR LF.");
        const std::string_view line = head.substr(0, end);
        head.remove_prefix(end + 2);
        if (line.empty() && !isRequestLine)
            break;
        if (auto problem = isRequestLine ? readRequestLine(line, door, limits, out) : readField(line, fields))
            return problem;
        isRequestLine = false;
    }
    return judge(fields, door, out);
}

} // namespace handreset::gate
