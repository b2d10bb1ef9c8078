// Exact decimals: amounts of money and caps are never floating point. Pure values; any thread.
#pragma once

#include <compare>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

namespace handreset::rules {

__extension__ typedef __int128 Int128; ///< GCC's and Clang's 128-bit integer (not in the standard)

/// An exact decimal with nine places after the point: a signed 128-bit count of billionths.
/// Range: magnitude below 10^27; what does not fit, or has more than nine places that are not zero, does not parse.
/// Source: spec 3.3 ("Amounts are exact decimals").
class Decimal {
public:
    constexpr Decimal() = default;
    /// A whole number.
    constexpr explicit Decimal(std::int64_t whole) : m_billionths(static_cast<Int128>(whole) * kScale) {}

    /// Reads a decimal in JSON number spelling ("-12.50", "1e3"). Nothing when the text is not such a number,
    /// is not exactly representable, or is out of range. Never rounds.
    [[nodiscard]] static std::optional<Decimal> parse(std::string_view text);
    /// Reads any JSON number: what stands beyond the ninth place rounds away from zero, what is out of range stops at the
    /// largest magnitude. Compared with a decimal of nine places the answer is the exact one ("500.0000000001 is more
    /// than 500"), and a sum is never too small. Nothing when the text is not a number.
    [[nodiscard]] static std::optional<Decimal> parseOutward(std::string_view text);
    /// The count of billionths, for storage; its magnitude must be below 10^36.
    [[nodiscard]] static constexpr Decimal fromBillionths(Int128 n)
    {
        Decimal d;
        d.m_billionths = n;
        return d;
    }
    /// The largest magnitude: one billionth below 10^27.
    [[nodiscard]] static constexpr Decimal max()
    {
        Int128 billionths = 1;
        for (int i = 0; i < 36; ++i)
            billionths *= 10;
        return fromBillionths(billionths - 1);
    }
    [[nodiscard]] constexpr Int128 billionths() const noexcept { return m_billionths; }

    /// Shortest exact spelling without exponent: "500", "0.05", "-1235.6".
    [[nodiscard]] std::string toString() const;
    /// The same with at least `places` digits after the point: toString(2) of 500 is "500.00".
    [[nodiscard]] std::string toString(int places) const;

    [[nodiscard]] constexpr bool isNegative() const noexcept { return m_billionths < 0; }
    [[nodiscard]] constexpr bool isZero() const noexcept { return m_billionths == 0; }

    constexpr bool operator==(const Decimal &) const noexcept = default;
    constexpr std::strong_ordering operator<=>(const Decimal &o) const noexcept
    {
        return m_billionths < o.m_billionths ? std::strong_ordering::less
            : m_billionths > o.m_billionths  ? std::strong_ordering::greater
                                             : std::strong_ordering::equal;
    }
    /// Sums hold at the ends of the range: they stop at the largest magnitude instead of wrapping.
    [[nodiscard]] Decimal operator+(Decimal o) const noexcept;
    [[nodiscard]] Decimal operator-(Decimal o) const noexcept;
    Decimal &operator+=(Decimal o) noexcept { return *this = *this + o; }
    Decimal &operator-=(Decimal o) noexcept { return *this = *this - o; }

    /// `this × count ÷ per`, rounded up to a billionth (prices per million tokens; a cost is never rounded down).
    /// `per` must be above zero. Stops at the ends of the range.
    [[nodiscard]] Decimal timesOver(std::int64_t count, std::int64_t per) const noexcept;

    static constexpr std::int64_t kScale = 1'000'000'000;

private:
    Int128 m_billionths = 0;
};

/// An amount of one currency (ISO 4217 code of three capital letters).
struct Money {
    Decimal amount;
    std::string currency;
    bool operator==(const Money &) const = default;

    template <class V, class S>
    static void describe(V &v, S &self)
    {
        v(1, "amount", self.amount);
        v(2, "currency", self.currency);
    }
};

} // namespace handreset::rules
