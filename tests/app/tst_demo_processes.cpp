// The demo's agents as processes of their own: the same story as the play inside one program, and what happens to the
// processes. Without python3 only the fallback is tested.
#include "app/demo/agent_process.h"
#include "app/demo/demo_fleet.h"
#include "tests/engine/host_fixture.h"

#include <QDir>
#include <QElapsedTimer>
#include <QFile>
#include <QFileInfo>
#include <QProcess>
#include <QProcessEnvironment>
#include <QRegularExpression>
#include <QTemporaryDir>

#include <algorithm>
#include <csignal>
#include <functional>
#include <future>
#include <map>
#include <memory>
#include <mutex>
#include <set>
#include <unistd.h>

using namespace handreset;
using demo::DemoFleet;
using demo::DemoOptions;
using test::HostFixture;

namespace {

constexpr int kPatience = 20'000; // milliseconds

const QStringList kAgents{QStringLiteral("billing"), QStringLiteral("booking"), QStringLiteral("crawler"),
                          QStringLiteral("research"), QStringLiteral("support")};

QByteArray procOf(const QString &pid, const char *what)
{
    QFile file(QStringLiteral("/proc/%1/%2").arg(pid, QLatin1String(what)));
    return file.open(QIODevice::ReadOnly) ? file.readAll() : QByteArray();
}

/// The agents' processes that a program, by itself this one, has started, by agent.
std::map<QString, pid_t> agentsRunning(qint64 parent = ::getpid())
{
    std::map<QString, pid_t> found;
    for (const auto &entry : QDir(QStringLiteral("/proc")).entryList({QStringLiteral("[0-9]*")}, QDir::Dirs)) {
        const auto stat = procOf(entry, "stat");
        const auto rest = stat.mid(stat.lastIndexOf(')') + 2).split(' '); // "S 1234 …": the state, the parent
        if (rest.size() < 2 || rest[0] == "Z" || rest[1].toLongLong() != parent)
            continue;
        static const QRegularExpression script(QStringLiteral("/handreset-demo-[^/]*/([a-z]+)\\.py"));
        const auto match = script.match(QString::fromUtf8(procOf(entry, "cmdline")));
        if (match.hasMatch())
            found[match.captured(1)] = entry.toInt();
    }
    return found;
}

/// All five, or those that were seen last. A process that is just becoming python3 has no command line for a moment.
std::map<QString, pid_t> fiveAgents(qint64 parent = ::getpid())
{
    std::map<QString, pid_t> found;
    static_cast<void>(QTest::qWaitFor([&] { return (found = agentsRunning(parent)).size() == 5; }, kPatience));
    return found;
}

/// What the demo told, from its thread.
class Told {
public:
    void operator()(const std::string &text)
    {
        const std::lock_guard lock(m_mutex);
        m_all += text + "\n";
    }
    std::string all()
    {
        const std::lock_guard lock(m_mutex);
        return m_all;
    }

private:
    std::mutex m_mutex;
    std::string m_all;
};

using Signals = std::map<std::string, std::vector<rules::Signal>>;

/// The signals that tripped, by agent, in their order.
Signals signalsOf(const std::vector<rules::Event> &log, const rules::Fleet &end)
{
    Signals found;
    for (const auto &event : log) {
        if (const auto *trip = std::get_if<rules::TripFired>(&event.payload))
            found[end.names(event.agent)].push_back(trip->subject.signal);
    }
    return found;
}

/// "billing: repetition envelope; …"
std::string wordsOf(const Signals &signals)
{
    std::string words;
    for (const auto &[agent, tripped] : signals) {
        words += agent + ':';
        for (const auto signal : tripped)
            words += ' ' + std::string(rules::toWord(signal));
        words += "; ";
    }
    return words;
}

/// A host by the system's time, a demo on it, and what it told.
struct Play {
    explicit Play(double speed)
    {
        engine::EmbeddedHostOptions hosting;
        hosting.storePath = store.path();
        auto started = engine::EmbeddedHost::start(hosting);
        if (!started)
            qFatal("%s", started.error().message.c_str());
        host = std::move(started).value();
        options.speed = speed;
        options.tell = [this](const std::string &text) { told(text); };
    }
    void start()
    {
        demo = std::make_unique<DemoFleet>(*host, options);
        if (const auto started = demo->start([this] { finished.set_value(); }); !started)
            qFatal("%s", started.error().message.c_str());
    }
    bool isOverWithin(std::chrono::seconds length)
    {
        return finished.get_future().wait_for(length) == std::future_status::ready;
    }
    /// Whether an agent has begun a task.
    [[nodiscard]] bool asks() const { return !engine::snapshotAndWait(*host)->tasks.empty(); }
    [[nodiscard]] std::vector<rules::Event> log() const
    {
        engine::EventQuery all;
        all.newestFirst = false;
        all.limit = 1'000'000;
        return engine::readEventsAndWait(*host, all).value();
    }

