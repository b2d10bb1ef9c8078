// The verbs of operators and second persons: who may act, requests that wait, passes, reviews.
#include "app/ctl/operator_lists.h"
#include "app/ctl/signing.h"
#include "app/ctl/store_access.h"
#include "app/ctl/table.h"
#include "app/ctl/verbs.h"
#include "model/engine/host_wait.h"
#include "model/engine/root_guard.h"
#include "model/link/meeting.h"
#include "model/rules/authority.h"

#include <array>
#include <chrono>
#include <utility>

namespace handreset::ctl {

using rules::Error;
using rules::ErrorCode;
using rules::Result;

namespace {

constexpr std::string_view kActFields = "seq, operator, request (waits for a second person; null: in force), in_force";

Error badInput(std::string message)
{
    return {ErrorCode::BadInput, std::move(message), {}};
}

ExitCode tellAct(const Arguments &arguments, Context &context, const rules::ActDone &done, const std::string &words)
{
    JsonWriter json;
    json.number("seq", done.seq.value);
    json.text("operator", context.operatorName);
    json.null("request");
    json.flag("in_force", true);
    answer(context, arguments, json, words);
    return ExitCode::Done;
}

/// Does the act, and tells what became of it.
ExitCode perform(const Arguments &arguments, Context &context, engine::Host &host, rules::Act one,
                 const std::string &words)
{
    const auto done = act(arguments, context, host, std::move(one));
    if (!done)
        return fail(context, arguments, done.error());
    if (const auto waits = tellWaiting(arguments, context, host, *done))
        return *waits;
    return tellAct(arguments, context, *done, words);
}

Result<rules::Seq> numberArgument(const Arguments &arguments, std::string_view what)
{
    const auto &text = arguments.positional().front();
    const auto number = wholeNumber(text);
    if (!number || *number <= 0)
        return badInput("a " + std::string(what) + " is a number, not \"" + text + '"');
    return rules::Seq{static_cast<std::uint64_t>(*number)};
}

// ---- Operators ---------------------------------------------------------------------------------------------

/// The first operator enrols themselves, under the key that is being enrolled.
ExitCode enrolFirst(const Arguments &arguments, Context &context, engine::Host &host, const rules::Fleet &fleet,
                    const std::string &name)
{
    if (arguments.has("key"))
        return fail(context, arguments,
                    badInput("the first operator enrols with a key of this machine: leave --key out"));
    const trust::KeyOwner owner{fleet.storeId, name};
    const auto key = newKey(arguments, context, owner, trust::KeyFiles::Which::Present);
    if (!key)
        return fail(context, arguments, key.error());
    const auto done = enrolAsFirst(context, host, fleet.storeId, name, *key);
    if (!done)
        return fail(context, arguments, done.error());
    context.operatorName = name;
    return tellAct(
        arguments, context, *done,
        "Enrolled " + visible(name) + " as the first operator, an approver. The store is signed from now on.\n"
            + "The key: " + rules::fingerprintOf(key->publicKey()) + ", sealed in "
            + visible(keyFilesOf(context).pathOf(owner), 400)
            + "\nEnrol a second approver: until then only root can do what takes two persons (--break-glass).\n");
}

ExitCode enrol(const Arguments &arguments, Context &context)
{
    auto host = hostStore(context, arguments);
    if (!host)
        return fail(context, arguments, host.error());
    const auto fleet = engine::snapshotAndWait(**host);
    const auto &name = arguments.positional().front();
    const auto role
        = rules::fromWord<rules::Role>(arguments.valueOr("role", fleet->operators.empty() ? "approver" : "responder"));
    if (!role)
        return fail(context, arguments, badInput("--role is viewer, responder or approver"));
    if (fleet->operators.empty() && *role != rules::Role::Approver)
        return fail(context, arguments,
                    badInput("the first operator of a store is an approver, and enrols themselves: handresetctl operator "
                             "enrol YOUR-NAME"));
    if (fleet->operators.empty())
        return enrolFirst(arguments, context, **host, *fleet, name);
    if (!arguments.has("role"))
        return fail(context, arguments, badInput("say what they may do: --role viewer, responder or approver"));
    rules::EnrolOperator one{name, *role, {}, {}, arguments.valueOr("reason", "")};
    if (const auto text = arguments.value("key")) {
        const auto key = keyIn(*text);
        if (!key)
            return fail(context, arguments, key.error());
        one.key = *key;
    } else {
        if (!arguments.has("new-passphrase-file") && arguments.has("passphrase-file"))
            return fail(
                context, arguments,
                badInput("--passphrase-file is yours; the new operator's is --new-passphrase-file FILE, or they make "
                         "the key themselves: handresetctl operator key "
                         + name));
        const auto key = newKey(arguments, context, {fleet->storeId, name}, trust::KeyFiles::Which::Present);
        if (!key)
            return fail(context, arguments, key.error());
        one.key = key->publicKey();
    }
    const auto words = "Enrolled " + visible(name) + " as " + std::string(rules::toWord(*role)) + ", key "
        + rules::fingerprintOf(one.key) + ".\n";
    return perform(arguments, context, **host, std::move(one), words);
}

ExitCode makeKey(const Arguments &arguments, Context &context)
{
    std::string storeId = arguments.valueOr("store-id", "");
    if (storeId.empty() && arguments.has("connect")) {
        const auto met = link::meet(QString::fromStdString(arguments.valueOr("connect", "")), std::chrono::seconds(10));
        if (!met)
            return fail(context, arguments, met.error());
        storeId = met->storeId;
    }
    if (storeId.empty()) {
        const auto loaded = loadStore(context, arguments);
        if (!loaded)
            return fail(context, arguments,
                        {loaded.error().code,
                         loaded.error().message
                             + "\nWhere the store is on another machine: --store-id ID, as handresetctl "
                               "status tells it there.",
                         loaded.error().context});
        storeId = loaded->fleet.storeId;
    }
    const trust::KeyOwner owner{storeId, arguments.positional().front()};
    const auto key = newKey(arguments, context, owner, trust::KeyFiles::Which::Present);
    if (!key)
        return fail(context, arguments, key.error());
    JsonWriter json;
    json.text("name", owner.name);
    json.text("store_id", storeId);
    json.text("key", keyText(key->publicKey()));
    json.text("fingerprint", rules::fingerprintOf(key->publicKey()));
    json.text("file", keyFilesOf(context).pathOf(owner));
    answer(context, arguments, json,
           "Made a key for " + visible(owner.name) + ", sealed in " + visible(keyFilesOf(context).pathOf(owner), 400)
               + "\nIts fingerprint, to compare by voice: " + rules::fingerprintOf(key->publicKey())
               + "\nAn approver of the store enrols it:\n  handresetctl operator enrol " + visible(owner.name)
               + " --role ROLE --key " + keyText(key->publicKey()) + '\n');
    return ExitCode::Done;
}

ExitCode listOperators(const Arguments &arguments, Context &context)
{
    const auto loaded = loadStore(context, arguments);
    if (!loaded)
        return fail(context, arguments, loaded.error());
    JsonWriter json;
    writeOperators(json, loaded->fleet);
    answer(context, arguments, json, operatorsText(loaded->fleet));
    return ExitCode::Done;
}

ExitCode retire(const Arguments &arguments, Context &context)
{
    const auto reason = arguments.required("reason", "the log keeps why somebody left: --reason \"…\"");
    if (!reason)
        return fail(context, arguments, reason.error());
    auto host = hostStore(context, arguments);
    if (!host)
        return fail(context, arguments, host.error());
    const auto &name = arguments.positional().front();
    return perform(arguments, context, **host, rules::RetireOperator{name, {}, *reason},
                   "Retired " + visible(name) + ": this key acts no more.\n");
}

/// One's own key: a new one is made here, and takes the old one's place once the log has it.
ExitCode rotateOwn(const Arguments &arguments, Context &context, engine::Host &host, const rules::Fleet &fleet,
                   const std::string &name)
{
    const auto files = keyFilesOf(context);
    const trust::KeyOwner owner{fleet.storeId, name};
    const rules::OperatorId id{fleet.names.find(rules::NameKind::Operator, name)};
    const auto *known = fleet.activeOperator(id);
    if (const auto next = files.read(owner, trust::KeyFiles::Which::Next);
        next && known != nullptr && next->publicKey == known->key) { // an earlier rotation whose answer never came
        if (auto taken = files.takeNext(owner); !taken)
            return fail(context, arguments, taken.error());
        rules::ActDone done;
        done.seq = fleet.seq;
        return tellAct(arguments, context, done,
                       "The log has the new key of " + visible(name) + " already: it is in its place now.\n");
    }
    if (arguments.has("passphrase-file") && !arguments.has("new-passphrase-file"))
        return fail(context, arguments, badInput("the new key's passphrase is --new-passphrase-file FILE"));
    const auto key = newKey(arguments, context, owner, trust::KeyFiles::Which::Next);
    if (!key)
        return fail(context, arguments, key.error());
    const auto done
        = act(arguments, context, host, rules::RotateKey{name, key->publicKey(), {}, arguments.valueOr("reason", "")});
    if (!done)
        return fail(context, arguments, done.error());
    if (auto taken = files.takeNext(owner); !taken)
        return fail(context, arguments, taken.error());
    return tellAct(arguments, context, *done,
                   "The key of " + visible(name) + " is now " + rules::fingerprintOf(key->publicKey())
                       + "; the old one acts no more.\n");
}

ExitCode rotate(const Arguments &arguments, Context &context)
{
    auto host = hostStore(context, arguments);
    if (!host)
        return fail(context, arguments, host.error());
    const auto fleet = engine::snapshotAndWait(**host);
    const auto self = signingName(arguments, context, fleet->storeId);
    if (!self)
        return fail(context, arguments, self.error());
    const auto name = arguments.positional().empty() ? *self : arguments.positional().front();
    if (!arguments.has("key"))
        return name == *self ? rotateOwn(arguments, context, **host, *fleet, name)
                             : fail(context, arguments,
                                    badInput("another person's new key is made by them: handresetctl operator key "
                                             + name + ", and comes with --key KEY"));
    const auto key = keyIn(arguments.valueOr("key", ""));
    if (!key)
        return fail(context, arguments, key.error());
    return perform(arguments, context, **host, rules::RotateKey{name, *key, {}, arguments.valueOr("reason", "")},
                   "The key of " + visible(name) + " is now " + rules::fingerprintOf(*key) + ".\n");
}

// ---- Second persons ----------------------------------------------------------------------------------------

ExitCode listRequests(const Arguments &arguments, Context &context)
{
    const auto loaded = loadStore(context, arguments);
    if (!loaded)
        return fail(context, arguments, loaded.error());
    JsonWriter json;
    writeRequests(json, loaded->fleet);
    answer(context, arguments, json, requestsText(loaded->fleet, loaded->now));
    return ExitCode::Done;
}

ExitCode approve(const Arguments &arguments, Context &context)
{
    const auto request = numberArgument(arguments, "request");
    if (!request)
        return fail(context, arguments, request.error());
    auto host = hostStore(context, arguments);
    if (!host)
        return fail(context, arguments, host.error());
    const auto fleet = engine::snapshotAndWait(**host);
    const auto found = fleet->requests.find(*request);
    if (found != fleet->requests.end() && !arguments.wantsJson()) // what is approved stands before the passphrase
        context.err << requestText(*fleet, *request, found->second);
    const auto what = found != fleet->requests.end() ? rules::digestOf(found->second) : rules::Digest{};
    return perform(arguments, context, **host, rules::Approve{*request, {}, arguments.valueOr("note", ""), what},
                   "Approved request " + std::to_string(request->value) + ": it is in force.\n");
}

ExitCode decline(const Arguments &arguments, Context &context)
{
    const auto request = numberArgument(arguments, "request");
    const auto reason = arguments.required("reason", "whoever asked wants to know why: --reason \"…\"");
    if (!request || !reason)
        return fail(context, arguments, request ? reason.error() : request.error());
    auto host = hostStore(context, arguments);
    if (!host)
        return fail(context, arguments, host.error());
    return perform(arguments, context, **host, rules::EndRequest{*request, {}, *reason},
                   "Request " + std::to_string(request->value) + " is over; nothing was changed.\n");
}

ExitCode pass(const Arguments &arguments, Context &context)
{
    const auto ask = numberArgument(arguments, "refused call");
    const auto reason = arguments.required("reason", "a pass lets a call beyond the limits through: --reason \"…\"");
    if (!ask || !reason)
        return fail(context, arguments, ask ? reason.error() : ask.error());
    auto host = hostStore(context, arguments);
    if (!host)
        return fail(context, arguments, host.error());
    return perform(arguments, context, **host, rules::GivePass{rules::AskId{ask->value}, {}, *reason},
                   "The refused call " + std::to_string(ask->value)
                       + " may pass once within 15 minutes, when the agent asks for exactly it again.\n");
}

ExitCode listReviews(const Arguments &arguments, Context &context)
{
    const auto loaded = loadStore(context, arguments);
    if (!loaded)
        return fail(context, arguments, loaded.error());
    JsonWriter json;
    writeReviews(json, loaded->fleet);
    answer(context, arguments, json, reviewsText(loaded->fleet));
    return ExitCode::Done;
}

ExitCode closeReview(const Arguments &arguments, Context &context)
{
    const auto review = numberArgument(arguments, "review");
    const auto reason = arguments.required("reason", "say what you found: --reason \"…\"");
    if (!review || !reason)
        return fail(context, arguments, review ? reason.error() : review.error());
    auto host = hostStore(context, arguments);
    if (!host)
        return fail(context, arguments, host.error());
    return perform(arguments, context, **host, rules::CloseReview{*review, {}, *reason},
                   "Review " + std::to_string(review->value) + " is closed.\n");
}

constexpr Option kReason{"reason", "R", "why; the log keeps it"};
constexpr Option kKey{"key", "KEY", "the public key, as operator key prints it; else one is made here"};
constexpr Option kNewPassphrase{"new-passphrase-file", "FILE",
                                "the new key's passphrase, one line; else it is asked for"};
constexpr std::array kEnrolOptions{
    Option{"role", "ROLE", "viewer, responder or approver; the first operator is an approver"}, kKey, kNewPassphrase,
    kReason};
constexpr std::array kKeyOptions{Option{"store-id", "ID", "of a store on another machine"}, kNewPassphrase};
constexpr std::array kRotateOptions{kKey, kNewPassphrase, kReason};
constexpr std::array kReasonOptions{kReason};
constexpr std::array kApproveOptions{Option{"note", "N", "a word for the next reader"}};

constexpr std::array kVerbs{
    Verb{{"operator enrol", "NAME", 1, 1, kEnrolOptions},
         "enrols an operator; the first one makes an unsigned store a signed one",
         kActFields,
         &enrol},
    Verb{{"operator key", "NAME", 1, 1, kKeyOptions},
         "makes a key on this machine, to be enrolled by an approver",
         "name, store_id, key, fingerprint, file",
         &makeKey},
    Verb{{"operator list", "", 0, 0, {}},
         "who may act, and with which key",
         kOperatorFields,
         &listOperators,
         "--json: {\"operators\": [{…}]}, each with the fields below."},
    Verb{{"operator retire", "NAME", 1, 1, kReasonOptions}, "ends an operator's right to act", kActFields, &retire},
    Verb{{"operator rotate", "[NAME]", 0, 1, kRotateOptions},
         "another key in place of the present one: your own, or with --key another person's",
         kActFields,
         &rotate},
    Verb{{"requests", "", 0, 0, {}},
         "what waits for a second person, and what it would change",
         kRequestFields,
         &listRequests,
         "--json: {\"requests\": [{…}]}, each with the fields below."},
    Verb{{"approve", "REQUEST", 1, 1, kApproveOptions},
         "is the second person; whoever asked cannot be",
         kActFields,
         &approve},
    Verb{{"decline", "REQUEST", 1, 1, kReasonOptions},
         "ends a request; whoever asked withdraws it so",
         kActFields,
         &decline},
    Verb{{"pass", "CALL", 1, 1, kReasonOptions},
         "lets exactly one call that the envelope refused through, once",
         kActFields,
         &pass,
         "CALL is the number of the refused ask, as trips TRIP tells it."},
    Verb{{"reviews", "", 0, 0, {}},
         "what was done alone by breaking the glass, until another person looked at it",
         kReviewFields,
         &listReviews,
         "--json: {\"reviews\": [{…}]}, each with the fields below."},
    Verb{{"close-review", "REVIEW", 1, 1, kReasonOptions},
         "says that you looked at what another did alone",
         kActFields,
         &closeReview},
};

} // namespace

std::span<const Verb> operatorVerbs() noexcept
{
    return kVerbs;
}

} // namespace handreset::ctl
