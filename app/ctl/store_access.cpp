#include "app/ctl/store_access.h"

#include "app/ctl/table.h"
#include "model/rules/command.h"
#include "model/rules/utf8.h"

#include <QFile>
#include <QFileInfo>

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
        error.message += ".\nThe desk may be open on this store: act there, or close it and try again. (This version "
                         "reaches no running host; a later one will.)";
    return error;
}

/// Which store it is, and the way out of its sentinel where the words do not name one.
Error withPlace(Error error, const Arguments &arguments)
{
    if (error.context.empty()) {
        if (const auto path = storePath(arguments))
            error.context = path->toStdString();
    }
    if (error.message.find("clear-sentinel") == std::string::npos)
        error.message += "\nThe store refuses everything until somebody has looked at it. When verify is clean: "
                         "handresetctl clear-sentinel --reason …";
    return error;
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
    if (std::string why; store::sentinelIsSet(*path, &why))
        context.err << "handresetctl: the store's sentinel is set, so its host denies everything: " << visible(why, 400)
                    << "\nWhen verify is clean: handresetctl clear-sentinel --reason …\n";
    return opened;
}

Result<LoadedStore> loadStore(Context &context, const Arguments &arguments, store::Sentinel sentinel)
{
    auto opened = openStore(context, arguments, sentinel);
    if (!opened)
        return opened.error();
    auto fleet = (*opened)->load();
    if (!fleet)
        return fleet.error();
    LoadedStore loaded{std::move(*opened), std::move(*fleet), {}};
    loaded.now = {loaded.fleet.ruleTime, loaded.fleet.steady};
    if (!loaded.fleet.recorded)
        loaded.now = engine::SteadyLine(loaded.fleet, *context.clock).now(*context.clock);
    return loaded;
}

Result<std::unique_ptr<engine::EmbeddedHost>> hostStore(Context &context, const Arguments &arguments)
{
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
    return host;
}

std::optional<Error> refusalOf(const engine::Host &host, const Arguments &arguments)
{
    const auto status = host.status();
    if (status.health == engine::StoreHealth::Writable)
        return std::nullopt;
    return withPlace({ErrorCode::Unavailable, status.trouble, {}}, arguments);
}

Result<rules::ActDone> act(const Arguments &arguments, engine::Host &host, rules::Command command)
{
    const auto reply = engine::submitAndWait(host, std::move(command));
    if (const auto *error = std::get_if<Error>(&reply.outcome))
        return error->code == ErrorCode::Unavailable ? withPlace(*error, arguments) : *error;
    if (const auto *done = std::get_if<rules::ActDone>(&reply.outcome))
        return *done;
    return Error{ErrorCode::Unavailable, "the host gave no answer to the act", {}};
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
