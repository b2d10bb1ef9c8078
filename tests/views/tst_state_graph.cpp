// The graph draws every row of its table, keeps still while events arrive, and all of it can be reached by key,
// pointer and screen reader.
#include "views/state_graph.h"
#include "views/state_graph_words.h"

#include "views/palette.h"

#include <QAccessible>
#include <QLineEdit>
#include <QSignalSpy>
#include <QVBoxLayout>
#include <QtTest>

#include <memory>
#include <set>

using namespace handreset;
using namespace handreset::views;

Q_DECLARE_METATYPE(QSizeF)

class TestStateGraph : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void everyEdgeHasALabelAndACurve_data();
    void everyEdgeHasALabelAndACurve();
    void labelsNeverMeet_data();
    void labelsNeverMeet();
    void staysStillWhileEventsArrive();
    void presentStateIsFilled();
    void noDataIsNoState();
    void lastTransitionIsMarkedAndFades();
    void possibleAndFaintDiffer();
    void wordsOfTheCooldown_data();
    void wordsOfTheCooldown();
    void thresholdStandsInTheGuard();
    void countsOfRowsFromSeveralStates();
    void clickOnLabelAndCurveNamesTheRow();
    void keyboardReachesEverything();
    void screenReadersFindEveryItem();
    void anotherGraphIsDrawnToo();
};

