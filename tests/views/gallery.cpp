#include "gallery.h"

#include "model/rules/graph.h"
#include "views/action_button.h"
#include "views/card.h"
#include "views/flow_grid_layout.h"
#include "views/header_strip.h"
#include "views/hold_button.h"
#include "views/icon.h"
#include "views/kill_switch_ladder.h"
#include "views/lane_strip.h"
#include "views/mark_label.h"
#include "views/pill.h"
#include "views/plain_label.h"
#include "views/rail.h"
#include "views/spark_bars.h"
#include "views/state_graph.h"
#include "views/usage_bar.h"

#include <QApplication>
#include <QCheckBox>
#include <QComboBox>
#include <QHBoxLayout>
#include <QHeaderView>
#include <QLineEdit>
#include <QMouseEvent>
#include <QPainter>
#include <QPlainTextEdit>
#include <QRadioButton>
#include <QSpinBox>
#include <QTableWidget>
#include <QVBoxLayout>

namespace handreset::tests {

using namespace views;
using rules::Rung;

namespace {

std::unique_ptr<QWidget> ground(const std::function<void(QVBoxLayout *, QWidget *)> &fill)
{
    auto widget = std::make_unique<QWidget>();
    widget->setAutoFillBackground(true);
    auto *layout = new QVBoxLayout(widget.get());
    layout->setContentsMargins(kGap, kGap, kGap, kGap);
    layout->setSpacing(kGap);
    fill(layout, widget.get());
    return widget;
}

PlainLabel *words(const QString &text, Shade shade, TextSize size = TextSize::Text, QFont::Weight weight = QFont::Normal)
{
    auto *label = new PlainLabel(text);
    label->setLook(size, weight, shade);
    return label;
}

HeaderState troubledHeader()
{
    return {
        .fleet = QStringLiteral("acme-production"),
        .store = QString(),
        .openAgents = 1,
        .degradedAgents = 2,
        .trippedBreakers = 1,
        .unacknowledged = 3,
        .queued = 4,
        .liveness = HeaderState::Liveness::Live,
        .dataAgeMs = 300,
        .replayAt = QString(),
        .operatorName = QStringLiteral("ana"),
        .role = QStringLiteral("responder"),
        .clock = QStringLiteral("02:14:07 UTC"),
        .sound = QStringLiteral("sound on"),
        .notice = QString(),
    };
}

LadderState ladderState()
{
    LadderState state;
    state.present = Rung::Open;
    state.meanings = {QStringLiteral("all tools"), QStringLiteral("small-model only; write tools off"),
                      QStringLiteral("no call goes out; tasks wait")};
    state.latches = {
        {1, QStringLiteral("repetition"), QStringLiteral("a person"), false,
         QStringLiteral("lookup_invoice × 3, same arguments"), Rung::Degraded, false},
        {2, QStringLiteral("envelope"), QStringLiteral("two persons"), false,
         QStringLiteral("Pix 900.00 BRL over 500.00"), Rung::Open, true},
        {3, QStringLiteral("spend 24 h"), QStringLiteral("clock, 00:00 UTC"), true,
         QStringLiteral("10.00 of 10.00 USD · 21 h 46 min"), Rung::Degraded, false},
    };
    state.notes = {QStringLiteral("first came repetition, at 02:11:40"), QStringLiteral("re-armed 0 times in 24 h"),
                   QStringLiteral("in flight: none"), QStringLiteral("last drill 6 days ago, 0 calls after stop")};
    return state;
}

GraphOverlay closedOverlay()
{
    GraphOverlay overlay;
    overlay.currentNode = 0;
    overlay.pips = GraphOverlay::Pips{0, 1, 3};
    overlay.counts = {{{1, -1}, 1'204}, {{2, -1}, 1'190}, {{4, -1}, 12}, {{3, -1}, 2}, {{7, -1}, 2}, {{8, -1}, 4},
                      {{11, -1}, 1},    {{12, -1}, 1},    {{10, -1}, 3}};
    overlay.last = GraphOverlay::Last{11, 2, 93 * 60'000};
    return overlay;
}

GraphOverlay openOverlay()
{
    GraphOverlay overlay = closedOverlay();
    overlay.currentNode = 1;
    overlay.pips = GraphOverlay::Pips{0, 3, 3};
    overlay.last = GraphOverlay::Last{3, 0, 22'000};
    overlay.cooldown = GraphOverlay::Cooldown{7, 1, 2, 8, 30, false};
    overlay.possibleRows = std::set<std::uint8_t>{8, 16, 18, 19};
    return overlay;
}

GraphOverlay halfOpenOverlay()
{
    GraphOverlay overlay = openOverlay();
    overlay.currentNode = 2;
    overlay.cooldown.reset();
    overlay.last = GraphOverlay::Last{7, 1, 1'200};
    overlay.possibleRows.reset();
    return overlay;
}

std::unique_ptr<QWidget> graphCard(const rules::Graph &graph, const QString &title, const QString &caption, const GraphOverlay &overlay)
{
    return ground([&](QVBoxLayout *layout, QWidget *) {
        auto *card = new Card(title);
        card->setCaption(caption);
        auto *view = new StateGraph(graph);
        view->setOverlay(overlay);
        card->body()->addWidget(view);
        layout->addWidget(card);
    });
}

LaneStripState lanes()
{
    constexpr qint64 minute = 60'000;
    LaneStripState state;
    state.fromMs = 0;
    state.toMs = 15 * minute;
    state.axis = relativeAxis(state.fromMs, state.toMs);
    state.lanes = {
        {QStringLiteral("billing"), QString(),
         {{12 * minute, 12 * minute + 27'000, Tone::Degraded, QStringLiteral("degraded")},
          {12 * minute + 27'000, 15 * minute, Tone::Open, QStringLiteral("open")}},
         {{12 * minute, 1, QStringLiteral("repetition")}, {12 * minute + 27'000, 2, QStringLiteral("envelope")},
          {12 * minute + 50'000, 3, QStringLiteral("spend")}},
         {}},
        {QStringLiteral("send_pix"), QString(), {}, {}, {}},
        {QStringLiteral("lookup_invoice"), QString(),
         {{4 * minute + 30'000, 5 * minute + 24'000, Tone::Open, QStringLiteral("OPEN")},
          {5 * minute + 24'000, 5 * minute + 42'000, Tone::Probing, QStringLiteral("HALF_OPEN")}},
         {}, {}},
    };
    return state;
}

Card *agentTile(Mark mark, const QString &name, const QString &state, const QStringList &lines)
{
    auto *card = new Card;
    const Tone tone = toneOf(mark);
    card->setTone(tone);
    auto *top = new QHBoxLayout;
    top->setSpacing(10);
    top->addWidget(new MarkLabel(mark, 18));
    top->addWidget(words(name, Shade::Text, TextSize::Text, QFont::DemiBold), 1);
    const Shade shade = tone == Tone::Open ? Shade::Open : tone == Tone::Degraded ? Shade::Degraded : Shade::Secondary;
    top->addWidget(words(state, shade, TextSize::Secondary, tone == Tone::Normal ? QFont::Normal : QFont::DemiBold));
    card->body()->addLayout(top);
    for (const QString &line : lines)
        card->body()->addWidget(words(line, line == lines.first() ? Shade::Text : Shade::Secondary, TextSize::Secondary));
    return card;
}

std::unique_ptr<QWidget> boardPiece()
{
    return ground([](QVBoxLayout *layout, QWidget *) {
        layout->addWidget(words(QStringLiteral("Board"), Shade::Text, TextSize::Title, QFont::Bold));
        auto *tiles = new QWidget;
        auto *grid = new FlowGridLayout(260, 12, tiles);
        grid->addWidget(agentTile(Mark::Open, QStringLiteral("billing"), QStringLiteral("open · 2 min"),
                                  {QStringLiteral("envelope: Pix 900.00 over 500.00 BRL"), QStringLiteral("repetition, spend 24 h"),
                                   QStringLiteral("1 waiting in the queue · to acknowledge")}));
        grid->addWidget(agentTile(Mark::Degraded, QStringLiteral("support"), QStringLiteral("degraded · 14 min"),
                                  {QStringLiteral("repetition: search_orders × 3"), QStringLiteral("results were changing"),
                                   QStringLiteral("ana, acknowledged 02:03")}));
        Card *stale = agentTile(Mark::Closed, QStringLiteral("planner"), QStringLiteral("stale 12 s"),
                                {QStringLiteral("not reporting since 02:13:55"), QStringLiteral("state as last known: closed"),
                                 QStringLiteral("telemetry only: observed, not enforced")});
        stale->setStale(true);
        grid->addWidget(stale);
        for (const char *name : {"booking", "collections", "concierge", "a-name-that-is-far-too-long-for-its-tile-and-goes-on"})
            grid->addWidget(agentTile(Mark::Closed, QString::fromLatin1(name), QStringLiteral("3 tasks"), {}));
        layout->addWidget(tiles);
        layout->addStretch(1);
    });
}

std::unique_ptr<QWidget> marksPiece()
{
    return ground([](QVBoxLayout *layout, QWidget *) {
        for (const int side : {14, 18, 32}) {
            auto *row = new QHBoxLayout;
            row->setSpacing(10);
            for (const Mark mark : {Mark::Closed, Mark::Degraded, Mark::Open, Mark::HalfOpen, Mark::Isolated, Mark::NoData}) {
                row->addWidget(new MarkLabel(mark, side));
                if (side == 14)
                    row->addWidget(words(markWord(mark), Shade::Text, TextSize::Secondary));
            }
            for (const int order : {1, 2, 3, 12, 100})
                row->addWidget(new OrderLabel(order, side));
            row->addStretch(1);
            layout->addLayout(row);
        }
        auto *row = new QHBoxLayout;
        row->addWidget(new Pill(Pill::Kind::Live, QStringLiteral("LIVE")));
        row->addWidget(new Pill(Pill::Kind::Stale, QStringLiteral("STALE")));
        row->addWidget(new Pill(Pill::Kind::Replay, QStringLiteral("02:11:52 UTC, NOT LIVE")));
        row->addWidget(new Pill(Pill::Kind::Note, QStringLiteral("unsigned store: no second person")));
        row->addWidget(new Pill(Pill::Kind::Count, QStringLiteral("3")));
        row->addStretch(1);
        layout->addLayout(row);
    });
}

void addUsage(QVBoxLayout *layout)
{
    struct Row {
        std::optional<double> share;
        Tone tone;
        const char *text;
    };
    for (const Row &each : {Row{1.0, Tone::Degraded, "10.00 of 10.00 USD"}, Row{0.41, Tone::Normal, "41.20 of 100.00 USD"},
                            Row{1.8, Tone::Open, "900.00 of 500.00 BRL"}, Row{std::nullopt, Tone::Normal, "no data since 02:10"}}) {
        auto *row = new QHBoxLayout;
        auto *bar = new UsageBar;
        bar->setUsage(each.share, each.tone, QString::fromLatin1(each.text), 0.8);
        auto *number = words(QString::fromLatin1(each.text), Shade::Text);
        number->setNumberLook(TextSize::Text);
        number->setAlignment(Qt::AlignRight);
        auto *spark = new SparkBars;
        spark->setBars({{4, 0}, {6, 1}, {4, 0}, {7, 4}, {6, 0}, {4, 4}, {0, 0}, {1, 0}}, QStringLiteral("last hour"));
        row->addWidget(bar, 2);
        row->addWidget(number, 2);
        row->addWidget(spark, 1);
        layout->addLayout(row);
    }
}

void addFields(QVBoxLayout *layout)
{
    auto *row = new QHBoxLayout;
    auto *combo = new QComboBox;
    combo->addItem(QStringLiteral("wrong data from a person"));
    auto *reason = new QLineEdit(QStringLiteral("Invoice 2231 was a duplicate; customer confirmed by phone"));
    auto *filter = new QLineEdit;
    filter->setPlaceholderText(QStringLiteral("Filter: agent, tool, signal, re:…"));
    row->addWidget(combo);
    row->addWidget(reason, 1);
    row->addWidget(filter);
    layout->addLayout(row);
    auto *checks = new QHBoxLayout;
    for (const bool on : {true, false}) {
        auto *check = new QCheckBox(QStringLiteral("repetition"));
        check->setChecked(on);
        checks->addWidget(check);
        auto *radio = new QRadioButton(QStringLiteral("to degraded"));
        radio->setChecked(on);
        checks->addWidget(radio);
    }
    auto *spin = new QSpinBox;
    spin->setValue(10);
    checks->addWidget(spin);
    checks->addStretch(1);
    layout->addLayout(checks);
}

void addTable(QVBoxLayout *layout)
{
    auto *table = new QTableWidget(3, 4);
    table->setHorizontalHeaderLabels({QStringLiteral("signal"), QStringLiteral("agent"), QStringLiteral("measured"), QStringLiteral("age")});
    table->verticalHeader()->hide();
    table->horizontalHeader()->setStretchLastSection(true);
    table->setShowGrid(false);
    for (int r = 0; r < 3; ++r) {
        for (int c = 0; c < 4; ++c)
            table->setItem(r, c, new QTableWidgetItem(QStringLiteral("row %1, %2").arg(r).arg(c)));
    }
    table->selectRow(1);
    layout->addWidget(table);
}

std::unique_ptr<QWidget> controlsPiece()
{
    return ground([](QVBoxLayout *layout, QWidget *) {
        auto *buttons = new QHBoxLayout;
        buttons->addWidget(new ActionButton(QStringLiteral("Acknowledge"), QStringLiteral("A")));
        buttons->addWidget(new ActionButton(QStringLiteral("Re-arm…"), QStringLiteral("R"), ButtonRole::Primary));
        buttons->addWidget(new ActionButton(QStringLiteral("Stop"), {}, ButtonRole::Stop));
        auto *off = new ActionButton(QStringLiteral("Re-arm…"), QStringLiteral("R"), ButtonRole::Primary);
        off->setEnabled(false);
        buttons->addWidget(off);
        auto *icon = new QPushButton(QStringLiteral("With an icon"));
        icon->setIcon(themedIcon(QStringLiteral("history"), QColor(0x8d97a3), QColor(0x5b6571)));
        buttons->addWidget(icon);
        buttons->addStretch(1);
        layout->addLayout(buttons);
        auto *holds = new QHBoxLayout;
        holds->addWidget(new HoldButton(QStringLiteral("Hold to ask for approval")));
        for (const qint64 held : {HoldButton::kHoldMs * 2 / 5, HoldButton::kHoldMs}) {
            auto now = std::make_shared<qint64>(0);
            auto *button = new HoldButton(QStringLiteral("Hold to re-arm billing"), nullptr, [now] { return *now; });
            QMouseEvent press(QEvent::MouseButtonPress, QPointF(5, 5), QPointF(5, 5), Qt::LeftButton, Qt::LeftButton, {});
            QCoreApplication::sendEvent(button, &press);
            *now = held;
            holds->addWidget(button);
        }
        layout->addLayout(holds);
        addFields(layout);
        addUsage(layout);
        addTable(layout);
    });
}

std::unique_ptr<QWidget> headersPiece()
{
    auto widget = std::make_unique<QWidget>();
    auto *layout = new QVBoxLayout(widget.get());
    layout->setContentsMargins(0, 0, 0, 0);
    layout->setSpacing(12);
    HeaderState quiet;
    quiet.fleet = QStringLiteral("acme-production");
    quiet.liveness = HeaderState::Liveness::Live;
    quiet.dataAgeMs = 200;
    quiet.clock = QStringLiteral("02:14:07 UTC");
    quiet.operatorName = QStringLiteral("ana");
    quiet.notice = QStringLiteral("unsigned store");
    HeaderState stale = troubledHeader();
    stale.liveness = HeaderState::Liveness::Stale;
    stale.dataAgeMs = 12'000;
    HeaderState replay = troubledHeader();
    replay.liveness = HeaderState::Liveness::Replay;
    replay.replayAt = QStringLiteral("02:11:52 UTC");
    for (const HeaderState &state : {troubledHeader(), quiet, stale, replay, HeaderState{}}) {
        auto *strip = new HeaderStrip;
        strip->setState(state);
        layout->addWidget(strip);
    }
    return widget;
}

std::unique_ptr<QWidget> ladderPiece(const LadderState &state)
{
    return ground([&](QVBoxLayout *layout, QWidget *) {
        auto *card = new Card(QStringLiteral("Kill switch"));
        card->setCaption(QStringLiteral("what holds it, and who can lift it"));
        auto *ladder = new KillSwitchLadder;
        ladder->setState(state);
        card->body()->addWidget(ladder);
        layout->addWidget(card);
        layout->addStretch(1);
    });
}

std::unique_ptr<QWidget> lanesPiece()
{
    return ground([](QVBoxLayout *layout, QWidget *) {
        auto *card = new Card(QStringLiteral("Last 15 minutes"));
        auto *strip = new LaneStrip;
        strip->setState(lanes());
        card->body()->addWidget(strip);
        layout->addWidget(card);
        auto *replay = new Card(QStringLiteral("billing, replayed"));
        LaneStripState state = lanes();
        for (Lane &lane : state.lanes) {
            lane.kind = QStringLiteral("agent");
            for (qint64 t = 0; t < 15 * 60'000; t += 17'003)
                lane.ticks.push_back({t, t % 5 == 0});
        }
        state.cursorMs = 13 * 60'000;
        auto *other = new LaneStrip;
        other->setState(state);
        replay->body()->addWidget(other);
        layout->addWidget(replay);
        layout->addStretch(1);
    });
}

std::unique_ptr<QWidget> railPiece()
{
    auto rail = std::make_unique<Rail>();
    rail->setItems({{QStringLiteral("Board"), 0}, {QStringLiteral("Trips"), 3}, {QStringLiteral("Subject"), 0},
                    {QStringLiteral("Queue"), 1'204}, {QStringLiteral("Timeline"), 0}});
    rail->setCurrent(0);
    return rail;
}

} // namespace

const std::vector<GalleryPiece> &galleryPieces()
{
    static const std::vector<GalleryPiece> pieces = [] {
        const rules::Graph breaker = rules::breakerGraph();
        GraphOverlay isolated = openOverlay();
        isolated.isolated = true;
        isolated.cooldown.reset();
        isolated.last = GraphOverlay::Last{16, 1, 61'000};
        GraphOverlay due = openOverlay();
        due.cooldown->due = true;
        GraphOverlay stale = closedOverlay();
        stale.stale = true;
        GraphOverlay latch;
        latch.currentNode = 2;
        latch.last = GraphOverlay::Last{21, 0, 30'000};
        latch.counts = {{{21, -1}, 3}, {{22, -1}, 1}};
        LadderState many = ladderState();
        many.stale = true;
        for (int i = 4; i < 8; ++i)
            many.latches.push_back({i, QStringLiteral("provider"), QStringLiteral("clock, 30 s"), true,
                                    QStringLiteral("mistral-eu <b>\u202Efailed</b>"), Rung::Degraded, false});
        return std::vector<GalleryPiece>{
            {"header", {1440, 268}, headersPiece},
            {"header_narrow", {1024, 268}, headersPiece},
            {"rail", {168, 640}, railPiece},
            {"board", {1180, 420}, boardPiece},
            {"marks", {900, 200}, marksPiece},
            {"controls", {960, 520}, controlsPiece},
            {"ladder", {452, 360}, [] { return ladderPiece(ladderState()); }},
            {"ladder_closed", {452, 360}, [] { return ladderPiece({Rung::Closed, ladderState().meanings, {}, {}, false}); }},
            {"ladder_many", {452, 560}, [many] { return ladderPiece(many); }},
            {"graph_closed", {592, 350}, [=] { return graphCard(breaker, QStringLiteral("Breaker send_pix"), QStringLiteral("last change 00:41:02 · 3 in the last hour"), closedOverlay()); }},
            {"graph_open", {592, 350}, [=] { return graphCard(breaker, QStringLiteral("Breaker get_quote"), {}, openOverlay()); }},
            {"graph_due", {592, 350}, [=] { return graphCard(breaker, QStringLiteral("Breaker get_quote"), {}, due); }},
            {"graph_isolated", {592, 350}, [=] { return graphCard(breaker, QStringLiteral("Breaker send_fax"), {}, isolated); }},
            {"graph_half_open", {592, 350}, [=] { return graphCard(breaker, QStringLiteral("Breaker book_room"), {}, halfOpenOverlay()); }},
            {"graph_stale", {592, 350}, [=] { return graphCard(breaker, QStringLiteral("Breaker book_room"), QStringLiteral("12 s old"), stale); }},
            {"graph_no_data", {592, 350}, [=] { return graphCard(breaker, QStringLiteral("Breaker translate"), {}, {}); }},
            {"graph_large", {1100, 620}, [=] { return graphCard(breaker, QStringLiteral("Breaker get_quote"), {}, openOverlay()); }},
            {"graph_latch", {592, 350}, [=] { return graphCard(rules::latchGraph(), QStringLiteral("Latch"), {}, latch); }},
            {"lanes", {1200, 420}, lanesPiece},
        };
    }();
    return pieces;
}

QImage picture(const GalleryPiece &piece, Theme theme, double scale)
{
    const std::unique_ptr<QWidget> widget = piece.make();
    widget->setAttribute(Qt::WA_DontShowOnScreen);
    widget->setPalette(paletteOf(theme));
    widget->resize(piece.size);
    widget->show();
    QCoreApplication::sendPostedEvents(); // layouts that were asked for while it came up
    QImage image(piece.size * scale, QImage::Format_RGB32);
    image.setDevicePixelRatio(scale);
    image.fill(coloursOf(theme).ground);
    widget->render(&image);
    return image;
}

} // namespace handreset::tests