    HostFixture store; // a new store; its own host and clock are not used
    std::unique_ptr<engine::EmbeddedHost> host;
    Told told;
    DemoOptions options;
    std::promise<void> finished;
    std::unique_ptr<DemoFleet> demo;
};

/// As a host in another program looks from here.
class Elsewhere final : public engine::Host {
public:
    explicit Elsewhere(engine::Host &host) : m_host(host) {}
    void submit(rules::Command command, std::function<void(const engine::Reply &)> done) override
    {
        m_host.submit(std::move(command), std::move(done));
    }
    void follow(engine::Follower *follower) override { m_host.follow(follower); }
    void unfollow(engine::Follower *follower) override { m_host.unfollow(follower); }
    [[nodiscard]] engine::HostStatus status() const override { return m_host.status(); }
    void readEvents(engine::EventQuery query,
                    std::function<void(rules::Result<std::vector<rules::Event>>)> done) override
    {
        m_host.readEvents(query, std::move(done));
    }
    void stateAt(rules::Seq seq, std::function<void(rules::Result<std::shared_ptr<const rules::Fleet>>)> done) override
    {
        m_host.stateAt(seq, std::move(done));
    }
    void seqAt(rules::Instant time, std::function<void(rules::Result<rules::Seq>)> done) override
    {
        m_host.seqAt(time, std::move(done));
    }

private:
    engine::Host &m_host;
};

} // namespace

class TestDemoProcesses : public QObject {
    Q_OBJECT
private Q_SLOTS:
    void init();
    void theStoryIsTheSame();
    void eachIsAProcessOfItsOwn();
    void stopEndsThemAll();
    void oneThatHangsIsEndedToo();
    void oneThatIsKilledIsTold();
    void theyEndWithTheirProgram();
    void withoutPythonTheyPlayInside();
    void aPythonThatFailsIsNoPython();
    void aHostElsewhereHasNoDoor();
    void aProcessIsToldOf();

private:
    QByteArray m_path = qgetenv("PATH");
};

void TestDemoProcesses::init()
{
    qputenv("PATH", m_path);
}

/// QSKIP leaves only the function that it stands in.
#define SKIP_WITHOUT_PYTHON()                                                                                          \
    do {                                                                                                               \
        if (!demo::programNamed("python3"))                                                                            \
            QSKIP("there is no python3");                                                                              \
    } while (false)

void TestDemoProcesses::theStoryIsTheSame()
{
    SKIP_WITHOUT_PYTHON();
    HostFixture inside;
    inside.start();
    QVERIFY(DemoFleet::runToEnd(inside.host(), inside.clock).ok());
    const auto expected = signalsOf(inside.log(), *inside.fleet());

    Play play(60);
    play.start();
    QCOMPARE(fiveAgents().size(), 5UL);
    QVERIFY(play.isOverWithin(std::chrono::seconds(90)));
    QCOMPARE(QString::fromStdString(play.told.all()), QString());
    const auto end = engine::snapshotAndWait(*play.host);
    const auto found = signalsOf(play.log(), *end);
    QCOMPARE(QString::fromStdString(wordsOf(found)), QString::fromStdString(wordsOf(expected)));

    // What the agents did, not only what tripped them.
    QCOMPARE(end->agents.size(), 5UL);
    std::map<std::string, std::ptrdiff_t> ended;
    for (const auto &task : end->tasks)
        ended[end->names(task.agent)] += task.ended ? 1 : 0;
    QCOMPARE(ended["support"], 40);
    QCOMPARE(ended["research"], 4);
    QCOMPARE(ended["billing"], 1);
    const rules::ToolId tool{end->names.find(rules::NameKind::Tool, "book_room")};
    QCOMPARE(end->breaker({tool, {}}).state, rules::BreakerState::Closed);
    QVERIFY(std::ranges::any_of(end->tasks, [](const rules::Task &task) { return !task.note.empty(); }));
    QVERIFY(end->tokens.empty()); // taken back
    QVERIFY(agentsRunning().empty());
}

