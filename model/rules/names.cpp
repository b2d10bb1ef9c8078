#include "model/rules/names.h"

#include <utility>

namespace handreset::rules {

namespace {

bool isOwned(NameKind kind)
{
    return kind == NameKind::Task || kind == NameKind::Session;
}

/// The owner's number in front of the text keeps the same text of two agents apart.
std::string indexKey(std::string_view text, AgentId owner)
{
    std::string key;
    key.reserve(text.size() + 4);
    for (int shift = 0; shift < 32; shift += 8)
        key.push_back(static_cast<char>(owner.value >> shift & 0xFFU));
    key.append(text);
    return key;
}

const std::string kNoText;

} // namespace

std::uint32_t NameTable::find(NameKind kind, std::string_view text, AgentId owner) const
{
    const auto &index = m_kinds[static_cast<std::size_t>(kind)].index;
    const auto found = isOwned(kind) ? index.find(indexKey(text, owner)) : index.find(text);
    return found != index.end() ? found->second : 0;
}

const std::string &NameTable::text(NameKind kind, std::uint32_t id) const
{
    const auto &entries = m_kinds[static_cast<std::size_t>(kind)].entries;
    return id != 0 && id <= entries.size() ? entries[id - 1].text : kNoText;
}

AgentId NameTable::owner(NameKind kind, std::uint32_t id) const
{
    const auto &entries = m_kinds[static_cast<std::size_t>(kind)].entries;
    return id != 0 && id <= entries.size() ? entries[id - 1].owner : AgentId{};
}

std::uint32_t NameTable::count(NameKind kind) const
{
    return static_cast<std::uint32_t>(m_kinds[static_cast<std::size_t>(kind)].entries.size());
}

void NameTable::add(NameKind kind, std::string text, AgentId owner)
{
    auto &names = m_kinds[static_cast<std::size_t>(kind)];
    const auto id = static_cast<std::uint32_t>(names.entries.size() + 1);
    names.index.emplace(isOwned(kind) ? indexKey(text, owner) : text, id);
    names.entries.push_back({std::move(text), owner});
}

void NameTable::rebuildIndex()
{
    for (std::size_t k = 0; k < m_kinds.size(); ++k) {
        auto &names = m_kinds[k];
        const bool owned = isOwned(static_cast<NameKind>(k));
        names.index.clear();
        names.index.reserve(names.entries.size());
        for (std::size_t i = 0; i < names.entries.size(); ++i) {
            const auto &entry = names.entries[i];
            names.index.emplace(owned ? indexKey(entry.text, entry.owner) : entry.text,
                                static_cast<std::uint32_t>(i + 1));
        }
    }
}

} // namespace handreset::rules
