// Names as numbers: everything that has a name gets a dense number by an event of the log, so that the fold
// knows them all and no row or event repeats a text. Pure values; any thread.
#pragma once

#include "model/rules/ids.h"
#include "model/rules/words.h"

#include <array>
#include <cstdint>
#include <string>
#include <string_view>
#include <unordered_map>
#include <vector>

namespace handreset::rules {

enum class NameKind : std::uint8_t { Agent, Task, Session, Tool, Key, Endpoint, Model, Operator };
template <>
struct Words<NameKind> {
    static constexpr std::array<std::string_view, 8> list{"agent", "task",     "session", "tool",
                                                          "key",   "endpoint", "model",   "operator"};
};

/// Longest name that is taken, in bytes. What is longer is refused at the door, never cut.
inline constexpr std::size_t kLongestName = 1024;

/// The names of one fleet. Ids of each kind are dense from 1, in the order of the log. A task's or session's name
/// belongs to its agent: the same text of two agents is two tasks.
class NameTable {
public:
    struct Entry {
        std::string text;
        AgentId owner; ///< of a task or session; none for the other kinds
        bool operator==(const Entry &) const = default;

        template <class V, class S>
        static void describe(V &v, S &self)
        {
            v(1, "text", self.text);
            v(2, "owner", self.owner);
        }
    };

    /// The number of a name; zero when the log has not named it.
    [[nodiscard]] std::uint32_t find(NameKind kind, std::string_view text, AgentId owner = {}) const;
    /// The text of a number; "" for zero and for a number that is not known.
    [[nodiscard]] const std::string &text(NameKind kind, std::uint32_t id) const;
    [[nodiscard]] AgentId owner(NameKind kind, std::uint32_t id) const;
    [[nodiscard]] std::uint32_t count(NameKind kind) const;
    /// Takes the next number of the kind, which must be `count(kind) + 1`. Called by `apply` only.
    void add(NameKind kind, std::string text, AgentId owner);

    [[nodiscard]] const std::string &operator()(AgentId id) const { return text(NameKind::Agent, id.value); }
    [[nodiscard]] const std::string &operator()(TaskId id) const { return text(NameKind::Task, id.value); }
    [[nodiscard]] const std::string &operator()(SessionId id) const { return text(NameKind::Session, id.value); }
    [[nodiscard]] const std::string &operator()(ToolId id) const { return text(NameKind::Tool, id.value); }
    [[nodiscard]] const std::string &operator()(KeyId id) const { return text(NameKind::Key, id.value); }
    [[nodiscard]] const std::string &operator()(EndpointId id) const { return text(NameKind::Endpoint, id.value); }
    [[nodiscard]] const std::string &operator()(ModelId id) const { return text(NameKind::Model, id.value); }
    [[nodiscard]] const std::string &operator()(OperatorId id) const { return text(NameKind::Operator, id.value); }

    template <class V, class S>
    static void describe(V &v, S &self)
    {
        v(1, "agents", self.m_kinds[0].entries);
        v(2, "tasks", self.m_kinds[1].entries);
        v(3, "sessions", self.m_kinds[2].entries);
        v(4, "tools", self.m_kinds[3].entries);
        v(5, "keys", self.m_kinds[4].entries);
        v(6, "endpoints", self.m_kinds[5].entries);
        v(7, "models", self.m_kinds[6].entries);
        v(8, "operators", self.m_kinds[7].entries);
    }
    /// Makes the look-up anew after decoding.
    void rebuildIndex();

private:
    struct Hash {
        using is_transparent = void;
        std::size_t operator()(std::string_view text) const noexcept { return std::hash<std::string_view>{}(text); }
    };
    struct Kind {
        std::vector<Entry> entries;
        std::unordered_map<std::string, std::uint32_t, Hash, std::equal_to<>> index; ///< derived
    };
    std::array<Kind, Words<NameKind>::list.size()> m_kinds;
};

} // namespace handreset::rules
