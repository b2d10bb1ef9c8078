#include "model/rules/act.h"

#include "model/rules/codec.h"
#include "model/rules/overloaded.h"

#include <type_traits>

namespace handreset::rules {

std::string encodeAct(const Act &act)
{
    return encodeCbor(act);
}

Result<Act> decodeAct(std::string_view bytes)
{
    return decodeCbor<Act>(bytes);
}

std::string actWord(const Act &act)
{
    return std::visit(Overloaded{
                          [](const Acknowledge &) -> std::string { return "ack"; },
                          [](const Rearm &) -> std::string { return "rearm"; },
                          [](const StopAgent &) -> std::string { return "stop"; },
                          [](const GiveReason &) -> std::string { return "reason"; },
                          [](const ActOnBreaker &one) { return std::string(toWord(one.act)); },
                          [](const ActOnQueue &one) { return "queue " + std::string(toWord(one.verb)); },
                          [](const GrantMore &) -> std::string { return "grant"; },
                          [](const ApplyPolicy &) -> std::string { return "policy apply"; },
                          [](const ConfirmTime &) -> std::string { return "confirm-time"; },
                          [](const TrustStore &one) { return one.act; },
                          [](const EnrolOperator &) -> std::string { return "operator enrol"; },
                          [](const RetireOperator &) -> std::string { return "operator retire"; },
                          [](const RotateKey &) -> std::string { return "operator rotate"; },
                          [](const GivePass &) -> std::string { return "pass"; },
                          [](const Approve &) -> std::string { return "approve"; },
                          [](const EndRequest &) -> std::string { return "decline"; },
                          [](const CloseReview &) -> std::string { return "close-review"; },
                          [](const AddToken &) -> std::string { return "token add"; },
                          [](const RevokeToken &) -> std::string { return "token revoke"; },
                      },
                      act);
}

const std::string &actorOf(const Act &act)
{
    return std::visit([](const auto &one) -> const std::string & { return one.by; }, act);
}

void setActor(Act &act, const std::string &name)
{
    std::visit([&name](auto &one) { one.by = name; }, act);
}

std::string_view reasonOf(const Act &act)
{
    return std::visit(
        [](const auto &one) -> std::string_view {
            if constexpr (requires { one.reason; })
                return one.reason;
            else
                return one.note;
        },
        act);
}

Role roleFor(const Act &act)
{
    return std::visit(
        [](const auto &one) {
            using T = std::remove_cvref_t<decltype(one)>;
            constexpr bool ofApprover
                = std::is_same_v<
                      T,
                      ApplyPolicy> || std::is_same_v<T, EnrolOperator> || std::is_same_v<T, RetireOperator> || std::is_same_v<T, Approve> || std::is_same_v<T, CloseReview> || std::is_same_v<T, AddToken> || std::is_same_v<T, RevokeToken>;
            if constexpr (std::is_same_v<T, TrustStore>)
                return one.act == kAcceptStore ? Role::Approver : Role::Responder;
            return ofApprover ? Role::Approver : Role::Responder;
        },
        act);
}

} // namespace handreset::rules
