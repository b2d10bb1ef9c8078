// Fields of recorded lines that the form does not know: which, and on how many lines, in bounded memory whatever a file
// holds. Pure; one thread at a time.
#pragma once

#include <cstddef>
#include <cstdint>
#include <map>
#include <string>
#include <string_view>

namespace handreset::feeds {

class UnknownFields {
public:
    static constexpr std::size_t kMostNames = 100;
    static constexpr std::size_t kLongestName = 64; ///< in characters; longer ones are cut, with "…"

    void add(std::string_view name, std::uint64_t times = 1);
    void add(const UnknownFields &others);

    /// By name: on how many lines.
    [[nodiscard]] const std::map<std::string, std::uint64_t, std::less<>> &named() const noexcept { return m_named; }
    /// How often fields of further names stood there, beyond the names that are kept.
    [[nodiscard]] std::uint64_t further() const noexcept { return m_further; }
    [[nodiscard]] bool empty() const noexcept { return m_named.empty(); }

private:
    std::map<std::string, std::uint64_t, std::less<>> m_named;
    std::uint64_t m_further = 0;
};

} // namespace handreset::feeds
