// Where answers from other threads wait for the I/O thread. A burst (a commit answers all asks that shared it) costs
// one wake-up: only the answer that finds the box empty wakes. Outlives the server in whoever still has to answer.
// Thread: `put` any; the others as they say. Failure: what comes after close() is dropped.
#pragma once

#include "model/gate/http_message.h"

#include <cstdint>
#include <functional>
#include <mutex>
#include <optional>
#include <thread>
#include <vector>

namespace handreset::gate {

/// Which question an answer answers. A ticket is never given twice, so a late answer fits nobody.
struct Ticket {
    std::uint64_t number = 0; ///< 0: none
    std::uint32_t slot = 0;   ///< where its connection is kept
};

class AnswerBox {
public:
    struct Late {
        Ticket ticket;
        Answer answer;
    };

    /// `wake`: gets the I/O thread to take what is here; called under the box's lock, from any thread.
    explicit AnswerBox(std::function<void()> wake) : m_wake(std::move(wake)) {}

    void put(Ticket ticket, Answer &&answer);
    /// Puts into `taken` what waits, in place of what it held; both keep their memory. I/O thread.
    void takeAll(std::vector<Late> &taken);
    /// Nothing is woken any more. Any thread.
    void close();

    /// Between these two, on the I/O thread, an answer to `ticket` from that thread is kept for endCall: no lock, no
    /// wake-up.
    void beginCall(Ticket ticket);
    [[nodiscard]] std::optional<Answer> endCall();

private:
    std::mutex m_mutex;
    std::vector<Late> m_late;
    std::function<void()> m_wake; ///< empty once closed
    // The I/O thread's own. The id is set before the first ticket leaves it.
    std::thread::id m_ioThread;
    Ticket m_called;
    std::optional<Answer> m_direct;
};

} // namespace handreset::gate