namespace {

GraphOverlay closedOverlay()
{
    GraphOverlay overlay;
    overlay.currentNode = 0;
    overlay.pips = GraphOverlay::Pips{0, 1, 3};
    overlay.counts = {{{1, -1}, 1'204}, {{3, -1}, 2}, {{11, -1}, 1}};
    overlay.last = GraphOverlay::Last{11, 2, 12'000};
    return overlay;
}

std::unique_ptr<StateGraph> graphWith(const GraphOverlay &overlay, const QSize &size = {620, 320})
{
    auto graph = std::make_unique<StateGraph>(rules::breakerGraph());
    graph->setPalette(paletteOf(Theme::Dark));
    graph->resize(size);
    graph->setOverlay(overlay);
    return graph;
}

int itemOfRow(const StateGraph &graph, int row, int from)
{
    const auto &placed = graph.placed();
    for (std::size_t i = 0; i < placed.lines.size(); ++i) {
        const auto &edge = graph.graph().edges[placed.lines[i].edge];
        if (edge.row == row && edge.from == from)
            return static_cast<int>(placed.nodes.size() + i);
    }
    return -1;
}

int pixelsNear(const QImage &image, const QRectF &box, const QColor &colour)
{
    int count = 0;
    for (int y = qMax(0, int(box.top())); y < qMin(image.height(), int(box.bottom())); ++y) {
        for (int x = qMax(0, int(box.left())); x < qMin(image.width(), int(box.right())); ++x) {
            const QColor at = image.pixelColor(x, y);
            if (qAbs(at.red() - colour.red()) + qAbs(at.green() - colour.green()) + qAbs(at.blue() - colour.blue()) < 24)
                ++count;
        }
    }
    return count;
}

} // namespace

void TestStateGraph::everyEdgeHasALabelAndACurve_data()
{
    QTest::addColumn<bool>("breaker");
    QTest::newRow("breaker") << true;
    QTest::newRow("latch") << false;
}

void TestStateGraph::everyEdgeHasALabelAndACurve()
{
    QFETCH(bool, breaker);
    const rules::Graph graph = breaker ? rules::breakerGraph() : rules::latchGraph();
    const PlacedGraph placed = placeGraph(graph, {620, 320}, 3);
    std::set<std::size_t> labelled;
    for (const PlacedLine &line : placed.lines)
        labelled.insert(line.edge);
    QCOMPARE(labelled.size(), graph.edges.size());
    QCOMPARE(placed.lines.size(), graph.edges.size());
    std::size_t carried = 0;
    for (const PlacedCurve &curve : placed.curves) {
        carried += curve.edges.size();
        QVERIFY2(!curve.edges.empty(), qPrintable(QStringLiteral("%1 → %2").arg(curve.from).arg(curve.to)));
        for (const std::size_t edge : curve.edges) {
            QCOMPARE(graph.edges[edge].from, curve.from);
            QCOMPARE(graph.edges[edge].to, curve.to);
        }
    }
    QCOMPARE(carried, graph.edges.size());
}

void TestStateGraph::labelsNeverMeet_data()
{
    QTest::addColumn<bool>("breaker");
    QTest::addColumn<QSizeF>("size");
    for (const bool breaker : {true, false}) {
        for (const QSizeF &size : {kLeastGraphSize, QSizeF(528, 270), QSizeF(560, 300), QSizeF(620, 380), QSizeF(820, 480),
                                   QSizeF(1'100, 300), QSizeF(1'600, 900)})
            QTest::addRow("%s %dx%d", breaker ? "breaker" : "latch", int(size.width()), int(size.height())) << breaker << size;
    }
}

void TestStateGraph::labelsNeverMeet()
{
    QFETCH(bool, breaker);
    QFETCH(QSizeF, size);
    const rules::Graph graph = breaker ? rules::breakerGraph() : rules::latchGraph();
    const PlacedGraph placed = placeGraph(graph, size, 3);
    const QRectF area(QPointF(), size);
    std::vector<QRectF> boxes = placed.nodes;
    for (const PlacedLine &line : placed.lines)
        boxes.push_back(line.box);
    if (breaker)
        boxes.push_back(placed.cooldown);
    for (std::size_t i = 0; i < boxes.size(); ++i) {
        QVERIFY2(area.adjusted(-0.5, -0.5, 0.5, 0.5).contains(boxes[i]), qPrintable(QString::number(i)));
        for (std::size_t j = i + 1; j < boxes.size(); ++j) {
            const QRectF shared = boxes[i].intersected(boxes[j]);
            const QString who = QStringLiteral("%1 and %2 share %3×%4").arg(i).arg(j).arg(shared.width()).arg(shared.height());
            QVERIFY2(shared.width() < 1 || shared.height() < 1, qPrintable(who));
        }
    }
}

void TestStateGraph::staysStillWhileEventsArrive()
{
    const auto graph = graphWith(closedOverlay());
    std::vector<QRectF> before;
    for (int i = 0; i < graph->itemCount(); ++i)
        before.push_back(graph->itemRect(i));
    GraphOverlay other = closedOverlay();
    other.currentNode = 1;
    other.counts[{8, 1}] = 123'456'789;
    other.cooldown = GraphOverlay::Cooldown{7, 1, 2, 8, 30, false};
    other.last = GraphOverlay::Last{3, 0, 0};
    graph->setOverlay(other);
    for (int i = 0; i < graph->itemCount(); ++i)
        QCOMPARE(graph->itemRect(i), before[std::size_t(i)]);
}

void TestStateGraph::presentStateIsFilled()
{
    GraphOverlay overlay;
    overlay.currentNode = 1;
    const auto graph = graphWith(overlay);
    const QImage image = graph->grab().toImage();
    const Colours &c = coloursOf(Theme::Dark);
    QVERIFY(pixelsNear(image, graph->itemRect(1), c.open) > 150);
    QCOMPARE(pixelsNear(image, graph->itemRect(0), c.open), 0);
    overlay.isolated = true;
    graph->setOverlay(overlay);
    QVERIFY(graph->grab().toImage() != image);
    QVERIFY(graph->itemName(1).contains(QStringLiteral("isolated")));
}

void TestStateGraph::noDataIsNoState()
{
    const auto graph = graphWith({});
    const QImage none = graph->grab().toImage();
    const Colours &c = coloursOf(Theme::Dark);
    for (int node = 0; node < 3; ++node) {
        QCOMPARE(pixelsNear(none, graph->itemRect(node), c.open), 0);
        QVERIFY(!graph->itemName(node).contains(QStringLiteral("present")));
    }
    // Stale is not filled either, and not the same as no data.
    GraphOverlay stale = closedOverlay();
    stale.stale = true;
    graph->setOverlay(stale);
    QVERIFY(graph->itemName(0).contains(QStringLiteral("as last known")));
    QVERIFY(graph->grab().toImage() != none);
}

void TestStateGraph::lastTransitionIsMarkedAndFades()
{
    GraphOverlay overlay = closedOverlay();
    const auto at = [&](qint64 age) {
        overlay.last = GraphOverlay::Last{11, 2, age};
        const auto graph = graphWith(overlay);
        return pixelsNear(graph->grab().toImage(), QRectF(0, 0, 620, 320), coloursOf(Theme::Dark).probing);
    };
    const int fresh = at(0);
    const int old = at(93 * 60'000);
    overlay.last.reset();
    const auto graph = graphWith(overlay);
    const int without = pixelsNear(graph->grab().toImage(), QRectF(0, 0, 620, 320), coloursOf(Theme::Dark).probing);
    QVERIFY(old > without + 100); // marked for good
    QVERIFY(fresh > 0);
    const auto halo = [&](qint64 age) {
        overlay.last = GraphOverlay::Last{11, 2, age};
        return graphWith(overlay)->grab().toImage();
    };
    QVERIFY(halo(0) != halo(30'000));
    QVERIFY(edgeName(graph->graph(), graph->graph().edges.at(0), overlay).contains(QStringLiteral("CLOSED stays")));
}

void TestStateGraph::possibleAndFaintDiffer()
{
    GraphOverlay overlay;
    overlay.currentNode = 1;
    const rules::Graph graph = rules::breakerGraph();
    int possible = 0;
    for (const auto &edge : graph.edges)
        possible += isPossible(edge, overlay) ? 1 : 0;
    QCOMPARE(possible, 8); // rows 6, 7, 8, 16, 17, 18, 19, 20 start at OPEN
    overlay.possibleRows = std::set<std::uint8_t>{8, 16};
    possible = 0;
    for (const auto &edge : graph.edges)
        possible += isPossible(edge, overlay) ? 1 : 0;
    QCOMPARE(possible, 2); // row 16 of OPEN only
    overlay.stale = true;
    for (const auto &edge : graph.edges)
        QVERIFY(!isPossible(edge, overlay));
}

void TestStateGraph::wordsOfTheCooldown_data()
{
    QTest::addColumn<qint64>("done");
    QTest::addColumn<qint64>("needed");
    QTest::addColumn<qint64>("left");
    QTest::addColumn<qint64>("total");
    QTest::addColumn<bool>("due");
    QTest::addColumn<QString>("words");
    QTest::addColumn<double>("share");
    using L = qint64;
    QTest::newRow("calls") << L(1) << L(2) << L(0) << L(0) << false << QStringLiteral("1 of 2 rejections") << 0.5;
    QTest::newRow("seconds") << L(0) << L(0) << L(8) << L(32) << false << QStringLiteral("8 s left") << 0.75;
    QTest::newRow("both, the lesser counts") << L(1) << L(2) << L(24) << L(32) << false
                                             << QStringLiteral("1 of 2 rejections, 24 s left") << 0.25;
    QTest::newRow("due") << L(2) << L(2) << L(0) << L(30) << true << QStringLiteral("due, waiting for a call") << 1.0;
}

void TestStateGraph::wordsOfTheCooldown()
{
    QFETCH(qint64, done);
    QFETCH(qint64, needed);
    QFETCH(qint64, left);
    QFETCH(qint64, total);
    QFETCH(bool, due);
    QFETCH(QString, words);
    QFETCH(double, share);
    GraphOverlay overlay;
    overlay.currentNode = 1;
    overlay.cooldown = GraphOverlay::Cooldown{7, done, needed, left, total, due};
    QCOMPARE(cooldownWords(overlay), words);
    QCOMPARE(cooldownShare(*overlay.cooldown), share);
    const auto graph = graphWith(overlay);
    const int item = itemOfRow(*graph, 7, 1);
    QVERIFY(graph->itemName(item).contains(words));
}

void TestStateGraph::thresholdStandsInTheGuard()
{
    const auto graph = graphWith(closedOverlay(), {820, 480});
    const int item = itemOfRow(*graph, 3, 0);
    QCOMPARE(graph->placed().lines[std::size_t(item - 3)].text, QStringLiteral("failure [count + 1 ≥ 3]"));
}

void TestStateGraph::countsOfRowsFromSeveralStates()
{
    const rules::Graph graph = rules::breakerGraph();
    GraphOverlay overlay;
    overlay.counts = {{{16, -1}, 5}, {{3, -1}, 2}, {{16, 2}, 1}};
    for (const auto &edge : graph.edges) {
        if (edge.row == 3)
            QCOMPARE(edgeCount(graph, edge, overlay), std::optional<qint64>(2));
        else if (edge.row == 16 && edge.from == 2)
            QCOMPARE(edgeCount(graph, edge, overlay), std::optional<qint64>(1));
        else if (edge.row == 16)
            QCOMPARE(edgeCount(graph, edge, overlay), std::optional<qint64>()); // a sum is not told as one edge's
    }
}

void TestStateGraph::clickOnLabelAndCurveNamesTheRow()
{
    const auto graph = graphWith(closedOverlay());
    QSignalSpy activated(graph.get(), &StateGraph::edgeActivated);
    const int item = itemOfRow(*graph, 12, 2);
    QTest::mouseClick(graph.get(), Qt::LeftButton, {}, graph->itemRect(item).center().toPoint());
    QCOMPARE(activated.count(), 1);
    QCOMPARE(activated.takeFirst(), (QVariantList{12, 2}));
    // Upon the curve that carries the last transition, away from every label.
    for (const PlacedCurve &curve : graph->placed().curves) {
        if (curve.from == 2 && curve.to == 0 && !curve.byOperator) {
            const QPoint upon = curve.path.pointAtPercent(0.7).toPoint();
            QTest::mouseClick(graph.get(), Qt::LeftButton, {}, upon);
        }
    }
    QCOMPARE(activated.count(), 1);
    QCOMPARE(activated.takeFirst(), (QVariantList{11, 2}));
    QTest::mouseClick(graph.get(), Qt::LeftButton, {}, graph->itemRect(0).center().toPoint());
    QCOMPARE(activated.count(), 0); // a node is no edge
}

void TestStateGraph::keyboardReachesEverything()
{
    QWidget window;
    auto *layout = new QVBoxLayout(&window);
    auto *before = new QLineEdit(&window);
    auto *graph = new StateGraph(rules::breakerGraph(), &window);
    auto *after = new QLineEdit(&window);
    for (QWidget *each : std::initializer_list<QWidget *>{before, graph, after})
        layout->addWidget(each);
    window.show();
    QVERIFY(QTest::qWaitForWindowExposed(&window));
    window.activateWindow();
    before->setFocus();
    QTRY_VERIFY(before->hasFocus());
    QTest::keyClick(before, Qt::Key_Tab);
    QVERIFY(graph->hasFocus());
    std::set<int> visited;
    for (int i = 0; i < graph->itemCount(); ++i) {
        visited.insert(graph->focusedItem());
        if (i + 1 < graph->itemCount())
            QTest::keyClick(graph, Qt::Key_Tab);
    }
    QCOMPARE(int(visited.size()), graph->itemCount());
    QTest::keyClick(graph, Qt::Key_Tab);
    QVERIFY(after->hasFocus());
    QTest::keyClick(after, Qt::Key_Backtab);
    QCOMPARE(graph->focusedItem(), graph->itemCount() - 1);

    graph->setFocusedItem(0);
    QTest::keyClick(graph, Qt::Key_Right);
    QVERIFY(graph->itemRect(graph->focusedItem()).center().x() > graph->itemRect(0).center().x());
    QSignalSpy activated(graph, &StateGraph::edgeActivated);
    graph->setFocusedItem(itemOfRow(*graph, 18, 1));
    QTest::keyClick(graph, Qt::Key_Return);
    QCOMPARE(activated.takeFirst(), (QVariantList{18, 1}));
}

void TestStateGraph::screenReadersFindEveryItem()
{
    const auto graph = graphWith(closedOverlay());
    QAccessibleInterface *face = QAccessible::queryAccessibleInterface(graph.get());
    QVERIFY(face != nullptr);
    QCOMPARE(face->childCount(), graph->itemCount());
    QCOMPARE(face->text(QAccessible::Name), QStringLiteral("Tool breaker"));
    QVERIFY(face->child(0)->text(QAccessible::Name).startsWith(QStringLiteral("CLOSED, calls pass; the present state")));
    QVERIFY(face->child(0)->text(QAccessible::Name).contains(QStringLiteral("1 of 3 failures")));
    const int item = itemOfRow(*graph, 11, 2);
    QAccessibleInterface *edge = face->child(item);
    QVERIFY(edge != nullptr && edge->isValid());
    QVERIFY(edge->text(QAccessible::Name).contains(QStringLiteral("HALF_OPEN to CLOSED")));
    QVERIFY(edge->text(QAccessible::Name).contains(QStringLiteral("12 s ago")));
    QCOMPARE(edge->role(), QAccessible::Button);
    QCOMPARE(edge->rect().size(), graph->itemRect(item).toAlignedRect().size());
    QCOMPARE(face->indexOfChild(edge), item);
    QSignalSpy activated(graph.get(), &StateGraph::edgeActivated);
    edge->actionInterface()->doAction(QAccessibleActionInterface::pressAction());
    QCOMPARE(activated.takeFirst(), (QVariantList{11, 2}));
}

void TestStateGraph::anotherGraphIsDrawnToo()
{
    rules::Graph graph{.title = "other", .nodes = {{"a", "first"}, {"b", "second"}}, .edges = std::vector<rules::GraphEdge>(2)};
    graph.edges[0].event = "go";
    graph.edges[0].to = 1;
    graph.edges[1].event = "stay";
    StateGraph widget(graph);
    widget.resize(620, 320);
    QCOMPARE(widget.itemCount(), 4);
    QVERIFY(!widget.grab().isNull());
}

QTEST_MAIN(TestStateGraph)
#include "tst_state_graph.moc"
