#include "model/gate/answer_box.h"

#include <utility>

namespace handreset::gate {

void AnswerBox::put(Ticket ticket, Answer &&answer)
{
    if (std::this_thread::get_id() == m_ioThread && m_called.number == ticket.number) {
        m_called = {};
        m_direct = std::move(answer);
        return;
    }
    const std::scoped_lock lock(m_mutex);
    if (!m_wake)
        return;
    m_late.push_back({ticket, std::move(answer)});
    if (m_late.size() == 1)
        m_wake();
}

void AnswerBox::takeAll(std::vector<Late> &taken)
{
    taken.clear();
    const std::scoped_lock lock(m_mutex);
    m_late.swap(taken);
}

void AnswerBox::close()
{
    const std::scoped_lock lock(m_mutex);
    m_wake = nullptr;
    m_late.clear();
}

void AnswerBox::beginCall(Ticket ticket)
{
    if (m_ioThread == std::thread::id())
        m_ioThread = std::this_thread::get_id();
    m_called = ticket;
}

std::optional<Answer> AnswerBox::endCall()
{
    m_called = {};
    return std::exchange(m_direct, std::nullopt);
}

} // namespace handreset::gate
