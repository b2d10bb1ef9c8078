// The typed reading of a policy's fields: each value with the place where it stands, each fault reported where it is.
// Internal to the reading of policies (policy_text.h is the door). Pure; one thread per reading.
#pragma once

#include "model/rules/field_path.h"
#include "model/rules/policy_text.h"

#include <cstdint>
#include <map>
#include <optional>
#include <set>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include <toml++/toml.h>

namespace handreset::rules::policytext {

/// Where something stands in the text, both from 1.
struct Spot {
    std::uint32_t line = 1;
    std::uint32_t column = 1;
};

/// The largest whole number a policy may hold: far above any sense, far below any overflow.
inline constexpr std::int64_t kMostWhole = 1'000'000'000;
/// The longest time a policy may hold, in seconds: ten years.
inline constexpr std::int64_t kMostSeconds = 10LL * 366 * 86'400;
/// The most list entries that a policy may have after merging, so that a small text cannot fill the memory.
inline constexpr std::size_t kMostMergedEntries = 1'000'000;

/// Collects what is wrong, and remembers where each field stands for those who judge it later.
class Report {
public:
    Report(std::string file, const ZoneExists &zoneExists) : m_file(std::move(file)), m_zoneExists(zoneExists) {}

    void add(Severity severity, Spot spot, std::string field, std::string message, std::string remedy);
    void error(Spot spot, std::string field, std::string message, std::string remedy)
    {
        add(Severity::Error, spot, std::move(field), std::move(message), std::move(remedy));
    }
    [[nodiscard]] bool hasErrors() const noexcept { return m_hasErrors; }
    /// In the order of the text, without repeats (a default's fault is met once for each agent that inherits it).
    [[nodiscard]] std::vector<PolicyProblem> take();

    void remember(const std::string &field, Spot spot) { m_places.emplace(field, spot); }
    /// Nothing for a field that the text does not hold.
    [[nodiscard]] std::optional<Spot> find(const std::string &field) const;

    /// False, with an error, once the merged policy holds too many list entries.
    [[nodiscard]] bool spend(std::size_t entries, Spot spot, const std::string &field);
    [[nodiscard]] bool zoneExists(std::string_view zone) const;

private:
    std::string m_file;
    const ZoneExists &m_zoneExists;
    std::vector<PolicyProblem> m_problems;
    std::map<std::string, Spot> m_places;
    std::size_t m_entries = 0;
    bool m_hasErrors = false;
};

/// One table of the text, or several laid one over the other (`[agents.NAME]` over `[defaults]`): the first that has a
/// field gives it, tables merge field by field, arrays replace. Asking for a field makes its name known; `finish`
/// reports the names of the top table that nobody asked for.
class Fields {
public:
    struct Layer {
        const toml::table *table = nullptr;
        std::string path; ///< "agents.billing"; empty for the whole text
    };

    /// One text of a list.
    struct Entry {
        std::string text;
        Spot spot;
        std::string field; ///< "allow[2]", with the path before it
    };

    Fields(Report &report, std::vector<Layer> layers);

    [[nodiscard]] bool exists() const noexcept { return !m_layers.empty(); }
    /// The topmost table; nothing where there is none.
    [[nodiscard]] const toml::table *top() const noexcept { return exists() ? m_layers.front().table : nullptr; }
    /// These tables with one more below them.
    [[nodiscard]] Fields over(Layer below) const;
    /// True where any layer has the field, well formed or not.
    [[nodiscard]] bool has(std::string_view name);
    /// True where the top layer itself has it, so that it is not inherited.
    [[nodiscard]] bool hasOwn(std::string_view name);
    /// The path and place of the field in the first layer that has it; else where it should stand.
    [[nodiscard]] std::string path(std::string_view name) const;
    [[nodiscard]] Spot spot(std::string_view name) const;
    /// The path and place of the topmost table itself.
    [[nodiscard]] std::string path() const;
    [[nodiscard]] Spot spot() const;

    // Each gives nothing for a field that is absent, and nothing with an error for one that is wrong.
    std::optional<std::int64_t> whole(std::string_view name, std::int64_t least = 1, std::int64_t most = kMostWhole);
    std::optional<bool> flag(std::string_view name);
    std::optional<std::string> text(std::string_view name); ///< never empty, one line, at most 1,000 bytes
    std::optional<Duration> duration(std::string_view name, bool zeroAllowed = false);
    std::optional<WindowKind> window(std::string_view name);
    std::optional<Money> money(std::string_view name, bool zeroAllowed = false);
    std::optional<Decimal> amount(std::string_view name); ///< above zero, without a currency
    std::optional<std::string> currency(std::string_view name);
    std::optional<std::string> pointer(std::string_view name); ///< RFC 6901, not empty
    std::optional<std::vector<std::string>> texts(std::string_view name);
    std::optional<std::vector<std::string>> pointers(std::string_view name);
    /// The texts of a list with the place of each; those that are wrong are left out.
    std::optional<std::vector<Entry>> entries(std::string_view name);
    /// The index of the word among `words`.
    std::optional<std::size_t> word(std::string_view name, std::span<const std::string_view> words);
    template <Worded E>
    std::optional<E> choice(std::string_view name)
    {
        const auto index = word(name, Words<E>::list);
        return index ? std::optional(static_cast<E>(*index)) : std::nullopt;
    }

    /// The tables of that name in all layers that have one, laid one over the other.
    Fields table(std::string_view name);
    /// The tables of an array (`spend`), each with its path "spend[0]".
    std::vector<Fields> tables(std::string_view name);
    /// The names in the topmost table, in the order of the alphabet. For tables of names (`[agents]`).
    [[nodiscard]] std::vector<std::string> names() const;

    /// Reports `name` as wrong, where it stands.
    void error(std::string_view name, std::string message, std::string remedy);
    /// Reports each missing one of `names`.
    void require(std::span<const std::string_view> names, std::string_view remedy);
    /// Makes a name known without reading it.
    void expect(std::string_view name) { m_known.emplace(name); }
    /// A field that people write here although it stands elsewhere: says where.
    void refuse(std::string_view name, std::string message, std::string remedy);
    void finish();

private:
    const toml::node *find(std::string_view name);
    const Layer *layerOf(std::string_view name) const;
    void wrongType(std::string_view name, const toml::node &node, std::string_view wanted, std::string_view example);
    std::optional<std::string> checkedPointer(const Entry &entry);

    Report *m_report;
    std::vector<Layer> m_layers;
    std::set<std::string, std::less<>> m_known;
};

[[nodiscard]] Spot spotOf(const toml::node &node);

} // namespace handreset::rules::policytext
