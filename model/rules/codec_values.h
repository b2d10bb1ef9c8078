// How single values are stored and shown: numbers, words, texts, ids, times, amounts. Part of codec.h.
// Pure; any thread.
#pragma once

#include "model/rules/calendar.h"
#include "model/rules/codec_base.h"
#include "model/rules/decimal.h"
#include "model/rules/ids.h"
#include "model/rules/instant.h"
#include "model/rules/json_text.h"
#include "model/rules/utf8.h"
#include "model/rules/window.h"
#include "model/rules/words.h"

#include <array>
#include <charconv>
#include <concepts>
#include <cstdint>
#include <limits>
#include <string>
#include <string_view>
#include <type_traits>

namespace handreset::rules {

template <class T>
concept StoredInteger
    = std::integral<T> && !std::same_as<
          T,
          bool> && !std::same_as<T, char> && !std::same_as<T, char8_t> && !std::same_as<T, char16_t> && !std::same_as<T, char32_t> && !std::same_as<T, wchar_t>;

namespace codec_detail {

template <StoredInteger T>
void appendInteger(std::string &out, T value)
{
    std::array<char, 24> buffer;
    const auto end = std::to_chars(buffer.data(), buffer.data() + buffer.size(), value).ptr;
    out.append(buffer.data(), end);
}

} // namespace codec_detail

template <StoredInteger T>
struct Codec<T> {
    static constexpr bool kIsJsonKey = true;
    static void write(std::string &out, T value)
    {
        if constexpr (std::is_signed_v<T>)
            cbor::writeSigned(out, value);
        else
            cbor::writeUnsigned(out, value);
    }
    static bool read(cbor::Reader &in, T &value)
    {
        using Wide = std::conditional_t<std::is_signed_v<T>, std::int64_t, std::uint64_t>;
        Wide wide = 0;
        bool isRead = false;
        if constexpr (std::is_signed_v<T>)
            isRead = in.readSigned(wide);
        else
            isRead = in.readUnsigned(wide);
        if (!isRead)
            return false;
        if (wide < std::numeric_limits<T>::min() || wide > std::numeric_limits<T>::max())
            return in.fail("a number out of range");
        value = static_cast<T>(wide);
        return true;
    }
    static void json(std::string &out, T value, JsonFields) { codec_detail::appendInteger(out, value); }
};

template <>
struct Codec<bool> {
    static void write(std::string &out, bool value) { cbor::writeBool(out, value); }
    static bool read(cbor::Reader &in, bool &value) { return in.readBool(value); }
    static void json(std::string &out, bool value, JsonFields) { out.append(value ? "true" : "false"); }
};

/// JSON has no NaN and no infinities: they are shown as null.
template <>
struct Codec<double> {
    static void write(std::string &out, double value) { cbor::writeDouble(out, value); }
    static bool read(cbor::Reader &in, double &value) { return in.readDouble(value); }
    static void json(std::string &out, double value, JsonFields)
    {
        if (!appendJsonNumber(out, value))
            out.append("null");
    }
};

template <class T>
requires(std::is_enum_v<T> &&Worded<T>) struct Codec<T> {
    static constexpr bool kIsJsonKey = true;
    static void write(std::string &out, T value) { cbor::writeUnsigned(out, static_cast<std::uint64_t>(value)); }
    static bool read(cbor::Reader &in, T &value)
    {
        std::uint64_t index = 0;
        if (!in.readUnsigned(index))
            return false;
        if (index >= Words<T>::list.size())
            return in.fail("a value outside its enumeration");
        value = static_cast<T>(index);
        return true;
    }
    static void json(std::string &out, T value, JsonFields) { appendJsonString(out, toWord(value)); }
};

/// Text where it is UTF-8, else bytes: what came from outside is kept as it came.
template <>
struct Codec<std::string> {
    static constexpr bool kIsJsonKey = true;
    static void write(std::string &out, std::string_view value)
    {
        if (isUtf8(value))
            cbor::writeText(out, value);
        else
            cbor::writeBytes(out, value);
    }
    static bool read(cbor::Reader &in, std::string &value)
    {
        std::string_view view;
        if (in.peek() == cbor::Major::Bytes) {
            if (!in.readBytes(view))
                return false;
            if (isUtf8(view))
                return in.fail("a text stored as bytes");
        } else if (!in.readText(view)) {
            return false;
        }
        value.assign(view);
        return true;
    }
    static void json(std::string &out, std::string_view value, JsonFields) { appendJsonString(out, value); }
};

/// A hash or key: bytes of exactly this length; hexadecimal in JSON.
template <std::size_t N>
struct Codec<std::array<std::uint8_t, N>> {
    using Bytes = std::array<std::uint8_t, N>;
    static constexpr bool kIsJsonKey = true;
    static void write(std::string &out, const Bytes &value)
    {
        cbor::writeHead(out, cbor::Major::Bytes, N);
        out.append(value.begin(), value.end());
    }
    static bool read(cbor::Reader &in, Bytes &value)
    {
        std::string_view view;
        if (!in.readBytes(view))
            return false;
        if (view.size() != N)
            return in.fail("bytes of another length");
        for (std::size_t i = 0; i < N; ++i)
            value[i] = static_cast<std::uint8_t>(view[i]);
        return true;
    }
    static void json(std::string &out, const Bytes &value, JsonFields)
    {
        constexpr std::string_view hex = "0123456789abcdef";
        out.push_back('"');
        for (const std::uint8_t byte : value) {
            out.push_back(hex[byte >> 4]);
            out.push_back(hex[byte & 0xF]);
        }
        out.push_back('"');
    }
};

namespace codec_detail {

/// For a type that is one integer with a name of its own.
template <class T, auto Member>
struct Wrapped {
    using Inner = std::remove_cvref_t<decltype(std::declval<T &>().*Member)>;
    static constexpr bool kIsJsonKey = true;
    static void write(std::string &out, const T &value) { Codec<Inner>::write(out, value.*Member); }
    static bool read(cbor::Reader &in, T &value) { return Codec<Inner>::read(in, value.*Member); }
    static void json(std::string &out, const T &value, JsonFields) { appendInteger(out, value.*Member); }
};

} // namespace codec_detail

template <class Tag>
struct Codec<Id<Tag>> : codec_detail::Wrapped<Id<Tag>, &Id<Tag>::value> {};
template <>
struct Codec<Seq> : codec_detail::Wrapped<Seq, &Seq::value> {};
template <>
struct Codec<TripId> : codec_detail::Wrapped<TripId, &TripId::value> {};
template <>
struct Codec<AskId> : codec_detail::Wrapped<AskId, &AskId::value> {};
template <>
struct Codec<Revision> : codec_detail::Wrapped<Revision, &Revision::value> {};
template <>
struct Codec<Duration> : codec_detail::Wrapped<Duration, &Duration::micros> {};
template <>
struct Codec<Steady> : codec_detail::Wrapped<Steady, &Steady::micros> {};

template <>
struct Codec<Instant> : codec_detail::Wrapped<Instant, &Instant::micros> {
    static void json(std::string &out, Instant value, JsonFields)
    {
        out.push_back('"');
        appendIso8601(out, value);
        out.push_back('"');
    }
};

/// Billionths: an integer where 64 bits hold it, else 16 bytes, most significant first, in two's complement.
template <>
struct Codec<Decimal> {
    static constexpr bool kIsJsonKey = true;
    static void write(std::string &out, Decimal value);
    static bool read(cbor::Reader &in, Decimal &value);
    static void json(std::string &out, Decimal value, JsonFields);
};

/// The hours; in JSON the policy's spelling.
template <>
struct Codec<WindowKind> {
    static constexpr bool kIsJsonKey = true;
    static void write(std::string &out, WindowKind value) { cbor::writeSigned(out, value.hours); }
    static bool read(cbor::Reader &in, WindowKind &value);
    static void json(std::string &out, WindowKind value, JsonFields) { appendJsonString(out, value.toString()); }
};

} // namespace handreset::rules
