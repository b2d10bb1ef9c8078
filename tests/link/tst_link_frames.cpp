// What stands on the wire: frames, messages, and what a host makes of neither.
#include "tests/link/link_fixture.h"

#include <random>

using namespace handreset;
using test::LinkFixture;
using test::RawPeer;

class TestLinkFrames : public QObject {
    Q_OBJECT
private Q_SLOTS:
    void messagesComeWholeWhereverTheyAreSplit();
    void aLengthOutOfBoundsEndsTheReading_data();
    void aLengthOutOfBoundsEndsTheReading();
    void aClaimTakesNoMemory();
    void everyMessageComesBackAsItWas();
    void whatIsNewerIsSteppedOverOrRefused();
    void aChangedByteNeverCrashesAReader();
    void noiseDoesNotDisturbAHost();
    void aHostCutsWhoeverSpeaksOutOfTurn();
};

namespace {

std::string bytesOf(const QByteArray &frame)
{
    return frame.toStdString();
}

rules::Event someEvent()
{
    rules::Event event;
    event.seq = {7};
    event.ruleTime = test::kNoon;
    event.steady = {5};
    event.sourceTime = rules::Instant{3};
    event.agent = {1};
    event.task = {2};
    event.row = 21;
    rules::TripFired fired;
    fired.reason = "why \xff not"; // not UTF-8: kept as it came
    event.payload = fired;
    event.arguments = R"({"a":1})";
    return event;
}

std::vector<link::ToHost> questions()
{
    link::ShiftPass pass{"store", "ana", {1, 2, 3}, {99}, std::string(64, 's')};
    rules::SignedAct act;
    act.by = "ana";
    act.nonce = std::string("\0\x01", 2);
    return {link::Hello{1, {"store", {5}, {6}, {7}}, pass, "proof"},
            link::Alive{},
            link::SubmitAct{3, rules::encodeAct(rules::StopAgent{"a1", rules::Rung::Open, "ana", "why"})},
            link::SubmitSigned{4, act},
            link::AskEvents{5, {1}, {9}, {2}, {3}, -4, {1, 2}, 7, false, 200},
            link::AskState{6, {12}},
            link::AskSeq{7, {-5}}};
}

std::vector<link::ToClient> answers()
{
    const link::WireError error{1, "no", "field"};
    return {link::Greeting{1, std::string(32, 'c'), {7}, "00000000000000000000000000000001"},
            link::TurnedAway{error},
            link::Admitted{"store", rules::sha256("certificate")},
            link::Alive{},
            link::WholeState{"packed"},
            link::Tail{link::toWire(std::vector{someEvent()}), {{1}, {2}}},
            link::HostBeat{2, "trouble", {4}, {{5}, {6}}, 7},
            link::ActAnswer{1, {2}, link::WireActDone{{3}, {4}, {5}, {6}}, {}},
            link::EventsAnswer{2, link::toWire(std::vector{someEvent()}), error, true},
            link::StateAnswer{3, "packed", {}},
            link::SeqAnswer{4, {5}, error}};
}

} // namespace

