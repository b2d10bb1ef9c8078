#include "model/rules/authority.h"

#include "model/rules/overloaded.h"
#include "model/rules/policy_diff.h"
#include "model/rules/policy_text.h"
#include "model/rules/utf8.h"

#include <algorithm>
#include <cstdlib>
#include <string_view>
#include <type_traits>
#include <variant>

namespace handreset::rules {

namespace {

constexpr std::size_t kLongestPlace = 200; ///< bytes of a machine's or session's name

/// The key that the signature must be of; an unknown or retired operator has none. The first operator's act brings it.
struct Signer {
    const PublicKey *key = nullptr;
    Role role = Role::Viewer;
    std::string fault;
};

Signer signerOf(const Fleet &fleet, const SignedAct &signedAct, const Act &act)
{
    if (fleet.operators.empty()) {
        const auto *first = std::get_if<EnrolOperator>(&act);
        if (first != nullptr && first->name == signedAct.by && first->role == Role::Approver)
            return {&first->key, Role::Approver, {}};
        return {nullptr, {}, "no operator is enrolled in this store; the first one enrols as approver: operator enrol"};
    }
    const OperatorId id{fleet.names.find(NameKind::Operator, signedAct.by)};
    const auto found = fleet.operators.find(id);
    if (!id.isSet() || found == fleet.operators.end())
        return {nullptr, {}, "no operator of this name is enrolled"};
    if (!found->second.isActive())
        return {nullptr, {}, "this operator is retired"};
    return {&found->second.key, found->second.role, {}};
}

/// No act but a policy has long texts, and no act but a re-arm a list.
std::size_t mostBytesOf(const Act &act)
{
    constexpr std::size_t kKilobyte = 1024;
    if (std::holds_alternative<ApplyPolicy>(act))
        return kMostPolicyBytes + 8 * kKilobyte;
    return std::holds_alternative<Rearm>(act) ? 256 * kKilobyte : 12 * kKilobyte;
}

bool isPlace(std::string_view text)
{
    return text.size() <= kLongestPlace && isUtf8(text);
}

std::string minutesApart(Duration apart)
{
    const auto whole = std::llabs(apart.micros) / minutes(1).micros;
    return std::to_string(whole) + (whole == 1 ? " minute" : " minutes");
}

std::string ordinal(std::int64_t number)
{
    const auto tens = number % 100;
    const auto ones = tens >= 11 && tens <= 13 ? 0 : number % 10;
    return std::to_string(number) + (ones == 1 ? "st" : ones == 2 ? "nd" : ones == 3 ? "rd" : "th");
}

} // namespace

std::string faultOfSigned(const Fleet &fleet, const SignedAct &signedAct, const Act &act, const ActOrigin &origin,
                          Instant now)
{
    if (fleet.recorded)
        return "a store of recorded runs has no operators";
    const auto signer = signerOf(fleet, signedAct, act);
    if (signer.key == nullptr)
        return signer.fault;
    if (!signatureFits(bytesToSign(signedAct), signedAct.signature, *signer.key))
        return "the signature is not this operator's over this act: it was altered, or signed with another key";
    if (actorOf(act) != signedAct.by)
        return "the act names another person than the one who signed it";
    if (signedAct.storeId != fleet.signedAs())
        return "it was signed for another fleet, or for a copy of this one";
    if (signedAct.act.size() > mostBytesOf(act)) // the log keeps the bytes that were signed
        return "it is longer than acts of its kind are";
    if (signedAct.nonce.size() != kNonceSize || !isPlace(signedAct.machine) || !isPlace(signedAct.session))
        return "its nonce, machine or session is malformed";
    if (fleet.nonces.contains(signedAct.nonce))
        return "its nonce was used before: it is a replay, or it was sent twice";
    if (const auto apart = now - signedAct.at; std::llabs(apart.micros) > kActFresh.micros)
        return "it was signed " + minutesApart(apart) + (apart.micros > 0 ? " ago" : " ahead of the host's time")
            + ", and an act is good for " + minutesApart(kActFresh) + "; sign it anew";
    const bool isOwnKey = std::holds_alternative<RotateKey>(act) && std::get<RotateKey>(act).name == signedAct.by;
    if (const auto least = roleFor(act); signer.role < least && !isOwnKey)
        return "the role " + std::string(toWord(signer.role)) + " may not do this; it takes "
            + std::string(toWord(least));
    const bool isLonePass = std::holds_alternative<GivePass>(act) && !fleet.policy->approval.passes;
    if (isLonePass && signer.role != Role::Approver)
        return "a pass needs an approver";
    if (signedAct.breakGlass && !origin.isRoot)
        return "the glass is broken by root on the host only";
    return {};
}

// ---- Second persons ----------------------------------------------------------------------------------------

namespace {

bool asksFor(const Fleet &fleet, Signal signal)
{
    const auto &signals = fleet.policy->approval.signals;
    return std::find(signals.begin(), signals.end(), signal) != signals.end();
}

/// The signal behind a trip: of a probation, that of the trip whose place it took.
Signal signalBehind(const Trip &trip)
{
    return trip.origin.value_or(trip.subject.signal);
}

std::optional<std::string> personFor(const Fleet &fleet, const Rearm &rearm, Instant now)
{
    const auto *trip = fleet.trip(rearm.trip);
    if (trip == nullptr)
        return std::nullopt;
    if (trip->reach == Reach::Fleet)
        return "it lifts the fleet's stop";
    if (const auto signal = signalBehind(*trip); asksFor(fleet, signal))
        return "the policy asks for it where " + std::string(toWord(signal)) + " tripped";
    const auto most = fleet.policy->approval.rearmsIn24h;
    const auto &rearms = fleet.agent(trip->agent).rearms;
    const auto since = std::count_if(rearms.begin(), rearms.end(),
                                     [now](const RearmRecord &one) { return now - one.at < hours(24); });
    if (most > 0 && since + 1 >= most)
        return "it is the " + ordinal(since + 1) + " re-arm of this agent within 24 h";
    return std::nullopt;
}

std::optional<std::string> personFor(const Fleet &fleet, const ApplyPolicy &apply)
{
    // The built-in policy is nobody's decision: who is the only approver replaces it alone, as they set the store up.
    const bool isSettingUp = fleet.policyVersion == 0 && fleet.approvers() < 2;
    if (isSettingUp || !fleet.policy->approval.loosening)
        return std::nullopt;
    auto next = apply.policy;
    if (!next) {
        auto reading = readPolicy(apply.text, apply.file);
        if (!reading.accepted())
            return std::nullopt; // it is refused anyway
        next = std::make_shared<const Policy>(std::move(*reading.policy));
    }
    const auto changes = policyDiff(*fleet.policy, *next);
    const auto isLoose = [](const PolicyChange &change) { return change.direction == Direction::Loosens; };
    const auto count = std::count_if(changes.begin(), changes.end(), isLoose);
    if (count == 0)
        return std::nullopt;
    const auto &first = std::find_if(changes.begin(), changes.end(), isLoose)->field;
    return "it loosens " + (count == 1 ? first : std::to_string(count) + " things, " + first + " among them");
}

/// Who makes operators could be both persons: from the second approver on it takes two.
std::optional<std::string> personForOperators(const Fleet &fleet)
{
    if (fleet.approvers() < 2)
        return std::nullopt;
    return "it changes who the operators are";
}

} // namespace

std::optional<std::string> secondPersonFor(const Fleet &fleet, const Act &act, Instant now)
{
    using Need = std::optional<std::string>;
    if (fleet.isUnsigned)
        return std::nullopt;
    return std::visit(
        Overloaded{
            [&](const Rearm &one) { return personFor(fleet, one, now); },
            [&](const ApplyPolicy &one) { return personFor(fleet, one); },
            [&](const GrantMore &one) -> Need {
                if (!asksFor(fleet, one.subject.signal))
                    return std::nullopt;
                return "the policy asks for it where " + std::string(toWord(one.subject.signal)) + " is granted more";
            },
            [&](const GivePass &) -> Need {
                return fleet.policy->approval.passes ? Need("it lets a call past the envelope") : std::nullopt;
            },
            [&](const EnrolOperator &) { return personForOperators(fleet); },
            [&](const RetireOperator &) { return personForOperators(fleet); },
            [&](const RotateKey &one) { return one.name == one.by ? Need() : Need("it changes another person's key"); },
            [](const auto &) -> Need { return std::nullopt; },
        },
        act);
}

AgentId agentOf(const Fleet &fleet, const Act &act)
{
    if (const auto *trip = fleet.trip(tripOf(act)))
        return trip->agent;
    return std::visit(Overloaded{
                          [&](const GivePass &one) {
                              const auto found = fleet.refusedCalls.find(one.ask);
                              return found != fleet.refusedCalls.end() ? found->second.agent : AgentId{};
                          },
                          [&](const GrantMore &one) {
                              return one.subject.agent.isSet() ? one.subject.agent : fleet.task(one.subject.root).agent;
                          },
                          [&](const auto &one) -> AgentId {
                              if constexpr (requires { one.agent; })
                                  return AgentId{fleet.names.find(NameKind::Agent, one.agent)};
                              else
                                  return {};
                          },
                      },
                      act);
}

TripId tripOf(const Act &act)
{
    return std::visit(
        [](const auto &one) -> TripId {
            if constexpr (requires { one.trip; })
                return one.trip;
            else
                return {};
        },
        act);
}

Digest digestOf(const ActRequest &request)
{
    Sha256 hash;
    hash.addSized(request.act.by);
    hash.addSized(request.act.act);
    return hash.finish();
}

std::string faultOfSecondPerson(const Fleet &fleet, const ActRequest &request, OperatorId second)
{
    if (second == request.by)
        return "whoever asks cannot be the second person";
    const auto *one = fleet.activeOperator(request.by);
    const auto *other = fleet.activeOperator(second);
    if (one == nullptr)
        return "whoever asked is no operator any more";
    if (other == nullptr || other->role != Role::Approver)
        return "the second person must be an approver";
    if (one->key == other->key)
        return "both names have one key: that is one person";
    return {};
}

// ---- The log's events ----------------------------------------------------------------------------------------

namespace {

/// Blanks at both ends are nobody's words; what was bounded is compared as far as it was kept.
bool sameWords(std::string_view kept, std::string_view given)
{
    constexpr std::string_view kBlank = " \t\r\n";
    const auto first = given.find_first_not_of(kBlank);
    if (first == std::string_view::npos)
        return kept.find_first_not_of(kBlank) == std::string_view::npos;
    const auto trimmed = given.substr(first, given.find_last_not_of(kBlank) - first + 1);
    return kept == given || kept == trimmed || (!kept.empty() && given.starts_with(kept) && kept.size() + 4 > 4096);
}

bool sameKey(const NameTable &names, BreakerKey key, const ActOnBreaker &act)
{
    return names(key.tool) == act.tool && (key.agent.isSet() ? names(key.agent) : std::string()) == act.agent;
}

/// Whether an event is what the licence allows. Main effects come once; what follows from one comes after it.
class Fit {
public:
    Fit(const Fleet &fleet, const Licence &licence, const Event &event)
        : m_fleet(fleet), m_licence(licence), m_event(event)
    {}

