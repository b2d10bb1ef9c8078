// Finds the ids of requests in text that is not, or not wholly, read: lines that are too long to hold, and lines that
// the strict reader refuses. So their sender hears of it. A guess, never a ground to let anything pass.
// Pure; one thread at a time; holds a bounded number of bytes however much it is fed.
#pragma once

#include <cstddef>
#include <string>
#include <string_view>
#include <vector>

namespace handreset::feeds {

class McpIdFinder {
public:
    /// The next bytes of the line, in order.
    void feed(std::string_view bytes);
    /// The ids, as JSON, of the requests found: of the object, or of a batch's elements.
    [[nodiscard]] const std::vector<std::string> &requests() const noexcept { return m_requests; }
    /// The ids of the responses found.
    [[nodiscard]] const std::vector<std::string> &responses() const noexcept { return m_responses; }

private:
    void take(char c);
    void takeInString(char c);
    void open(char c);
    void close();
    void endToken();

    int m_depth = 0;
    int m_messageDepth = 1; ///< 2 within a batch
    bool m_isInString = false;
    bool m_isEscaped = false;
    bool m_isValue = false; ///< behind a colon
    bool m_hasMethod = false;
    std::string m_token; ///< the string or number that is being read, cut at a bound
    std::string m_name;  ///< of the member
    std::string m_id;
    std::vector<std::string> m_requests;
    std::vector<std::string> m_responses;
};

} // namespace handreset::feeds
