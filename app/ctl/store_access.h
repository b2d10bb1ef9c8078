// The store that a verb works on: looked at through the store itself, acted on through a host of this process.
// Thread: the main thread's. Failure: Unavailable with the remedy, above all where another process hosts the store.
#pragma once

#include "app/ctl/output.h"
#include "model/engine/embedded_host.h"
#include "model/rules/command.h"
#include "model/rules/fleet.h"
#include "model/store/store.h"
#include "model/trust/secret_key.h"

#include <QString>

#include <memory>
#include <optional>
#include <string>
#include <string_view>

namespace handreset::ctl {

/// What is wrong with a path for a store's file, as words behind the option's name; nothing where it is fine.
[[nodiscard]] std::optional<std::string> wrongFileName(std::string_view name);
/// --store, else the default.
[[nodiscard]] rules::Result<QString> storePath(const Arguments &arguments);

/// A store and its state at the end of the log: opened, or looked at through the host that has it. Looking writes
/// nothing.
struct LoadedStore {
    std::unique_ptr<store::Store> store; ///< none: `host` has it
    std::unique_ptr<engine::Host> host;
    rules::Fleet fleet;
    rules::Now now; ///< in the fleet's steady time; of a recorded store: its last event's
};
/// A set sentinel keeps nobody from looking; it is told on `err`.
[[nodiscard]] rules::Result<std::unique_ptr<store::Store>>
openStore(Context &context, const Arguments &arguments, store::Sentinel sentinel = store::Sentinel::SteppedOver);
[[nodiscard]] rules::Result<LoadedStore> loadStore(Context &context, const Arguments &arguments,
                                                   store::Sentinel sentinel = store::Sentinel::SteppedOver);

/// The same from the file itself: what reads or writes it in bulk takes a store that nobody hosts.
[[nodiscard]] rules::Result<LoadedStore> loadFile(Context &context, const Arguments &arguments,
                                                  store::Sentinel sentinel = store::Sentinel::SteppedOver);

/// Holds an open store against what this machine keeps of it: its witness, and its first operator's key.
[[nodiscard]] rules::Result<void> judgeRoot(const Arguments &arguments, store::Store &store, const rules::Fleet &fleet);

/// The host that has the store: the one of --connect, else found by the socket that belongs to the store; none: nobody
/// answers there.
[[nodiscard]] rules::Result<std::unique_ptr<engine::Host>> runningHost(Context &context,
                                                                        const Arguments &arguments);
/// The running host, else one of this process for one act.
[[nodiscard]] rules::Result<std::unique_ptr<engine::Host>> hostStore(Context &context, const Arguments &arguments);

/// Why the hosted store refuses everything, with the store's path and what to do; nothing while it is written.
[[nodiscard]] std::optional<rules::Error> refusalOf(const engine::Host &host, const Arguments &arguments);

/// The act's answer, or why it was not done. In a signed store it is signed first: the key is unlocked for this act.
/// Where the answer names a request, nothing is in force yet.
[[nodiscard]] rules::Result<rules::ActDone> act(const Arguments &arguments, Context &context, engine::Host &host,
                                                rules::Act act);
/// Tells of an act that waits for its second person; nothing where it is in force.
[[nodiscard]] std::optional<ExitCode> tellWaiting(const Arguments &arguments, Context &context, engine::Host &host,
                                                  const rules::ActDone &done);
/// Makes this key's owner the first operator of the store.
[[nodiscard]] rules::Result<rules::ActDone> enrolAsFirst(Context &context, engine::Host &host, const std::string &storeId,
                                                         const std::string &name, const trust::SecretKey &key);

/// A whole file as text, of `most` bytes at most.
[[nodiscard]] rules::Result<std::string> readTextFile(const std::string &path, std::size_t most);

} // namespace handreset::ctl
