#include "app/ctl/store_access.h"

#include "app/ctl/network_host.h"
#include "app/ctl/signing.h"
#include "app/ctl/table.h"
#include "model/engine/host_wait.h"
#include "model/engine/root_guard.h"
#include "model/link/linked_host.h"
#include "model/link/socket_path.h"
#include "model/rules/command.h"
#include "model/rules/utf8.h"
#include "model/rules/words_of_time.h"

#include <QDeadlineTimer>
#include <QFile>
#include <QFileInfo>

#include <algorithm>
#include <chrono>
#include <thread>
#include <unistd.h>
#include <utility>
#include <variant>

namespace handreset::ctl {

using rules::Error;
using rules::ErrorCode;
using rules::Result;

namespace {

/// What this program adds where the desk, or another host, has the store.
Error withRemedy(Error error)
{
    if (error.message.find("another process has it open") != std::string::npos)
        error.message
            += ".\nIts host runs and does not answer here. What looks into the file itself (verify, backup, what-if, "
               "import) takes a store that nobody hosts: stop the host, or use a copy that backup made.";
    return error;
}

/// Which store it is, and the way out of its sentinel where the words do not name one.
Error withPlace(Error error, const Arguments &arguments)
{
    if (error.context.empty() && !arguments.has("connect")) {
        if (const auto path = storePath(arguments))
            error.context = path->toStdString();
    }
    if (error.message.find("clear-sentinel") == std::string::npos)
        error.message += "\nThe store refuses everything until somebody has looked at it. When verify is clean: "
                         "handresetctl clear-sentinel --reason …";
    return error;
}

constexpr std::chrono::seconds kLinkWithin{10};
constexpr std::chrono::seconds kFirstBeatWithin{3};
constexpr std::chrono::milliseconds kLookAgain{5};

/// The host's present time, as its last beat told it: the first beat may come a moment after its state. Never earlier
/// than what the log holds.
rules::Now presentOf(engine::Host &host, const rules::Fleet &fleet)
{
    const QDeadlineTimer until(kFirstBeatWithin);
    auto beat = host.status().lastBeat;
    while (beat.wall.micros == 0 && host.status().health == engine::StoreHealth::Writable && !until.hasExpired()) {
        std::this_thread::sleep_for(kLookAgain);
        beat = host.status().lastBeat;
    }
    return {std::max(beat.wall, fleet.ruleTime), std::max(beat.steady, fleet.steady)};
}

/// When the act is signed, on the host's time line. A host that cannot write beats no more: then by this machine's
/// clock.
rules::Instant signingTime(const Context &context, engine::Host &host, const rules::Fleet &fleet)
{
    if (host.status().health == engine::StoreHealth::Writable)
        return presentOf(host, fleet).wall;
    return std::max(context.clock->now().wall, fleet.ruleTime);
}

Result<LoadedStore> loadedFrom(std::unique_ptr<engine::Host> host)
{
    LoadedStore loaded{nullptr, std::move(host), {}, {}};
    loaded.fleet = *engine::snapshotAndWait(*loaded.host);
    loaded.now = loaded.fleet.recorded ? rules::Now{loaded.fleet.ruleTime, loaded.fleet.steady}
                                       : presentOf(*loaded.host, loaded.fleet);
    return loaded;
}

} // namespace

std::optional<std::string> wrongFileName(std::string_view name)
{
    if (name.empty())
        return "names no file";
    if (name == ":memory:" || name.starts_with("file:"))
        return "takes the path of a file; SQLite's own names for databases are none";
    if (!rules::isUtf8(name))
        return "is not UTF-8; rename the file, or the folder that it lies in";
    return std::nullopt;
}

Result<QString> storePath(const Arguments &arguments)
{
    const auto given = arguments.value("store");
    if (!given)
        return store::defaultStorePath();
    if (given->empty())
        return Error{ErrorCode::BadInput, "--store names no file; leave it out for your own store", {}};
    if (given->starts_with("postgresql://") || given->starts_with("postgres://"))
        return Error{ErrorCode::BadInput, "--store takes a file; PostgreSQL comes with a later version", {}};
    if (auto wrong = wrongFileName(*given))
        return Error{ErrorCode::BadInput, "--store " + *wrong, {}};
    const auto path = QFile::decodeName(QByteArray::fromStdString(*given));
    if (QFileInfo(path).isDir())
        return Error{ErrorCode::BadInput,
                     "--store takes the store's file, and this is a folder; say " + *given + "/fleet.db",
                     {}};
    return path;
}

Result<std::unique_ptr<store::Store>> openStore(Context &context, const Arguments &arguments, store::Sentinel sentinel)
{
    const auto path = storePath(arguments);
    if (!path)
        return path.error();
    auto opened = store::Store::open(*path, sentinel);
    if (!opened)
        return withRemedy(opened.error());
    engine::RootGuard guard(*path, {});
    if (auto witnessed = guard.witness(**opened); !witnessed)
        return witnessed.error();
    if (std::string why; store::sentinelIsSet(*path, &why))
        context.err << "handresetctl: the store's sentinel is set, so its host denies everything: " << visible(why, 400)
                    << "\nWhen verify is clean: handresetctl clear-sentinel --reason …\n";
    return opened;
}

Result<void> judgeRoot(const Arguments &arguments, store::Store &store, const rules::Fleet &fleet)
{
    const auto path = storePath(arguments);
    if (!path)
        return path.error();
    engine::RootGuard guard(*path, {});
    if (auto witnessed = guard.witness(store); !witnessed)
        return witnessed;
    return guard.judge(fleet);
}

Result<LoadedStore> loadStore(Context &context, const Arguments &arguments, store::Sentinel sentinel)
{
    auto running = runningHost(context, arguments);
    if (!running)
        return running.error();
    return *running != nullptr ? loadedFrom(std::move(*running)) : loadFile(context, arguments, sentinel);
}

Result<LoadedStore> loadFile(Context &context, const Arguments &arguments, store::Sentinel sentinel)
{
    auto opened = openStore(context, arguments, sentinel);
    if (!opened)
        return opened.error();
    auto fleet = (*opened)->load();
    if (!fleet)
        return fleet.error();
    if (const auto judged = judgeRoot(arguments, **opened, *fleet); !judged) // to look is no harm, but it is said
        context.err << "handresetctl: do not trust what this shows: " << visible(judged.error().message, 600) << '\n';
    LoadedStore loaded{std::move(*opened), nullptr, std::move(*fleet), {}};
    loaded.now = {loaded.fleet.ruleTime, loaded.fleet.steady};
    if (!loaded.fleet.recorded)
        loaded.now = engine::SteadyLine(loaded.fleet, *context.clock).now(*context.clock);
    return loaded;
}

Result<std::unique_ptr<engine::Host>> runningHost(Context &context, const Arguments &arguments)
{
    if (arguments.has("connect"))
        return hostOnNetwork(context, arguments);
    const auto path = storePath(arguments);
    if (!path)
        return path.error();
    const auto socket = link::socketPathOf(QFileInfo(*path).absoluteFilePath());
    const auto connected = link::connectTo(socket);
    if (!connected)
        return std::unique_ptr<engine::Host>(); // a host that has the store and does not answer is told of when it is
                                                // opened
    ::close(*connected);
    link::LinkedHostOptions options;
    options.socketPath = socket;
    auto host = std::make_unique<link::LinkedHost>(std::move(options));
    if (auto up = host->waitUntilUp(kLinkWithin); !up)
        return up.error();
    return std::unique_ptr<engine::Host>(std::move(host));
}

Result<std::unique_ptr<engine::Host>> hostStore(Context &context, const Arguments &arguments)
{
    auto running = runningHost(context, arguments);
    if (!running || *running != nullptr)
        return running;
    const auto path = storePath(arguments);
    if (!path)
        return path.error();
    engine::EmbeddedHostOptions options;
    options.storePath = *path;
    options.version = HANDRESET_VERSION;
    options.operatorName = context.operatorName;
    options.clock = context.clock;
    auto host = engine::EmbeddedHost::start(std::move(options));
    if (!host)
        return withRemedy(host.error());
    return std::unique_ptr<engine::Host>(std::move(*host));
}

std::optional<Error> refusalOf(const engine::Host &host, const Arguments &arguments)
{
    const auto status = host.status();
    if (status.health == engine::StoreHealth::Writable)
        return std::nullopt;
    return withPlace({ErrorCode::Unavailable, status.trouble, {}}, arguments);
}

namespace {

/// Whether the store itself denies everything; a host that cannot be reached says nothing of its store.
bool isRefusing(const engine::Host &host)
{
    const auto health = host.status().health;
    return health == engine::StoreHealth::Failing || health == engine::StoreHealth::Refused;
}

Result<rules::ActDone> answerTo(const Arguments &arguments, engine::Host &host, rules::Command command)
{
    const auto reply = engine::submitAndWait(host, std::move(command));
    if (const auto *error = std::get_if<Error>(&reply.outcome))
        return isRefusing(host) ? withPlace(*error, arguments) : *error;
    if (const auto *done = std::get_if<rules::ActDone>(&reply.outcome))
        return *done;
    return Error{ErrorCode::Unavailable, "the host gave no answer to the act", {}};
}

} // namespace

Result<rules::ActDone> act(const Arguments &arguments, Context &context, engine::Host &host, rules::Act act)
{
    const auto fleet = engine::snapshotAndWait(host);
    if (fleet->isUnsigned || fleet->recorded || !fleet->seq.isSet()) {
        rules::setActor(act, context.operatorName);
        return answerTo(arguments, host, std::visit([](auto &one) { return rules::Command(std::move(one)); }, act));
    }
    const auto signer = unlockedSigner(arguments, context, fleet->storeId);
    if (!signer)
        return signer.error();
    context.operatorName = (*signer)->seat().name;
    (*signer)->signFor(fleet->signedAs());
    return answerTo(arguments, host,
                    (*signer)->sign(boundTo(*fleet, std::move(act)), signingTime(context, host, *fleet),
                                    arguments.has("break-glass")));
}

std::optional<ExitCode> tellWaiting(const Arguments &arguments, Context &context, engine::Host &host,
                                    const rules::ActDone &done)
{
    if (!done.request.isSet())
        return std::nullopt;
    const auto fleet = engine::snapshotAndWait(host);
    const auto found = fleet->requests.find(done.request);
    const auto number = std::to_string(done.request.value);
    JsonWriter json;
    json.number("seq", done.seq.value);
    json.text("operator", context.operatorName);
    json.number("request", done.request.value);
    json.flag("in_force", false);
    std::string text = "NOT in force: request " + number + " waits for a second person";
    if (found != fleet->requests.end()) {
        json.text("why", found->second.why);
        json.instant("expires", found->second.expires);
        text += ", because " + visible(found->second.why, 200) + ". Until " + rules::utcStamp(found->second.expires);
    }
    text += ".\nAnother approver: handresetctl approve " + number + '\n';
    if (fleet->approvers() < 2)
        text += "No other approver is enrolled. Root on the host can act alone, with --break-glass; that stays open "
                "for review.\n";
    answer(context, arguments, json, text);
    return ExitCode::Refused; // nothing is in force: a script must not go on as if it were
}

Result<rules::ActDone> enrolAsFirst(Context &context, engine::Host &host, const std::string &storeId,
                                    const std::string &name, const trust::SecretKey &key)
{
    trust::Signer signer(trust::SecretKey::fromSeed(key.seed()), trust::SignerSeat::here(storeId, name));
    const auto reply = engine::submitAndWait(
        host,
        signer.sign(rules::EnrolOperator{name, rules::Role::Approver, key.publicKey(), name, "the first operator"},
                    signingTime(context, host, *engine::snapshotAndWait(host))));
    if (const auto *error = std::get_if<Error>(&reply.outcome))
        return *error;
    if (const auto *done = std::get_if<rules::ActDone>(&reply.outcome))
        return *done;
    return Error{ErrorCode::Unavailable, "the host gave no answer to the enrolment", {}};
}

Result<std::string> readTextFile(const std::string &path, std::size_t most)
{
    QFile file(QFile::decodeName(QByteArray::fromStdString(path)));
    if (!file.open(QIODevice::ReadOnly))
        return Error{ErrorCode::BadInput, "it cannot be read: " + file.errorString().toStdString(), path};
    const auto bytes = file.read(static_cast<qint64>(most) + 1);
    if (bytes.size() > static_cast<qsizetype>(most))
        return Error{ErrorCode::BadInput, "it is larger than " + std::to_string(most) + " bytes", path};
    if (file.error() != QFileDevice::NoError)
        return Error{ErrorCode::BadInput, "it cannot be read: " + file.errorString().toStdString(), path};
    return bytes.toStdString();
}

} // namespace handreset::ctl
