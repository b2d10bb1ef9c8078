// What a check found, as sentences; bounded, so that a wholly forged store does not fill the memory.
// Internal to model/store. Pure values.
#pragma once

#include <cstddef>
#include <string>
#include <utility>
#include <vector>

namespace handreset::store {

class Findings {
public:
    static constexpr std::size_t kMost = 200;

    void add(std::string finding)
    {
        if (m_list.size() < kMost)
            m_list.push_back(std::move(finding));
        else
            ++m_further;
    }
    [[nodiscard]] std::vector<std::string> take()
    {
        if (m_further > 0)
            m_list.push_back("and " + std::to_string(m_further) + " more");
        return std::move(m_list);
    }

private:
    std::vector<std::string> m_list;
    std::size_t m_further = 0;
};

} // namespace handreset::store