    /// 'm': the main effect; 's': one that follows from it; 0: neither.
    [[nodiscard]] char run() const
    {
        return std::visit([this](const auto &payload) { return fits(payload) ? kind(payload) : char(0); },
                          m_event.payload);
    }

private:
    template <class A>
    [[nodiscard]] const A *act() const
    {
        return std::get_if<A>(&m_licence.act);
    }
    [[nodiscard]] bool isBy(OperatorId by) const { return by == m_licence.by; }

    template <class P>
    [[nodiscard]] char kind(const P &payload) const
    {
        if constexpr (std::is_same_v<P, TripFired>)
            return payload.subject.signal == Signal::Probation || act<TrustStore>() != nullptr ? 's' : 'm';
        else if constexpr (std::is_same_v<P, QueueActed>)
            return act<Rearm>() != nullptr ? 's' : 'm';
        else
            return 'm';
    }

    [[nodiscard]] bool fits(const TripAcknowledged &e) const
    {
        const auto *one = act<Acknowledge>();
        return one != nullptr && one->trip == e.trip && isBy(e.by);
    }
    [[nodiscard]] bool fits(const TripRearmed &e) const
    {
        const auto *one = act<Rearm>();
        return one != nullptr && one->trip == e.trip && one->to == e.to && one->grant == e.grant
            && one->queue == e.queue && one->revision && *one->revision == e.revisionSeen && isPresent(e)
            && sameWords(e.reason, one->reason) && isBy(e.by) && e.approvedBy == m_licence.approvedBy;
    }
    /// The revision that was seen is the one that the agent has.
    [[nodiscard]] bool isPresent(const TripRearmed &e) const
    {
        const auto *trip = m_fleet.trip(e.trip);
        return trip != nullptr && e.revisionSeen == m_fleet.revisionOf(*trip);
    }
    [[nodiscard]] bool fits(const TripFired &e) const
    {
        if (e.subject.signal == Signal::Probation) {
            const auto *one = act<Rearm>();
            return one != nullptr && one->to == Rung::Degraded && e.linked == one->trip && isBy(e.by);
        }
        const auto *trust = act<TrustStore>(); // stops that could not be written stand from here on
        if (trust != nullptr)
            return trust->act == kClearSentinel && isBy(e.by);
        const auto *one = act<StopAgent>();
        return one != nullptr && m_fleet.names(m_event.agent) == one->agent && e.rung == one->to && isBy(e.by);
    }
    [[nodiscard]] bool fits(const ReasonGiven &e) const
    {
        const auto *one = act<GiveReason>();
        return one != nullptr && one->trip == e.trip && sameWords(e.reason, one->reason) && isBy(e.by);
    }
    [[nodiscard]] bool fits(const BreakerMoved &e) const
    {
        const auto *one = act<ActOnBreaker>();
        return one != nullptr && one->act == e.event && sameKey(m_fleet.names, e.breaker, *one) && isBy(e.by);
    }
    [[nodiscard]] bool fits(const QueueActed &e) const
    {
        if (const auto *rearm = act<Rearm>())
            return isBy(e.by)
                && std::find(rearm->queue.begin(), rearm->queue.end(), std::pair{m_event.task, e.verb})
                != rearm->queue.end();
        const auto *one = act<ActOnQueue>();
        return one != nullptr && one->verb == e.verb && m_fleet.names(m_event.task) == one->task
            && m_fleet.names(m_event.agent) == one->agent && isBy(e.by);
    }
    [[nodiscard]] bool fits(const Granted &e) const
    {
        const auto *one = act<GrantMore>();
        return one != nullptr && one->subject == e.subject && one->grant == e.grant && isBy(e.by);
    }
    [[nodiscard]] bool fits(const PolicyApplied &e) const
    {
        const auto *one = act<ApplyPolicy>();
        return one != nullptr && one->text == e.text && one->over && *one->over == m_fleet.policyVersion
            && e.version == m_fleet.policyVersion + 1 && isBy(e.by) && e.approvedBy == m_licence.approvedBy;
    }
    [[nodiscard]] bool fits(const ClockConfirmed &e) const { return act<ConfirmTime>() != nullptr && isBy(e.by); }
    [[nodiscard]] bool fits(const StoreTrusted &e) const
    {
        const auto *one = act<TrustStore>();
        return one != nullptr && one->act == e.act && isBy(e.by);
    }
    [[nodiscard]] bool fits(const OperatorEnrolled &e) const
    {
        const auto *one = act<EnrolOperator>();
        const bool isFirst = m_fleet.operators.empty();
        return one != nullptr && m_fleet.names(e.who) == one->name && one->role == e.role && one->key == e.key
            && (isFirst ? e.by == e.who : isBy(e.by));
    }
    [[nodiscard]] bool fits(const OperatorRetired &e) const
    {
        const auto *one = act<RetireOperator>();
        return one != nullptr && m_fleet.names(e.who) == one->name && isBy(e.by);
    }
    [[nodiscard]] bool fits(const KeyRotated &e) const
    {
        const auto *one = act<RotateKey>();
        return one != nullptr && m_fleet.names(e.who) == one->name && one->key == e.key && isBy(e.by);
    }
    [[nodiscard]] bool fits(const PassGiven &e) const
    {
        const auto *one = act<GivePass>();
        const auto call = m_fleet.refusedCalls.find(e.ask);
        return one != nullptr && one->ask == e.ask && call != m_fleet.refusedCalls.end() && call->second.tool == e.tool
            && call->second.exact == e.exact && call->second.agent == m_event.agent && call->second.task == m_event.task
            && e.until <= m_event.ruleTime + kPassLasts && isBy(e.by) && e.approvedBy == m_licence.approvedBy;
    }
    [[nodiscard]] bool fits(const RequestEnded &e) const
    {
        const auto *one = act<EndRequest>();
        return one != nullptr && one->request == e.request && isBy(e.by)
            && (e.how == RequestEnd::Declined || e.how == RequestEnd::Withdrawn);
    }
    [[nodiscard]] bool fits(const ReviewClosed &e) const
    {
        const auto *one = act<CloseReview>();
        const auto review = m_fleet.reviews.find(e.review);
        return one != nullptr && one->review == e.review && isBy(e.by) && review != m_fleet.reviews.end()
            && review->second.by != e.by;
    }
    [[nodiscard]] bool fits(const TokenAdded &e) const
    {
        const auto *one = act<AddToken>();
        return one != nullptr && one->hash == e.hash && one->feed == e.feed
            && m_fleet.names(m_event.agent) == one->agent && isBy(e.by);
    }
    [[nodiscard]] bool fits(const TokenRevoked &e) const
    {
        const auto *one = act<RevokeToken>();
        return one != nullptr && one->token == e.token && isBy(e.by);
    }
    template <class P>
    [[nodiscard]] bool fits(const P &) const
    {
        return false;
    }

