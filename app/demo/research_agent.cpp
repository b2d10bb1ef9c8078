#include "app/demo/research_agent.h"

namespace handreset::demo {

namespace {

constexpr int kReads = 36;
constexpr int kReadsPerTask = 9;
constexpr int kFailsFrom = 10; ///< the endpoint's first bad answer
constexpr int kFails = 4;      ///< one more than the policy allows in a minute
constexpr std::string_view kEndpoint = "mistral-eu";

} // namespace

void ResearchAgent::start()
{
    m_stage.after(rules::seconds(2), [this] { read(); });
}

void ResearchAgent::read()
{
    if (m_reads % kReadsPerTask == 0)
        m_task = m_stage.taskName("digest-" + std::to_string(1 + m_reads / kReadsPerTask));
    ++m_reads;
    const rules::Decision decision = askModel(m_task, "mistral-large", dollars(2), kEndpoint);
    if (!decision.allow) {
        elsewhere();
    } else if (m_reads >= kFailsFrom && m_failed < kFails) {
        ++m_failed;
        modelFailed(decision.id, 503, "upstream connect error");
    } else {
        modelAnswered(decision.id, "mistral-large", dollars(2));
        use(m_task, "search_articles", R"({"page":)" + std::to_string(m_reads) + "}");
    }
    if (m_reads % kReadsPerTask == 0)
        end(m_task, "written");
    if (m_reads < kReads)
        m_stage.after(m_stage.between(rules::seconds(3), rules::seconds(5)), [this] { read(); });
}

void ResearchAgent::elsewhere()
{
    if (think(m_task, "small-model", dollars(1), "openai-us"))
        use(m_task, "search_articles", R"({"page":)" + std::to_string(m_reads) + "}");
}

} // namespace handreset::demo
