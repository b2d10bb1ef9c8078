// HTTP/1.1 with the gate: one request, one answer, within a time limit, over connections that are kept.
#pragma once

#include <chrono>
#include <cstddef>
#include <mutex>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace handreset::client {

constexpr std::size_t kLargestBody = std::size_t{256} * 1024; ///< either way; more from a gate is no answer of a gate

struct Answer {
    int status = 0;
    std::string body;
    std::optional<double> retryAfter; ///< seconds
};

/// One exchange: an answer, or how the gate was missed.
struct Reply {
    std::optional<Answer> answer;
    std::string why;   ///< it was missed
    bool sent = false; ///< the request may have arrived all the same
};

/// One answer, fed byte by byte or at once. It holds a bounded number of bytes.
class AnswerReader {
public:
    enum class State { Unfinished, Whole, Malformed };

    State feed(std::string_view data);
    /// When it is whole.
    [[nodiscard]] Answer &answer() noexcept { return m_answer; }
    [[nodiscard]] bool hasBegun() const noexcept { return m_hasBegun; }
    /// Whether the connection may be used again.
    [[nodiscard]] bool isKept() const noexcept { return m_isKept; }

private:
    bool readHead(std::string_view head);
    bool readHeader(std::string_view line);

    std::string m_data;
    std::optional<std::size_t> m_length;
    Answer m_answer;
    bool m_hasBegun = false;
    bool m_headIsRead = false;
    bool m_isKept = false;
};

/// Where the gate is.
struct Address {
    std::string path; ///< of a Unix socket; empty: host and port
    std::string host;
    int port = 0;
    std::string name = "localhost"; ///< what stands in the Host header

    /// "unix:/path" or "http://127.0.0.1:8480". Throws std::invalid_argument; other machines are refused, because the
    /// token would travel in the open and the gate listens on loopback only.
    static Address parse(const std::string &text);
};

/// The connections to one gate. Threads may share it; a forked child opens its own.
class Lines {
public:
    Lines(Address address, std::chrono::milliseconds timeout);
    ~Lines();
    Lines(const Lines &) = delete;
    Lines &operator=(const Lines &) = delete;

    /// Sends the bytes and reads one answer, all within the timeout. A kept connection that turns out to be closed is
    /// opened again within the same time.
    [[nodiscard]] Reply exchange(std::string_view request);
    void closeAll();

private:
    struct Line {
        int descriptor = -1;
        int process = 0;
    };
    using Until = std::chrono::steady_clock::time_point;
    enum class End { Answered, Closed, Late, Malformed, Failed };

    [[nodiscard]] int takeKept();
    void keep(int descriptor);
    /// The descriptor, or -1 with the reason in `why`.
    [[nodiscard]] int connect(Until until, std::string &why) const;
    [[nodiscard]] static End talk(int descriptor, std::string_view request, Until until, AnswerReader &reader,
                                  std::string &why);

    const Address m_address;
    const std::chrono::milliseconds m_timeout;
    std::mutex m_mutex;
    std::vector<Line> m_kept;
};

} // namespace handreset::client
