// The verbs of the store itself: make it, prove it, copy it, and a human's word where it was refused.
#include "app/ctl/progress.h"
#include "app/ctl/signing.h"
#include "app/ctl/store_access.h"
#include "app/ctl/table.h"
#include "app/ctl/verbs.h"
#include "model/engine/host_wait.h"
#include "model/engine/root_guard.h"
#include "model/rules/command.h"
#include "model/rules/utf8.h"

#include <QDir>
#include <QFile>
#include <QFileInfo>
#include <QStringList>

#include <algorithm>
#include <array>
#include <utility>
#include <variant>

namespace handreset::ctl {

using rules::Error;
using rules::ErrorCode;
using rules::Result;

namespace {

/// A new store with its first operator: the passphrase is asked for before anything is made.
/// What stands beside the store's place, the store itself among it.
QStringList filesAt(const QString &path)
{
    const QFileInfo file(path);
    return QDir(file.absolutePath()).entryList({file.fileName() + QLatin1Char('*')}, QDir::Files | QDir::Hidden);
}

/// A signed store without its first operator is nobody's: what was made a moment ago goes again.
ExitCode undoInit(const Arguments &arguments, Context &context, const QString &path, const QStringList &before,
                  Error why)
{
    const QString folder = QFileInfo(path).absolutePath();
    for (const QString &name : filesAt(path)) {
        if (!before.contains(name))
            QFile::remove(folder + QLatin1Char('/') + name);
    }
    why.message += "\nNo store was made.";
    return fail(context, arguments, why);
}

ExitCode initSigned(const Arguments &arguments, Context &context, const QString &path,
                    const store::InitOptions &options)
{
    if (QFileInfo::exists(path)) // before anybody types a passphrase
        return fail(context, arguments,
                    {ErrorCode::BadInput, "it exists already; nothing was touched", path.toStdString()});
    const auto name = arguments.valueOr("operator", context.operatorName);
    if (name == "root")
        return fail(context, arguments,
                    {ErrorCode::BadInput,
                     "the first operator is a person who can be named, and root is none: --operator NAME",
                     {}});
    const auto passphrase = passphraseFor(arguments, context, "passphrase-file",
                                          "New passphrase for the key of " + visible(name), Asked::Twice);
    if (!passphrase)
        return fail(
            context, arguments,
            {passphrase.error().code,
             passphrase.error().message + "\nA store for tests and lessons needs none: handresetctl init --unsigned",
             {}});
    const QStringList before = filesAt(path);
    if (auto made = store::Store::init(path, options, context.clock->now()); !made)
        return fail(context, arguments, made.error());
    engine::RootGuard(path, {}).forget();
    auto host = hostStore(context, arguments);
    if (!host)
        return undoInit(arguments, context, path, before, host.error());
    const auto storeId = engine::snapshotAndWait(**host)->storeId;
    const auto key = trust::SecretKey::generate();
    const trust::KeyOwner owner{storeId, name};
    if (auto sealed = keyFilesOf(context).seal(owner, key, *passphrase); !sealed) {
        host->reset();
        return undoInit(arguments, context, path, before, sealed.error());
    }
    if (const auto done = enrolAsFirst(context, **host, storeId, name, key); !done) {
        host->reset();
        return undoInit(arguments, context, path, before, done.error());
    }
    const auto where = QFileInfo(path).absoluteFilePath().toStdString();
    JsonWriter json;
    json.text("store", where);
    json.text("fleet", options.fleet);
    json.flag("recorded", false);
    json.flag("unsigned", false);
    json.text("store_id", storeId);
    json.text("operator", name);
    json.text("fingerprint", rules::fingerprintOf(key.publicKey()));
    answer(context, arguments, json,
           "Made a new store: " + visible(where, 400) + "\nIts first operator is " + visible(name)
               + ", an approver; the key " + rules::fingerprintOf(key.publicKey()) + " is sealed in "
               + visible(keyFilesOf(context).pathOf(owner), 400)
               + "\nIt has the built-in policy. Apply your own: handresetctl policy apply FILE --reason R\n"
                 "Enrol a second approver: until then what takes two persons (envelope re-arms, passes, loosening the "
                 "policy, "
                 "lifting the fleet's stop) can only be done by root, with --break-glass.\n");
    return ExitCode::Done;
}

ExitCode initStore(const Arguments &arguments, Context &context)
{
    const auto path = storePath(arguments);
    if (!path)
        return fail(context, arguments, path.error());
    store::InitOptions options;
    options.fleet = arguments.valueOr("fleet", "fleet");
    constexpr std::size_t kLongestFleet = 100;
    if (options.fleet.empty() || !rules::isUtf8(options.fleet) || columnsOf(options.fleet) > kLongestFleet
        || options.fleet.size() > 4 * kLongestFleet)
        return fail(
            context, arguments,
            {ErrorCode::BadInput, "--fleet is a name of 1 to " + std::to_string(kLongestFleet) + " characters", {}});
    options.recorded = arguments.has("recorded");
    options.isUnsigned = options.recorded || arguments.has("unsigned"); // nobody acts on recorded runs
    if (!options.isUnsigned)
        return initSigned(arguments, context, *path, options);
    if (auto made = store::Store::init(*path, options, context.clock->now()); !made)
        return fail(context, arguments, made.error());
    engine::RootGuard(*path, {}).forget();
    const auto where = QFileInfo(*path).absoluteFilePath().toStdString();
    JsonWriter json;
    json.text("store", where);
    json.text("fleet", options.fleet);
    json.flag("recorded", options.recorded);
    json.flag("unsigned", options.isUnsigned);
    std::string text = "Made a new store: " + visible(where, 400) + '\n';
    text += options.recorded
        ? "It is for recorded runs: judged, nothing is refused. Fill it: handresetctl import FILE…\n"
        : "It has the built-in policy. Apply your own: handresetctl policy apply FILE --reason R\n";
    if (!options.recorded)
        text += "It is unsigned: acts need no operator's key and no second person, and every page says so. To sign: "
                "handresetctl operator enrol NAME\n";
    answer(context, arguments, json, text);
    return ExitCode::Done;
}

// ---- verify, backup ----------------------------------------------------------------------------------------

std::string verifyText(const store::Verification &found)
{
    std::string text;
    for (const auto &finding : found.findings)
        text += "found: " + visible(finding, 400) + '\n';
    text += found.clean() ? "Clean: " : "NOT clean: " + counted(found.findings.size(), "finding", "findings") + "; ";
    text += counted(found.events, "event", "events") + " in " + counted(found.batches, "transaction", "transactions")
        + " folded again, " + counted(found.rows, "row", "rows") + " and "
        + counted(found.keyframes, "keyframe", "keyframes") + " compared.\nThe chain's end: " + found.headHash + '\n';
    return text;
}

/// The log's end, and its first operator as this host knows them.
Result<void> loadAndJudge(const Arguments &arguments, store::Store &store)
{
    const auto fleet = store.load();
    return fleet ? judgeRoot(arguments, store, *fleet) : Result<void>(fleet.error());
}

ExitCode verifyStore(const Arguments &arguments, Context &context)
{
    const auto opened = openStore(context, arguments);
    if (!opened)
        return fail(context, arguments, opened.error());
    LongWork work(context, "verifying");
    auto found = (*opened)->verify([&work](double share) { return work.report(share); });
    if (!found)
        return fail(context, arguments, found.error());
    if (found->clean()) {
        if (const auto judged = loadAndJudge(arguments, **opened); !judged)
            found->findings.push_back(judged.error().message);
    }
    JsonWriter json;
    json.flag("clean", found->clean());
    json.number("events", found->events);
    json.number("batches", found->batches);
    json.number("rows", found->rows);
    json.number("keyframes", found->keyframes);
    json.text("head_hash", found->headHash);
    json.beginArray("findings");
    for (const auto &finding : found->findings)
        json.element(finding);
    json.end();
    answer(context, arguments, json, verifyText(*found));
    return found->clean() ? ExitCode::Done : ExitCode::Found;
}

ExitCode backUpStore(const Arguments &arguments, Context &context)
{
    if (auto wrong = wrongFileName(arguments.positional().front()))
        return fail(context, arguments, {ErrorCode::BadInput, "the backup's name " + *wrong, {}});
    const auto opened = openStore(context, arguments);
    if (!opened)
        return fail(context, arguments, opened.error());
    const auto target = QFile::decodeName(QByteArray::fromStdString(arguments.positional().front()));
    LongWork work(context, "copying");
    if (auto done = (*opened)->backup(target, [&work](double share) { return work.report(share); }); !done)
        return fail(context, arguments, done.error());
    const auto where = QFileInfo(target).absoluteFilePath().toStdString();
    const auto last = (*opened)->lastSeq().value;
    JsonWriter json;
    json.text("backup", where);
    json.number("seq", last);
    answer(context, arguments, json,
           "Backed up to " + visible(where, 400) + ", up to event " + std::to_string(last) + ".\n");
    return ExitCode::Done;
}

// ---- A human's word ----------------------------------------------------------------------------------------

/// At least as long as the host asks for: looked at before anything is touched.
Result<std::string> reasonFor(const Arguments &arguments)
{
    auto reason = arguments.required("reason", "say what you found and why it is right: --reason \"…\"");
    if (reason && columnsOf(*reason) < 10)
        return Error{ErrorCode::Refused, "give a reason of at least 10 characters", {}};
    return reason;
}

ExitCode tellTrusted(const Arguments &arguments, Context &context, std::string_view what, rules::Seq seq,
                     std::string_view text)
{
    JsonWriter json;
    json.text("act", what);
    json.number("seq", seq.value);
    json.text("operator", context.operatorName);
    answer(context, arguments, json, text);
    return ExitCode::Done;
}

ExitCode confirmTime(const Arguments &arguments, Context &context)
{
    const auto reason = reasonFor(arguments);
    if (!reason)
        return fail(context, arguments, reason.error());
    auto host = hostStore(context, arguments);
    if (!host)
        return fail(context, arguments, host.error());
    const auto done = act(arguments, context, **host, rules::ConfirmTime{context.operatorName, *reason});
    if (!done)
        return fail(context, arguments, done.error());
    if (const auto waits = tellWaiting(arguments, context, **host, *done))
        return *waits;
    return tellTrusted(arguments, context, "confirm-time", done->seq,
                       "The time is confirmed: what is due by the clock re-arms by itself again.\n");
}

ExitCode clearSentinel(const Arguments &arguments, Context &context)
{
    const auto reason = reasonFor(arguments);
    if (!reason)
        return fail(context, arguments, reason.error());
    auto host = hostStore(context, arguments);
    if (!host)
        return fail(context, arguments, host.error());
    const auto done
        = act(arguments, context, **host, rules::TrustStore{"clear-sentinel", context.operatorName, *reason});
    if (!done)
        return fail(context, arguments, done.error());
    if (const auto waits = tellWaiting(arguments, context, **host, *done))
        return *waits;
    return tellTrusted(arguments, context, "clear-sentinel", done->seq,
                       "The store was verified and is clean; the sentinel is cleared.\n");
}

/// The act itself, written by this process alone. `done`: what became of it.
Result<void> recordAcceptance(const Arguments &arguments, Context &context, const std::string &reason,
                              store::Store &store, rules::ActDone &done)
{
    auto fleet = store.load();
    if (!fleet)
        return fleet.error();
    rules::Moment moment;
    moment.now = fleet->recorded ? rules::Now{fleet->ruleTime, fleet->steady}
                                 : engine::SteadyLine(*fleet, *context.clock).now(*context.clock);
    if (!fleet->recorded) // acts are judged by a time that does not go back
        moment.now.wall = std::max(moment.now.wall, fleet->ruleTime);
    if (!fleet->rootKey) { // of a store that this host knows as a signed one, nobody's word makes an unsigned one
        if (auto judged = judgeRoot(arguments, store, *fleet); !judged)
            return judged;
    }
    rules::Step step;
    rules::Touched touched;
    rules::Command command = rules::TrustStore{"accept-store", context.operatorName, reason};
    if (!fleet->isUnsigned && !fleet->recorded) {
        const auto signer = unlockedSigner(arguments, context, fleet->storeId);
        if (!signer)
            return signer.error();
        context.operatorName = (*signer)->seat().name;
        (*signer)->signFor(fleet->signedAs());
        command = (*signer)->sign(rules::TrustStore{"accept-store", {}, reason}, moment.now.wall);
    }
    rules::run(*fleet, command, moment, step, &touched);
    if (auto written = store.append(step.events, *fleet, touched, store::Durability::Synced); !written)
        return written;
    if (const auto *error = std::get_if<Error>(&step.outcome))
        return *error;
    done = std::get<rules::ActDone>(step.outcome);
    return engine::RootGuard(*storePath(arguments), {}).pin(store, *fleet, true);
}

/// Whether this host refuses the store as it is.
bool isRefused(const QString &path)
{
    auto opened = store::Store::open(path, store::Sentinel::SteppedOver);
    const auto fleet = opened ? (*opened)->load() : Result<rules::Fleet>(opened.error());
    engine::RootGuard guard(path, {});
    return !fleet || !guard.witness(**opened) || !guard.judgeToHost(*fleet);
}

ExitCode acceptStore(const Arguments &arguments, Context &context)
{
    const auto reason = reasonFor(arguments);
    const auto path = storePath(arguments);
    if (!reason || !path)
        return fail(context, arguments, reason ? path.error() : reason.error());
    const bool isSentinelSet = store::sentinelIsSet(*path);
    if (!isRefused(*path))
        return fail(context, arguments,
                    {ErrorCode::Refused,
                     isSentinelSet ? "its high-water mark does not refuse the store, its sentinel does; when verify is "
                                     "clean: handresetctl clear-sentinel --reason …"
                                   : "the store is not refused: there is nothing to accept",
                     {}});
    rules::ActDone done;
    const auto accepted = store::acceptStore(*path, [&](store::Store &store) {
        return recordAcceptance(arguments, context, *reason, store, done);
    });
    if (!accepted)
        return fail(context, arguments, accepted.error());
    const auto trip = std::to_string(done.trip.value);
    return tellTrusted(arguments, context, "accept-store", done.seq,
                       "The store is accepted as it is, up to event " + std::to_string(done.seq.value) + ".\n"
                           + (done.trip.isSet() ? "The fleet stays stopped by trip " + trip
                                      + " (tamper) until it is re-armed: handresetctl ack " + trip + ", then rearm " + trip
                                      + ".\n"
                                                : "")
                           + (isSentinelSet ? "Its sentinel is still set: run verify, then clear-sentinel.\n" : ""));
}

constexpr std::array kInitOptions{Option{"unsigned", "", "without operators' keys: every act counts, whoever does it"},
                                  Option{"recorded", "", "for recorded runs: judged without refusing"},
                                  Option{"fleet", "NAME", "what the fleet is called"}};
constexpr std::array kReasonOptions{Option{"reason", "R", "at least 10 characters; the log keeps it"}};
constexpr std::string_view kTrustFields = "act, seq, operator";

constexpr std::array kVerbs{
    Verb{{"init", "", 0, 0, kInitOptions},
         "makes a new store; refuses to touch one that exists",
         "store, fleet, recorded, unsigned; when signed also store_id, operator, fingerprint",
         &initStore},
    Verb{{"verify", "", 0, 0, {}},
         "folds the whole log again and compares every row",
         "clean, events, batches, rows, keyframes, head_hash, findings [text]",
         &verifyStore,
         "Ends with 1 where it found something."},
    Verb{{"backup", "FILE", 1, 1, {}}, "a consistent, checked copy", "backup, seq", &backUpStore},
    Verb{{"confirm-time", "", 0, 0, kReasonOptions},
         "your word that the clock is right after it jumped",
         kTrustFields,
         &confirmTime},
    Verb{{"clear-sentinel", "", 0, 0, kReasonOptions},
         "your word on a store that had failed; it is verified first",
         kTrustFields,
         &clearSentinel},
    Verb{{"accept-store", "", 0, 0, kReasonOptions},
         "your word that a store older than its mark is the right one",
         kTrustFields,
         &acceptStore},
};

} // namespace

std::span<const Verb> storeVerbs() noexcept
{
    return kVerbs;
}

} // namespace handreset::ctl
