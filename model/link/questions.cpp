#include "model/link/questions.h"

#include <string>
#include <utility>

namespace handreset::link {

namespace {

rules::Error unanswered(Questions::Kind kind, const std::string &what)
{
    const std::string next = kind == Questions::Kind::Act
        ? ": it may or may not have been done; look before you act again"
        : ": ask again";
    return {rules::ErrorCode::Unavailable, what + next, {}};
}

} // namespace

std::uint64_t Questions::add(Kind kind, Time due, Answered answered)
{
    m_open.emplace(++m_last, Question{kind, due, std::move(answered)});
    return m_last;
}

void Questions::answer(std::uint64_t number, ToClient answer)
{
    const auto found = m_open.find(number);
    if (found == m_open.end())
        return;
    const Question question = std::move(found->second);
    m_open.erase(found); // first: who is answered may ask again
    question.answered(std::move(answer));
}

void Questions::timeOut(Time now)
{
    std::vector<Question> over;
    for (auto it = m_open.begin(); it != m_open.end();) {
        if (it->second.due > now) {
            ++it;
            continue;
        }
        over.push_back(std::move(it->second));
        it = m_open.erase(it);
    }
    for (const Question &question : over)
        question.answered(unanswered(question.kind, "the host did not answer in time"));
}

void Questions::failAll()
{
    for (const auto &[number, question] : std::exchange(m_open, {}))
        question.answered(unanswered(question.kind, "the link was cut before the answer"));
}

} // namespace handreset::link
