// What the codec's parts share: the trait that each encodable type specialises. Include codec.h, not this.
// Pure; any thread.
#pragma once

#include "model/rules/cbor.h"

#include <cstdint>
#include <string>
#include <string_view>

namespace handreset::rules {

/// Which fields of described structs JSON shows.
enum class JsonFields : std::uint8_t {
    All,        ///< every one: stable for machines
    NotDefault, ///< those that differ from the default: short for people
};

/// Specialised for each type that can be stored:
///     static void write(std::string &out, const T &)                 appends CBOR
///     static bool read(cbor::Reader &, T &)                          sets the whole value; false after in.fail(…)
///     static void json(std::string &out, const T &, JsonFields)      appends JSON
///     static constexpr bool kIsJsonKey = true                        where JSON is one string or number: a member name
template <class T>
struct Codec;

namespace codec_detail {
struct AnyVisitor {
    template <class F>
    void operator()(std::uint32_t, std::string_view, F &)
    {}
};
} // namespace codec_detail

/// A struct with a `describe` (codec.h).
template <class T>
concept Described = requires(T &value, codec_detail::AnyVisitor &visitor)
{
    T::describe(visitor, value);
};

} // namespace handreset::rules
