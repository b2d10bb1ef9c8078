// What a bearer of a secret may do at the agents' door: ask and report for one agent, or feed (spec 5). Only a hash of
// the secret is kept. Pure values; any thread.
#pragma once

#include "model/rules/ids.h"
#include "model/rules/instant.h"
#include "model/rules/sha256.h"

#include <string>

namespace handreset::rules {

struct Token {
    AgentId agent;    ///< whose it is; none: a feed's
    std::string feed; ///< what it may feed; empty: an agent's
    Digest hash{};    ///< SHA-256 of the secret, which has 256 random bits
    Instant since;
    OperatorId by;
    bool operator==(const Token &) const = default;

    template <class V, class S>
    static void describe(V &v, S &self)
    {
        v(1, "agent", self.agent);
        v(2, "feed", self.feed);
        v(3, "hash", self.hash);
        v(4, "since", self.since);
        v(5, "by", self.by);
    }
};

} // namespace handreset::rules
