#include "app/gate/gate_options.h"

#include "app/gate/gate_config.h"

#include <algorithm>
#include <arpa/inet.h>
#include <array>
#include <charconv>
#include <set>

namespace handreset::gate {

using rules::Error;
using rules::ErrorCode;
using rules::Result;

namespace {

constexpr const char *kHelp = R"(handreset-gate [OPTIONS]

Hosts a store without a desk: decides, appends to its log, and serves operators until it is told to end
(SIGTERM, SIGINT). While another process hosts the store, it waits for it.

  --store FILE             the store; else $HANDRESET_STORE, else the one in your data folder
  --link ADDRESS:PORT      serves operators over TLS too; on this machine they need nothing but the store's path
  --listen ADDRESS:PORT    the agents' door on this machine's own network, as 127.0.0.1:8480 or [::1]:8480
  --socket PATH            the agents' door on a Unix socket; agents show a token, see handresetctl token add
  --agent-rate NUMBER      requests a second that one agent may make in the long run, twice as many at once; else
                           1000; 0: any number
  --config FILE            a TOML file with store, link, listen, socket, agent_rate and log_level; what stands on the
                           command line counts more. A relative path in it is taken from the file's own folder
  --log-level LEVEL        debug, info, warning or error; else info. The log goes to standard error, one JSON
                           object a line
  --version, --help

Under systemd (Type=notify) it says when it is ready and what it is at, and as long as its decisions and its disk
work, it keeps the watchdog quiet.

Ends with 0 when it was told to end, 2 for wrong use or a wrong configuration, 3 when the store cannot be hosted.
)";

constexpr std::string_view kSeeHelp = "; see handreset-gate --help";

Error wrong(std::string message)
{
    return {ErrorCode::BadInput, std::move(message), {}};
}

/// "--log-level" → "log_level"; empty for what is no setting.
std::string settingOf(std::string_view option)
{
    std::string name(option.substr(2));
    std::replace(name.begin(), name.end(), '-', '_');
    const auto &names = settingNames();
    const bool isKnown
        = option.find('_') == std::string_view::npos && std::find(names.begin(), names.end(), name) != names.end();
    return isKnown ? name : std::string();
}

/// The command line as it was typed, taken apart.
struct CommandLine {
    bool wantsHelp = false;
    bool wantsVersion = false;
    std::set<std::string> given; ///< options
    std::optional<std::string> config;
    GateSettings settings;
};

/// One option with its value.
std::optional<std::string> takeOption(CommandLine &line, const std::string &option, const std::string &value)
{
    if (!line.given.insert(option).second)
        return option + " is given twice";
    if (option != "--config") {
        const auto fault = takeSetting(line.settings, settingOf(option), value);
        return fault ? std::optional(option + " " + *fault) : std::nullopt;
    }
    if (value.empty())
        return "--config needs the name of a file";
    line.config = value;
    return {};
}

Result<CommandLine> takeApart(const std::vector<std::string> &words)
{
    CommandLine line;
    for (std::size_t at = 0; at < words.size(); ++at) {
        const std::string &word = words[at];
        line.wantsHelp = line.wantsHelp || word == "--help" || word == "-h";
        line.wantsVersion = line.wantsVersion || word == "--version";
        if (word == "--help" || word == "-h" || word == "--version")
            continue;
        const auto equals = word.find('=');
        const auto option = word.substr(0, equals);
        if (!option.starts_with("--") || (option != "--config" && settingOf(option).empty()))
            return wrong("\"" + word + "\" is not understood" + std::string(kSeeHelp));
        if (equals == std::string::npos && at + 1 == words.size())
            return wrong(option + " needs a value" + std::string(kSeeHelp));
        const auto value = equals == std::string::npos ? words[++at] : word.substr(equals + 1);
        if (const auto fault = takeOption(line, option, value))
            return wrong(*fault + std::string(kSeeHelp));
    }
    return line;
}

template <class Value>
void fill(std::optional<Value> &setting, std::optional<Value> other)
{
    if (!setting)
        setting = std::move(other);
}

std::optional<std::string> takeEndpoint(std::optional<Endpoint> &setting, const std::string &value, bool onlyLoopback)
{
    const auto endpoint = endpointOf(value);
    if (!endpoint)
        return "needs an address in numbers and a port, as 127.0.0.1:8480 or [::1]:8480";
    if (onlyLoopback && !endpoint->isLoopback)
        return "is for this machine only: 127.0.0.1 or [::1]; a proxy with TLS can stand in front of it";
    setting = endpoint;
    return {};
}

std::optional<std::string> takePath(std::optional<std::string> &setting, const std::string &value)
{
    if (value.empty() || value.find('\0') != std::string::npos)
        return "needs the name of a file";
    setting = value;
    return {};
}

std::optional<std::string> takeRate(std::optional<std::uint32_t> &setting, const std::string &value)
{
    constexpr std::uint32_t kMost = 1'000'000;
    std::uint32_t rate = 0;
    const auto [end, error] = std::from_chars(value.data(), value.data() + value.size(), rate);
    if (error != std::errc() || end != value.data() + value.size() || rate > kMost)
        return "is a whole number of requests a second, up to 1000000; 0: no limit";
    setting = rate;
    return {};
}

} // namespace

