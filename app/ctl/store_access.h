// The store that a verb works on: looked at through the store itself, acted on through a host of this process.
// Thread: the main thread's. Failure: Unavailable with the remedy, above all where another process hosts the store.
#pragma once

#include "app/ctl/output.h"
#include "model/engine/embedded_host.h"
#include "model/rules/fleet.h"
#include "model/store/store.h"

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

/// An open store and its state at the end of the log. Looking writes nothing.
struct LoadedStore {
    std::unique_ptr<store::Store> store;
    rules::Fleet fleet;
    rules::Now now; ///< in the fleet's steady time; of a recorded store: its last event's
};
/// A set sentinel keeps nobody from looking; it is told on `err`.
[[nodiscard]] rules::Result<std::unique_ptr<store::Store>>
openStore(Context &context, const Arguments &arguments, store::Sentinel sentinel = store::Sentinel::SteppedOver);
[[nodiscard]] rules::Result<LoadedStore> loadStore(Context &context, const Arguments &arguments,
                                                   store::Sentinel sentinel = store::Sentinel::SteppedOver);

/// Hosts the store for one act.
[[nodiscard]] rules::Result<std::unique_ptr<engine::EmbeddedHost>> hostStore(Context &context,
                                                                             const Arguments &arguments);

/// Why the hosted store refuses everything, with the store's path and what to do; nothing while it is written.
[[nodiscard]] std::optional<rules::Error> refusalOf(const engine::Host &host, const Arguments &arguments);

/// The act's answer, or why it was not done.
[[nodiscard]] rules::Result<rules::ActDone> act(const Arguments &arguments, engine::Host &host, rules::Command command);

/// A whole file as text, of `most` bytes at most.
[[nodiscard]] rules::Result<std::string> readTextFile(const std::string &path, std::size_t most);

} // namespace handreset::ctl
