#include "views/amount_text.h"

namespace handreset::views {

using live::GrantKind;

namespace {

constexpr qlonglong kMost = 1'000'000'000; ///< more is a slip of the finger

/// A whole number above zero; none for anything else.
[[nodiscard]] std::optional<std::int64_t> wholeAboveZero(const QString &text)
{
    bool ok = false;
    const qlonglong number = text.trimmed().toLongLong(&ok);
    return ok && number > 0 && number <= kMost ? std::optional<std::int64_t>(number) : std::nullopt;
}

[[nodiscard]] std::optional<rules::Decimal> amountAboveZero(const QString &text)
{
    const auto amount = rules::Decimal::parse(text.trimmed().toStdString());
    return amount && !amount->isNegative() && !amount->isZero() ? amount : std::nullopt;
}

} // namespace

std::optional<rules::Grant> grantFrom(GrantKind kind, const QString &text)
{
    rules::Grant grant;
    const auto number = wholeAboveZero(text);
    const auto amount = amountAboveZero(text);
    switch (kind) {
    case GrantKind::None:
        return grant;
    case GrantKind::Steps:
        grant.steps = number.value_or(0);
        return number ? std::optional(grant) : std::nullopt;
    case GrantKind::VolumeCalls:
        grant.volumeCalls = number.value_or(0);
        return number ? std::optional(grant) : std::nullopt;
    case GrantKind::Spend:
        grant.spend = amount.value_or(rules::Decimal());
        return amount ? std::optional(grant) : std::nullopt;
    case GrantKind::VolumeValue:
        grant.volumeValue = amount.value_or(rules::Decimal());
        return amount ? std::optional(grant) : std::nullopt;
    }
    return std::nullopt;
}

} // namespace handreset::views
