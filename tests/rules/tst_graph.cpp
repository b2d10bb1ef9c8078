// The graph holds every row of its table and nothing else; the diagrams are made of the graph alone.
#include "model/rules/breaker.h"
#include "model/rules/diagram.h"
#include "model/rules/graph.h"
#include "model/rules/latch.h"

#include <QtTest>

#include <algorithm>
#include <set>

using namespace handreset::rules;

class TestGraph : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void everyRowIsAnEdge();
    void edgesFollowTheTable_data();
    void edgesFollowTheTable();
    void eventsThatAnEarlierRowTakesAreLeftOut();
    void labelJoinsEventAndGuard();
    void markdownSaysWhatTheSpecSays();
    void markdownEscapesBars();
    void graphvizAndMermaidHoldEveryEdge();
    void diagramsAreDeterministic();
};

namespace {

const GraphEdge *edgeOf(const Graph &graph, int row, int from)
{
    const auto it = std::find_if(graph.edges.begin(), graph.edges.end(),
                                 [&](const GraphEdge &edge) { return edge.row == row && edge.from == from; });
    return it == graph.edges.end() ? nullptr : &*it;
}

std::set<int> rowsOf(const Graph &graph)
{
    std::set<int> rows;
    for (const GraphEdge &edge : graph.edges)
        rows.insert(edge.row);
    return rows;
}

} // namespace

void TestGraph::everyRowIsAnEdge()
{
    std::set<int> breaker;
    for (const auto &row : kBreakerTable)
        breaker.insert(row.id);
    QCOMPARE(rowsOf(breakerGraph()), breaker);
    std::set<int> latch;
    for (const auto &row : kLatchTable)
        latch.insert(row.id);
    QCOMPARE(rowsOf(latchGraph()), latch);
    QCOMPARE(breakerGraph().nodes.size(), std::size_t(3));
    QCOMPARE(latchGraph().nodes.size(), std::size_t(3));
}

void TestGraph::edgesFollowTheTable_data()
{
    QTest::addColumn<int>("row");
    QTest::addColumn<int>("from");
    QTest::addColumn<int>("to");
    QTest::addColumn<QString>("label");
    // Written from spec 2, not from the table.
    QTest::newRow("trip") << 3 << 0 << 1 << QStringLiteral("failure [count + 1 ≥ threshold]");
    QTest::newRow("probe") << 7 << 1 << 2 << QStringLiteral("ask [cooled down, probe auto]");
    QTest::newRow("refused") << 8 << 1 << 1 << QStringLiteral("ask");
    QTest::newRow("closes") << 11 << 2 << 0 << QStringLiteral("success [the probe's]");
    QTest::newRow("isolate a closed one") << 16 << 0 << 1 << QStringLiteral("isolate");
    QTest::newRow("isolate an open one") << 16 << 1 << 1 << QStringLiteral("isolate");
    QTest::newRow("isolate a half-open one") << 16 << 2 << 1 << QStringLiteral("isolate");
    QTest::newRow("reset") << 19 << 2 << 0 << QStringLiteral("reset [not isolated]");
}

void TestGraph::edgesFollowTheTable()
{
    QFETCH(int, row);
    QFETCH(int, from);
    QFETCH(int, to);
    QFETCH(QString, label);
    const Graph graph = breakerGraph();
    const GraphEdge *edge = edgeOf(graph, row, from);
    QVERIFY(edge != nullptr);
    QCOMPARE(edge->to, to);
    QCOMPARE(QString::fromStdString(edge->label()), label);
}

void TestGraph::eventsThatAnEarlierRowTakesAreLeftOut()
{
    const Graph graph = latchGraph();
    const GraphEdge *clear = edgeOf(graph, 27, 0);
    const GraphEdge *held = edgeOf(graph, 27, 2);
    QVERIFY(clear != nullptr && held != nullptr);
    QCOMPARE(clear->event, std::string("any event"));
    QVERIFY(held->event.find("overdraft") == std::string::npos);
    QVERIFY(held->event.find("re-arm to closed") != std::string::npos);
    QVERIFY(edgeOf(breakerGraph(), 19, 0) == nullptr); // reset does not start at CLOSED
}

