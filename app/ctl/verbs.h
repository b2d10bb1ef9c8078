// The verbs: what each takes, does and answers. Each group stands in a file of its own (verbs_show.cpp, …).
// Thread: the main thread's.
#pragma once

#include "app/ctl/arguments.h"
#include "app/ctl/output.h"

#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace handreset::ctl {

struct Verb {
    Usage usage;
    std::string_view summary; ///< one line
    std::string_view json;    ///< what --json prints: the field list
    ExitCode (*run)(const Arguments &, Context &);
    std::string_view note = {}; ///< further lines for --help; empty: none
};

[[nodiscard]] std::span<const Verb> showVerbs() noexcept;   ///< status, agents, breakers, trips, queue
[[nodiscard]] std::span<const Verb> logVerbs() noexcept;    ///< events, at
[[nodiscard]] std::span<const Verb> actVerbs() noexcept;    ///< ack, rearm, grant, reason, stop, breakers, queue
[[nodiscard]] std::span<const Verb> operatorVerbs() noexcept; ///< operators, requests, passes, reviews
[[nodiscard]] std::span<const Verb> tokenVerbs() noexcept;  ///< the agents' door's tokens
[[nodiscard]] std::span<const Verb> policyVerbs() noexcept; ///< policy check, show, apply
[[nodiscard]] std::span<const Verb> runsVerbs() noexcept;   ///< import, what-if
[[nodiscard]] std::span<const Verb> storeVerbs() noexcept;  ///< init, verify, backup, confirm-time, …
[[nodiscard]] std::span<const Verb> learnVerbs() noexcept;  ///< lesson, diagram, demo
[[nodiscard]] std::span<const Verb> mcpVerbs() noexcept;    ///< mcp-proxy

/// All of them, in the order of --help.
[[nodiscard]] const std::vector<const Verb *> &allVerbs();

/// What `--help` says of one verb.
[[nodiscard]] std::string helpOf(const Verb &verb);

/// Runs the command line `words` (without the program's name). Catches all: nothing throws out of it.
[[nodiscard]] ExitCode runHandresetctl(const std::vector<std::string> &words, Context &context);

} // namespace handreset::ctl
