// The tokens that are good now, as the log has them (spec 5): who a bearer is. Follows the host. Threads: `bearerOf`
// from any; the follower's part on the host's. Ownership: the host outlives it, and it is unfollowed first.
#pragma once

#include "model/engine/host.h"
#include "model/rules/names.h"
#include "model/rules/token.h"

#include <cstdint>
#include <memory>
#include <mutex>
#include <optional>
#include <shared_mutex>
#include <string>
#include <string_view>
#include <unordered_map>
#include <vector>

namespace handreset::gate {

struct Bearer {
    std::string agent; ///< empty: a feed's
    std::string feed;
};

class TokenBook final : public engine::Follower {
public:
    /// Nothing where no live token has this secret.
    [[nodiscard]] std::optional<Bearer> bearerOf(std::string_view secret) const;

    void snapshot(std::shared_ptr<const rules::Fleet> fleet) override;
    void committed(std::shared_ptr<const engine::Commit> commit) override;
    void beat(const engine::HostStatus &status) override;

private:
    struct Entry {
        rules::Seq number;
        rules::Digest hash{};
        Bearer bearer;
    };
    void add(rules::Seq number, rules::AgentId agent, const std::string &feed, const rules::Digest &hash);
    void remove(rules::Seq number);

    mutable std::shared_mutex m_mutex;
    std::unordered_multimap<std::uint64_t, Entry> m_entries; ///< by the hash's first eight bytes
    std::vector<std::string> m_agents; ///< the agents' names by their numbers; the host's thread only
};

} // namespace handreset::gate