void TestGraph::labelJoinsEventAndGuard()
{
    GraphEdge edge;
    edge.event = "ask";
    QCOMPARE(edge.label(), std::string("ask"));
    edge.guard = "isolated";
    QCOMPARE(edge.label(), std::string("ask [isolated]"));
}

void TestGraph::markdownSaysWhatTheSpecSays()
{
    const std::string text = diagramMarkdown(breakerGraph());
    const auto has = [&](const char *line) { return text.find(line) != std::string::npos; };
    QVERIFY(has("| 1 | CLOSED | ask | | CLOSED | allow | | machine |\n"));
    QVERIFY(has("| 7 | OPEN | ask | cooled down, probe auto | HALF_OPEN | allow as probe | probe = this call | machine |\n"));
    QVERIFY(has("| 16 | any | isolate | | OPEN | "));
    QVERIFY(has("| 19 | OPEN, HALF_OPEN | reset | not isolated | CLOSED | | "));
    QVERIFY(has("| 20 | any | success, failure, neutral, lease over, release, let a probe out, reset | | the same |"));
    QCOMPARE(std::count(text.begin(), text.end(), '\n'), std::ptrdiff_t(2 + kBreakerTable.size()));
    QVERIFY(diagramMarkdown(latchGraph()).find("| 24 | held by the clock | its time is over | the clock is trusted "
                                               "| clear | | the trip ends | clock |\n")
            != std::string::npos);
}

void TestGraph::markdownEscapesBars()
{
    Graph graph{.title = "t", .nodes = {{"a", "b"}}, .edges = std::vector<GraphEdge>(1)};
    graph.edges.front().event = "x | y";
    QVERIFY(diagramMarkdown(graph).find("| x \\| y |") != std::string::npos);
}

void TestGraph::graphvizAndMermaidHoldEveryEdge()
{
    const auto countOf = [](const std::string &text, const std::string &part) {
        std::size_t count = 0;
        for (std::size_t at = text.find(part); at != std::string::npos; at = text.find(part, at + 1))
            ++count;
        return count;
    };
    for (const Graph &graph : {breakerGraph(), latchGraph()}) {
        const std::string dot = diagramGraphviz(graph);
        QCOMPARE(countOf(dot, " -> "), graph.edges.size());
        QCOMPARE(countOf(dot, "\n    s") - countOf(dot, " -> "), graph.nodes.size());
        const std::string mermaid = diagramMermaid(graph);
        QCOMPARE(countOf(mermaid, " --> "), graph.edges.size() + 1);
        // One colon a transition: Mermaid would end the label at a second.
        QCOMPARE(countOf(mermaid, ":"), graph.edges.size());
        QCOMPARE(countOf(mermaid, ";"), std::size_t(0));
    }
    QVERIFY(diagramGraphviz(breakerGraph()).find("s0 [label=\"CLOSED\\ncalls pass\"];") != std::string::npos);
    QVERIFY(diagramGraphviz(breakerGraph()).find("s1 -> s0 [label=\"19 reset [not isolated]\", style=dashed];")
            != std::string::npos);
}

void TestGraph::diagramsAreDeterministic()
{
    QCOMPARE(breakerGraph(), breakerGraph());
    QCOMPARE(diagramMarkdown(breakerGraph()), diagramMarkdown(breakerGraph()));
    QCOMPARE(diagramGraphviz(latchGraph()), diagramGraphviz(latchGraph()));
    QVERIFY(diagramMermaid(latchGraph()) != diagramMermaid(breakerGraph()));
}

QTEST_APPLESS_MAIN(TestGraph)
#include "tst_graph.moc"
