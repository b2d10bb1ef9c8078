#include "views/state_graph_painter.h"

#include "views/age_words.h"
#include "views/marks.h"
#include "views/state_graph_words.h"
#include "views/typography.h"

#include <algorithm>
#include <cmath>

#include <QCoreApplication>
#include <QFontMetricsF>
#include <QPainter>
#include <QPainterPath>

namespace handreset::views {

namespace {

constexpr double kFadeMs = 60'000;
constexpr double kRing = 9;

/// How a curve is drawn: by the most telling of its edges.
struct CurveLook {
    bool last = false;
    bool possible = false;
    bool hovered = false;
};

CurveLook lookOf(const GraphPainting &p, std::size_t index)
{
    CurveLook look;
    for (const std::size_t edge : p.placed.curves[index].edges) {
        look.last = look.last || isLast(p.graph, p.graph.edges[edge], p.overlay);
        look.possible = look.possible || isPossible(p.graph.edges[edge], p.overlay);
    }
    look.hovered = p.hoveredLine >= 0 && p.placed.lines[static_cast<std::size_t>(p.hoveredLine)].curve == index;
    return look;
}

QColor curveColour(const GraphPainting &p, const PlacedCurve &curve, const CurveLook &look)
{
    if (look.last)
        return p.colours.probing;
    if (look.hovered)
        return p.colours.text;
    if (look.possible)
        return curve.byOperator ? p.colours.secondary : p.colours.text;
    return curve.byOperator ? p.colours.line : p.colours.faint;
}

void paintArrow(QPainter &painter, const QPainterPath &path, const QColor &ink)
{
    const QPointF tip = path.pointAtPercent(1);
    const QPointF before = path.pointAtPercent(std::max(0.0, path.percentAtLength(path.length() - 9)));
    const double angle = std::atan2(tip.y() - before.y(), tip.x() - before.x());
    const auto corner = [&](double turn) {
        return tip - QPointF(std::cos(angle + turn) * 9, std::sin(angle + turn) * 9);
    };
    QPainterPath head(tip);
    head.lineTo(corner(0.42));
    head.lineTo(corner(-0.42));
    head.closeSubpath();
    painter.fillPath(head, ink);
}

/// The part of a path up to `share` of its length.
QPainterPath beginningOf(const QPainterPath &path, double share)
{
    QPainterPath part(path.pointAtPercent(0));
    constexpr int steps = 32;
    for (int i = 1; i <= steps; ++i)
        part.lineTo(path.pointAtPercent(share * i / steps));
    return part;
}

/// The cooldown: its edge fills from the start, and a ring upon it shows the same for a glance.
void paintCooldown(QPainter &painter, const GraphPainting &p)
{
    if (!p.overlay.cooldown)
        return;
    const double share = cooldownShare(*p.overlay.cooldown);
    for (const PlacedCurve &curve : p.placed.curves) {
        const bool carries = std::any_of(curve.edges.begin(), curve.edges.end(), [&](std::size_t edge) {
            return p.graph.edges[edge].row == p.overlay.cooldown->row;
        });
        if (!carries)
            continue;
        painter.setBrush(Qt::NoBrush);
        painter.setPen(QPen(p.colours.probing, 3, Qt::SolidLine, Qt::RoundCap));
        if (share > 0)
            painter.drawPath(beginningOf(curve.path, share));
        const QPointF centre = curve.path.pointAtPercent(0.42);
        const QRectF ring(centre.x() - kRing, centre.y() - kRing, 2 * kRing, 2 * kRing);
        painter.setPen(QPen(p.colours.line, 3));
        painter.setBrush(p.colours.card);
        painter.drawEllipse(ring);
        painter.setPen(QPen(p.colours.probing, 3, Qt::SolidLine, Qt::FlatCap));
        painter.drawArc(ring, 90 * 16, static_cast<int>(std::lround(-360 * 16 * share)));
    }
    painter.setFont(textFont(TextSize::Caption, QFont::DemiBold));
    painter.setPen(p.overlay.cooldown->due ? p.colours.probing : p.colours.text);
    painter.drawText(p.placed.cooldown, Qt::AlignRight | Qt::AlignVCenter,
                     QFontMetricsF(painter.font()).elidedText(cooldownWords(p.overlay), Qt::ElideRight, p.placed.cooldown.width()));
}

void paintCurve(QPainter &painter, const GraphPainting &p, std::size_t index)
{
    const PlacedCurve &curve = p.placed.curves[index];
    if (curve.edges.empty())
        return;
    const CurveLook look = lookOf(p, index);
    const QColor ink = curveColour(p, curve, look);
    painter.setBrush(Qt::NoBrush);
    if (look.last) {
        // The mark of what just happened: broad at first, gone after a minute, never a flash.
        const double fresh = std::clamp(1 - static_cast<double>(p.overlay.last->ageMs) / kFadeMs, 0.0, 1.0);
        QColor halo = ink;
        halo.setAlphaF(static_cast<float>(0.35 * fresh));
        painter.setPen(QPen(halo, 9, Qt::SolidLine, Qt::RoundCap));
        painter.drawPath(curve.path);
    }
    QPen pen(ink, look.last || look.hovered ? 2.2 : look.possible ? 1.6 : 1.1);
    if (curve.byOperator)
        pen.setDashPattern({3.5, 3});
    painter.setPen(pen);
    painter.drawPath(curve.path);
    paintArrow(painter, curve.path, ink);
}

QColor lineColour(const GraphPainting &p, const rules::GraphEdge &edge, bool hovered)
{
    if (isLast(p.graph, edge, p.overlay))
        return p.colours.probing;
    if (hovered || isPossible(edge, p.overlay))
        return p.colours.text;
    // Words stay readable: faint is for curves; acts that are not possible now may be missed.
    return edge.authority == rules::Authority::Operator ? mixed(p.colours.faint, p.colours.secondary, 0.55) : p.colours.secondary;
}

/// What stands at an edge: its label, and behind it the count and, for the last transition, the age.
struct LineText {
    QString label;
    QString tail;
};

/// The fullest text that fits. The age of the last transition is the last thing to go.
LineText textOf(const GraphPainting &p, const PlacedLine &line, const QFontMetricsF &labelMetrics, const QFontMetricsF &tailMetrics)
{
    const rules::GraphEdge &edge = p.graph.edges[line.edge];
    const std::optional<qint64> count = edgeCount(p.graph, edge, p.overlay);
    const QString counted = count && *count > 0 ? QStringLiteral("  %1×").arg(countWords(*count)) : QString();
    QStringList tails{counted};
    if (isLast(p.graph, edge, p.overlay)) {
        const qint64 age = p.overlay.last->ageMs;
        tails = {counted + QStringLiteral(" · ") + agoWords(age), counted + QStringLiteral(" · ") + briefAgeWords(age),
                 QStringLiteral(" · ") + briefAgeWords(age)};
    }
    const QString labels[] = {line.text, edgeLabel(edge, LabelDetail::WithoutGuard, 0), edgeLabel(edge, LabelDetail::Event, 0)};
    const double room = line.room.width();
    for (const QString &tail : tails) {
        for (const QString &label : labels) {
            if (!label.isEmpty() && labelMetrics.horizontalAdvance(label) + tailMetrics.horizontalAdvance(tail) <= room + 0.5)
                return {label, tail};
        }
    }
    const double left = std::max(room - tailMetrics.horizontalAdvance(tails.last()), 24.0);
    return {labelMetrics.elidedText(labels[2], Qt::ElideRight, left), tails.last()};
}

void paintLine(QPainter &painter, const GraphPainting &p, std::size_t index)
{
    const PlacedLine &line = p.placed.lines[index];
    const rules::GraphEdge &edge = p.graph.edges[line.edge];
    const bool last = isLast(p.graph, edge, p.overlay);
    const QFont face = textFont(TextSize::Caption, last ? QFont::DemiBold : QFont::Normal);
    const QFont tailFace = textFont(TextSize::Caption);
    const LineText text = textOf(p, line, QFontMetricsF(face), QFontMetricsF(tailFace));
    const double labelWidth = QFontMetricsF(face).horizontalAdvance(text.label);
    const double tailWidth = QFontMetricsF(tailFace).horizontalAdvance(text.tail);
    double x = line.room.left();
    if (line.align & Qt::AlignRight)
        x = line.room.right() - labelWidth - tailWidth;
    else if (line.align & Qt::AlignHCenter)
        x = line.room.center().x() - (labelWidth + tailWidth) / 2;
    painter.setFont(face);
    painter.setPen(lineColour(p, edge, static_cast<int>(index) == p.hoveredLine));
    painter.drawText(QRectF(x, line.box.top(), labelWidth + 2, line.box.height()), Qt::AlignLeft | Qt::AlignVCenter, text.label);
    painter.setFont(tailFace);
    painter.setPen(last ? p.colours.probing : p.colours.secondary);
    painter.drawText(QRectF(x + labelWidth, line.box.top(), tailWidth + 2, line.box.height()), Qt::AlignLeft | Qt::AlignVCenter,
                     text.tail);
}

Mark nodeMark(const std::string &name, bool isolated)
{
    if (name == "OPEN")
        return isolated ? Mark::Isolated : Mark::Open;
    if (name == "HALF_OPEN")
        return Mark::HalfOpen;
    if (name == "held by the clock")
        return Mark::Degraded;
    return name == "held by a human" ? Mark::Isolated : Mark::Closed;
}

void paintNode(QPainter &painter, const GraphPainting &p, std::size_t index)
{
    const rules::GraphNode &node = p.graph.nodes[index];
    const QRectF &box = p.placed.nodes[index];
    const bool present = static_cast<int>(index) == p.overlay.currentNode && !p.overlay.stale;
    const bool isolated = present && p.overlay.isolated;
    const Mark mark = nodeMark(node.name, isolated);
    const Tone tone = toneOf(mark);
    const QColor strong = tone == Tone::Normal ? p.colours.text : toneColour(p.colours, tone);
    const bool hovered = static_cast<int>(index) == p.hoveredNode;
    const double border = present ? 2.4 : 1.2;
    const QColor ground = present ? mixed(p.colours.raised, p.colours.text, 0.1) : p.colours.card;
    painter.setPen(QPen(present ? strong : hovered ? p.colours.secondary : p.colours.line, border));
    painter.setBrush(ground);
    painter.drawRoundedRect(box.adjusted(border / 2, border / 2, -border / 2, -border / 2), kRadius, kRadius);

    const QFont face = textFont(TextSize::Text, present ? QFont::Bold : QFont::DemiBold);
    const QString name = rulesWord(node.name);
    const double width = QFontMetricsF(face).horizontalAdvance(name);
    const double left = box.center().x() - (width + 20) / 2;
    const double middle = box.center().y() - 9;
    paintMark(painter, {left, middle - 7, 14, 14}, mark, present ? strong : p.colours.secondary, ground);
    painter.setFont(face);
    painter.setPen(present ? p.colours.text : p.colours.secondary);
    painter.drawText(QRectF(left + 20, middle - 9, width + 4, 18), Qt::AlignLeft | Qt::AlignVCenter, name);
    painter.setFont(textFont(TextSize::Caption));
    const QString meaning = isolated ? QCoreApplication::translate("StateGraph", "isolated, calls refused") : rulesWord(node.meaning);
    painter.setPen(present ? p.colours.text : p.colours.secondary);
    painter.drawText(QRectF(box.left() + 4, middle + 9, box.width() - 8, 16), Qt::AlignCenter, meaning);
}

/// A row of dots up to the threshold; a bar where there would be too many.
void paintPips(QPainter &painter, const GraphPainting &p)
{
    if (!p.overlay.pips || p.overlay.pips->threshold <= 0)
        return;
    const GraphOverlay::Pips &pips = *p.overlay.pips;
    const QString words = QStringLiteral("%1 / %2").arg(pips.count).arg(pips.threshold);
    painter.setFont(numberFont(TextSize::Caption));
    painter.setPen(p.colours.secondary);
    const QRectF &box = p.placed.pips;
    const double width = QFontMetricsF(painter.font()).horizontalAdvance(words);
    painter.drawText(box, Qt::AlignLeft | Qt::AlignVCenter, words);
    const double left = box.left() + width + 10;
    constexpr qint64 mostDots = 5;
    if (pips.threshold > mostDots) {
        const QRectF bar(left, box.center().y() - 3, std::max(20.0, box.right() - left), 6);
        painter.fillRect(bar, p.colours.line);
        const double share = std::min(1.0, static_cast<double>(pips.count) / static_cast<double>(pips.threshold));
        painter.fillRect(QRectF(bar.left(), bar.top(), bar.width() * share, bar.height()), p.colours.text);
        return;
    }
    for (qint64 i = 0; i < pips.threshold; ++i) {
        const QRectF dot(left + static_cast<double>(i) * 14, box.center().y() - 4.5, 9, 9);
        painter.setPen(QPen(i < pips.count ? p.colours.text : p.colours.secondary, 1.3));
        painter.setBrush(i < pips.count ? QBrush(p.colours.text) : QBrush(Qt::NoBrush));
        painter.drawEllipse(dot);
    }
}

/// Says in the place of the failures that the present state is not known.
void paintNoState(QPainter &painter, const GraphPainting &p)
{
    const QRectF box = p.placed.pips.isEmpty() ? QRectF(4, 2, 200, 15) : p.placed.pips;
    paintMark(painter, {box.left(), box.center().y() - 6, 12, 12}, Mark::NoData, p.colours.secondary, p.colours.card);
    painter.setFont(textFont(TextSize::Caption, QFont::DemiBold));
    painter.setPen(p.colours.secondary);
    painter.drawText(box.adjusted(18, 0, 40, 0), Qt::AlignLeft | Qt::AlignVCenter, QCoreApplication::translate("StateGraph", "no data"));
}

/// Curves leave a gap where a label stands upon them.
void clipOutLabels(QPainter &painter, const GraphPainting &p, const QRectF &area)
{
    QPainterPath all;
    all.addRect(area);
    QPainterPath labels;
    for (const PlacedLine &line : p.placed.lines) {
        if (!(line.align & Qt::AlignHCenter))
            continue;
        const bool last = isLast(p.graph, p.graph.edges[line.edge], p.overlay);
        const QFontMetricsF labelMetrics(textFont(TextSize::Caption, last ? QFont::DemiBold : QFont::Normal));
        const QFontMetricsF tailMetrics(textFont(TextSize::Caption));
        const LineText text = textOf(p, line, labelMetrics, tailMetrics);
        const double half = (labelMetrics.horizontalAdvance(text.label) + tailMetrics.horizontalAdvance(text.tail)) / 2 + 5;
        labels.addRect(QRectF(line.room.center().x() - half, line.box.top(), 2 * half, line.box.height()));
    }
    painter.setClipPath(all.subtracted(labels));
}

} // namespace

void paintGraph(QPainter &painter, const GraphPainting &painting, const QRectF &area)
{
    painter.setRenderHint(QPainter::Antialiasing);
    if (painting.overlay.stale)
        paintStaleHatch(painter, area, kSmallRadius, painting.colours);
    painter.save();
    clipOutLabels(painter, painting, area);
    for (const bool strong : {false, true}) {
        for (std::size_t i = 0; i < painting.placed.curves.size(); ++i) {
            const CurveLook look = lookOf(painting, i);
            if ((look.last || look.possible) == strong)
                paintCurve(painter, painting, i);
        }
    }
    painter.restore();
    paintCooldown(painter, painting);
    for (std::size_t i = 0; i < painting.placed.nodes.size(); ++i)
        paintNode(painter, painting, i);
    if (painting.overlay.currentNode >= 0)
        paintPips(painter, painting);
    for (std::size_t i = 0; i < painting.placed.lines.size(); ++i)
        paintLine(painter, painting, i);
    if (painting.overlay.currentNode < 0)
        paintNoState(painter, painting);
}

} // namespace handreset::views