std::optional<Endpoint> endpointOf(std::string_view text)
{
    const auto colon = text.rfind(':');
    if (colon == std::string_view::npos)
        return {};
    auto address = text.substr(0, colon);
    const auto port = text.substr(colon + 1);
    const bool isBracketed = address.size() > 2 && address.front() == '[' && address.back() == ']';
    if (isBracketed)
        address = address.substr(1, address.size() - 2);
    Endpoint endpoint{std::string(address), 0, false};
    const auto [end, error] = std::from_chars(port.data(), port.data() + port.size(), endpoint.port);
    if (error != std::errc() || end != port.data() + port.size())
        return {};
    in_addr four = {};
    in6_addr six = {};
    if (!isBracketed && inet_pton(AF_INET, endpoint.address.c_str(), &four) == 1)
        endpoint.isLoopback = (ntohl(four.s_addr) >> 24U) == 127;
    else if (isBracketed && inet_pton(AF_INET6, endpoint.address.c_str(), &six) == 1)
        endpoint.isLoopback = IN6_IS_ADDR_LOOPBACK(&six);
    else
        return {};
    return endpoint;
}

std::string textOf(const Endpoint &endpoint)
{
    const bool isSix = endpoint.address.find(':') != std::string::npos;
    return (isSix ? "[" + endpoint.address + "]" : endpoint.address) + ":" + std::to_string(endpoint.port);
}

const std::vector<std::string_view> &settingNames()
{
    static const std::vector<std::string_view> names{"store", "listen", "socket", "link", "agent_rate", "log_level"};
    return names;
}

std::optional<std::string> takeSetting(GateSettings &settings, std::string_view name, const std::string &value)
{
    if (name == "store")
        return takePath(settings.store, value);
    if (name == "socket")
        return takePath(settings.socket, value);
    if (name == "listen")
        return takeEndpoint(settings.listen, value, true);
    if (name == "link")
        return takeEndpoint(settings.link, value, false);
    if (name == "agent_rate")
        return takeRate(settings.agentRate, value);
    const auto level = logLevelOf(value);
    if (name != "log_level" || !level)
        return "is debug, info, warning or error";
    settings.logLevel = level;
    return {};
}

Result<GateOptions> readOptions(const std::vector<std::string> &words)
{
    auto line = takeApart(words);
    if (!line)
        return line.error();
    GateOptions options;
    if (line->wantsHelp)
        options.help = kHelp;
    else if (line->wantsVersion)
        options.help = std::string("handreset-gate ") + HANDRESET_VERSION + "\n";
    if (!options.help.empty())
        return options;
    options.settings = std::move(line->settings);
    if (!line->config)
        return options;
    auto file = readConfigFile(*line->config);
    if (!file)
        return file.error();
    fill(options.settings.store, std::move(file->store));
    fill(options.settings.listen, std::move(file->listen));
    fill(options.settings.socket, std::move(file->socket));
    fill(options.settings.link, std::move(file->link));
    fill(options.settings.agentRate, file->agentRate);
    fill(options.settings.logLevel, file->logLevel);
    return options;
}

} // namespace handreset::gate
