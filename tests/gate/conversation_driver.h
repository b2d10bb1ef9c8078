// Talks to an HttpConversation as a server would whose socket gives the bytes in given pieces. Tests and fuzzing.
#pragma once

#include "model/gate/http_conversation.h"

#include <algorithm>
#include <cstring>
#include <string>
#include <string_view>
#include <vector>

namespace handreset::test {

struct Spoken {
    std::string output;
    std::string requests; ///< each request's every field, in a line
    bool hasEnded = false;
    bool operator==(const Spoken &) const = default;
};

class ConversationDriver {
public:
    explicit ConversationDriver(const gate::Limits &limits) : m_talk(limits) {}

    /// `cuts`: ascending places in `bytes` at which one read ends and the next begins.
    Spoken speak(std::string_view bytes, gate::Door door, const std::vector<std::size_t> &cuts)
    {
        m_talk.begin(door, 7);
        Spoken spoken;
        std::size_t at = 0;
        for (std::size_t i = 0; i <= cuts.size(); ++i) {
            const std::size_t to = i < cuts.size() ? std::min(cuts[i], bytes.size()) : bytes.size();
            while (at < to && m_talk.phase() != gate::HttpConversation::Phase::Ended) {
                const auto space = m_talk.space();
                const std::size_t count = std::min(space.size(), to - at);
                std::memcpy(space.data(), bytes.data() + at, count);
                m_talk.received(count);
                at += count;
                answerAll(spoken);
            }
        }
        spoken.output = m_talk.output();
        spoken.hasEnded = m_talk.phase() == gate::HttpConversation::Phase::Ended;
        return spoken;
    }

private:
    void answerAll(Spoken &spoken)
    {
        while (m_talk.work() == gate::HttpConversation::Phase::Answer) {
            const gate::Request request = m_talk.takeRequest();
            for (const std::string *const part : {&request.method, &request.target, &request.contentType,
                                                  &request.contentEncoding, &request.authorization, &request.body})
                spoken.requests.append(*part).append("|");
            spoken.requests += '\n';
            gate::Answer answer;
            answer.body = request.target;
            m_talk.answer(answer);
        }
    }

    gate::HttpConversation m_talk;
};

} // namespace handreset::test
