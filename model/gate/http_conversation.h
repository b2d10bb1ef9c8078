// One connection's half of HTTP/1.1 without the connection: bytes go in, requests come out one at a time, answers go
// in, bytes come out. What is pipelined waits in the buffer until its turn. It knows no clock and no socket, so every
// cut of every exchange can be tried in a test. Thread: one at a time. Ownership: `limits` must outlive it. Failure:
// what is no request is answered with its status and ends the conversation; nothing behind it is ever read as a
// request.
#pragma once

#include "model/gate/http_body.h"
#include "model/gate/http_head.h"
#include "model/gate/http_limits.h"
#include "model/gate/http_message.h"

#include <cstddef>
#include <cstdint>
#include <memory>
#include <span>
#include <string>

namespace handreset::gate {

class HttpConversation {
public:
    enum class Phase : std::uint8_t {
        Idle,   ///< between requests
        Head,   ///< some of a head is there
        Body,   ///< the head was good, some of the body is missing
        Answer, ///< a request is whole and waits for its answer; nothing more is read
        Ended,  ///< what is in `output` is the last; what still comes is not looked at
    };

    explicit HttpConversation(const Limits &limits);

    /// From the beginning, for another client. Memory is kept.
    void begin(Door door, std::uint32_t peerUid);

    /// Where the next bytes may be put; never empty. `received` tells how many were.
    [[nodiscard]] std::span<char> space();
    void received(std::size_t count) noexcept { m_end += count; }
    /// Works on what was received, until a request is whole or bytes are missing.
    Phase work();
    [[nodiscard]] Phase phase() const noexcept { return m_phase; }
    /// The request, in phase Answer, once.
    [[nodiscard]] Request takeRequest() noexcept { return std::move(m_request); }
    /// The answer, in phase Answer.
    void answer(const Answer &answer);
    /// Ends it with a refusal, in any phase.
    void refuse(const Problem &problem);
    /// Ends it without a word: the client has gone, or has said half and no more.
    void end() noexcept { m_phase = Phase::Ended; }

    /// What is to be sent; the caller takes away what it has sent.
    [[nodiscard]] std::string &output() noexcept { return m_output; }
    /// Memory that a body takes which is still arriving.
    [[nodiscard]] std::size_t held() const noexcept { return m_phase == Phase::Body ? m_request.body.capacity() : 0; }
    /// Counts what was refused as no request.
    [[nodiscard]] std::uint64_t refused() const noexcept { return m_refused; }

private:
    void workOnHead();
    void workOnBody();
    void acceptHead(const Head &head);
    [[nodiscard]] std::string_view waiting() const noexcept { return {m_buffer.get() + m_begin, m_end - m_begin}; }

    const Limits *m_limits;
    std::size_t m_capacity;
    std::unique_ptr<char[]> m_buffer;
    std::size_t m_begin = 0; ///< what stands before was worked on
    std::size_t m_end = 0;
    Phase m_phase = Phase::Idle;
    HeadScanner m_scanner;
    BodyReader m_body;
    Request m_request;
    std::string m_output;
    std::uint64_t m_refused = 0;
    std::uint32_t m_peerUid = 0;
    Door m_door = Door::Unix;
    bool m_isHead = false;
    bool m_isHttp10 = false;
    bool m_keepAlive = true;
};

} // namespace handreset::gate
