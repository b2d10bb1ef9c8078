// The id that a client gives its ask, so that asking again after a lost answer counts once (spec 5). Pure values; any
// thread.
#pragma once

#include "model/rules/ids.h"
#include "model/rules/refusal.h"
#include "model/rules/result.h"

#include <array>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

namespace handreset::rules {

/// What tells two bodies apart: the first half of the SHA-256 of the request's bytes.
using BodyDigest = std::array<std::uint8_t, 16>;
[[nodiscard]] BodyDigest bodyDigestOf(std::string_view body);

/// An ask as its client names it.
struct ClientStamp {
    std::string id;
    BodyDigest body{};
    bool operator==(const ClientStamp &) const = default;
    template <class V, class S>
    static void describe(V &v, S &self)
    {
        v(1, "id", self.id);
        v(2, "body", self.body);
    }
};

/// What became of a client's ask, kept until its task ends.
struct ClientAsk {
    AskId ask;
    TaskId task;
    BodyDigest body{};
    std::optional<Refusal> refused; ///< it was denied, at first or when it was asked again: it stays so
    bool operator==(const ClientAsk &) const = default;
    template <class V, class S>
    static void describe(V &v, S &self)
    {
        v(1, "ask", self.ask);
        v(2, "task", self.task);
        v(3, "body", self.body);
        v(4, "refused", self.refused);
    }
};

/// So many ids of one agent are remembered; when there are more, the older half is forgotten.
inline constexpr std::size_t kClientIdsOfAgent = 10'000;
/// Ids that the host makes for asks without one begin with this, and no client's may.
inline constexpr std::string_view kHostsId = "ask-";

/// Nothing where the text can be a client's id (1 to 128 of A-Z a-z 0-9 . _ : -), or is empty; else what is wrong.
[[nodiscard]] std::optional<Error> checkClientId(std::string_view id);

} // namespace handreset::rules
