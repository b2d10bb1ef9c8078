#include "app/demo/agent_processes.h"

#include "app/demo/demo_fleet.h"

#include <QDir>
#include <QFile>

#include <algorithm>
#include <array>
#include <charconv>
#include <csignal>
#include <thread>
#include <utility>

namespace handreset::demo {

namespace {

constexpr std::chrono::milliseconds kGlance{20};
constexpr std::chrono::seconds kReadyWithin{10};
constexpr std::chrono::seconds kDoorLooksEvery{1};
/// From the word to end to SIGTERM, and from there to SIGKILL: a second in all, with room.
constexpr std::chrono::milliseconds kEndsWithin{500};
constexpr std::chrono::milliseconds kTerminatesWithin{250};

rules::Error unavailable(std::string message)
{
    return {rules::ErrorCode::Unavailable, std::move(message), {}};
}

/// As short as it may be, and never with a person's decimal comma.
std::string number(double value)
{
    std::array<char, 32> digits{};
    const auto end = std::to_chars(digits.data(), digits.data() + digits.size(), value).ptr;
    return {digits.data(), end};
}

std::vector<std::string> argumentsOf(const std::string &script, const DemoOptions &options, const std::string &run)
{
    // -E, -s: a person's own Python settings and packages are not the demo's. -B: leaves no compiled files behind.
    std::vector<std::string> words{
        "-E", "-s", "-B", script, "--speed", number(options.speed), "--seed", std::to_string(options.seed)};
    if (!run.empty())
        words.insert(words.end(), {"--run", run});
    if (options.until)
        words.insert(words.end(), {"--until", number(static_cast<double>(options.until->micros) / 1e6)});
    return words;
}

} // namespace

AgentProcesses::AgentProcesses() : m_folder(QDir::tempPath() + QStringLiteral("/handreset-demo-XXXXXX")) {}

AgentProcesses::~AgentProcesses()
{
    endAll();
}

rules::Result<std::unique_ptr<AgentProcesses>> AgentProcesses::start(engine::Host &host, const DemoOptions &options,
                                                                     const std::string &run,
                                                                     std::span<const std::string_view> agents,
                                                                     const Pause &pause)
{
    const auto python = programNamed("python3");
    if (!python)
        return unavailable("python3 is not installed");
    std::unique_ptr<AgentProcesses> made(new AgentProcesses());
    if (const auto written = made->writeScripts(); !written)
        return written.error();
    const auto folder = made->m_folder.path().toStdString();
    const auto at = [&folder](const std::string &name) { return folder + '/' + name; };
    auto door = DemoDoor::open(host, folder, options.operatorName, agents);
    if (!door)
        return door.error();
    made->m_door = std::move(door).value();
    for (const auto view : agents) {
        const std::string agent(view);
        auto process = AgentProcess::start({.agent = agent,
                                            .program = *python,
                                            .arguments = argumentsOf(at(agent + ".py"), options, run),
                                            .environment = made->m_door->environmentOf(agent),
                                            .errorsFile = at(agent + ".log")});
        if (!process)
            return process.error();
        made->m_processes.push_back(std::move(process).value());
    }
    if (const auto ready = made->waitUntilReady(pause); !ready)
        return ready.error();
    return made;
}

/// Needs the resources of this program, which whoever reads the demo's policy has brought in.
rules::Result<void> AgentProcesses::writeScripts() const
{
    if (!m_folder.isValid())
        return unavailable("no passing folder can be made: " + m_folder.errorString().toStdString());
    const QDir scripts(QStringLiteral(":/handreset/demo/agents"));
    const auto names = scripts.entryList(QDir::Files);
    if (names.isEmpty())
        return unavailable("the agents' scripts are not in this program");
    for (const auto &name : names) {
        if (!QFile::copy(scripts.filePath(name), m_folder.filePath(name)))
            return unavailable("the agents' scripts cannot be written to " + m_folder.path().toStdString());
    }
    return {};
}

rules::Result<void> AgentProcesses::waitUntilReady(const Pause &pause)
{
    const auto until = std::chrono::steady_clock::now() + kReadyWithin;
    const auto waits = [](const auto &process) { return !process->isReady(); };
    while (std::ranges::any_of(m_processes, waits)) {
        for (const auto &process : m_processes) {
            if (process->hasEnded())
                return unavailable("python3 cannot run them: " + process->howItEnded().value_or("it ended at once"));
        }
        if (std::chrono::steady_clock::now() > until)
            return unavailable("python3 did not start in time");
        if (!pause(kGlance))
            return rules::Error{rules::ErrorCode::Cancelled, "the demo was stopped", {}};
    }
    return {};
}

void AgentProcesses::play(const Pause &pause, const Tell &tell)
{
    for (const auto &process : m_processes)
        process->begin();
    auto nextLook = std::chrono::steady_clock::now() + kDoorLooksEvery;
    while (!m_processes.empty() && pause(kGlance)) {
        std::erase_if(m_processes, [&tell](const auto &process) {
            if (!process->hasEnded())
                return false;
            if (const auto how = process->howItEnded())
                tell("The demo's agent " + process->agent() + " ended early: " + *how + ". The others go on.");
            return true;
        });
        if (const auto now = std::chrono::steady_clock::now(); now >= nextLook) {
            nextLook = now + kDoorLooksEvery;
            m_door->look();
        }
    }
}

/// The door is open all the while, so that an agent in the midst of an act gets its answer.
void AgentProcesses::endAll()
{
    const auto allEnd = [this](std::chrono::milliseconds within) {
        const auto until = std::chrono::steady_clock::now() + within;
        const auto runs = [](const auto &process) { return !process->hasEnded(); };
        while (std::ranges::any_of(m_processes, runs)) {
            if (std::chrono::steady_clock::now() >= until)
                return false;
            std::this_thread::sleep_for(std::chrono::milliseconds(5));
        }
        return true;
    };
    for (const auto &process : m_processes) {
        if (process->isReady())
            process->askToEnd();
        else // it has done nothing yet, and does not listen
            process->signal(SIGTERM);
    }
    if (!allEnd(kEndsWithin)) {
        for (const auto &process : m_processes)
            process->signal(SIGTERM);
        static_cast<void>(allEnd(kTerminatesWithin));
    }
    m_processes.clear(); // what still runs is killed
    m_door.reset();
}

} // namespace handreset::demo
