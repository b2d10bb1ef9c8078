// What a client has asked and not heard the answer of yet. Each question is answered exactly once: by the host, or by
// words when the link is cut, closed, or the time is over. Thread: the link's. Failure: none.
#pragma once

#include "model/link/messages.h"
#include "model/rules/result.h"

#include <chrono>
#include <cstdint>
#include <functional>
#include <map>
#include <vector>

namespace handreset::link {

class Questions {
public:
    using Time = std::chrono::steady_clock::time_point;
    using Answered = std::function<void(rules::Result<ToClient>)>;
    /// An act may have been done though its answer did not come; a read has to be asked again, that is all.
    enum class Kind { Act, Read };

    /// The number for the question.
    [[nodiscard]] std::uint64_t add(Kind kind, Time due, Answered answered);
    /// A number that is not known is an answer that came too late.
    void answer(std::uint64_t number, ToClient answer);
    /// Answers what is due.
    void timeOut(Time now);
    /// Answers all: the link is cut.
    void failAll();

private:
    struct Question {
        Kind kind = Kind::Read;
        Time due;
        Answered answered;
    };
    std::map<std::uint64_t, Question> m_open;
    std::uint64_t m_last = 0;
};

} // namespace handreset::link