void TestDemoProcesses::eachIsAProcessOfItsOwn()
{
    SKIP_WITHOUT_PYTHON();
    qputenv("HANDRESET_TASK", "a person's own");
    Play play(1);
    play.start();
    const auto agents = fiveAgents();
    QCOMPARE(agents.size(), 5UL);
    std::set<QByteArray> tokens;
    for (const auto &[agent, pid] : agents) {
        QVERIFY(kAgents.contains(agent));
        const auto number = QString::number(pid);
        QTRY_VERIFY(procOf(number, "environ").contains("HANDRESET_TOKEN=hrt_"));
        const auto environment = procOf(number, "environ").split('\0');
        QVERIFY(environment.contains("HANDRESET_AGENT=" + agent.toUtf8()));
        QVERIFY(!environment.contains("HANDRESET_TASK=a person's own"));
        for (const auto &entry : environment) {
            if (entry.startsWith("HANDRESET_TOKEN="))
                tokens.insert(entry.mid(16));
            if (entry.startsWith("HANDRESET_GATE=unix:")) {
                const auto folder = QFileInfo(QString::fromUtf8(entry.mid(20))).absolutePath();
                QCOMPARE(QFile::permissions(folder)
                             & (QFile::ReadGroup | QFile::ExeGroup | QFile::ReadOther | QFile::ExeOther),
                         QFile::Permissions());
            }
        }
        QVERIFY(!procOf(number, "cmdline").contains("hrt_"));
    }
    QCOMPARE(tokens.size(), 5UL);
    QTRY_VERIFY_WITH_TIMEOUT(play.asks(), kPatience); // they ask
    QCOMPARE(::kill(agents.at(QStringLiteral("support")), SIGTERM), 0);
    QTRY_VERIFY_WITH_TIMEOUT(!agentsRunning().contains(QStringLiteral("support")), 1'000);
    play.demo->stop();
    qunsetenv("HANDRESET_TASK");
}

void TestDemoProcesses::stopEndsThemAll()
{
    SKIP_WITHOUT_PYTHON();
    Play play(30);
    play.start();
    QCOMPARE(fiveAgents().size(), 5UL);
    QTRY_VERIFY_WITH_TIMEOUT(play.asks(), kPatience);
    QElapsedTimer taken;
    taken.start();
    play.demo->stop();
    qInfo("stopped within %lld ms", taken.elapsed());
    QVERIFY(taken.elapsed() < 3'000); // a second, and a loaded machine
    QVERIFY(agentsRunning().empty());
    QVERIFY(play.isOverWithin(std::chrono::seconds(1)));
    QCOMPARE(QString::fromStdString(play.told.all()), QString());
    QVERIFY(engine::snapshotAndWait(*play.host)->tokens.empty());
}

void TestDemoProcesses::oneThatHangsIsEndedToo()
{
    SKIP_WITHOUT_PYTHON();
    Play play(1);
    play.start();
    QCOMPARE(fiveAgents().size(), 5UL);
    QTRY_VERIFY_WITH_TIMEOUT(play.asks(), kPatience);
    QCOMPARE(::kill(agentsRunning()[QStringLiteral("crawler")], SIGSTOP), 0); // hears nothing, SIGTERM neither
    QElapsedTimer taken;
    taken.start();
    play.demo->stop();
    QVERIFY(taken.elapsed() < 3'000);
    QVERIFY(agentsRunning().empty());
}

void TestDemoProcesses::oneThatIsKilledIsTold()
{
    SKIP_WITHOUT_PYTHON();
    Play play(60);
    play.start();
    QTRY_VERIFY_WITH_TIMEOUT(play.asks(), kPatience);
    QCOMPARE(::kill(agentsRunning()[QStringLiteral("crawler")], SIGKILL), 0);
    QVERIFY(play.isOverWithin(std::chrono::seconds(90)));
    QCOMPARE(QString::fromStdString(play.told.all()),
             QStringLiteral("The demo's agent crawler ended early: killed by signal 9. The others go on.\n"));
    const auto end = engine::snapshotAndWait(*play.host);
    const auto found = signalsOf(play.log(), *end);
    QVERIFY(!found.contains("crawler"));
    QCOMPARE(found.at("billing"),
             (std::vector{rules::Signal::Repetition, rules::Signal::Envelope, rules::Signal::Spend}));
}

void TestDemoProcesses::theyEndWithTheirProgram()
{
    SKIP_WITHOUT_PYTHON();
    const QTemporaryDir passing; // which nobody takes away then
    auto environment = QProcessEnvironment::systemEnvironment();
    environment.insert(QStringLiteral("TMPDIR"), passing.path());
    QProcess program;
    program.setProcessEnvironment(environment);
    program.start(QStringLiteral(HANDRESETCTL), {QStringLiteral("demo")});
    QVERIFY(program.waitForStarted());
    const auto agents = fiveAgents(program.processId());
    QCOMPARE(agents.size(), 5UL);
    program.kill();
    QVERIFY(program.waitForFinished());
    for (const auto &[agent, pid] : agents)
        QTRY_VERIFY(!procOf(QString::number(pid), "cmdline").contains("handreset-demo-"));
}

void TestDemoProcesses::withoutPythonTheyPlayInside()
{
    qputenv("PATH", "");
    Play play(60);
    play.start();
    QTRY_VERIFY_WITH_TIMEOUT(engine::snapshotAndWait(*play.host)->tasks.size() > 5, kPatience);
    QVERIFY(agentsRunning().empty());
    play.demo->stop();
    QCOMPARE(QString::fromStdString(play.told.all()),
             QStringLiteral("python3 is not installed: the demo's agents run inside this program\n"));
}

void TestDemoProcesses::aPythonThatFailsIsNoPython()
{
    QTemporaryDir folder;
    QFile python(folder.filePath(QStringLiteral("python3")));
    QVERIFY(python.open(QIODevice::WriteOnly));
    python.write("#!/bin/sh\necho it is older than 3.9 >&2\nexit 1\n");
    python.close();
    QVERIFY(python.setPermissions(QFile::ReadOwner | QFile::ExeOwner));
    qputenv("PATH", folder.path().toUtf8());
    Play play(60);
    play.start();
    QTRY_VERIFY_WITH_TIMEOUT(engine::snapshotAndWait(*play.host)->tasks.size() > 5, kPatience);
    play.demo->stop();
    QCOMPARE(
        QString::fromStdString(play.told.all()),
        QStringLiteral("python3 cannot run them: exit code 1, it is older than 3.9: the demo's agents run inside this "
                       "program\n"));
    QVERIFY(engine::snapshotAndWait(*play.host)->tokens.empty());
}

void TestDemoProcesses::aHostElsewhereHasNoDoor()
{
    SKIP_WITHOUT_PYTHON();
    Play play(60);
    Elsewhere linked(*play.host);
    DemoFleet demo(linked, play.options);
    QVERIFY(demo.start({}).ok());
    QTRY_VERIFY_WITH_TIMEOUT(engine::snapshotAndWait(*play.host)->tasks.size() > 5, kPatience);
    QVERIFY(agentsRunning().empty());
    demo.stop();
    QCOMPARE(QString::fromStdString(play.told.all()),
             QStringLiteral("the host is not in this program: the demo's agents run inside this program\n"));
}

void TestDemoProcesses::aProcessIsToldOf()
{
    demo::AgentCommand command;
    command.agent = "one";
    command.program = "/nowhere/python3";
    command.errorsFile = "/dev/null";
    const auto none = demo::AgentProcess::start(command);
    QVERIFY(!none.ok());
    QVERIFY(none.error().message.starts_with("/nowhere/python3 cannot be run: "));

    QTemporaryDir folder;
    command.program = "/bin/sh";
    command.arguments = {"-c", "echo ready; read word; echo first >&2; echo last words >&2; exit 3"};
    command.errorsFile = folder.filePath(QStringLiteral("errors")).toStdString();
    auto process = demo::AgentProcess::start(command);
    QVERIFY(process.ok());
    QTRY_VERIFY((*process)->isReady());
    QVERIFY(!(*process)->hasEnded());
    QVERIFY(!(*process)->howItEnded());
    (*process)->begin();
    QTRY_VERIFY((*process)->hasEnded());
    QCOMPARE((*process)->howItEnded().value_or(""), std::string("exit code 3, last words"));
    (*process)->begin(); // nobody is there: no SIGPIPE
    (*process)->askToEnd();
    (*process)->signal(SIGTERM);
}

QTEST_GUILESS_MAIN(TestDemoProcesses)
#include "tst_demo_processes.moc"
