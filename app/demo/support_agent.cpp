#include "app/demo/support_agent.h"

namespace handreset::demo {

namespace {

constexpr int kTasks = 40;

} // namespace

void SupportAgent::start()
{
    m_stage.after(rules::seconds(1), [this] { begin(1); });
}

void SupportAgent::begin(int number)
{
    answer(m_stage.taskName("ticket-" + std::to_string(7100 + number)), number, 1 + number % 3);
    if (number < kTasks)
        m_stage.after(m_stage.between(rules::seconds(3), rules::seconds(5)), [this, number] { begin(number + 1); });
}

void SupportAgent::answer(const std::string &task, int number, int left)
{
    think(task, "large-model", dollars(1));
    use(task, "search_articles", R"({"ticket":)" + std::to_string(number) + R"(,"page":)" + std::to_string(left) + "}");
    const rules::Duration pause = m_stage.between(rules::milliseconds(700), rules::milliseconds(2'200));
    if (left > 1)
        m_stage.after(pause, [this, task, number, left] { answer(task, number, left - 1); });
    else
        m_stage.after(pause, [this, task] { end(task, "answered"); });
}

} // namespace handreset::demo
