#include "model/gate/token_book.h"

#include "model/rules/fleet.h"
#include "model/trust/token_secret.h"

#include <sodium/utils.h>

#include <cstring>
#include <variant>

namespace handreset::gate {

namespace {

std::uint64_t headOf(const rules::Digest &hash)
{
    std::uint64_t head = 0;
    std::memcpy(&head, hash.data(), sizeof head);
    return head;
}

} // namespace

std::optional<Bearer> TokenBook::bearerOf(std::string_view secret) const
{
    if (!secret.starts_with(trust::kTokenHead))
        return std::nullopt;
    const auto hash = rules::sha256(secret);
    const std::shared_lock lock(m_mutex);
    const auto [first, last] = m_entries.equal_range(headOf(hash));
    for (auto it = first; it != last; ++it) {
        if (sodium_memcmp(it->second.hash.data(), hash.data(), hash.size()) == 0)
            return it->second.bearer;
    }
    return std::nullopt;
}

void TokenBook::snapshot(std::shared_ptr<const rules::Fleet> fleet)
{
    const std::unique_lock lock(m_mutex);
    m_entries.clear();
    m_agents.clear();
    for (std::uint32_t id = 1; id <= fleet->names.count(rules::NameKind::Agent); ++id)
        m_agents.push_back(fleet->names(rules::AgentId{id}));
    for (const auto &[number, token] : fleet->tokens)
        add(number, token.agent, token.feed, token.hash);
}

void TokenBook::committed(std::shared_ptr<const engine::Commit> commit)
{
    for (const rules::Event &event : commit->events) {
        if (const auto *named = std::get_if<rules::Named>(&event.payload)) {
            if (named->kind == rules::NameKind::Agent)
                m_agents.push_back(named->text);
        } else if (const auto *added = std::get_if<rules::TokenAdded>(&event.payload)) {
            const std::unique_lock lock(m_mutex);
            add(event.seq, event.agent, added->feed, added->hash);
        } else if (const auto *revoked = std::get_if<rules::TokenRevoked>(&event.payload)) {
            const std::unique_lock lock(m_mutex);
            remove(revoked->token);
        }
    }
}

void TokenBook::beat(const engine::HostStatus &) {}

void TokenBook::add(rules::Seq number, rules::AgentId agent, const std::string &feed, const rules::Digest &hash)
{
    const bool isKnown = agent.isSet() && agent.value <= m_agents.size();
    m_entries.emplace(headOf(hash), Entry{number, hash, {isKnown ? m_agents[agent.value - 1] : std::string(), feed}});
}

void TokenBook::remove(rules::Seq number)
{
    std::erase_if(m_entries, [number](const auto &entry) { return entry.second.number == number; });
}

} // namespace handreset::gate
