// The one spelling of each enumeration: for people, for JSON, for the store. Pure values; any thread.
#pragma once

#include <array>
#include <cstddef>
#include <optional>
#include <string_view>

namespace handreset::rules {

/// Specialise with `static constexpr std::array<std::string_view, N> list`, one word a value, in the order of the
/// values from 0. The decoder takes the number of words as the number of valid values.
template <class E>
struct Words;

template <class E>
concept Worded = requires { Words<E>::list.size(); };

/// The word of a value; "?" for a value outside the enumeration.
template <Worded E>
[[nodiscard]] constexpr std::string_view toWord(E value) noexcept
{
    const auto index = static_cast<std::size_t>(value);
    return index < Words<E>::list.size() ? Words<E>::list[index] : std::string_view("?");
}

/// Strict: nothing for a text that is not exactly one of the words ("open" is not "OPEN").
template <Worded E>
[[nodiscard]] constexpr std::optional<E> fromWord(std::string_view word) noexcept
{
    for (std::size_t i = 0; i < Words<E>::list.size(); ++i) {
        if (Words<E>::list[i] == word)
            return static_cast<E>(i);
    }
    return std::nullopt;
}

} // namespace handreset::rules
