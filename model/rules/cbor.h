// CBOR's primitives (RFC 8949): definite lengths, shortest heads, so that equal values are equal bytes.
// The writer appends to a string; the reader walks bytes it does not own, which must outlive it. Nothing throws on
// bad input: the first fault is kept and every later read fails. Pure; any thread.
#pragma once

#include "model/rules/result.h"

#include <array>
#include <bit>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <string>
#include <string_view>

namespace handreset::rules::cbor {

/// The kind of a data item: the upper three bits of its first byte.
enum class Major : std::uint8_t { Unsigned, Negative, Bytes, Text, Array, Map, Tag, Simple };

constexpr std::uint8_t kFalse = 0xF4;
constexpr std::uint8_t kTrue = 0xF5;
constexpr std::uint8_t kNull = 0xF6;
constexpr std::uint8_t kDouble = 0xFB;

/// Appends a head: the kind and its number (a value, a length or a count) in the shortest form.
inline void writeHead(std::string &out, Major major, std::uint64_t number)
{
    const auto kind = static_cast<unsigned>(major) << 5;
    if (number < 24) {
        out.push_back(static_cast<char>(kind | number));
        return;
    }
    const int bytes = number <= 0xFF ? 1 : number <= 0xFFFF ? 2 : number <= 0xFFFFFFFF ? 4 : 8;
    std::array<char, 9> head;
    head[0] = static_cast<char>(kind | (24U + static_cast<unsigned>(std::countr_zero(static_cast<unsigned>(bytes)))));
    for (int i = bytes; i > 0; --i, number >>= 8)
        head[static_cast<std::size_t>(i)] = static_cast<char>(number & 0xFF);
    out.append(head.data(), static_cast<std::size_t>(bytes) + 1);
}

inline void writeUnsigned(std::string &out, std::uint64_t value)
{
    writeHead(out, Major::Unsigned, value);
}

inline void writeSigned(std::string &out, std::int64_t value)
{
    if (value >= 0)
        writeHead(out, Major::Unsigned, static_cast<std::uint64_t>(value));
    else
        writeHead(out, Major::Negative, ~static_cast<std::uint64_t>(value));
}

inline void writeBytes(std::string &out, std::string_view bytes)
{
    writeHead(out, Major::Bytes, bytes.size());
    out.append(bytes);
}

/// `text` must be UTF-8.
inline void writeText(std::string &out, std::string_view text)
{
    writeHead(out, Major::Text, text.size());
    out.append(text);
}

inline void writeBool(std::string &out, bool value)
{
    out.push_back(static_cast<char>(value ? kTrue : kFalse));
}

inline void writeNull(std::string &out)
{
    out.push_back(static_cast<char>(kNull));
}

/// Always eight bytes; every NaN becomes the same one.
void writeDouble(std::string &out, double value);

/// Walks one buffer. Each read returns false at the first fault and for ever after; `error()` tells it.
class Reader {
public:
    /// Items may stand within each other this deep.
    static constexpr int kMaxDepth = 32;

    explicit Reader(std::string_view bytes) noexcept : m_bytes(bytes) {}

    [[nodiscard]] bool failed() const noexcept { return m_fault != nullptr; }
    [[nodiscard]] bool atEnd() const noexcept { return m_at == m_bytes.size(); }
    [[nodiscard]] std::size_t remaining() const noexcept { return m_bytes.size() - m_at; }
    /// The kind of the next item; Simple at the end of the bytes, where every read fails anyway.
    [[nodiscard]] Major peek() const noexcept
    {
        return atEnd() ? Major::Simple : static_cast<Major>(static_cast<std::uint8_t>(m_bytes[m_at]) >> 5);
    }
    [[nodiscard]] bool nextIsNull() const noexcept
    {
        return !atEnd() && static_cast<std::uint8_t>(m_bytes[m_at]) == kNull;
    }

    /// Reads a head of this kind into `number`. Refuses longer forms than needed and indefinite lengths.
    bool readHead(Major wanted, std::uint64_t &number)
    {
        if (!atEnd() && m_fault == nullptr) {
            const auto first = static_cast<std::uint8_t>(m_bytes[m_at]);
            const unsigned low = static_cast<unsigned>(first) - (static_cast<unsigned>(wanted) << 5);
            if (low < 24) { // the right kind and a small number: the usual case
                number = low;
                ++m_at;
                return true;
            }
        }
        return readLongHead(wanted, number);
    }
    bool readUnsigned(std::uint64_t &value) { return readHead(Major::Unsigned, value); }
    bool readSigned(std::int64_t &value);
    /// A view into the buffer.
    bool readBytes(std::string_view &bytes) { return readString(Major::Bytes, bytes); }
    /// A view into the buffer, checked to be UTF-8.
    bool readText(std::string_view &text);
    bool readBool(bool &value);
    bool readNull();
    bool readDouble(double &value);
    /// Opens an array; `count` is at most the number of bytes that are left. Must be paired with `leave`.
    bool enterArray(std::uint64_t &count) { return enter(Major::Array, 1, count); }
    /// Opens a map of `count` pairs. Must be paired with `leave`.
    bool enterMap(std::uint64_t &count) { return enter(Major::Map, 2, count); }
    void leave() noexcept { --m_depth; }
    /// Steps over one item of any kind with all that stands in it.
    bool skip();

    /// Notes a fault at the present place, unless there was one; `what` must be a literal. Always false.
    bool fail(const char *what) noexcept
    {
        if (m_fault == nullptr) {
            m_fault = what;
            m_faultAt = m_at;
        }
        return false;
    }
    /// Adds the name of the field that was being read, from the inside out.
    void blame(std::string_view field);
    [[nodiscard]] Error error() const;

private:
    bool readLongHead(Major wanted, std::uint64_t &number);
    bool readAnyHead(Major &major, std::uint64_t &number);
    bool readString(Major wanted, std::string_view &bytes);
    bool enter(Major wanted, std::uint64_t bytesEach, std::uint64_t &count);
    bool skipContent(Major major, std::uint64_t number);
    bool skipSimple();

    std::string_view m_bytes;
    std::size_t m_at = 0;
    int m_depth = 0;
    const char *m_fault = nullptr;
    std::size_t m_faultAt = 0;
    std::string m_path;
};

} // namespace handreset::rules::cbor
