#include "app/demo/crawler_agent.h"

namespace handreset::demo {

namespace {

constexpr int kGivesUpAfter = 8; ///< refusals
constexpr int kMostPages = 60;   ///< should a human's grant, or another policy, let it go on

} // namespace

void CrawlerAgent::start()
{
    m_stage.after(rules::seconds(9), [this] { walk(); });
}

void CrawlerAgent::walk()
{
    const std::string task = m_stage.taskName("sitemap-acme");
    if (think(task, "large-model", dollars(1))) {
        ++m_pages;
        use(task, "search_articles", R"({"site":"acme.example","page":)" + std::to_string(m_pages) + "}");
    } else {
        ++m_refused;
    }
    if (m_refused < kGivesUpAfter && m_pages < kMostPages)
        m_stage.after(m_stage.between(rules::milliseconds(3'000), rules::milliseconds(4'400)), [this] { walk(); });
}

} // namespace handreset::demo
