#include "model/rules/client_id.h"

#include "model/rules/sha256.h"

#include <algorithm>

namespace handreset::rules {

namespace {

constexpr std::size_t kLongestId = 128;

bool isIdCharacter(char c)
{
    return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') || c == '.' || c == '_' || c == ':'
        || c == '-';
}

} // namespace

BodyDigest bodyDigestOf(std::string_view body)
{
    const auto whole = sha256(body);
    BodyDigest half{};
    std::copy_n(whole.begin(), half.size(), half.begin());
    return half;
}

std::optional<Error> checkClientId(std::string_view id)
{
    if (id.size() > kLongestId)
        return Error{ErrorCode::BadInput, "is longer than 128 characters", "id"};
    if (!std::all_of(id.begin(), id.end(), isIdCharacter))
        return Error{ErrorCode::BadInput, "may hold A-Z a-z 0-9 . _ : - only", "id"};
    if (id.starts_with(kHostsId))
        return Error{ErrorCode::BadInput, "must not begin with \"ask-\": such ids are the gate's own", "id"};
    return std::nullopt;
}

} // namespace handreset::rules
