// A number in JSON spelling, taken apart without rounding (RFC 8259 section 6). Pure; any thread.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

namespace handreset::rules {

/// The pieces of a number's text; they are views into it.
struct NumberText {
    bool isNegative = false;
    std::string_view whole;    ///< at least one digit, no leading zero but "0" itself
    std::string_view fraction; ///< digits after the point; empty without one
    std::int64_t exponent = 0; ///< held at ±kMaxExponent
    static constexpr std::int64_t kMaxExponent = 1'000'000'000'000'000;

    /// Nothing when the text is not exactly one JSON number.
    [[nodiscard]] static std::optional<NumberText> split(std::string_view text) noexcept;

    /// How many digits there are, before and after the point, and the one at a place counted from the left.
    [[nodiscard]] std::int64_t size() const noexcept
    {
        return static_cast<std::int64_t>(whole.size() + fraction.size());
    }
    [[nodiscard]] char digit(std::int64_t place) const noexcept
    {
        const auto index = static_cast<std::size_t>(place);
        return index < whole.size() ? whole[index] : fraction[index - whole.size()];
    }
    /// True where the exponent's text was beyond ±kMaxExponent, so that the value is not known exactly.
    [[nodiscard]] bool isHeld() const noexcept { return exponent >= kMaxExponent || exponent <= -kMaxExponent; }
};

/// A number's exact value: 0.d₁d₂d₃… × 10^point, without zeros at either end of the digits. Zero has none.
struct ExactNumber {
    bool isNegative = false;
    std::string digits;
    std::int64_t point = 0;
    bool operator==(const ExactNumber &) const = default;

    [[nodiscard]] static ExactNumber of(const NumberText &text);
    /// Appends the one spelling of this value: "-9.007199254740993e+15"; "0" for zero.
    void appendTo(std::string &out) const;
};

} // namespace handreset::rules
