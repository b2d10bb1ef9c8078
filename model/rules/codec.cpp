#include "model/rules/codec.h"

namespace handreset::rules {

namespace {

constexpr std::size_t kWideBytes = 16;

constexpr bool fitsInteger(Int128 value) noexcept
{
    return value >= std::numeric_limits<std::int64_t>::min() && value <= std::numeric_limits<std::int64_t>::max();
}

} // namespace

void Codec<Decimal>::write(std::string &out, Decimal value)
{
    Int128 rest = value.billionths();
    if (fitsInteger(rest)) {
        cbor::writeSigned(out, static_cast<std::int64_t>(rest));
        return;
    }
    std::array<char, kWideBytes> bytes;
    for (std::size_t i = kWideBytes; i > 0; --i, rest >>= 8)
        bytes[i - 1] = static_cast<char>(rest & 0xFF);
    cbor::writeBytes(out, std::string_view(bytes.data(), bytes.size()));
}

bool Codec<Decimal>::read(cbor::Reader &in, Decimal &value)
{
    if (in.peek() != cbor::Major::Bytes) {
        std::int64_t billionths = 0;
        if (!in.readSigned(billionths))
            return false;
        value = Decimal::fromBillionths(billionths);
        return true;
    }
    std::string_view bytes;
    if (!in.readBytes(bytes))
        return false;
    if (bytes.size() != kWideBytes)
        return in.fail("bytes of another length");
    Int128 billionths = static_cast<std::int8_t>(bytes[0]); // the first byte carries the sign
    for (std::size_t i = 1; i < kWideBytes; ++i)
        billionths = billionths * 256 + static_cast<std::uint8_t>(bytes[i]);
    if (fitsInteger(billionths))
        return in.fail("a number in a longer form than needed");
    if (billionths > Decimal::max().billionths() || billionths < -Decimal::max().billionths())
        return in.fail("a number out of range");
    value = Decimal::fromBillionths(billionths);
    return true;
}

void Codec<Decimal>::json(std::string &out, Decimal value, JsonFields)
{
    appendJsonString(out, value.toString());
}

bool Codec<WindowKind>::read(cbor::Reader &in, WindowKind &value)
{
    std::int64_t hours = 0;
    if (!in.readSigned(hours))
        return false;
    if (!WindowKind::isValid(hours))
        return in.fail("a number out of range");
    value.hours = static_cast<std::int32_t>(hours);
    return true;
}

} // namespace handreset::rules
