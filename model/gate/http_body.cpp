#include "model/gate/http_body.h"

#include "model/gate/http_characters.h"

#include <algorithm>

namespace handreset::gate {

namespace {

constexpr std::size_t kMostSizeDigits = 16;
/// Kept ready for a body of known length; a longer one grows as it comes, for a length is only a claim.
constexpr std::uint64_t kReady = std::uint64_t{16} * 1024;
constexpr std::string_view kTooLong = "The body is too long.";

unsigned hexValue(char digit)
{
    return static_cast<unsigned>(isDigit(digit) ? digit - '0' : lower(digit) - 'a' + 10);
}

} // namespace

BodyReader::State BodyReader::wrong(int status, std::string_view text)
{
    m_problem = {status, status == 413 ? "body_too_large" : "malformed_body", text};
    m_state = State::Wrong;
    return m_state;
}

BodyReader::State BodyReader::start(const Head &head)
{
    *this = BodyReader(*m_limits);
    if (head.framing == Framing::None)
        return m_state;
    m_state = State::More;
    m_at = head.framing == Framing::Chunked ? At::Size : At::Length;
    m_left = head.contentLength;
    if (head.framing == Framing::Length && m_left > m_limits->body)
        return wrong(413, kTooLong);
    return m_state;
}

BodyReader::State BodyReader::take(std::string_view bytes, std::size_t &used, std::string &body)
{
    const auto count = static_cast<std::size_t>(std::min<std::uint64_t>(m_left, bytes.size() - used));
    if (body.empty() && m_at == At::Length)
        body.reserve(static_cast<std::size_t>(std::min(m_left, kReady)));
    body.append(bytes.substr(used, count));
    used += count;
    m_left -= count;
    if (m_left == 0 && m_at == At::Length)
        m_state = State::Whole;
    else if (m_left == 0)
        m_at = At::DataCr;
    return m_state;
}

BodyReader::State BodyReader::read(std::string_view bytes, std::size_t &used, std::string &body)
{
    used = 0;
    while (m_state == State::More && used < bytes.size()) {
        if (m_at == At::Length || m_at == At::Data) {
            take(bytes, used, body);
            continue;
        }
        if (++m_framing > m_limits->chunkFraming)
            return wrong(413, "The body's chunks, extensions and trailers are too long.");
        step(bytes[used++]);
    }
    return m_state;
}

BodyReader::State BodyReader::sizeDigit(char byte)
{
    if (isHexDigit(byte)) {
        if (m_line > kMostSizeDigits)
            return wrong(400, "A chunk's size has too many digits.");
        m_left = m_left * 16 + hexValue(byte);
        return m_left > m_limits->body - m_data ? wrong(413, kTooLong) : m_state;
    }
    if (m_line == 1 || (byte != ';' && byte != '\r'))
        return wrong(400, "A chunk's size is not a hexadecimal number.");
    m_at = byte == '\r' ? At::SizeLf : At::Extension;
    return m_state;
}

BodyReader::State BodyReader::step(char byte)
{
    switch (m_at) {
    case At::Size:
    case At::Extension:
        if (++m_line > m_limits->chunkLine)
            return wrong(400, "A chunk's extensions are too long.");
        if (m_at == At::Size)
            return sizeDigit(byte);
        if (byte == '\r')
            m_at = At::SizeLf;
        else if (isControl(byte) && byte != '\t')
            return wrong(400, "A chunk's extension has a control character.");
        return m_state;
    case At::SizeLf:
        if (byte != '\n')
            return wrong(400, "A chunk's size does not end in CR LF.");
        m_data += static_cast<std::size_t>(m_left);
        m_at = m_left == 0 ? At::TrailerStart : At::Data;
        return m_state;
    case At::DataCr:
    case At::DataLf:
        if (byte != (m_at == At::DataCr ? '\r' : '\n'))
            return wrong(400, "A chunk is longer than its size.");
        m_at = m_at == At::DataCr ? At::DataLf : At::Size;
        m_line = 0;
        return m_state;
    case At::TrailerStart:
    case At::TrailerName:
    case At::TrailerValue:
    case At::TrailerLf:
    case At::LastLf:
        return trailerStep(byte);
    case At::Length:
    case At::Data:
        break;
    }
    return m_state;
}

BodyReader::State BodyReader::trailerStep(char byte)
{
    switch (m_at) {
    case At::TrailerStart:
        m_at = byte == '\r' ? At::LastLf : At::TrailerName;
        return byte == '\r' || isTokenCharacter(byte) ? m_state : wrong(400, "A trailer is malformed.");
    case At::TrailerName:
        if (byte == ':')
            m_at = At::TrailerValue;
        else if (!isTokenCharacter(byte))
            return wrong(400, "A trailer is malformed.");
        return m_state;
    case At::TrailerValue:
        if (byte == '\r')
            m_at = At::TrailerLf;
        else if (isControl(byte) && byte != '\t')
            return wrong(400, "A trailer has a control character.");
        return m_state;
    default:
        if (byte != '\n')
            return wrong(400, "A trailer does not end in CR LF.");
        if (m_at == At::LastLf)
            m_state = State::Whole;
        m_at = At::TrailerStart;
        return m_state;
    }
}

} // namespace handreset::gate
