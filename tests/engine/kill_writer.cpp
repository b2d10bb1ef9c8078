// A host under load in a process of its own, for tst_host_killed: it tells on its standard output each ask whose answer
// has left the host ("SEQ TASK"), until it is killed.
#include "model/engine/embedded_host.h"

#include <QCoreApplication>

#include <atomic>
#include <charconv>
#include <cstdio>
#include <string>
#include <thread>
#include <unistd.h>
#include <variant>
#include <vector>

using namespace handreset;

namespace {

constexpr int kAgents = 4;

void tell(const std::string &line)
{
    // One write a line: a pipe takes it whole or not at all.
    if (write(STDOUT_FILENO, line.data(), line.size()) != static_cast<ssize_t>(line.size()))
        _exit(3);
}

void ask(engine::Host &host, int agent)
{
    for (int i = 0;; ++i) {
        const std::string task = std::to_string(getpid()) + "-" + std::to_string(i / 30); // the 26th trips
        rules::Command command;
        if (i % 3 == 2) {
            rules::AskCall call;
            call.agent = "agent-" + std::to_string(agent);
            call.task = task;
            call.tool = "look";
            call.arguments = R"({"n":)" + std::to_string(i) + "}";
            command = std::move(call);
        } else {
            rules::AskStep step;
            step.agent = "agent-" + std::to_string(agent);
            step.task = task;
            step.model = "large-model";
            command = std::move(step);
        }
        const engine::Reply reply = engine::submitAndWait(host, std::move(command));
        const auto *decision = std::get_if<rules::Decision>(&reply.outcome);
        if (decision == nullptr)
            _exit(4);
        if (decision->id.isSet())
            tell(std::to_string(decision->id.value) + " " + task + "\n");
    }
}

} // namespace

int main(int argc, char **argv)
{
    const QCoreApplication application(argc, argv);
    if (argc != 2)
        return 2;
    engine::EmbeddedHostOptions options;
    options.storePath = QString::fromLocal8Bit(argv[1]);
    options.version = "kill_writer";
    auto host = engine::EmbeddedHost::start(std::move(options));
    if (!host) {
        std::fprintf(stderr, "%s\n", host.error().message.c_str());
        return 1;
    }
    tell("0 started\n");
    std::vector<std::thread> agents;
    for (int agent = 0; agent < kAgents; ++agent)
        agents.emplace_back([&host, agent] { ask(**host, agent); });
    for (auto &agent : agents)
        agent.join();
    return 0;
}
