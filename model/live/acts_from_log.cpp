#include "model/live/acts_from_log.h"

#include "model/live/rows_from_fleet.h"
#include "model/rules/signed_act.h"

#include <type_traits>
#include <utility>
#include <variant>

namespace handreset::live {

using namespace rules;

namespace {

/// How far behind its signature what an act did may stand: names, queue verbs and a probation come between.
constexpr std::uint64_t kReach = 1'000;

template <class Payload>
constexpr bool kNamesOperator = requires(const Payload &payload)
{
    {
        payload.by
        } -> std::convertible_to<OperatorId>;
};

[[nodiscard]] QString actor(const Fleet &fleet, const Event &event)
{
    return std::visit(
        [&](const auto &payload) -> QString {
            using Payload = std::remove_cvref_t<decltype(payload)>;
            if constexpr (std::is_same_v<Payload, ActSigned>)
                return toText(payload.act.by);
            else if constexpr (
                std::is_same_v<
                    Payload,
                    TripRearmed> || std::is_same_v<Payload, PolicyApplied> || std::is_same_v<Payload, PassGiven>) {
                if (!payload.by)
                    return {};
                const QString by = toText(fleet.names(payload.by));
                return payload.approvedBy ? by + QStringLiteral(" with ") + toText(fleet.names(payload.approvedBy))
                                          : by;
            } else if constexpr (kNamesOperator<Payload>)
                return payload.by ? toText(fleet.names(payload.by)) : QString();
            else
                return {};
        },
        event.payload);
}

[[nodiscard]] QString resultOf(const Event &event)
{
    if (std::holds_alternative<ActSigned>(event.payload))
        return QStringLiteral("signed");
    if (std::holds_alternative<ActRefused>(event.payload))
        return QStringLiteral("refused");
    if (std::holds_alternative<ApprovalRequested>(event.payload))
        return QStringLiteral("waits");
    if (const auto *ended = std::get_if<RequestEnded>(&event.payload))
        return toText(toWord(ended->how));
    return QStringLiteral("in force");
}

[[nodiscard]] QString verified(const Fleet &fleet, const Event &event, const ActSigned &signedAct)
{
    const OperatorId by{fleet.names.find(NameKind::Operator, signedAct.act.by)};
    const auto found = fleet.operators.find(by);
    if (found == fleet.operators.end())
        return QStringLiteral("nobody of this name is enrolled");
    if (signatureFits(bytesToSign(signedAct.act), signedAct.act.signature, found->second.key))
        return QStringLiteral("verified");
    // A rotation itself stands under the key that it ends. What an earlier key signed, `verify` checks.
    return found->second.keySince >= event.ruleTime ? QStringLiteral("earlier key") : QStringLiteral("DOES NOT FIT");
}

template <std::size_t... Index>
[[nodiscard]] std::vector<std::uint8_t> actKinds(std::index_sequence<Index...>)
{
    std::vector<std::uint8_t> kinds;
    const auto add = [&]<std::size_t One>(std::integral_constant<std::size_t, One>) {
        using Payload = std::variant_alternative_t<One, rules::Payload>;
        if (kNamesOperator<Payload> || std::is_same_v<Payload, ActSigned>)
            kinds.push_back(static_cast<std::uint8_t>(One));
    };
    (add(std::integral_constant<std::size_t, Index>{}), ...);
    return kinds;
}

} // namespace

std::vector<std::uint8_t> kindsOfActs()
{
    return actKinds(std::make_index_sequence<kEventKinds>{});
}

void ActsFromLog::take(const Fleet &fleet, const Event &event, bool isFolded, EventRow &row)
{
    const auto *signedAct = std::get_if<ActSigned>(&event.payload);
    if (signedAct) {
        m_last = {event.seq, event.ruleTime, toText(signedAct->act.by), toText(signedAct->act.machine),
                  isFolded ? QStringLiteral("verified") : verified(fleet, event, *signedAct)};
    }
    row.by = actor(fleet, event);
    const auto *ended = std::get_if<RequestEnded>(&event.payload);
    if (row.by.isEmpty() && ended)
        row.by = QStringLiteral("the clock or a change"); // a request's end is told, whoever brought it
    if (row.by.isEmpty())
        return;
    row.result = resultOf(event);
    // What one transaction holds stands at one time, directly behind its signature.
    const bool isUnder = m_last.seq.isSet() && m_last.at == event.ruleTime && event.seq >= m_last.seq
        && event.seq.value - m_last.seq.value < kReach;
    if (isUnder) {
        row.machine = m_last.machine;
        row.proof = m_last.proof;
    } else if (std::holds_alternative<ActRefused>(event.payload)) {
        row.proof = fleet.isUnsigned ? QStringLiteral("unsigned") : QStringLiteral("not honoured");
    } else if (ended && !ended->by) {
        row.proof = QStringLiteral("no person's act");
    } else {
        row.proof = QStringLiteral("unsigned");
    }
}

} // namespace handreset::live
