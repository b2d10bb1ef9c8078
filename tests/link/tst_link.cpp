// The operators' link on one machine: cuts, catching up, budgets, who may come in.
#include "model/link/link_address.h"
#include "model/link/packed_fleet.h"
#include "tests/link/link_fixture.h"

#include <algorithm>
#include <array>
#include <future>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/un.h>
#include <sys/wait.h>
#include <unistd.h>

using namespace handreset;
using test::LinkFixture;
using test::Listener;
using test::RawPeer;

class TestLink : public QObject {
    Q_OBJECT
private Q_SLOTS:
    void aClientGoesOnWhereItWasWhenTheHostComesAgain();
    void catchingUpInTheMidstOfTrafficLosesNothing();
    void aServerThatDoesNotKeepUpBeginsAnew();
    void aLongGapIsBridgedByTheWholeState();
    void anotherLogIsNeverGoneOnFrom();
    void aStoreThatWasPutBackIsNeverGoneOnFrom();
    void aCutIsNeverShownAsHealth();
    void anActWhoseAnswerIsLostSaysSo();
    void anActWithoutAnAnswerTimesOut();
    void aSilentHostIsCut();
    void aClientThatDoesNotReadIsDropped();
    void aSlowClientStillGetsItsState();
    void onlySoManyMayCome();
    void noCommandButActsIsTaken();
    void theHostSaysHowAnActCame();
    void manyEventsAreReadPageByPage();
    void theSocketIsTheHostsAlone();
    void aSocketThatWasLeftBehindIsTakenAway();
    void aSocketThatIsAnsweredAtIsLeftAlone();
    void nothingButAnOldSocketIsTakenAway();
    void aLongPathServesToo();
    void aForeignUserIsTurnedAway();
    void whereNoHostIsItSaysSo();
    void theServerMayGoWhileQuestionsAreOpen();
};

