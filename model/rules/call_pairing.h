// Which call a recorded result belongs to (data form: spec 6, "Recorded runs"). Pure; one thread at a time.
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <optional>
#include <string_view>
#include <vector>

namespace handreset::rules {

/// Pairs results with calls within their task: by the source's call id where the result has one (a reused id means
/// the oldest open call that has it), else by order, the oldest open call of the result's tool first. Calls without a
/// result stay open until their task ends; a result without a call pairs with nothing.
class CallPairing {
public:
    void called(std::uint32_t task, std::uint64_t line, std::uint32_t tool, std::string_view call)
    {
        if (m_open.size() < task)
            m_open.resize(task);
        m_open[task - 1].push_back({line, hashOf(call), tool});
    }
    /// The line of the call; `tool` 0 where the result does not name it.
    [[nodiscard]] std::optional<std::uint64_t> answered(std::uint32_t task, std::uint32_t tool, std::string_view call)
    {
        if (m_open.size() < task)
            return std::nullopt;
        auto &open = m_open[task - 1];
        const auto wanted = hashOf(call);
        auto found = std::find_if(open.begin(), open.end(), [&](const Open &one) {
            return wanted != 0 ? one.call == wanted : tool == 0 || one.tool == tool;
        });
        if (found == open.end() && wanted == 0)
            found = open.begin();
        if (found == open.end())
            return std::nullopt;
        const auto line = found->line;
        open.erase(found);
        return line;
    }
    void ended(std::uint32_t task)
    {
        if (m_open.size() >= task)
            m_open[task - 1] = {};
    }

private:
    struct Open {
        std::uint64_t line = 0;
        std::size_t call = 0; ///< hash of the source's id; 0: it has none
        std::uint32_t tool = 0;
    };
    [[nodiscard]] static std::size_t hashOf(std::string_view call)
    {
        return call.empty() ? 0 : std::hash<std::string_view>{}(call) | 1U;
    }

    std::vector<std::vector<Open>> m_open; ///< by task, oldest first
};

} // namespace handreset::rules
