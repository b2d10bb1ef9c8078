#include "views/state_graph_words.h"

#include "views/age_words.h"

#include <algorithm>

#include <QCoreApplication>

namespace handreset::views {

namespace {

QString tr(const char *text)
{
    return QCoreApplication::translate("StateGraph", text);
}

QString nodeWord(const rules::Graph &graph, int node)
{
    return rulesWord(graph.nodes[static_cast<std::size_t>(node)].name);
}

qsizetype edgesOfRow(const rules::Graph &graph, std::uint8_t row)
{
    return std::count_if(graph.edges.begin(), graph.edges.end(), [row](const auto &edge) { return edge.row == row; });
}

QString authorityWords(rules::Authority authority)
{
    switch (authority) {
    case rules::Authority::Machine:
        return tr("happens by itself, with a call");
    case rules::Authority::Clock:
        return tr("happens by the clock");
    case rules::Authority::Operator:
        return tr("an operator's act");
    }
    return {};
}

} // namespace

QString rulesWord(std::string_view word)
{
    return QCoreApplication::translate("Rules", std::string(word).c_str());
}

QString edgeLabel(const rules::GraphEdge &edge, LabelDetail detail, qint64 threshold)
{
    // A row that takes whatever is left names many events; the tooltip lists them.
    const bool many = std::count(edge.event.begin(), edge.event.end(), ',') >= 3 || edge.event == "any event";
    QString text = many ? tr("all else") : rulesWord(edge.event);
    if (detail == LabelDetail::Whole && !edge.guard.empty()) {
        QString guard = rulesWord(edge.guard);
        if (threshold > 0)
            guard.replace(tr("threshold"), QString::number(threshold));
        return text + QStringLiteral(" [%1]").arg(guard);
    }
    if (detail != LabelDetail::Event && !edge.answer.empty())
        text += QStringLiteral(" → ") + rulesWord(edge.answer);
    return text;
}

std::optional<qint64> edgeCount(const rules::Graph &graph, const rules::GraphEdge &edge, const GraphOverlay &overlay)
{
    const auto exact = overlay.counts.find({edge.row, edge.from});
    if (exact != overlay.counts.end())
        return exact->second;
    const auto whole = overlay.counts.find({edge.row, -1});
    if (whole == overlay.counts.end())
        return 0;
    return edgesOfRow(graph, edge.row) == 1 ? std::optional(whole->second) : std::nullopt;
}

bool isLast(const rules::Graph &graph, const rules::GraphEdge &edge, const GraphOverlay &overlay)
{
    if (!overlay.last || overlay.last->row != edge.row)
        return false;
    if (overlay.last->from >= 0)
        return overlay.last->from == edge.from;
    // From which node is unknown: where it can only be one, or where it led to the present node.
    return edgesOfRow(graph, edge.row) == 1 || edge.to == overlay.currentNode;
}

bool isPossible(const rules::GraphEdge &edge, const GraphOverlay &overlay)
{
    return edge.from == overlay.currentNode && !overlay.stale
        && (!overlay.possibleRows || overlay.possibleRows->count(edge.row) > 0);
}

QString cooldownWords(const GraphOverlay &overlay)
{
    if (!overlay.cooldown)
        return {};
    const GraphOverlay::Cooldown &cooldown = *overlay.cooldown;
    if (cooldown.due)
        return tr("due, waiting for a call");
    QStringList parts;
    if (cooldown.callsNeeded > 0)
        parts += tr("%1 of %2 rejections").arg(cooldown.callsDone).arg(cooldown.callsNeeded);
    if (cooldown.secondsTotal > 0)
        parts += cooldown.secondsLeft > 0 ? tr("%1 s left").arg(cooldown.secondsLeft) : tr("time is over");
    return parts.join(QStringLiteral(", "));
}

double cooldownShare(const GraphOverlay::Cooldown &cooldown)
{
    if (cooldown.due)
        return 1;
    double share = 1;
    if (cooldown.callsNeeded > 0)
        share = std::min(share, static_cast<double>(cooldown.callsDone) / static_cast<double>(cooldown.callsNeeded));
    if (cooldown.secondsTotal > 0)
        share = std::min(share, 1 - static_cast<double>(cooldown.secondsLeft) / static_cast<double>(cooldown.secondsTotal));
    return std::clamp(share, 0.0, 1.0);
}

QString edgeName(const rules::Graph &graph, const rules::GraphEdge &edge, const GraphOverlay &overlay)
{
    return edgeDetails(graph, edge, overlay).join(QStringLiteral("; "));
}

QStringList edgeDetails(const rules::Graph &graph, const rules::GraphEdge &edge, const GraphOverlay &overlay)
{
    const QString way = edge.from == edge.to ? tr("%1 stays").arg(nodeWord(graph, edge.from))
                                             : tr("%1 to %2").arg(nodeWord(graph, edge.from), nodeWord(graph, edge.to));
    QString event = rulesWord(edge.event);
    if (!edge.guard.empty())
        event += QStringLiteral(" [%1]").arg(rulesWord(edge.guard));
    QStringList lines{way, event};
    if (!edge.answer.empty())
        lines += tr("answer: %1").arg(rulesWord(edge.answer));
    if (!edge.changes.empty())
        lines += tr("changes: %1").arg(rulesWord(edge.changes));
    lines += authorityWords(edge.authority) + QStringLiteral(" · ") + tr("row %1").arg(edge.row);
    const std::optional<qint64> count = edgeCount(graph, edge, overlay);
    const auto whole = overlay.counts.find({edge.row, -1});
    QString taken;
    if (count)
        taken = tr("taken %1 times").arg(countWords(*count));
    else if (whole != overlay.counts.end())
        taken = tr("taken %1 times from any state").arg(countWords(whole->second));
    if (!taken.isEmpty())
        lines += overlay.span.isEmpty() ? taken : taken + QLatin1Char(' ') + overlay.span;
    if (isLast(graph, edge, overlay))
        lines += tr("the last transition, %1").arg(agoWords(overlay.last->ageMs));
    if (isPossible(edge, overlay))
        lines += tr("possible next");
    if (overlay.cooldown && overlay.cooldown->row == edge.row)
        lines += tr("cooldown: %1").arg(cooldownWords(overlay));
    return lines;
}

QString nodeName(const rules::Graph &graph, int node, const GraphOverlay &overlay)
{
    return nodeDetails(graph, node, overlay).join(QStringLiteral("; "));
}

QStringList nodeDetails(const rules::Graph &graph, int node, const GraphOverlay &overlay)
{
    const rules::GraphNode &each = graph.nodes[static_cast<std::size_t>(node)];
    const bool present = node == overlay.currentNode;
    QStringList lines{rulesWord(each.name) + QStringLiteral(", ") + rulesWord(each.meaning)};
    if (present)
        lines += overlay.stale ? tr("the state as last known") : tr("the present state");
    if (present && overlay.isolated)
        lines += tr("isolated by an operator");
    if (overlay.pips && overlay.pips->node == node && overlay.pips->threshold > 0)
        lines += tr("%1 of %2 failures").arg(overlay.pips->count).arg(overlay.pips->threshold);
    return lines;
}

} // namespace handreset::views