    const Fleet &m_fleet;
    const Licence &m_licence;
    const Event &m_event;
};

/// Whether an event is an operator's doing.
bool isOperators(const Event &event)
{
    return std::
        visit(
            Overloaded{
                [](const TripFired &e) {
                    return e.subject.signal == Signal::Operator || e.subject.signal == Signal::Probation;
                },
                [](const TripRearmed &e) { return e.by.isSet(); },
                [](const BreakerMoved &e) { return e.event != BreakerEvent::LeaseOver; },
                [](const TaskEnded &e) { return e.by.isSet(); },
                [](const RequestEnded &e) {
                    return e.how != RequestEnd::Approved && e.how != RequestEnd::Expired && e.how != RequestEnd::Void;
                },
                [](const auto &e) {
                    using P = std::remove_cvref_t<decltype(e)>;
                    return std::is_same_v<
                               P, TripAcknowledged> || std::is_same_v<P, ReasonGiven> || std::is_same_v<P, QueueActed> || std::is_same_v<P, Granted> || std::is_same_v<P, PolicyApplied> || std::is_same_v<P, ClockConfirmed> || std::is_same_v<P, StoreTrusted> || std::is_same_v<P, OperatorEnrolled> || std::is_same_v<P, OperatorRetired> || std::is_same_v<P, KeyRotated> || std::is_same_v<P, PassGiven> || std::is_same_v<P, ReviewClosed> || std::is_same_v<P, TokenAdded> || std::is_same_v<P, TokenRevoked>;
                },
            },
            event.payload);
}

constexpr const char *kNoSignature = "an operator's act without a signature that allows it";

/// A request is whose signature stands before it, and bound to what is there now.
bool requestFits(const Fleet &fleet, const ApprovalRequested &asked, const Event &event)
{
    const auto &licence = fleet.licence;
    return licence && !licence->isUsed && asked.by == licence->by && asked.trip == tripOf(licence->act)
        && event.agent == agentOf(fleet, licence->act) && asked.revision == fleet.revisionOf(event.agent)
        && asked.policyVersion == fleet.policyVersion
        && asked.expires <= event.ruleTime + fleet.policy->approval.expires;
}

/// The second person's word puts the requester's act in the place of the approval.
std::string takeApproval(Fleet &fleet, const RequestEnded &ended, Now now)
{
    const auto found = fleet.requests.find(ended.request);
    auto &licence = fleet.licence;
    const auto *approve = licence && !licence->isUsed ? std::get_if<Approve>(&licence->act) : nullptr;
    if (approve == nullptr || found == fleet.requests.end() || approve->request != ended.request
        || ended.by != licence->by)
        return kNoSignature;
    if (approve->what != digestOf(found->second))
        return "an approval of another act than the one that it lets through";
    if (auto fault = faultOfSecondPerson(fleet, found->second, ended.by); !fault.empty())
        return fault;
    const auto &request = found->second;
    if (request.revision != fleet.revisionOf(request.agent) || request.policyVersion != fleet.policyVersion)
        return "an approval of something that has changed since";
    if (request.isOver(now))
        return "an approval after its time";
    auto act = decodeAct(request.act.act);
    if (!act)
        return act.error().message;
    licence->act = std::move(*act);
    licence->approvedBy = ended.by;
    licence->by = request.by;
    return {};
}

} // namespace

std::string faultOfLicence(Fleet &fleet, const Event &event)
{
    if (fleet.isUnsigned && !std::holds_alternative<OperatorEnrolled>(event.payload))
        return {};
    auto &licence = fleet.licence;
    if (const auto *ended = std::get_if<RequestEnded>(&event.payload);
        ended != nullptr && ended->how == RequestEnd::Approved)
        return takeApproval(fleet, *ended, {event.ruleTime, event.steady});
    if (std::holds_alternative<ActRefused>(event.payload) || std::holds_alternative<ApprovalRequested>(event.payload)) {
        if (const auto *asked = std::get_if<ApprovalRequested>(&event.payload);
            asked != nullptr && !requestFits(fleet, *asked, event))
            return kNoSignature;
        if (licence)
            licence->isUsed = true;
        return {};
    }
    if (std::holds_alternative<GlassBroken>(event.payload))
        return licence && licence->breakGlass && !licence->isUsed
                && std::get<GlassBroken>(event.payload).by == licence->by
            ? std::string()
            : kNoSignature;
    if (!isOperators(event))
        return {};
    if (!licence)
        return kNoSignature;
    const char kind = Fit(fleet, *licence, event).run();
    if (kind == 0 || (kind == 'm') == licence->isUsed)
        return kNoSignature;
    if (kind == 'm' && !licence->approvedBy.isSet() && !licence->breakGlass
        && secondPersonFor(fleet, licence->act, event.ruleTime))
        return "an act of one person where two are asked for";
    licence->isUsed = true;
    return {};
}

} // namespace handreset::rules
