#include "model/rules/cbor.h"

#include "model/rules/utf8.h"

#include <cmath>
#include <limits>

namespace handreset::rules::cbor {

namespace {

std::uint64_t bigEndian(std::string_view bytes) noexcept
{
    std::uint64_t value = 0;
    for (const char c : bytes)
        value = value << 8 | static_cast<std::uint8_t>(c);
    return value;
}

} // namespace

void writeDouble(std::string &out, double value)
{
    auto bits = std::bit_cast<std::uint64_t>(std::isnan(value) ? std::numeric_limits<double>::quiet_NaN() : value);
    std::array<char, 9> item;
    item[0] = static_cast<char>(kDouble);
    for (std::size_t i = 8; i > 0; --i, bits >>= 8)
        item[i] = static_cast<char>(bits & 0xFF);
    out.append(item.data(), item.size());
}

bool Reader::readAnyHead(Major &major, std::uint64_t &number)
{
    if (failed())
        return false;
    if (atEnd())
        return fail("the data ends too early");
    const auto first = static_cast<std::uint8_t>(m_bytes[m_at]);
    major = static_cast<Major>(first >> 5);
    const unsigned low = first & 0x1F;
    if (low < 24) {
        number = low;
        ++m_at;
        return true;
    }
    if (low > 27)
        return fail("an indefinite or reserved length");
    const std::size_t bytes = std::size_t{1} << (low - 24);
    if (remaining() <= bytes)
        return fail("the data ends too early");
    number = bigEndian(m_bytes.substr(m_at + 1, bytes));
    const bool isShortest = bytes == 1 ? number >= 24 : number >> (4 * bytes) != 0;
    if (!isShortest)
        return fail("a number in a longer form than needed");
    m_at += bytes + 1;
    return true;
}

bool Reader::readLongHead(Major wanted, std::uint64_t &number)
{
    if (!failed() && !atEnd() && peek() != wanted)
        return fail("a value of another type");
    Major major{};
    return readAnyHead(major, number);
}

bool Reader::readSigned(std::int64_t &value)
{
    const Major major = peek();
    std::uint64_t number = 0;
    if (!readHead(major == Major::Negative ? Major::Negative : Major::Unsigned, number))
        return false;
    if (number > static_cast<std::uint64_t>(std::numeric_limits<std::int64_t>::max()))
        return fail("a number out of range");
    const auto magnitude = static_cast<std::int64_t>(number);
    value = major == Major::Negative ? -1 - magnitude : magnitude;
    return true;
}

bool Reader::readString(Major wanted, std::string_view &bytes)
{
    std::uint64_t length = 0;
    if (!readHead(wanted, length))
        return false;
    if (length > remaining())
        return fail("the data ends too early");
    bytes = m_bytes.substr(m_at, static_cast<std::size_t>(length));
    m_at += bytes.size();
    return true;
}

bool Reader::readText(std::string_view &text)
{
    return readString(Major::Text, text) && (isUtf8(text) || fail("a text that is not UTF-8"));
}

bool Reader::readBool(bool &value)
{
    if (failed() || atEnd())
        return fail("the data ends too early");
    const auto byte = static_cast<std::uint8_t>(m_bytes[m_at]);
    if (byte != kTrue && byte != kFalse)
        return fail("a value of another type");
    value = byte == kTrue;
    ++m_at;
    return true;
}

bool Reader::readNull()
{
    if (failed() || !nextIsNull())
        return fail(atEnd() ? "the data ends too early" : "a value of another type");
    ++m_at;
    return true;
}

bool Reader::readDouble(double &value)
{
    if (failed() || atEnd())
        return fail("the data ends too early");
    if (static_cast<std::uint8_t>(m_bytes[m_at]) != kDouble)
        return fail("a value of another type");
    if (remaining() < 9)
        return fail("the data ends too early");
    value = std::bit_cast<double>(bigEndian(m_bytes.substr(m_at + 1, 8)));
    m_at += 9;
    return true;
}

bool Reader::enter(Major wanted, std::uint64_t bytesEach, std::uint64_t &count)
{
    if (m_depth >= kMaxDepth)
        return fail("nested too deep");
    if (!readHead(wanted, count))
        return false;
    if (count > remaining() / bytesEach)
        return fail("the data ends too early");
    ++m_depth;
    return true;
}

bool Reader::skip()
{
    if (!failed() && !atEnd() && peek() == Major::Simple)
        return skipSimple();
    Major major{};
    std::uint64_t number = 0;
    return readAnyHead(major, number) && skipContent(major, number);
}

bool Reader::skipSimple()
{
    const unsigned low = static_cast<std::uint8_t>(m_bytes[m_at]) & 0x1F;
    if (low > 27)
        return fail("an indefinite or reserved length");
    const std::size_t bytes = low < 24 ? 1 : (std::size_t{1} << (low - 24)) + 1; // floats are of 2, 4 or 8 bytes
    if (remaining() < bytes)
        return fail("the data ends too early");
    m_at += bytes;
    return true;
}

bool Reader::skipContent(Major major, std::uint64_t number)
{
    if (major == Major::Unsigned || major == Major::Negative)
        return true;
    if (major == Major::Bytes || major == Major::Text) {
        if (number > remaining())
            return fail("the data ends too early");
        m_at += static_cast<std::size_t>(number);
        return true;
    }
    std::uint64_t items = 1; // what a tag (RFC 8949 3.4) marks
    if (major != Major::Tag) {
        if (number > remaining())
            return fail("the data ends too early");
        items = major == Major::Map ? 2 * number : number;
    }
    if (m_depth >= kMaxDepth)
        return fail("nested too deep");
    ++m_depth;
    for (std::uint64_t i = 0; i < items; ++i) {
        if (!skip())
            return false;
    }
    --m_depth;
    return true;
}

void Reader::blame(std::string_view field)
{
    if (m_path.empty())
        m_path = field;
    else
        m_path.insert(0, std::string(field) + ".");
}

Error Reader::error() const
{
    std::string context = m_path.empty() ? std::string() : m_path + ", ";
    context += "byte " + std::to_string(m_faultAt);
    return Error{ErrorCode::BadInput, std::string("The stored data is not well-formed: ") + m_fault + ".", context};
}

} // namespace handreset::rules::cbor