void TestLinkFrames::messagesComeWholeWhereverTheyAreSplit()
{
    const std::vector<std::string> sent{"a", std::string(300, 'b'), std::string("\0c", 2)};
    std::string wire;
    for (const std::string &one : sent)
        wire += bytesOf(link::framed(one));
    for (std::size_t at = 0; at <= wire.size(); ++at) {
        link::FrameReader reader(1'000);
        std::vector<std::string> got;
        std::string message;
        for (const std::string &part : {wire.substr(0, at), wire.substr(at)}) {
            reader.feed(part);
            while (reader.next(message))
                got.push_back(message);
        }
        QCOMPARE(got, sent);
    }
    link::FrameReader byByte(1'000);
    std::vector<std::string> got;
    std::string message;
    for (const char one : wire) {
        byByte.feed({&one, 1});
        while (byByte.next(message))
            got.push_back(message);
    }
    QCOMPARE(got, sent);
}

void TestLinkFrames::aLengthOutOfBoundsEndsTheReading_data()
{
    QTest::addColumn<QByteArray>("head");
    QTest::newRow("nothing") << QByteArray::fromHex("00000000");
    QTest::newRow("one above") << QByteArray::fromHex("000003e9");
    QTest::newRow("all") << QByteArray::fromHex("ffffffff");
    QTest::newRow("text") << QByteArray("GET / HTTP/1.1\r\n");
}

void TestLinkFrames::aLengthOutOfBoundsEndsTheReading()
{
    QFETCH(QByteArray, head);
    link::FrameReader reader(1'000);
    reader.feed(bytesOf(head));
    std::string message;
    QVERIFY(!reader.next(message));
    QVERIFY(reader.failed());
    reader.feed(bytesOf(link::framed("good")));
    QVERIFY(!reader.next(message)); // for good
}

void TestLinkFrames::aClaimTakesNoMemory()
{
    link::FrameReader reader(link::kMostToClient);
    reader.feed(std::string("\x03\xff\xff\xff", 4)); // almost 64 MiB, it says
    std::string message;
    QVERIFY(!reader.next(message));
    QVERIFY(!reader.failed());
    QVERIFY(message.capacity() < 1'000);
}

void TestLinkFrames::everyMessageComesBackAsItWas()
{
    QCOMPARE(questions().size(), std::variant_size_v<link::ToHost>);
    for (const link::ToHost &one : questions()) {
        const auto back = link::decodeToHost(link::encode(one));
        QVERIFY2(back, back ? "" : back.error().message.c_str());
        QVERIFY(*back == one);
    }
    QCOMPARE(answers().size(), std::variant_size_v<link::ToClient>);
    for (const link::ToClient &one : answers()) {
        const auto back = link::decodeToClient(link::encode(one));
        QVERIFY2(back, back ? "" : back.error().message.c_str());
        QVERIFY(*back == one);
    }
    QCOMPARE(link::fromWire(link::toWire(std::vector{someEvent()})), std::vector{someEvent()});
}

void TestLinkFrames::whatIsNewerIsSteppedOverOrRefused()
{
    // A field with a tag that nobody here knows: [1, {99: true}], an Alive of a later program.
    QVERIFY(link::decodeToHost(std::string("\x82\x01\xa1\x18\x63\xf5", 6)));
    // A message that nobody here knows.
    QVERIFY(!link::decodeToHost(std::string("\x82\x18\x63\xa0", 4)));
    // A health or a kind of failure that nobody here knows is never taken for a good one.
    QCOMPARE(link::fromWire(link::HostBeat{99, {}, {}, {}, 0}).health, engine::StoreHealth::Failing);
    QCOMPARE(link::fromWire(link::WireError{99, "new", {}}).code, rules::ErrorCode::Unavailable);
}

void TestLinkFrames::aChangedByteNeverCrashesAReader()
{
    std::mt19937 dice(7);
    std::vector<std::string> seeds;
    for (const link::ToHost &one : questions())
        seeds.push_back(link::encode(one));
    for (const link::ToClient &one : answers())
        seeds.push_back(link::encode(one));
    for (int round = 0; round < 20'000; ++round) {
        std::string bytes = seeds[dice() % seeds.size()];
        for (unsigned changes = 1 + dice() % 4; changes > 0; --changes)
            bytes[dice() % bytes.size()] = static_cast<char>(dice());
        if (dice() % 4 == 0)
            bytes.resize(dice() % (bytes.size() + 1));
        static_cast<void>(link::decodeToHost(bytes));
        static_cast<void>(link::decodeToClient(bytes));
    }
}

void TestLinkFrames::noiseDoesNotDisturbAHost()
{
    LinkFixture fleet;
    fleet.startAndServe();
    const auto watcher = fleet.connectedClient();
    std::mt19937 dice(11);
    std::vector<std::string> seeds;
    for (const link::ToHost &one : questions())
        seeds.push_back(link::encode(one));
    for (int round = 0; round < 200; ++round) {
        RawPeer peer(fleet.socketPath());
        if (round % 2 == 0) {
            QByteArray noise;
            for (int i = 0; i < 500; ++i)
                noise.append(static_cast<char>(dice()));
            peer.send(noise);
            continue;
        }
        peer.send(link::Hello{link::kLinkVersion, {}, {}, {}});
        for (int i = 0; i < 20; ++i) {
            std::string bytes = seeds[dice() % seeds.size()];
            bytes[dice() % bytes.size()] = static_cast<char>(dice());
            peer.send(link::framed(bytes));
        }
    }
    // The one that was there is there, and another finds its way in.
    QVERIFY(watcher->state().isUp);
    QVERIFY(fleet.connectedClient()->state().isUp);
    QTRY_COMPARE(fleet.server().status().guests, std::size_t{1});
    QCOMPARE(fleet.host().status().health, engine::StoreHealth::Writable);
}

void TestLinkFrames::aHostCutsWhoeverSpeaksOutOfTurn()
{
    LinkFixture fleet;
    fleet.startAndServe();
    {
        RawPeer early(fleet.socketPath());
        early.send(link::AskState{1, {1}});
        const auto away = early.nextOf<link::TurnedAway>();
        QVERIFY(away);
        QVERIFY(QString::fromStdString(away->why.message).contains(QStringLiteral("greeting")));
        QVERIFY(early.isCut());
    }
    {
        RawPeer twice(fleet.socketPath());
        twice.comeIn();
        twice.send(link::Hello{link::kLinkVersion, {}, {}, {}});
        QVERIFY(twice.nextOf<link::TurnedAway>());
        QVERIFY(twice.isCut());
    }
    {
        RawPeer other(fleet.socketPath());
        other.send(link::Hello{link::kLinkVersion + 1, {}, {}, {}});
        const auto away = other.nextOf<link::TurnedAway>();
        QVERIFY(away);
        QVERIFY(QString::fromStdString(away->why.message).contains(QStringLiteral("version")));
    }
    {
        RawPeer longWinded(fleet.socketPath()); // nobody admitted it: it may not say as much as others may
        longWinded.send(link::framed(std::string(link::kMostFromStranger + 1, 'x')));
        QVERIFY(longWinded.isCut());
    }
    {
        RawPeer silent(fleet.socketPath()); // says nothing at all
        QVERIFY(silent.isCut());
    }
    {
        RawPeer quiet(fleet.socketPath()); // says nothing any more
        quiet.comeIn();
        QVERIFY(quiet.isCut());
    }
    QTRY_COMPARE(fleet.server().status().guests, std::size_t{0});
}

QTEST_GUILESS_MAIN(TestLinkFrames)
#include "tst_link_frames.moc"
