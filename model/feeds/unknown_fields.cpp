#include "model/feeds/unknown_fields.h"

#include "model/rules/utf8.h"

#include <algorithm>

namespace handreset::feeds {

namespace {

/// The first characters of a name; the whole where it is short enough.
std::string kept(std::string_view name)
{
    std::size_t end = 0;
    for (std::size_t count = 0; end < name.size(); ++count) {
        if (count == UnknownFields::kLongestName)
            return std::string(name.substr(0, end)) + "…";
        end += std::max<std::size_t>(1, rules::utf8SequenceLength(name.substr(end)));
    }
    return std::string(name);
}

} // namespace

void UnknownFields::add(std::string_view name, std::uint64_t times)
{
    if (const auto known = m_named.find(name); known != m_named.end()) {
        known->second += times;
        return;
    }
    const auto cut = kept(name);
    if (const auto known = m_named.find(cut); known != m_named.end())
        known->second += times;
    else if (m_named.size() < kMostNames)
        m_named.emplace(cut, times);
    else
        m_further += times;
}

void UnknownFields::add(const UnknownFields &others)
{
    for (const auto &[name, times] : others.m_named)
        add(name, times);
    m_further += others.m_further;
}

} // namespace handreset::feeds
