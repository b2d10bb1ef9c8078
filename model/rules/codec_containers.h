// How values that hold values are stored and shown: optional, sequences, sets, maps, pairs, variants. Part of codec.h.
// Pure; any thread.
#pragma once

#include "model/rules/codec_base.h"
#include "model/rules/json_text.h"

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <map>
#include <optional>
#include <set>
#include <string>
#include <string_view>
#include <type_traits>
#include <utility>
#include <variant>
#include <vector>

namespace handreset::rules {

namespace codec_detail {

/// A count is only a claim: no more than this is allocated ahead of what was really read.
constexpr std::uint64_t kMaxReserve = 1024;

template <class Range>
void writeArray(std::string &out, const Range &range)
{
    cbor::writeHead(out, cbor::Major::Array, range.size());
    for (const auto &element : range)
        Codec<typename Range::value_type>::write(out, element);
}

template <class Range>
void jsonArray(std::string &out, const Range &range, JsonFields fields)
{
    out.push_back('[');
    bool isFirst = true;
    for (const auto &element : range) {
        if (!isFirst)
            out.push_back(',');
        isFirst = false;
        Codec<typename Range::value_type>::json(out, element, fields);
    }
    out.push_back(']');
}

template <class T>
concept JsonKey = requires
{
    requires Codec<T>::kIsJsonKey;
};

/// Appends the key as a member's name: numbers get quotes.
template <JsonKey K>
void appendName(std::string &out, const K &key, JsonFields fields)
{
    const std::size_t start = out.size();
    Codec<K>::json(out, key, fields);
    if (out[start] != '"') {
        out.insert(start, 1, '"');
        out.push_back('"');
    }
}

} // namespace codec_detail

/// Null for an empty one. An optional of an optional cannot be told apart and is not offered.
template <class T>
struct Codec<std::optional<T>> {
    static void write(std::string &out, const std::optional<T> &value)
    {
        if (value)
            Codec<T>::write(out, *value);
        else
            cbor::writeNull(out);
    }
    static bool read(cbor::Reader &in, std::optional<T> &value)
    {
        if (in.nextIsNull()) {
            value.reset();
            return in.readNull();
        }
        return Codec<T>::read(in, value.emplace());
    }
    static void json(std::string &out, const std::optional<T> &value, JsonFields fields)
    {
        if (value)
            Codec<T>::json(out, *value, fields);
        else
            out.append("null");
    }
};
template <class T>
struct Codec<std::optional<std::optional<T>>>;

template <class T>
struct Codec<std::vector<T>> {
    static void write(std::string &out, const std::vector<T> &value) { codec_detail::writeArray(out, value); }
    static bool read(cbor::Reader &in, std::vector<T> &value)
    {
        value.clear();
        std::uint64_t count = 0;
        if (!in.enterArray(count))
            return false;
        value.reserve(static_cast<std::size_t>(std::min(count, codec_detail::kMaxReserve)));
        for (std::uint64_t i = 0; i < count; ++i) {
            T element{};
            if (!Codec<T>::read(in, element))
                return false;
            value.push_back(std::move(element));
        }
        in.leave();
        return true;
    }
    static void json(std::string &out, const std::vector<T> &value, JsonFields fields)
    {
        codec_detail::jsonArray(out, value, fields);
    }
};

/// An array in the set's own order, which the reader demands: strictly ascending.
template <class T, class Compare>
struct Codec<std::set<T, Compare>> {
    using Set = std::set<T, Compare>;
    static void write(std::string &out, const Set &value) { codec_detail::writeArray(out, value); }
    static bool read(cbor::Reader &in, Set &value)
    {
        value.clear();
        std::uint64_t count = 0;
        if (!in.enterArray(count))
            return false;
        for (std::uint64_t i = 0; i < count; ++i) {
            T element{};
            if (!Codec<T>::read(in, element))
                return false;
            if (!value.empty() && !value.key_comp()(*value.rbegin(), element))
                return in.fail("elements out of order");
            value.insert(value.end(), std::move(element));
        }
        in.leave();
        return true;
    }
    static void json(std::string &out, const Set &value, JsonFields fields)
    {
        codec_detail::jsonArray(out, value, fields);
    }
};

/// A CBOR map in the map's own order, which the reader demands. JSON: an object where the key is one word or number,
/// else an array of [key, value].
template <class K, class T, class Compare>
struct Codec<std::map<K, T, Compare>> {
    using Map = std::map<K, T, Compare>;
    static void write(std::string &out, const Map &value)
    {
        cbor::writeHead(out, cbor::Major::Map, value.size());
        for (const auto &[key, element] : value) {
            Codec<K>::write(out, key);
            Codec<T>::write(out, element);
        }
    }
    static bool read(cbor::Reader &in, Map &value)
    {
        value.clear();
        std::uint64_t count = 0;
        if (!in.enterMap(count))
            return false;
        for (std::uint64_t i = 0; i < count; ++i) {
            K key{};
            if (!Codec<K>::read(in, key))
                return false;
            if (!value.empty() && !value.key_comp()(value.rbegin()->first, key))
                return in.fail("keys out of order");
            if (!Codec<T>::read(in, value.try_emplace(value.end(), std::move(key))->second))
                return false;
        }
        in.leave();
        return true;
    }
    static void json(std::string &out, const Map &value, JsonFields fields)
    {
        constexpr bool isObject = codec_detail::JsonKey<K>;
        out.push_back(isObject ? '{' : '[');
        bool isFirst = true;
        for (const auto &[key, element] : value) {
            if (!isFirst)
                out.push_back(',');
            isFirst = false;
            if constexpr (isObject) {
                codec_detail::appendName(out, key, fields);
                out.push_back(':');
                Codec<T>::json(out, element, fields);
            } else {
                out.push_back('[');
                Codec<K>::json(out, key, fields);
                out.push_back(',');
                Codec<T>::json(out, element, fields);
                out.push_back(']');
            }
        }
        out.push_back(isObject ? '}' : ']');
    }
};

/// An array of two.
template <class A, class B>
struct Codec<std::pair<A, B>> {
    static void write(std::string &out, const std::pair<A, B> &value)
    {
        cbor::writeHead(out, cbor::Major::Array, 2);
        Codec<A>::write(out, value.first);
        Codec<B>::write(out, value.second);
    }
    static bool read(cbor::Reader &in, std::pair<A, B> &value)
    {
        std::uint64_t count = 0;
        if (!in.enterArray(count))
            return false;
        if (count != 2)
            return in.fail("an array of another length");
        if (!Codec<A>::read(in, value.first) || !Codec<B>::read(in, value.second))
            return false;
        in.leave();
        return true;
    }
    static void json(std::string &out, const std::pair<A, B> &value, JsonFields fields)
    {
        out.push_back('[');
        Codec<A>::json(out, value.first, fields);
        out.push_back(',');
        Codec<B>::json(out, value.second, fields);
        out.push_back(']');
    }
};

/// The alternative of a variant that holds nothing.
template <>
struct Codec<std::monostate> {
    static void write(std::string &out, std::monostate) { cbor::writeNull(out); }
    static bool read(cbor::Reader &in, std::monostate &) { return in.readNull(); }
    static void json(std::string &out, std::monostate, JsonFields) { out.append("null"); }
};

/// An array of the alternative's index and its value; the order of alternatives is for ever. JSON: an object with one
/// member, named by the alternative's `static constexpr std::string_view kName` where it has one, else by the index.
template <class... Ts>
struct Codec<std::variant<Ts...>> {
    using Variant = std::variant<Ts...>;
    static void write(std::string &out, const Variant &value)
    {
        cbor::writeHead(out, cbor::Major::Array, 2);
        cbor::writeUnsigned(out, value.index());
        std::visit([&out](const auto &held) { Codec<std::remove_cvref_t<decltype(held)>>::write(out, held); }, value);
    }
    static bool read(cbor::Reader &in, Variant &value)
    {
        std::uint64_t count = 0;
        std::uint64_t index = 0;
        if (!in.enterArray(count))
            return false;
        if (count != 2)
            return in.fail("an array of another length");
        if (!in.readUnsigned(index))
            return false;
        if (index >= sizeof...(Ts))
            return in.fail("a value outside its enumeration");
        if (!readHeld(in, value, static_cast<std::size_t>(index), std::index_sequence_for<Ts...>{}))
            return false;
        in.leave();
        return true;
    }
    static void json(std::string &out, const Variant &value, JsonFields fields)
    {
        std::visit(
            [&](const auto &held) {
                using Held = std::remove_cvref_t<decltype(held)>;
                out.push_back('{');
                if constexpr (requires { std::string_view(Held::kName); })
                    appendJsonString(out, Held::kName);
                else
                    appendJsonString(out, std::to_string(value.index()));
                out.push_back(':');
                Codec<Held>::json(out, held, fields);
                out.push_back('}');
            },
            value);
    }

private:
    template <std::size_t... Is>
    static bool readHeld(cbor::Reader &in, Variant &value, std::size_t index, std::index_sequence<Is...>)
    {
        bool isRead = false;
        (void)((index == Is && (isRead = Codec<Ts>::read(in, value.template emplace<Is>()), true)) || ...);
        return isRead;
    }
};

} // namespace handreset::rules
