// Distinct types for everything that is named or numbered, so that none is taken for another.
// Pure values; any thread.
#pragma once

#include <compare>
#include <cstddef>
#include <cstdint>
#include <functional>

namespace handreset::rules {

/// A number that stands for one thing of kind `Tag`. Zero means "none".
template <class Tag>
struct Id {
    std::uint32_t value = 0;

    [[nodiscard]] constexpr bool isSet() const noexcept { return value != 0; }
    constexpr explicit operator bool() const noexcept { return value != 0; }
    constexpr auto operator<=>(const Id &) const noexcept = default;
};

using AgentId = Id<struct AgentTag>;       ///< a named program that does tasks
using TaskId = Id<struct TaskTag>;         ///< one run of one agent (the pair agent and task name)
using SessionId = Id<struct SessionTag>;   ///< a conversation: several tasks of one agent
using ToolId = Id<struct ToolTag>;         ///< a tool's name
using KeyId = Id<struct KeyTag>;           ///< the spending account
using EndpointId = Id<struct EndpointTag>; ///< a model deployment at a provider
using ModelId = Id<struct ModelTag>;       ///< a model's name
using OperatorId = Id<struct OperatorTag>; ///< a named human

/// A place in the log: dense, from 1. Zero means "before the first event".
struct Seq {
    std::uint64_t value = 0;

    [[nodiscard]] constexpr bool isSet() const noexcept { return value != 0; }
    constexpr auto operator<=>(const Seq &) const noexcept = default;
    [[nodiscard]] constexpr Seq next() const noexcept { return Seq{value + 1}; }
};

/// A trip is known by the sequence number of the event that latched it.
struct TripId {
    std::uint64_t value = 0;

    [[nodiscard]] constexpr bool isSet() const noexcept { return value != 0; }
    constexpr explicit operator bool() const noexcept { return value != 0; }
    constexpr auto operator<=>(const TripId &) const noexcept = default;
};

/// An ask (of a step or of a tool call) is known by the sequence number of its event.
struct AskId {
    std::uint64_t value = 0;

    [[nodiscard]] constexpr bool isSet() const noexcept { return value != 0; }
    constexpr explicit operator bool() const noexcept { return value != 0; }
    constexpr auto operator<=>(const AskId &) const noexcept = default;
};

/// Rises with each trip, change of rung, policy, queue or operator's act (spec 1).
struct Revision {
    std::uint64_t value = 0;
    constexpr auto operator<=>(const Revision &) const noexcept = default;
};

} // namespace handreset::rules

template <class Tag>
struct std::hash<handreset::rules::Id<Tag>> {
    std::size_t operator()(handreset::rules::Id<Tag> id) const noexcept
    {
        return static_cast<std::size_t>(id.value) * 0x9E3779B97F4A7C15ULL;
    }
};
template <>
struct std::hash<handreset::rules::TripId> {
    std::size_t operator()(handreset::rules::TripId id) const noexcept
    {
        return static_cast<std::size_t>(id.value * 0x9E3779B97F4A7C15ULL);
    }
};
template <>
struct std::hash<handreset::rules::AskId> {
    std::size_t operator()(handreset::rules::AskId id) const noexcept
    {
        return static_cast<std::size_t>(id.value * 0x9E3779B97F4A7C15ULL);
    }
};
