#include "tests/bench/corpus.h"

#include "model/feeds/recorded_runs.h"
#include "tests/support/policy_files.h"
#include "tests/support/shared_data.h"

#include <QFile>

#include <random>
#include <zlib.h>

namespace handreset::bench {

namespace {

constexpr int kSharedTasks = 6771;
const std::string kPolicy = R"(schema = 1
undeclared = "write"
[defaults]
steps = { limit = 10 }
repetition = { limit = 3 }
envelope = { reaches = "task" }
degraded_model = "small"
[tools.send_money]
access = "write"
value = { pointer = "/amount", currency = "USD", max = "500" }
destination = { pointer = "/recipient", allow = ["AC2859610395", "CF8932140215"] }
volume = { per = "task", calls = 2, value = "1000" }
)";

/// One made-up task of about as many lines, and lines about as long, as the shared ones.
std::string madeUpTask(int number, std::mt19937_64 &random)
{
    const auto head = R"({"ts":null,"agent":"agent-)" + std::to_string(number % 10) + R"(","task":"agent-)"
        + std::to_string(number % 10) + "/suite/user_task_" + std::to_string(number) + R"(/none","kind":")";
    std::string text = head + R"(task_start","x":{"attack":null,"user_task":"user_task_)" + std::to_string(number) + "\"}}\n";
    const auto steps = random() % 13 + 1;
    for (std::uint64_t step = 0; step < steps; ++step) {
        text += head + R"(model_call","model":"large-model","ok":true})" "\n";
        const bool pays = random() % 20 == 0;
        const std::string tool = pays ? "send_money" : "tool_" + std::to_string(random() % 40);
        const auto arguments = pays ? R"({"recipient":"AC2859610395","amount":)" + std::to_string(random() % 900) + ".5}"
                                    : R"({"query":"what stands in row )" + std::to_string(random() % 4) + R"(","page":1})";
        text += head + R"(tool_call","tool":")" + tool + R"(","args":)" + arguments + "}\n";
        text += head + R"(tool_result","tool":")" + tool + R"(","ok":true,"result":")" + std::string(random() % 200, 'r')
            + "\"}\n";
    }
    return text + head + "task_end\",\"ok\":true}\n";
}

std::string writeMadeUp(const QTemporaryDir &folder, int tasks)
{
    const auto path = folder.filePath(QStringLiteral("made_up.ndjson.gz"));
    gzFile file = gzopen(QFile::encodeName(path).constData(), "wb6");
    std::mt19937_64 random(7);
    for (int task = 0; task < tasks; ++task) {
        const auto text = madeUpTask(task, random);
        if (gzwrite(file, text.data(), static_cast<unsigned>(text.size())) <= 0)
            qFatal("cannot write %s", qPrintable(path));
    }
    gzclose(file);
    return path.toStdString();
}

} // namespace

Corpus makeCorpus(const QTemporaryDir &folder, int tasks)
{
    Corpus corpus;
    const auto shared = tests::sharedFile(QStringLiteral("data/runs/agentdyn_undefended.ndjson.gz"));
    const bool isShared = tasks == 0 && !shared.isEmpty();
    corpus.file = isShared ? shared.toStdString() : writeMadeUp(folder, tasks == 0 ? kSharedTasks : tasks);
    corpus.origin = isShared ? "the shared runs of AgentDyn" : "made-up runs";
    corpus.policy = {tests::policyFrom(kPolicy), kPolicy, "bench.toml", {}};
    auto runs = feeds::RecordedRuns::open(corpus.file);
    rules::RecordedLine line;
    while (runs && (*runs)->next(line).value()) {
        ++corpus.lines;
        if (line.kind == rules::LineKind::ToolCall)
            corpus.arguments.emplace_back(line.arguments);
    }
    return corpus;
}

} // namespace handreset::bench
