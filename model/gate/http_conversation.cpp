#include "model/gate/http_conversation.h"

#include "model/gate/http_answer.h"

#include <cstring>

namespace handreset::gate {

namespace {

/// What a read may bring beside a whole head; less room than that, and what waits is moved to the front.
constexpr std::size_t kRead = std::size_t{4} * 1024;

} // namespace

HttpConversation::HttpConversation(const Limits &limits)
    : m_limits(&limits),
      m_capacity(limits.head + 2 * kRead),
      m_buffer(std::make_unique_for_overwrite<char[]>(m_capacity)),
      m_scanner(limits),
      m_body(limits)
{}

void HttpConversation::begin(Door door, std::uint32_t peerUid)
{
    m_begin = m_end = 0;
    m_phase = Phase::Idle;
    m_request = Request();
    m_output.clear();
    m_door = door;
    m_peerUid = peerUid;
}

std::span<char> HttpConversation::space()
{
    if (m_begin == m_end || m_phase == Phase::Ended)
        m_begin = m_end = 0;
    if (m_capacity - m_end < kRead && m_begin > 0) {
        std::memmove(m_buffer.get(), m_buffer.get() + m_begin, m_end - m_begin);
        m_end -= m_begin;
        m_begin = 0;
    }
    return {m_buffer.get() + m_end, m_capacity - m_end};
}

HttpConversation::Phase HttpConversation::work()
{
    if (m_phase == Phase::Idle && m_begin != m_end) {
        m_phase = Phase::Head;
        m_isHead = false;
        m_scanner.restart();
    }
    if (m_phase == Phase::Head)
        workOnHead();
    if (m_phase == Phase::Body)
        workOnBody();
    return m_phase;
}

void HttpConversation::workOnHead()
{
    const HeadScanner::State state = m_scanner.scan(waiting());
    if (state == HeadScanner::State::More)
        return;
    if (state == HeadScanner::State::Wrong) {
        refuse(m_scanner.problem());
        return;
    }
    Head head;
    const std::string_view text = waiting().substr(m_scanner.start(), m_scanner.length() - m_scanner.start());
    const auto problem = readHead(text, m_door, *m_limits, head);
    m_isHead = head.method == "HEAD";
    if (problem)
        refuse(*problem);
    else
        acceptHead(head);
}

void HttpConversation::acceptHead(const Head &head)
{
    if (m_body.start(head) == BodyReader::State::Wrong) {
        refuse(m_body.problem());
        return;
    }
    m_isHttp10 = head.isHttp10;
    m_keepAlive = head.keepAlive;
    m_request.method = head.method;
    m_request.target = head.target;
    m_request.contentType = head.contentType;
    m_request.contentEncoding = head.contentEncoding;
    m_request.authorization = head.authorization;
    m_request.body.clear();
    m_request.overUnixSocket = m_door == Door::Unix;
    m_request.peerUid = m_peerUid;
    if (head.expectContinue)
        m_output += "HTTP/1.1 100 Continue\r\n\r\n";
    m_begin += m_scanner.length();
    m_phase = Phase::Body;
}

void HttpConversation::workOnBody()
{
    std::size_t used = 0;
    const BodyReader::State state = m_body.read(waiting(), used, m_request.body);
    m_begin += used;
    if (state == BodyReader::State::Wrong)
        refuse(m_body.problem());
    else if (state == BodyReader::State::Whole)
        m_phase = Phase::Answer;
}

void HttpConversation::answer(const Answer &answer)
{
    const bool keeps = m_keepAlive && !answer.close;
    appendAnswer(m_output, answer, m_isHead, !keeps ? After::Close : m_isHttp10 ? After::Keep10 : After::Keep);
    m_phase = keeps ? Phase::Idle : Phase::Ended;
}

void HttpConversation::refuse(const Problem &problem)
{
    ++m_refused;
    m_request = Request();
    appendAnswer(m_output, answerTo(problem), m_isHead, After::Close);
    m_phase = Phase::Ended;
}

} // namespace handreset::gate
