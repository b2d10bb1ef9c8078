#include "model/link/admission.h"

#include "model/rules/signed_act.h"

#include <algorithm>
#include <string>

namespace handreset::link {

using rules::Error;
using rules::ErrorCode;
using rules::Result;

namespace {

Error refused(std::string why)
{
    return {ErrorCode::Refused, std::move(why), {}};
}

/// The operator of this name; none where the log knows no such one.
const rules::Operator *find(const rules::Fleet &fleet, std::string_view name)
{
    const rules::OperatorId id{fleet.names.find(rules::NameKind::Operator, name)};
    const auto found = fleet.operators.find(id);
    return found == fleet.operators.end() ? nullptr : &found->second;
}

Error retired(const std::string &name)
{
    return refused("The operator " + name + " has been retired and may not look any more.");
}

} // namespace

bool hasOperators(const rules::Fleet &fleet)
{
    return std::ranges::any_of(fleet.operators, [](const auto &one) { return one.second.isActive(); });
}

Result<rules::PublicKey> admit(const rules::Fleet &fleet, const ShiftPass &pass, std::string_view proof,
                               const Challenge &challenge, rules::Instant now)
{
    const rules::Operator *known = find(fleet, pass.name);
    // A stranger does not learn whether there is an operator of that name.
    if (known == nullptr || !rules::signatureFits(bytesToSign(pass), pass.signature, known->key))
        return refused("The pass is not signed by the present key of an operator of this store: sign in again.");
    if (auto proved = checkProof(proof, challenge, pass); !proved)
        return proved.error();
    if (auto holds = checkPass(pass, known->key, fleet.storeId, now); !holds)
        return holds.error();
    if (!known->isActive())
        return retired(pass.name);
    return known->key;
}

Result<void> checkStillAdmitted(const rules::Fleet &fleet, const ShiftPass &pass, const rules::PublicKey &key,
                                rules::Instant now)
{
    const rules::Operator *known = find(fleet, pass.name);
    if (known == nullptr || known->key != key)
        return refused("The operator's key is another now: sign in again.");
    if (!known->isActive())
        return retired(pass.name);
    if (pass.until <= now)
        return refused("The shift's pass is over: sign in again.");
    return {};
}

} // namespace handreset::link
