#include "model/rules/draft.h"

namespace handreset::rules {

namespace {

/// Whether the command is an act as it stands, without a signature.
template <class... Acts>
const std::string *bareActor(const Command &command, const std::variant<Acts...> *)
{
    const std::string *by = nullptr;
    static_cast<void>(((std::holds_alternative<Acts>(command) && (by = &std::get<Acts>(command).by, true)) || ...));
    return by;
}

/// A signed store takes no act without a signature; only the stops that an operator's word lets in from beside the
/// store may follow that word.
bool refusedUnsigned(Draft &draft, const Command &command)
{
    const auto &fleet = draft.fleet();
    const auto *by = bareActor(command, static_cast<const Act *>(nullptr));
    if (by == nullptr || fleet.isUnsigned || fleet.recorded || !fleet.seq.isSet())
        return false;
    const auto *trust = fleet.licence && fleet.licence->isUsed ? std::get_if<TrustStore>(&fleet.licence->act) : nullptr;
    if (trust != nullptr && trust->act == kClearSentinel && std::holds_alternative<StopAgent>(command))
        return false;
    const std::string why = "this store takes signed acts only: act as an enrolled operator";
    draft.emit({}, {}, 0, ActRefused{"unsigned act", {}, {}, {}, "as \"" + bounded(*by, 200) + "\": " + why, {}});
    draft.answer(Error{ErrorCode::Refused, why, {}});
    return true;
}

} // namespace

void run(Fleet &fleet, const Command &command, const Moment &moment, Step &step, Touched *touched)
{
    step.events.clear();
    step.outcome = std::monostate{};
    step.uncounted.reset();
    step.mustSync = false;
    Draft draft(fleet, moment, step, touched);
    if (!fleet.recorded && fleet.seq.isSet() && !std::holds_alternative<StartHost>(command))
        decideDue(draft);
    if (!draft.failed() && !refusedUnsigned(draft, command))
        std::visit([&draft](const auto &one) { decide(draft, one); }, command);
}

} // namespace handreset::rules
