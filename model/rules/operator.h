// Who may act: a named human, a role, and the public half of a key (spec 1, 3.4, 4). Pure values; any thread.
#pragma once

#include "model/rules/ids.h"
#include "model/rules/instant.h"
#include "model/rules/words.h"

#include <array>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace handreset::rules {

/// What an operator may do; each role holds what those before it may.
enum class Role : std::uint8_t {
    Viewer,    ///< look
    Responder, ///< acknowledge, re-arm, stop
    Approver,  ///< be the second person; policy and operators
};
template <>
struct Words<Role> {
    static constexpr std::array<std::string_view, 3> list{"viewer", "responder", "approver"};
};

/// The public half of an Ed25519 key (RFC 8032).
using PublicKey = std::array<std::uint8_t, 32>;

/// A key as people compare it by voice: the first 16 hexadecimal digits of its SHA-256, in fours.
[[nodiscard]] std::string fingerprintOf(const PublicKey &key);

/// One operator as the log knows them.
struct Operator {
    Role role = Role::Viewer;
    PublicKey key{};
    Instant enrolledAt;
    OperatorId enrolledBy; ///< themselves: the first of all
    Instant keySince;      ///< when this key was enrolled or came in place of the last
    std::optional<Instant> retiredAt;
    OperatorId retiredBy;
    std::vector<PublicKey> formerKeys; ///< that rotations took out of use; nobody takes one again
    bool operator==(const Operator &) const = default;
    [[nodiscard]] bool isActive() const noexcept { return !retiredAt.has_value(); }

    template <class V, class S>
    static void describe(V &v, S &self)
    {
        v(1, "role", self.role);
        v(2, "key", self.key);
        v(3, "enrolled_at", self.enrolledAt);
        v(4, "enrolled_by", self.enrolledBy);
        v(5, "key_since", self.keySince);
        v(6, "retired_at", self.retiredAt);
        v(7, "retired_by", self.retiredBy);
        v(8, "former_keys", self.formerKeys);
    }
};

} // namespace handreset::rules
