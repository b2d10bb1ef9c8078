// Acts under a signature: checked, taken, kept waiting for a second person, approved (spec 3.4, 4). A refused one
// leaves an event that says why.
#include "model/rules/authority.h"
#include "model/rules/draft.h"
#include "model/rules/operator_name.h"
#include "model/rules/policy_text.h"

#include <algorithm>
#include <utility>
#include <variant>
#include <vector>

namespace handreset::rules {

namespace {

constexpr std::size_t kMostRequests = 200; ///< that wait at one time
constexpr const char *kNoKey = "this is no key that anybody could sign with; make one: operator key";
constexpr Duration kNewOperator = hours(24); ///< so long an approval says who enrolled the one who asked

/// The revision that the act names; none: it names none.
Revision revisionSeen(const Act &act)
{
    const auto *rearm = std::get_if<Rearm>(&act);
    return rearm != nullptr ? rearm->revision.value_or(Revision{}) : Revision{};
}

/// What is said of an act that nobody may be taken for having done: the name is not entered in the log's names.
void refuseStranger(Draft &draft, const SignedAct &signedAct, const Act &act, const std::string &fault)
{
    const auto &fleet = draft.fleet();
    const OperatorId named{fleet.names.find(NameKind::Operator, signedAct.by)};
    const auto found = fleet.operators.find(named);
    const bool isTheirs = found != fleet.operators.end()
        && signatureFits(bytesToSign(signedAct), signedAct.signature, found->second.key);
    const auto known = isTheirs ? named : OperatorId{}; // a name that anybody can write is nobody's doing
    const auto word = actWord(act);
    ActRefused refused{word,  tripOf(act),
                       known, bounded(reasonOf(act), kLongestText),
                       fault, revisionSeen(act)};
    if (!known.isSet())
        refused.why = "signed as \"" + bounded(signedAct.by, 200) + "\": " + fault;
    auto why = refused.why;
    draft.emit(agentOf(fleet, act), {}, 0, std::move(refused));
    draft.answer(Error{ErrorCode::Refused, std::move(why), word});
}

/// What nobody can tell the meaning of leaves an event too: somebody tried.
void refuseUnread(Draft &draft, std::string_view by, const std::string &fault)
{
    draft.emit({}, {}, 0, ActRefused{"unreadable act", {}, {}, {}, "signed as \"" + bounded(by, 200) + "\": " + fault, {}});
    draft.answer(Error{ErrorCode::Refused, fault, "act"});
}

/// Policies are read here, from the text that was signed.
Result<void> complete(Act &act, const Zone &zone)
{
    auto *apply = std::get_if<ApplyPolicy>(&act);
    if (apply == nullptr)
        return {};
    auto reading = readPolicy(apply->text, apply->file);
    if (!reading.accepted())
        return Error{ErrorCode::BadInput, "the policy was not accepted; run `policy check`", apply->file};
    apply->policy = std::make_shared<const Policy>(std::move(*reading.policy));
    apply->zone = zone;
    return {};
}

void decideInner(Draft &draft, const Act &act)
{
    std::visit([&draft](const auto &one) { decide(draft, one); }, act);
}

/// What came to nothing is in the log too, and uses the signature up.
void decideAndRecord(Draft &draft, const Act &act)
{
    decideInner(draft, act);
    const auto *error = std::get_if<Error>(&draft.outcome());
    const auto &licence = draft.fleet().licence;
    if (error == nullptr || draft.failed() || !licence || licence->isUsed)
        return;
    const auto kept = *error;
    draft.emit(agentOf(draft.fleet(), act), {}, 0,
               ActRefused{actWord(act), tripOf(act), licence->by, bounded(reasonOf(act), kLongestText), kept.message,
                          revisionSeen(act)});
    draft.answer(kept);
}

/// What would come of the act, tried on a copy: the person who asks hears at once what is wrong with it.
std::optional<Error> tried(const Draft &draft, const Act &act, OperatorId by, OperatorId approvedBy)
{
    auto copy = draft.fleet();
    copy.licence = Licence{act, by, approvedBy, !approvedBy.isSet(), false, {}, {}};
    Step step;
    Draft trial(copy, draft.moment(), step, nullptr);
    decideInner(trial, act);
    if (const auto *error = std::get_if<Error>(&step.outcome))
        return *error;
    return std::nullopt;
}

/// The revision must be named under the signature: an act is on what its operator saw.
std::string faultOfBinding(const Act &act)
{
    const auto *rearm = std::get_if<Rearm>(&act);
    if (rearm != nullptr && !rearm->revision)
        return "a signed re-arm names the revision that was seen";
    const auto *apply = std::get_if<ApplyPolicy>(&act);
    if (apply != nullptr && !apply->over)
        return "a signed policy names the version that it comes in place of";
    return {};
}

/// What this operator has asked for already: the same act, or the re-arm of the same trip.
Seq sameRequest(const Fleet &fleet, const Act &act, OperatorId by)
{
    const auto trip = tripOf(act);
    const auto bytes = encodeAct(act);
    for (const auto &[seq, request] : fleet.requests) {
        if (request.by != by)
            continue;
        if (request.act.act == bytes || (std::holds_alternative<Rearm>(act) && request.trip == trip))
            return seq;
    }
    return {};
}

void askForSecond(Draft &draft, const Act &act, OperatorId by, std::string why, const Zone &zone)
{
    const auto &fleet = draft.fleet();
    const auto agent = agentOf(fleet, act);
    ApprovalRequested request;
    request.trip = tripOf(act);
    request.by = by;
    request.act = actWord(act);
    request.why = std::move(why);
    request.reason = bounded(reasonOf(act), kLongestText);
    request.revision = fleet.revisionOf(agent);
    request.policyVersion = fleet.policyVersion;
    request.expires = draft.time().wall + fleet.policy->approval.expires;
    request.zone = zone;
    const auto trip = request.trip;
    const auto revision = request.revision;
    const auto seq = draft.emit(agent, {}, 0, std::move(request));
    draft.answer(ActDone{seq, trip, revision, seq});
}

void refuseKnown(Draft &draft, const Act &act, std::string why)
{
    draft.refuseAct(actWord(act), tripOf(act), actorOf(act), reasonOf(act),
                    revisionSeen(act), std::move(why),
                    agentOf(draft.fleet(), act));
}

} // namespace

void decide(Draft &draft, const Signed &command)
{
    const auto &fleet = draft.fleet();
    auto act = decodeAct(command.act.act);
    if (!act)
        return refuseUnread(draft, command.act.by, "it holds no act that this version knows: " + act.error().message);
    if (auto wrong = checkName("operator", command.act.by))
        return refuseUnread(draft, command.act.by, "the operator's name " + wrong->message);
    if (auto fault = faultOfSigned(fleet, command.act, *act, command.origin, draft.time().wall); !fault.empty())
        return refuseStranger(draft, command.act, *act, fault);
    if (auto completed = complete(*act, command.zone); !completed)
        return draft.answer(completed.error());
    draft.emit(agentOf(fleet, *act), {}, 0, ActSigned{command.act, command.origin});
    if (draft.failed())
        return;
    if (auto fault = faultOfBinding(*act); !fault.empty())
        return refuseKnown(draft, *act, std::move(fault));
    const OperatorId by{fleet.names.find(NameKind::Operator, command.act.by)};
    auto second = secondPersonFor(fleet, *act, draft.time().wall);
    if (!second)
        return decideAndRecord(draft, *act);
    if (auto fault = tried(draft, *act, by, {}))
        return fault->code == ErrorCode::Refused ? refuseKnown(draft, *act, fault->message) : draft.answer(*fault);
    if (command.act.breakGlass) {
        draft.emit(agentOf(fleet, *act), {}, 0,
                   GlassBroken{by, actWord(*act), *second, bounded(reasonOf(*act), kLongestText)});
        return decideAndRecord(draft, *act);
    }
    if (const auto waiting = sameRequest(fleet, *act, by); waiting.isSet())
        return refuseKnown(draft, *act,
                           "it waits already, as request " + std::to_string(waiting.value)
                               + "; withdraw that one to ask in other words");
    if (fleet.requests.size() >= kMostRequests)
        return refuseKnown(draft, *act, "too many requests wait already; decide some of them first");
    askForSecond(draft, *act, by, std::move(*second), command.zone);
}

// ---- The second person -------------------------------------------------------------------------------------

namespace {

/// The request that waits, or a refusal.
const ActRequest *waitingOrRefuse(Draft &draft, const Act &act, Seq request)
{
    const auto found = draft.fleet().requests.find(request);
    if (found != draft.fleet().requests.end())
        return &found->second;
    refuseKnown(draft, act,
                "no request " + std::to_string(request.value)
                    + " waits: it was decided, its time was over, or what it is about has changed");
    return nullptr;
}

/// Two words from one place are no proof of one person, but worth a look.
std::string closenessOf(const Fleet &fleet, const ActRequest &request, const Licence &second)
{
    std::string close;
    if (!second.session.empty() && request.act.session == second.session)
        close = "the same session";
    else if (!second.machine.empty() && request.act.machine == second.machine)
        close = "the same machine";
    const auto *asker = fleet.activeOperator(request.by);
    const bool isTheirs = asker != nullptr && asker->enrolledBy == second.by
        && request.requestedAt - asker->enrolledAt < kNewOperator;
    if (isTheirs) // a lone approver can make a first person up
        close += std::string(close.empty() ? "" : "; ") + "an operator whom the approver enrolled less than 24 h before";
    return close;
}

} // namespace

void decide(Draft &draft, const Approve &command)
{
    const auto &fleet = draft.fleet();
    const auto *waiting = waitingOrRefuse(draft, command, command.request);
    if (waiting == nullptr)
        return;
    if (!fleet.licence) // an unsigned store has no requests
        return draft.answer(Error{ErrorCode::Refused, "an approval takes a signature", "approve"});
    const auto request = *waiting;
    const auto second = fleet.licence->by;
    const auto agent = request.agent;
    auto misfit = faultOfSecondPerson(fleet, request, second);
    if (misfit.empty() && command.what != digestOf(request))
        misfit = "the approval is of another act than the one that waits under this number; look at it again";
    if (!misfit.empty())
        return draft.refuseAct("approve", request.trip, command.by, command.note, request.revision, std::move(misfit),
                               agent);
    auto act = decodeAct(request.act.act);
    if (!act)
        return draft.answer(act.error());
    if (auto completed = complete(*act, request.zone); !completed)
        return draft.answer(completed.error());
    if (auto fault = tried(draft, *act, request.by, second)) {
        draft.refuseAct("approve", request.trip, command.by, command.note, request.revision, fault->message, agent);
        draft.emit(agent, {}, 0, RequestEnded{command.request, RequestEnd::Void, {}, fault->message, {}});
        return;
    }
    draft.emit(agent, {}, 0,
               RequestEnded{command.request, RequestEnd::Approved, second, bounded(command.note, kLongestText),
                            closenessOf(fleet, request, *fleet.licence)});
    decideInner(draft, *act);
}

void decide(Draft &draft, const EndRequest &command)
{
    const auto &fleet = draft.fleet();
    const auto *waiting = waitingOrRefuse(draft, command, command.request);
    if (waiting == nullptr)
        return;
    const OperatorId by{fleet.names.find(NameKind::Operator, command.by)};
    const bool isOwn = by == waiting->by;
    const auto *who = fleet.activeOperator(by);
    if (!isOwn && (who == nullptr || who->role != Role::Approver))
        return refuseKnown(draft, command, "whoever asked withdraws it, or an approver declines it");
    const auto seq = draft.emit(waiting->agent, {}, 0,
                                RequestEnded{command.request,
                                             isOwn ? RequestEnd::Withdrawn : RequestEnd::Declined,
                                             by,
                                             bounded(command.reason, kLongestText),
                                             {}});
    draft.answer(ActDone{seq, {}, {}});
}

void decide(Draft &draft, const CloseReview &command)
{
    const auto &fleet = draft.fleet();
    const auto found = fleet.reviews.find(command.review);
    if (found == fleet.reviews.end())
        return refuseKnown(draft, command, "no review " + std::to_string(command.review.value) + " is open");
    const OperatorId by{fleet.names.find(NameKind::Operator, command.by)};
    if (by == found->second.by)
        return refuseKnown(draft, command, "another person than the one who broke the glass closes the review");
    const auto seq = draft.emit(found->second.agent, {}, 0,
                                ReviewClosed{command.review, by, bounded(command.reason, kLongestText)});
    draft.answer(ActDone{seq, {}, {}});
}

// ---- Operators ---------------------------------------------------------------------------------------------

namespace {

bool hasOperatorWithKey(const Fleet &fleet, const PublicKey &key)
{
    for (const auto &[id, one] : fleet.operators) {
        if (one.key == key || std::find(one.formerKeys.begin(), one.formerKeys.end(), key) != one.formerKeys.end())
            return true;
    }
    return false;
}

/// The operator, or a refusal.
OperatorId enrolledOrRefuse(Draft &draft, const Act &act, const std::string &name)
{
    const OperatorId id{draft.fleet().names.find(NameKind::Operator, name)};
    if (draft.fleet().activeOperator(id) != nullptr)
        return id;
    refuseKnown(draft, act, '"' + bounded(name, 200) + "\" is no enrolled operator, or is retired already");
    return {};
}

} // namespace

void decide(Draft &draft, const EnrolOperator &command)
{
    const auto &fleet = draft.fleet();
    if (auto wrong = checkName("name", command.name))
        return draft.answer(*wrong);
    if (!fleet.licence)
        return draft.answer(Error{ErrorCode::Refused, "an enrolment takes a signature", "operator enrol"});
    const OperatorId known{fleet.names.find(NameKind::Operator, command.name)};
    if (known.isSet() && fleet.operators.contains(known))
        return refuseKnown(draft, command,
                           "an operator of this name was enrolled before; take another name, or rotate the key");
    if (auto fault = faultOfOperatorName(fleet, command.name); !fault.empty())
        return refuseKnown(draft, command, "the name " + fault);
    if (!isUsableKey(command.key))
        return refuseKnown(draft, command, kNoKey);
    if (hasOperatorWithKey(fleet, command.key))
        return refuseKnown(draft, command, "another operator has, or had, this key: each person has one of their own");
    const auto who = draft.operatorNamed(command.name);
    const auto by = fleet.operators.empty() ? who : fleet.licence->by;
    const auto seq = draft.emit(
        {}, {}, 0, OperatorEnrolled{who, command.role, command.key, by, bounded(command.reason, kLongestText)});
    if (!draft.failed())
        draft.answer(ActDone{seq, {}, fleet.fleetRevision});
}

void decide(Draft &draft, const RetireOperator &command)
{
    const auto &fleet = draft.fleet();
    const auto who = enrolledOrRefuse(draft, command, command.name);
    if (!who.isSet())
        return;
    if (fleet.activeOperator(who)->role == Role::Approver && fleet.approvers() == 1)
        return refuseKnown(draft, command, "this is the last approver; enrol another one first");
    const OperatorId by{fleet.names.find(NameKind::Operator, command.by)};
    const auto seq = draft.emit({}, {}, 0, OperatorRetired{who, by, bounded(command.reason, kLongestText)});
    draft.answer(ActDone{seq, {}, fleet.fleetRevision});
}

namespace {

/// What was asked for under a key that is out of use dies with it: the key may have been another's.
void endRequestsOf(Draft &draft, OperatorId who)
{
    std::vector<std::pair<Seq, AgentId>> over;
    for (const auto &[seq, request] : draft.fleet().requests) {
        if (request.by == who)
            over.emplace_back(seq, request.agent);
    }
    for (const auto &[seq, agent] : over)
        draft.emit(agent, {}, 0, RequestEnded{seq, RequestEnd::Void, {}, "it was asked for under a key that was replaced", {}});
}

} // namespace

void decide(Draft &draft, const RotateKey &command)
{
    const auto &fleet = draft.fleet();
    const auto who = enrolledOrRefuse(draft, command, command.name);
    if (!who.isSet())
        return;
    const OperatorId by{fleet.names.find(NameKind::Operator, command.by)};
    if (by != who && fleet.activeOperator(by)->role != Role::Approver)
        return refuseKnown(draft, command, "another person's key is rotated by an approver");
    if (!isUsableKey(command.key))
        return refuseKnown(draft, command, kNoKey);
    if (hasOperatorWithKey(fleet, command.key))
        return refuseKnown(draft, command, "this key is in use, or was: take a new one");
    const auto seq = draft.emit({}, {}, 0, KeyRotated{who, command.key, by, bounded(command.reason, kLongestText)});
    endRequestsOf(draft, who);
    draft.answer(ActDone{seq, {}, fleet.fleetRevision});
}

// ---- Passes ------------------------------------------------------------------------------------------------

void decide(Draft &draft, const GivePass &command)
{
    const auto &fleet = draft.fleet();
    if (auto wrong = checkName("operator", command.by))
        return draft.answer(*wrong);
    const auto found = fleet.refusedCalls.find(command.ask);
    if (found == fleet.refusedCalls.end())
        return refuseKnown(
            draft, command,
            "no call of this number was refused by the envelope lately: a pass is for exactly one such call");
    const auto call = found->second;
    if (bounded(command.reason, kLongestText).size() < kShortestReason)
        return refuseKnown(draft, command, "give a reason of at least 10 characters");
    const auto by = draft.operatorNamed(command.by);
    const auto approvedBy = fleet.licence ? fleet.licence->approvedBy : OperatorId{};
    const auto seq = draft.emit(call.agent, call.task, 0,
                                PassGiven{command.ask, call.tool, call.exact, draft.time().wall + kPassLasts, by,
                                          approvedBy, bounded(command.reason, kLongestText)});
    draft.answer(ActDone{seq, call.trip, fleet.revisionOf(call.agent)});
}

} // namespace handreset::rules
