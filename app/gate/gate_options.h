// What the gate is told: by its configuration file, and by its command line, which counts where both speak.
// Failure: BadInput names file, line and remedy. Pure but for reading the file; any thread.
#pragma once

#include "app/gate/gate_log.h"
#include "model/rules/result.h"

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace handreset::gate {

/// A place on the network, as "127.0.0.1:8480" or "[::1]:8480".
struct Endpoint {
    std::string address; ///< a number, without brackets
    std::uint16_t port = 0;
    bool isLoopback = false;
    bool operator==(const Endpoint &) const = default;
};

/// Nothing unless it is a numeric address and a port from 0 (any that is free) to 65535.
[[nodiscard]] std::optional<Endpoint> endpointOf(std::string_view text);

/// As `endpointOf` reads it.
[[nodiscard]] std::string textOf(const Endpoint &endpoint);

/// What may be said in the file and on the command line alike; nothing: not said.
struct GateSettings {
    std::optional<std::string> store;  ///< the store's file
    std::optional<Endpoint> listen;    ///< the agents' door: this machine only
    std::optional<std::string> socket; ///< the agents' door: a Unix socket's path
    std::optional<Endpoint> link;      ///< operators, over TLS; their Unix socket is beside the store
    std::optional<std::uint32_t> agentRate; ///< requests a second of one agent in the long run; 0: any number
    std::optional<LogLevel> logLevel;
    bool operator==(const GateSettings &) const = default;
};

struct GateOptions {
    std::string help; ///< --help or --version was asked for: this is to be printed, and nothing else done
    GateSettings settings;
};

/// Checks one setting and puts it in its place; what is wrong with it, or nothing. Names: "store", "listen" ….
[[nodiscard]] std::optional<std::string> takeSetting(GateSettings &settings, std::string_view name,
                                                     const std::string &value);
/// The names of all settings, as the file has them ("log_level"; on the command line "--log-level").
[[nodiscard]] const std::vector<std::string_view> &settingNames();

/// The words behind the program's name. Reads the file that --config names.
[[nodiscard]] rules::Result<GateOptions> readOptions(const std::vector<std::string> &words);

} // namespace handreset::gate
