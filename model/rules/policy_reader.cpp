#include "model/rules/policy_reader.h"

#include "model/rules/policy_wording.h"

#include <algorithm>
#include <tuple>

namespace handreset::rules::policytext {
namespace {

Spot spotOf(const toml::source_region &region)
{
    return {std::max<std::uint32_t>(region.begin.line, 1), std::max<std::uint32_t>(region.begin.column, 1)};
}

} // namespace

Spot spotOf(const toml::node &node)
{
    return spotOf(node.source());
}

// Report

void Report::add(Severity severity, Spot spot, std::string field, std::string message, std::string remedy)
{
    m_hasErrors = m_hasErrors || severity == Severity::Error;
    m_problems.push_back(
        {m_file, spot.line, spot.column, std::move(field), std::move(message), std::move(remedy), severity});
}

std::vector<PolicyProblem> Report::take()
{
    const auto key = [](const PolicyProblem &p) { return std::tie(p.line, p.column, p.field, p.message, p.remedy); };
    std::stable_sort(m_problems.begin(), m_problems.end(),
                     [&](const PolicyProblem &a, const PolicyProblem &b) { return key(a) < key(b); });
    const auto end = std::unique(m_problems.begin(), m_problems.end());
    m_problems.erase(end, m_problems.end());
    return std::move(m_problems);
}

std::optional<Spot> Report::find(const std::string &field) const
{
    const auto it = m_places.find(field);
    return it == m_places.end() ? std::nullopt : std::optional(it->second);
}

bool Report::spend(std::size_t entries, Spot spot, const std::string &field)
{
    const bool before = m_entries <= kMostMergedEntries;
    m_entries += entries;
    if (m_entries <= kMostMergedEntries)
        return true;
    if (before)
        error(spot, field, "the policy's lists hold too many entries once they are merged",
              "Shorten this list, or give fewer agents tools of their own.");
    return false;
}

bool Report::zoneExists(std::string_view zone) const
{
    const bool isSpelled = !zone.empty() && zone.front() != '/' && zone.back() != '/'
        && std::all_of(zone.begin(), zone.end(), [](char c) {
               return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') || c == '/' || c == '_'
                   || c == '-' || c == '+';
           });
    // Replay reads a policy without a database of zones: what was taken once must be taken again.
    return isSpelled && (zone == "UTC" || !m_zoneExists || m_zoneExists(zone));
}

// Fields: where things stand

Fields::Fields(Report &report, std::vector<Layer> layers) : m_report(&report), m_layers(std::move(layers)) {}

Fields Fields::over(Layer below) const
{
    std::vector<Layer> layers = m_layers;
    layers.push_back(std::move(below));
    return Fields(*m_report, std::move(layers));
}

const Fields::Layer *Fields::layerOf(std::string_view name) const
{
    for (const Layer &layer : m_layers) {
        if (layer.table->contains(name))
            return &layer;
    }
    return nullptr;
}

const toml::node *Fields::find(std::string_view name)
{
    expect(name);
    const Layer *layer = layerOf(name);
    if (layer == nullptr)
        return nullptr;
    const toml::node *node = layer->table->get(name);
    m_report->remember(joinPath(layer->path, name), spotOf(*node));
    return node;
}

bool Fields::has(std::string_view name)
{
    return find(name) != nullptr;
}

bool Fields::hasOwn(std::string_view name)
{
    expect(name);
    return exists() && m_layers.front().table->contains(name);
}

std::string Fields::path(std::string_view name) const
{
    const Layer *layer = layerOf(name);
    return joinPath(layer != nullptr ? layer->path : path(), name);
}

Spot Fields::spot(std::string_view name) const
{
    const Layer *layer = layerOf(name);
    return layer != nullptr ? spotOf(*layer->table->get(name)) : spot();
}

std::string Fields::path() const
{
    return exists() ? m_layers.front().path : std::string();
}

Spot Fields::spot() const
{
    return exists() ? spotOf(*m_layers.front().table) : Spot();
}

void Fields::error(std::string_view name, std::string message, std::string remedy)
{
    m_report->error(spot(name), path(name), std::move(message), std::move(remedy));
}

void Fields::wrongType(std::string_view name, const toml::node &node, std::string_view wanted, std::string_view example)
{
    error(name, "must be " + std::string(wanted) + ", not " + std::string(typeName(node)),
          "Write it like this: " + std::string(name) + " = " + std::string(example) + ".");
}

// Fields: tables

Fields Fields::table(std::string_view name)
{
    expect(name);
    std::vector<Layer> inner;
    for (const Layer &layer : m_layers) {
        const toml::node *node = layer.table->get(name);
        if (node == nullptr)
            continue;
        const std::string field = joinPath(layer.path, name);
        m_report->remember(field, spotOf(*node));
        if (const toml::table *table = node->as_table())
            inner.push_back({table, field});
        else
            m_report->error(spotOf(*node), field, "must be a table, not " + std::string(typeName(*node)),
                            "Write it like this: " + std::string(name) + " = { … }.");
    }
    return Fields(*m_report, std::move(inner));
}

std::vector<Fields> Fields::tables(std::string_view name)
{
    std::vector<Fields> out;
    const toml::node *node = find(name);
    if (node == nullptr)
        return out;
    const auto *list = node->as_array();
    if (list == nullptr) {
        wrongType(name, *node, "a list of tables", "[{ … }]");
        return out;
    }
    for (std::size_t i = 0; i < list->size(); ++i) {
        const toml::node &item = (*list)[i];
        const std::string field = path(name) + "[" + std::to_string(i) + "]";
        m_report->remember(field, spotOf(item));
        if (const toml::table *table = item.as_table())
            out.push_back(Fields(*m_report, {{table, field}}));
        else
            m_report->error(spotOf(item), field, "must be a table, not " + std::string(typeName(item)),
                            "Write it like this: " + std::string(name) + " = [{ … }].");
    }
    return out;
}

std::vector<std::string> Fields::names() const
{
    std::vector<std::string> out;
    if (exists()) {
        for (const auto &[key, value] : *m_layers.front().table)
            out.emplace_back(key.str());
    }
    return out;
}

void Fields::require(std::span<const std::string_view> names, std::string_view remedy)
{
    for (const std::string_view name : names) {
        if (!has(name))
            error(name, "is missing", std::string(remedy));
    }
}

void Fields::refuse(std::string_view name, std::string message, std::string remedy)
{
    expect(name);
    if (exists() && m_layers.front().table->contains(name))
        error(name, std::move(message), std::move(remedy));
}

void Fields::finish()
{
    if (!exists())
        return;
    const Layer &top = m_layers.front();
    for (const auto &[key, value] : *top.table) {
        if (m_known.contains(key.str()))
            continue;
        const std::vector<std::string_view> names(m_known.begin(), m_known.end());
        const std::string meant = nearestWord(key.str(), names);
        const std::string known = "Known here: " + listWords(names, "") + ".";
        m_report->error(spotOf(key.source()), joinPath(top.path, key.str()), "is an unknown field",
                        meant.empty() ? "Take it out. " + known : "Did you mean " + meant + "? " + known);
    }
}

} // namespace handreset::rules::policytext
