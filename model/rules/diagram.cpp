#include "model/rules/diagram.h"

#include <cstddef>

namespace handreset::rules {

namespace {

/// The edges of one row that say the same of different states: one line of the Markdown table.
struct Line {
    const GraphEdge *edge = nullptr;
    std::vector<std::int32_t> from;
    bool stays = true;
};

std::vector<Line> linesOf(const Graph &graph)
{
    std::vector<Line> lines;
    for (const GraphEdge &edge : graph.edges) {
        const bool joins = !lines.empty() && lines.back().edge->row == edge.row && lines.back().edge->event == edge.event;
        if (!joins)
            lines.push_back({&edge, {}, true});
        lines.back().from.push_back(edge.from);
        lines.back().stays = lines.back().stays && edge.from == edge.to;
    }
    return lines;
}

const std::string &nameOf(const Graph &graph, std::int32_t node)
{
    return graph.nodes[static_cast<std::size_t>(node)].name;
}

std::string fromWords(const Graph &graph, const Line &line)
{
    if (line.from.size() > 1 && line.from.size() == graph.nodes.size())
        return "any";
    std::string words;
    for (const std::int32_t node : line.from) {
        if (!words.empty())
            words += ", ";
        words += nameOf(graph, node);
    }
    return words;
}

std::string toWords(const Graph &graph, const Line &line)
{
    return line.stays && line.from.size() > 1 ? "the same" : nameOf(graph, line.edge->to);
}

/// A bar would end the cell.
std::string cell(std::string_view text)
{
    std::string out;
    for (const char c : text) {
        if (c == '|')
            out += '\\';
        out += c;
    }
    return out;
}

std::string quoted(std::string_view text)
{
    std::string out = "\"";
    for (const char c : text) {
        if (c == '"' || c == '\\')
            out += '\\';
        out += c;
    }
    return out + '"';
}

std::string mermaidText(std::string text)
{
    for (char &c : text) {
        if (c == ':' || c == ';' || c == '"')
            c = ',';
    }
    return text;
}

std::string numberedLabel(const GraphEdge &edge)
{
    return std::to_string(edge.row) + " " + edge.label();
}

} // namespace

std::string diagramMarkdown(const Graph &graph)
{
    std::string out = "| # | from | event | guard | to | answer | what changes | by |\n"
                      "|---|---|---|---|---|---|---|---|\n";
    for (const Line &line : linesOf(graph)) {
        const GraphEdge &edge = *line.edge;
        const std::string cells[] = {std::to_string(edge.row), fromWords(graph, line), edge.event, edge.guard,
                                     toWords(graph, line),     edge.answer,            edge.changes,
                                     std::string(toWord(edge.authority))};
        out += '|';
        for (const std::string &text : cells)
            out += text.empty() ? " |" : " " + cell(text) + " |";
        out += '\n';
    }
    return out;
}

std::string diagramGraphviz(const Graph &graph)
{
    std::string out = "digraph " + quoted(graph.title) + " {\n    node [shape=box, style=rounded];\n";
    for (std::size_t i = 0; i < graph.nodes.size(); ++i) {
        const GraphNode &node = graph.nodes[i];
        // The line break between name and meaning is Graphviz' own escape, so it stands outside the quoting.
        std::string label = quoted(node.name);
        label.pop_back();
        out += "    s" + std::to_string(i) + " [label=" + label + "\\n" + quoted(node.meaning).substr(1) + "];\n";
    }
    for (const GraphEdge &edge : graph.edges) {
        out += "    s" + std::to_string(edge.from) + " -> s" + std::to_string(edge.to) + " [label="
            + quoted(numberedLabel(edge)) + (edge.authority == Authority::Operator ? ", style=dashed" : "") + "];\n";
    }
    return out + "}\n";
}

std::string diagramMermaid(const Graph &graph)
{
    std::string out = "stateDiagram-v2\n";
    for (std::size_t i = 0; i < graph.nodes.size(); ++i) {
        const GraphNode &node = graph.nodes[i];
        out += "    state \"" + mermaidText(node.name + ", " + node.meaning) + "\" as s" + std::to_string(i) + "\n";
    }
    out += "    [*] --> s0\n";
    for (const GraphEdge &edge : graph.edges) {
        out += "    s" + std::to_string(edge.from) + " --> s" + std::to_string(edge.to) + ": "
            + mermaidText(numberedLabel(edge)) + "\n";
    }
    return out;
}

} // namespace handreset::rules
