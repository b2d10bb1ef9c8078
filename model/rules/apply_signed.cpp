// Operators, signatures, requests, passes and tokens on their way into the fleet.
#include "model/rules/authority.h"
#include "model/rules/fold.h"

#include <utility>

namespace handreset::rules::fold {

Result<void> applyAct(Context &context, const ActSigned &signedAct)
{
    auto &fleet = context.fleet;
    auto act = decodeAct(signedAct.act.act);
    if (!act)
        return malformed(context.event, "an act that this version does not know");
    if (auto fault = faultOfSigned(fleet, signedAct.act, *act, signedAct.origin, context.event.ruleTime);
        !fault.empty())
        return malformed(context.event, "an operator's act whose signature is not honoured: " + fault);
    const auto oldest = context.event.ruleTime - kActFresh;
    std::erase_if(fleet.nonces, [oldest](const auto &entry) { return entry.second < oldest; }); // such acts are stale
    fleet.nonces.emplace(signedAct.act.nonce, signedAct.act.at);
    fleet.licence = Licence{std::move(*act),
                            OperatorId{fleet.names.find(NameKind::Operator, signedAct.act.by)},
                            {},
                            signedAct.act.breakGlass,
                            false,
                            signedAct.act.machine,
                            signedAct.act.session};
    return {};
}

Result<void> applyAct(Context &context, const OperatorEnrolled &enrolled)
{
    auto &fleet = context.fleet;
    if (!enrolled.who.isSet() || enrolled.who.value > fleet.names.count(NameKind::Operator)
        || fleet.operators.contains(enrolled.who))
        return malformed(context.event, "an operator without a name, or enrolled twice");
    if (fleet.operators.empty()) {
        fleet.rootKey = enrolled.key;
        fleet.isUnsigned = false;
    }
    const auto now = context.event.ruleTime;
    fleet.operators.emplace(enrolled.who, Operator{enrolled.role, enrolled.key, now, enrolled.by, now, {}, {}, {}});
    ++fleet.fleetRevision.value;
    return {};
}

namespace {

Operator *activeOperator(Fleet &fleet, OperatorId id)
{
    const auto found = fleet.operators.find(id);
    return found != fleet.operators.end() && found->second.isActive() ? &found->second : nullptr;
}

} // namespace

Result<void> applyAct(Context &context, const OperatorRetired &retired)
{
    auto *who = activeOperator(context.fleet, retired.who);
    if (who == nullptr)
        return malformed(context.event, "the end of no operator");
    who->retiredAt = context.event.ruleTime;
    who->retiredBy = retired.by;
    ++context.fleet.fleetRevision.value;
    return {};
}

Result<void> applyAct(Context &context, const KeyRotated &rotated)
{
    auto *who = activeOperator(context.fleet, rotated.who);
    if (who == nullptr)
        return malformed(context.event, "another key of no operator");
    who->formerKeys.push_back(std::exchange(who->key, rotated.key));
    who->keySince = context.event.ruleTime;
    ++context.fleet.fleetRevision.value;
    return {};
}

Result<void> applyAct(Context &context, const ApprovalRequested &requested)
{
    auto &fleet = context.fleet;
    if (!fleet.licence)
        return malformed(context.event, "a request that nobody signed");
    ActRequest request;
    request.act.by = fleet.names(requested.by);
    request.act.act = encodeAct(fleet.licence->act);
    request.act.machine = fleet.licence->machine;
    request.act.session = fleet.licence->session;
    request.by = requested.by;
    request.agent = context.event.agent;
    request.trip = requested.trip;
    request.why = requested.why;
    request.revision = requested.revision;
    request.policyVersion = requested.policyVersion;
    request.requestedAt = context.event.ruleTime;
    request.expires = requested.expires;
    request.zone = requested.zone;
    request.expiresSteady = context.event.steady + (requested.expires - context.event.ruleTime);
    fleet.requests.emplace(context.event.seq, std::move(request));
    if (context.event.agent.isSet())
        static_cast<void>(context.agent(context.event.agent)); // what waits on it reads differently now
    return {};
}

Result<void> applyAct(Context &context, const RequestEnded &ended)
{
    if (context.fleet.requests.erase(ended.request) == 0)
        return malformed(context.event, "the end of no request");
    if (context.event.agent.isSet())
        static_cast<void>(context.agent(context.event.agent));
    return {};
}

Result<void> applyAct(Context &context, const PassGiven &given)
{
    auto &fleet = context.fleet;
    if (!context.event.agent.isSet() || !context.event.task.isSet() || !given.tool.isSet())
        return malformed(context.event, "a pass for no call");
    const auto now = context.now();
    std::erase_if(fleet.passes, [now](const auto &entry) { return entry.second.isOver(now); });
    Pass pass{given.ask, context.event.agent, context.event.task, given.tool, given.exact, given.until, given.by, {}};
    pass.untilSteady = now.steady + (given.until - now.wall);
    fleet.passes.emplace(context.event.seq, pass);
    ++context.agent(context.event.agent).revision.value;
    return {};
}

Result<void> applyAct(Context &context, const GlassBroken &broken)
{
    context.fleet.reviews.emplace(
        context.event.seq,
        OpenReview{broken.by, context.event.agent, broken.act, broken.why, broken.reason, context.event.ruleTime});
    return {};
}

Result<void> applyAct(Context &context, const ReviewClosed &closed)
{
    if (context.fleet.reviews.erase(closed.review) == 0)
        return malformed(context.event, "the end of no review");
    return {};
}

Result<void> applyAct(Context &context, const TokenAdded &added)
{
    auto &fleet = context.fleet;
    if (context.event.agent.isSet() != added.feed.empty())
        return malformed(context.event, "a token of nobody");
    fleet.tokens.emplace(context.event.seq,
                         Token{context.event.agent, added.feed, added.hash, context.event.ruleTime, added.by});
    return {};
}

Result<void> applyAct(Context &context, const TokenRevoked &revoked)
{
    if (context.fleet.tokens.erase(revoked.token) == 0)
        return malformed(context.event, "the end of no token");
    return {};
}

} // namespace handreset::rules::fold