namespace {

rules::StopAgent stop(const std::string &agent = "a1")
{
    return {agent, rules::Rung::Open, "ana", "the test stops it"};
}

/// Waits until the listener's fold is the host's state, and compares them.
void compare(Listener &listener, LinkFixture &fleet)
{
    const rules::Fleet end = *fleet.fleet();
    QTRY_COMPARE(listener.fleet().seq.value, end.seq.value);
    QVERIFY(rules::encodeFleet(listener.fleet()) == rules::encodeFleet(end));
    QCOMPARE(listener.faults(), std::vector<std::string>());
}

/// A host that is silent from the greeting on, or from an act on: the test's own server.
class MuteHost {
public:
    explicit MuteHost(const QString &path) : m_path(path)
    {
        const auto made = link::listenAt(path);
        if (!made)
            qFatal("%s", made.error().message.c_str());
        m_socket = *made;
    }
    ~MuteHost()
    {
        link::removeSocket(m_path, m_socket);
        ::close(m_socket.descriptor);
    }
    /// Takes the next client and shows it this state; then says nothing any more.
    void welcome(const rules::Fleet &fleet)
    {
        int descriptor = -1;
        const auto isThere = [&] { // asked once more after it was
            if (descriptor < 0)
                descriptor = ::accept4(m_socket.descriptor, nullptr, nullptr, SOCK_CLOEXEC);
            return descriptor >= 0;
        };
        QTRY_VERIFY(isThere());
        m_peer = std::make_unique<QLocalSocket>();
        m_peer->setSocketDescriptor(descriptor);
        say(link::Greeting{link::kLinkVersion, {}, {}, {}});
        QVERIFY(m_peer->waitForReadyRead(5'000));
        m_peer->readAll();
        say(link::Admitted{fleet.storeId, {}});
        say(link::WholeState{*link::packFleet(fleet)});
        say(link::HostBeat{0, {}, fleet.seq, {fleet.ruleTime, fleet.steady}, 0});
    }
    void say(const link::ToClient &message)
    {
        m_peer->write(link::framed(link::encode(message)));
        m_peer->flush();
    }
    void hangUp() { m_peer.reset(); }

private:
    QString m_path;
    link::ListeningSocket m_socket;
    std::unique_ptr<QLocalSocket> m_peer;
};

} // namespace

void TestLink::aClientGoesOnWhereItWasWhenTheHostComesAgain()
{
    Listener listener;
    LinkFixture fleet;
    fleet.startAndServe();
    fleet.step();
    const auto client = fleet.connectedClient();
    client->follow(&listener);
    QTRY_COMPARE(listener.snapshots(), 1);
    for (int round = 0; round < 3; ++round) {
        for (int i = 0; i < 5; ++i)
            fleet.call("book", R"({"n":)" + std::to_string(i) + "}", "t" + std::to_string(round));
        compare(listener, fleet);
        fleet.unserve();
        QTRY_VERIFY(!client->state().isUp);
        fleet.restart(); // writes an event of its own
        fleet.step("while nobody looks");
        fleet.serve();
        QTRY_VERIFY(client->state().isUp);
        compare(listener, fleet);
    }
    // The same host, another server.
    fleet.unserve();
    fleet.serve();
    fleet.step("at last");
    QTRY_VERIFY(client->state().isUp);
    compare(listener, fleet);
    client->unfollow(&listener);
    QCOMPARE(listener.snapshots(), 1); // it went on from where it was, each time
    const auto events = listener.events();
    for (std::size_t i = 1; i < events.size(); ++i)
        QCOMPARE(events[i].seq.value, events[i - 1].seq.value + 1);
}

void TestLink::catchingUpInTheMidstOfTrafficLosesNothing()
{
    Listener listener;
    LinkFixture fleet;
    fleet.startAndServe();
    fleet.step();
    const auto client = fleet.connectedClient();
    client->follow(&listener);
    QTRY_COMPARE(listener.snapshots(), 1);
    std::atomic<bool> isOver = false;
    std::thread agent([&] {
        for (int i = 0; !isOver; ++i)
            fleet.call("book", R"({"n":)" + std::to_string(i) + "}", "t" + std::to_string(i / 30));
    });
    for (int round = 0; round < 10; ++round) {
        fleet.unserve();
        const bool isDown = QTest::qWaitFor([&] { return !client->state().isUp; });
        fleet.serve();
        if (!isDown || !QTest::qWaitFor([&] { return client->state().isUp; }))
            break; // told below
    }
    isOver = true;
    agent.join();
    QVERIFY(client->state().isUp);
    compare(listener, fleet);
    client->unfollow(&listener);
    const auto events = listener.events();
    for (std::size_t i = 1; i < events.size(); ++i) {
        if (listener.snapshots() == 1) // where the agent was too quick for it, the whole state was right
            QCOMPARE(events[i].seq.value, events[i - 1].seq.value + 1);
    }
}

void TestLink::aServerThatDoesNotKeepUpBeginsAnew()
{
    Listener listener;
    LinkFixture fleet;
    fleet.options.mostUnheard = 3; // an ask of a new agent alone is more
    fleet.startAndServe();
    const auto client = fleet.connectedClient();
    client->follow(&listener);
    QTRY_COMPARE(listener.snapshots(), 1);
    fleet.call("book", "{}", "task", "agent");
    QTRY_VERIFY(listener.snapshots() > 1);
    fleet.step("task", "agent");
    compare(listener, fleet);
    client->unfollow(&listener);
}

void TestLink::aLongGapIsBridgedByTheWholeState()
{
    Listener listener;
    LinkFixture fleet;
    fleet.options.catchUp = 10;
    fleet.startAndServe();
    const auto client = fleet.connectedClient();
    client->follow(&listener);
    QTRY_COMPARE(listener.snapshots(), 1);
    fleet.unserve();
    for (int i = 0; i < 20; ++i)
        fleet.step("t" + std::to_string(i));
    fleet.serve();
    QTRY_COMPARE(listener.snapshots(), 2);
    fleet.step("after");
    compare(listener, fleet);
    client->unfollow(&listener);
}

void TestLink::anotherLogIsNeverGoneOnFrom()
{
    LinkFixture first;
    LinkFixture second; // as long, and older at every place
    first.startAndServe();
    second.start();
    const rules::Fleet there = *second.fleet();
    RawPeer peer(first.socketPath());
    QVERIFY(peer.nextOf<link::Greeting>());
    peer.send(link::Hello{link::kLinkVersion, {there.storeId, there.seq, there.ruleTime, there.steady}, {}, {}});
    QVERIFY(peer.nextOf<link::WholeState>());
}

void TestLink::aStoreThatWasPutBackIsNeverGoneOnFrom()
{
    LinkFixture fleet;
    fleet.startAndServe();
    for (int i = 0; i < 5; ++i)
        fleet.step("t" + std::to_string(i));
    const rules::Fleet now = *fleet.fleet();
    const auto past = engine::stateAtAndWait(fleet.host(), {now.seq.value - 3});
    QVERIFY(past);
    const auto answerTo = [&](link::LogPlace have) {
        RawPeer peer(fleet.socketPath());
        [&] { QVERIFY(peer.nextOf<link::Greeting>()); }();
        peer.send(link::Hello{link::kLinkVersion, std::move(have), {}, {}});
        for (;;) {
            const auto message = peer.next();
            if (!message)
                return QByteArray("nothing");
            if (std::holds_alternative<link::WholeState>(*message))
                return QByteArray("whole state");
            if (const auto *tail = std::get_if<link::Tail>(&*message))
                return QByteArray::number(static_cast<int>(tail->events.size())) + " events";
            if (std::holds_alternative<link::HostBeat>(*message))
                return QByteArray("beat");
        }
    };
    const link::LogPlace behind{now.storeId, (*past)->seq, (*past)->ruleTime, (*past)->steady};
    const link::LogPlace atEnd{now.storeId, now.seq, now.ruleTime, now.steady};
    QCOMPARE(answerTo(behind), QByteArray("3 events"));
    QCOMPARE(answerTo(atEnd), QByteArray("beat"));
    // The same numbers, another history: as when a backup was put back and went on differently.
    link::LogPlace other = behind;
    other.steady.micros += 1;
    QCOMPARE(answerTo(other), QByteArray("whole state"));
    other = atEnd;
    other.ruleTime.micros -= 1;
    QCOMPARE(answerTo(other), QByteArray("whole state"));
    other = atEnd; // the client has seen more than there is now
    other.seq.value += 10;
    QCOMPARE(answerTo(other), QByteArray("whole state"));
    QCOMPARE(answerTo({}), QByteArray("whole state"));
}

void TestLink::aCutIsNeverShownAsHealth()
{
    Listener listener;
    LinkFixture fleet;
    fleet.startAndServe();
    const auto client = fleet.connectedClient();
    client->follow(&listener);
    QTRY_VERIFY(!listener.beats().empty());
    QCOMPARE(client->status().trouble, std::string());
    fleet.unserve();
    QTRY_VERIFY(!client->state().isUp);
    const auto beats = listener.beats().size();
    const auto lastBeat = client->status().lastBeat;
    QVERIFY(QString::fromStdString(client->status().trouble).contains(QStringLiteral("cannot be reached")));
    // Whoever begins to follow now sees what was known, and no beat.
    Listener late;
    client->follow(&late);
    QTRY_COMPARE(late.snapshots(), 1);
    const auto reply = engine::submitAndWait(*client, stop());
    QVERIFY(test::errorIn(reply));
    QVERIFY(test::errorIn(reply)->code == rules::ErrorCode::Unavailable);
    const QString words = QString::fromStdString(test::errorIn(reply)->message);
    QVERIFY(words.contains(QStringLiteral("cannot be reached")));
    QVERIFY(words.contains(QStringLiteral("Nothing was done")));
    QVERIFY(!engine::readEventsAndWait(*client, {}));
    QVERIFY(!engine::stateAtAndWait(*client, {1}));
    QVERIFY(!engine::seqAtAndWait(*client, test::kNoon));
    QCOMPARE(listener.beats().size(), beats);
    QVERIFY(client->status().lastBeat == lastBeat);
    QVERIFY(late.beats().empty());
    fleet.serve();
    QTRY_VERIFY(listener.beats().size() > beats);
    QTRY_VERIFY(!late.beats().empty());
    QCOMPARE(client->status().trouble, std::string());
    client->unfollow(&listener);
    client->unfollow(&late);
}

void TestLink::anActWhoseAnswerIsLostSaysSo()
{
    LinkFixture fleet;
    fleet.start();
    MuteHost mute(fleet.socketPath());
    const auto client = fleet.client();
    mute.welcome(*fleet.fleet());
    QTRY_VERIFY(client->state().isUp);
    std::promise<engine::Reply> answered;
    client->submit(stop(), [&](const engine::Reply &reply) { answered.set_value(reply); });
    QVERIFY(!engine::snapshotAndWait(*client)->storeId.empty()); // by then the act is on its way
    mute.hangUp();
    const engine::Reply reply = answered.get_future().get();
    QVERIFY(test::errorIn(reply));
    const QString words = QString::fromStdString(test::errorIn(reply)->message);
    QVERIFY2(words.contains(QStringLiteral("may or may not have been done")), qPrintable(words));
    QVERIFY(words.contains(QStringLiteral("look before you act again")));
}

void TestLink::anActWithoutAnAnswerTimesOut()
{
    LinkFixture fleet;
    fleet.start();
    MuteHost mute(fleet.socketPath());
    auto timing = test::shortTiming();
    timing.answerWithin = std::chrono::milliseconds(200);
    const auto client = fleet.client(timing);
    mute.welcome(*fleet.fleet());
    QTRY_VERIFY(client->state().isUp);
    const auto reply = engine::submitAndWait(*client, stop());
    const QString words = QString::fromStdString(LinkFixture::errorOf(reply));
    QVERIFY2(words.contains(QStringLiteral("in time")), qPrintable(words));
    QVERIFY(words.contains(QStringLiteral("may or may not have been done")));
    QVERIFY(client->state().isUp);
}

void TestLink::aSilentHostIsCut()
{
    Listener listener;
    LinkFixture fleet;
    fleet.start();
    auto mute = std::make_unique<MuteHost>(fleet.socketPath());
    const auto client = fleet.client();
    mute->welcome(*fleet.fleet());
    client->follow(&listener);
    QTRY_VERIFY(client->state().isUp);
    QTRY_VERIFY(!client->state().isUp); // nothing was heard any more
    QVERIFY(QString::fromStdString(client->state().trouble).contains(QStringLiteral("heard")));
    // It is not left at that: a host that speaks again is found.
    mute.reset();
    fleet.serve();
    QTRY_VERIFY(client->state().isUp);
    compare(listener, fleet);
    client->unfollow(&listener);
}

void TestLink::aClientThatDoesNotReadIsDropped()
{
    LinkFixture fleet;
    fleet.options.outgoing = 1024 * 1024;                     // some milliseconds of what follows, which come in one
    fleet.options.timing.silentFor = std::chrono::minutes(5); // not for its silence
    fleet.startAndServe();
    const auto good = fleet.connectedClient();
    const auto descriptor = link::connectTo(fleet.socketPath());
    QVERIFY(descriptor);
    const QByteArray hello = link::framed(link::encode(link::ToHost(link::Hello{link::kLinkVersion, {}, {}, {}})));
    QCOMPARE(::send(*descriptor, hello.constData(), static_cast<std::size_t>(hello.size()), MSG_NOSIGNAL),
             static_cast<ssize_t>(hello.size()));
    QTRY_COMPARE(fleet.server().status().guests, std::size_t{2});
    const std::string arguments = R"({"text":")" + std::string(20'000, 'x') + "\"}";
    for (int i = 0; i < 600 && fleet.server().status().guests == 2; ++i)
        fleet.call("book" + std::to_string(i % 7), arguments, "t" + std::to_string(i), "a" + std::to_string(i));
    QCOMPARE(fleet.server().status().guests, std::size_t{1});
    QVERIFY(good->state().isUp); // nobody else was held up
    ::close(*descriptor);
}

void TestLink::aSlowClientStillGetsItsState()
{
    LinkFixture fleet;
    fleet.options.outgoing = 1'000; // the state alone is more
    fleet.startAndServe();
    for (int i = 0; i < 50; ++i)
        fleet.step("task " + std::to_string(i * 7'919), "agent " + std::to_string(i * 104'729));
    Listener listener;
    const auto client = fleet.connectedClient();
    client->follow(&listener);
    QTRY_COMPARE(listener.snapshots(), 1);
    QVERIFY(engine::stateAtAndWait(*client, {20}));
    client->unfollow(&listener);
}

void TestLink::onlySoManyMayCome()
{
    LinkFixture fleet;
    fleet.options.mostGuests = 3;
    fleet.startAndServe();
    std::vector<std::unique_ptr<RawPeer>> peers;
    for (int i = 0; i < 3; ++i)
        peers.push_back(std::make_unique<RawPeer>(fleet.socketPath()));
    for (const auto &peer : peers)
        QVERIFY(peer->nextOf<link::Greeting>());
    RawPeer fourth(fleet.socketPath());
    const auto away = fourth.nextOf<link::TurnedAway>();
    QVERIFY(away);
    QVERIFY(fourth.isCut());
    peers.pop_back();
    bool isGreeted = false;
    const auto isLetIn = [&] { // asked once more after it was
        isGreeted = isGreeted || RawPeer(fleet.socketPath()).nextOf<link::Greeting>(500);
        return isGreeted;
    };
    QTRY_VERIFY(isLetIn());
}

void TestLink::noCommandButActsIsTaken()
{
    LinkFixture fleet;
    fleet.startAndServe();
    const auto client = fleet.connectedClient();
    rules::AskCall call;
    call.agent = "a1";
    call.task = "t1";
    call.tool = "book";
    rules::CreateStore create;
    create.storeId = std::string(32, '0');
    const std::vector<rules::Command> wrong{LinkFixture::askStep(), call,
                                            rules::FinishStep{},    rules::FinishCall{},
                                            rules::NoteTask{},      rules::LabelTask{},
                                            rules::EndTask{},       rules::Tick{},
                                            rules::StartHost{},     create,
                                            rules::CountRefusals{}};
    const auto before = fleet.fleet()->seq;
    for (const rules::Command &command : wrong) {
        const auto reply = engine::submitAndWait(*client, command);
        QVERIFY(test::errorIn(reply));
        QVERIFY(test::errorIn(reply)->code == rules::ErrorCode::Refused);
    }
    // A client that is none of ours: acts that the host does not know, and what is none.
    RawPeer peer(fleet.socketPath());
    peer.comeIn();
    std::uint64_t number = 0;
    for (const std::string &act : {std::string("\x82\x18\x20\xa0", 4), std::string("\x82\x18\x63\xa0", 4),
                                   std::string(), std::string("noise"), std::string(1'000'000, 'x')}) {
        peer.send(link::SubmitAct{++number, act});
        const auto answer = peer.nextOf<link::ActAnswer>();
        QVERIFY(answer && answer->error);
        QCOMPARE(answer->number, number);
        QVERIFY(QString::fromStdString(answer->error->message).contains(QStringLiteral("Nothing was done")));
    }
    QCOMPARE(fleet.fleet()->seq.value, before.value);
    // An act of its own that cannot be sent at all.
    rules::ApplyPolicy tooLong;
    tooLong.text = std::string(link::kMostToServer + 1, '#');
    const auto reply = engine::submitAndWait(*client, tooLong);
    QVERIFY(test::errorIn(reply));
    QVERIFY(test::errorIn(reply)->code == rules::ErrorCode::BadInput);
    QVERIFY(client->state().isUp);
}

void TestLink::theHostSaysHowAnActCame()
{
    LinkFixture fleet;
    fleet.startAndServe();
    fleet.step();
    const test::Person ana("ana");
    QCOMPARE(LinkFixture::errorOf(fleet.enrol(ana, ana)), std::string());
    const auto client = fleet.connectedClient();
    rules::Signed act = ana.sign(stop(), fleet.fleet()->storeId, fleet.clock.now().wall);
    act.origin = {"by pigeon", geteuid() != 0}; // whatever the client says
    QCOMPARE(LinkFixture::errorOf(engine::submitAndWait(*client, act)), std::string());
    const auto log = fleet.log();
    const auto found = std::ranges::find_if(log.rbegin(), log.rend(), [](const rules::Event &event) {
        return std::holds_alternative<rules::ActSigned>(event.payload);
    });
    QVERIFY(found != log.rend());
    const auto &origin = std::get<rules::ActSigned>(found->payload).origin;
    QCOMPARE(origin.channel, "socket uid " + std::to_string(geteuid()));
    QCOMPARE(origin.isRoot, geteuid() == 0);
}

void TestLink::manyEventsAreReadPageByPage()
{
    LinkFixture fleet;
    fleet.startAndServe();
    std::promise<void> all;
    constexpr int count = 12'000;
    for (int i = 0; i < count; ++i) {
        fleet.host().submit(LinkFixture::askStep("t" + std::to_string(i / 20)), [&, i](const engine::Reply &) {
            if (i == count - 1)
                all.set_value();
        });
    }
    all.get_future().wait();
    const auto client = fleet.connectedClient();
    for (const bool newestFirst : {true, false}) {
        engine::EventQuery query;
        query.newestFirst = newestFirst;
        for (const std::size_t limit : {std::size_t{11'000}, std::size_t{10'000}, std::size_t{1'000'000}}) {
            query.limit = limit;
            const auto here = engine::readEventsAndWait(*client, query);
            const auto there = engine::readEventsAndWait(fleet.host(), query);
            QVERIFY(here && there);
            QCOMPARE(here->size(), there->size());
            QVERIFY(*here == *there);
        }
    }
    RawPeer peer(fleet.socketPath());
    peer.comeIn();
    link::AskEvents tooMany;
    tooMany.number = 1;
    tooMany.limit = 10'001;
    peer.send(tooMany);
    const auto answer = peer.nextOf<link::EventsAnswer>();
    QVERIFY(answer && answer->error);
    link::AskEvents tooManyKinds;
    tooManyKinds.number = 2;
    tooManyKinds.kinds.assign(100'000, 1);
    tooManyKinds.limit = 1;
    peer.send(tooManyKinds);
    const auto another = peer.nextOf<link::EventsAnswer>();
    QVERIFY(another && another->error);
}

void TestLink::theSocketIsTheHostsAlone()
{
    LinkFixture fleet;
    fleet.startAndServe();
    struct stat status = {};
    QCOMPARE(::lstat(qPrintable(fleet.socketPath()), &status), 0);
    QVERIFY(S_ISSOCK(status.st_mode));
    QCOMPARE(status.st_mode & 0777U, 0600U);
    QCOMPARE(status.st_uid, geteuid());
    QCOMPARE(fleet.server().socketPath(), fleet.path() + QStringLiteral(".link"));
    fleet.unserve();
    QVERIFY(::lstat(qPrintable(fleet.socketPath()), &status) != 0);
}

void TestLink::aSocketThatWasLeftBehindIsTakenAway()
{
    LinkFixture fleet;
    fleet.start();
    const auto old = link::listenAt(fleet.socketPath());
    QVERIFY(old);
    ::close(old->descriptor); // as when the host was killed: the file stays, nobody answers
    QVERIFY(QFileInfo::exists(fleet.socketPath()));
    fleet.serve();
    QVERIFY(fleet.connectedClient()->state().isUp);
}

void TestLink::aSocketThatIsAnsweredAtIsLeftAlone()
{
    LinkFixture fleet;
    fleet.startAndServe();
    const auto client = fleet.connectedClient();
    const auto second = link::LinkServer::start(fleet.host(), fleet.options);
    QVERIFY(!second);
    QVERIFY(QString::fromStdString(second.error().message).contains(QStringLiteral("another host answers")));
    QVERIFY(client->state().isUp);
    QVERIFY(fleet.connectedClient()->state().isUp); // and its file is still there
}

void TestLink::nothingButAnOldSocketIsTakenAway()
{
    LinkFixture fleet;
    fleet.start();
    QFile file(fleet.socketPath());
    QVERIFY(file.open(QIODevice::WriteOnly));
    file.write("a diary");
    file.close();
    QVERIFY(!fleet.tryServe());
    QVERIFY(QFileInfo(fleet.socketPath()).size() == 7);
    QVERIFY(file.remove());
    QVERIFY(QFile::link(QStringLiteral("/nowhere"), fleet.socketPath()));
    QVERIFY(!fleet.tryServe());
    QVERIFY(QFileInfo(fleet.socketPath()).isSymLink());
}

void TestLink::aLongPathServesToo()
{
    QTemporaryDir folder;
    const QString deep
        = folder.filePath(QString(120, QLatin1Char('d')) + QLatin1Char('/') + QString(80, QLatin1Char('e')));
    QVERIFY(QDir().mkpath(deep));
    const QString path = link::socketPathOf(deep + QStringLiteral("/fleet.db"));
    LinkFixture fleet;
    fleet.start();
    link::LinkServerOptions options = fleet.options;
    options.storePath = deep + QStringLiteral("/fleet.db");
    const auto server = link::LinkServer::start(fleet.host(), options);
    QVERIFY2(server, server ? "" : server.error().message.c_str());
    QVERIFY(QFileInfo::exists(path));
    link::LinkedHostOptions to;
    to.socketPath = path;
    link::LinkedHost client(to);
    QVERIFY(client.waitUntilUp(std::chrono::seconds(10)));
    const auto tooLong = link::listenAt(folder.filePath(QString(200, QLatin1Char('f'))));
    QVERIFY(!tooLong);
    QVERIFY(QString::fromStdString(tooLong.error().message).contains(QStringLiteral("too long")));
}

void TestLink::aForeignUserIsTurnedAway()
{
    if (geteuid() != 0)
        QSKIP("needs root, to become another user");
    LinkFixture fleet;
    fleet.startAndServe();
    const QByteArray path = QFile::encodeName(fleet.socketPath());
    QVERIFY(path.size() < 100);
    // Even where the modes of folder and socket were lost.
    QVERIFY(::chmod(qPrintable(QFileInfo(fleet.path()).absolutePath()), 0711) == 0);
    QVERIFY(::chmod(path.constData(), 0666) == 0);
    std::array<int, 2> pipe{};
    QVERIFY(::pipe(pipe.data()) == 0);
    const pid_t child = ::fork();
    if (child == 0) { // nothing but system calls from here on
        sockaddr_un address{};
        address.sun_family = AF_UNIX;
        std::copy(path.begin(), path.end(), address.sun_path);
        if (::setgid(65534) != 0 || ::setuid(65534) != 0)
            ::_exit(2);
        const int descriptor = ::socket(AF_UNIX, SOCK_STREAM, 0);
        if (::connect(descriptor, reinterpret_cast<const sockaddr *>(&address), sizeof(address)) != 0)
            ::_exit(3);
        std::array<char, 4'096> buffer{};
        ssize_t got = 0;
        while ((got = ::read(descriptor, buffer.data(), buffer.size())) > 0)
            static_cast<void>(::write(pipe[1], buffer.data(), static_cast<std::size_t>(got)));
        ::_exit(0); // until it was hung up on
    }
    ::close(pipe[1]);
    std::string heard;
    std::array<char, 4'096> buffer{};
    ssize_t got = 0;
    while ((got = ::read(pipe[0], buffer.data(), buffer.size())) > 0)
        heard.append(buffer.data(), static_cast<std::size_t>(got));
    ::close(pipe[0]);
    int status = 0;
    QCOMPARE(::waitpid(child, &status, 0), child);
    QVERIFY(WIFEXITED(status));
    QCOMPARE(WEXITSTATUS(status), 0);
    // One message, that it may not, and nothing of the fleet.
    link::FrameReader reader(link::kMostToClient);
    reader.feed(heard);
    std::string message;
    QVERIFY(reader.next(message));
    const auto said = link::decodeToClient(message);
    QVERIFY(said);
    const auto *away = std::get_if<link::TurnedAway>(&*said);
    QVERIFY(away);
    QVERIFY(QString::fromStdString(away->why.message).contains(QStringLiteral("65534")));
    QVERIFY(!reader.next(message));
    QCOMPARE(fleet.server().status().guests, std::size_t{0});
}

void TestLink::whereNoHostIsItSaysSo()
{
    LinkFixture fleet;
    const auto client = fleet.client();
    const auto up = client->waitUntilUp(std::chrono::milliseconds(200));
    QVERIFY(!up);
    QVERIFY(up.error().code == rules::ErrorCode::Unavailable);
    QVERIFY(QString::fromStdString(up.error().message).contains(QStringLiteral("no host is at work")));
    QVERIFY(QString::fromStdString(client->status().trouble).contains(QStringLiteral("no host is at work")));
    fleet.startAndServe();
    QVERIFY(client->waitUntilUp(std::chrono::seconds(10)));
}

void TestLink::theServerMayGoWhileQuestionsAreOpen()
{
    LinkFixture fleet;
    fleet.startAndServe();
    fleet.step();
    const auto client = fleet.connectedClient();
    for (int round = 0; round < 20; ++round) {
        std::atomic<int> answered = 0;
        for (int i = 0; i < 20; ++i) {
            client->submit(stop(), [&](const engine::Reply &) { ++answered; });
            client->stateAt({1}, [&](const auto &) { ++answered; });
        }
        fleet.unserve();
        QTRY_COMPARE(answered, 40);
        fleet.serve();
        QVERIFY(client->waitUntilUp(std::chrono::seconds(10)));
    }
}

QTEST_GUILESS_MAIN(TestLink)
#include "tst_link.moc"
