// The verbs of the command line: what each does to a store, what it says, and how it ends (spec 8).
#include "tests/app/ctl_fixture.h"
#include "tests/support/shared_data.h"

#include "model/history/lesson.h"

#include <QDirIterator>
#include <QProcess>
#include <QtTest>

#include <algorithm>
#include <sys/stat.h>
#include <thread>

using namespace handreset;
using handreset::tests::CtlFixture;
using handreset::tests::Ran;

namespace {

constexpr auto kPolicy = "schema = 1\n"
                         "[defaults]\n"
                         "steps = { limit = 2 }\n"
                         "repetition = { limit = 3, action = \"degraded\" }\n"
                         "degraded_model = \"small-model\"\n"
                         "[tools.lookup]\n"
                         "access = \"read\"\n";
constexpr auto kReason = "the limits of this test";

QJsonArray listOf(const Ran &ran, QStringView name)
{
    return ran.json().value(name).toArray();
}

/// A store with a policy of two steps, and one task that asked three times.
void makeSteppedTrip(CtlFixture &store)
{
    QCOMPARE(store.run({"init", "--unsigned"}).code, 0);
    QCOMPARE(store.run({"policy", "apply", store.write(QStringLiteral("p.toml"), kPolicy), "--reason", kReason}).code,
             0);
    store.live();
    QVERIFY(store.askStep("billing", "t1").allow);
    QVERIFY(store.askStep("billing", "t1").allow);
    QVERIFY(!store.askStep("billing", "t1").allow);
    store.leave();
}

/// The number of the only active trip, as its argument.
std::string activeTrip(CtlFixture &store)
{
    const auto trips = listOf(store.runJson({"trips", "--active"}), u"trips");
    return trips.size() == 1 ? QString::number(trips.at(0)[u"trip"].toInteger()).toStdString() : std::string("none");
}

int runProcess(const QStringList &words, QByteArray *said = nullptr)
{
    QProcess process;
    process.start(QStringLiteral(HANDRESETCTL), words);
    if (!process.waitForFinished(60'000) || process.exitStatus() != QProcess::NormalExit)
        return -1;
    if (said != nullptr)
        *said = process.readAllStandardOutput() + process.readAllStandardError();
    return process.exitCode();
}

/// The store as it was before its fleet was stopped stands in its place again: older than its mark.
void putOlderCopyBack(CtlFixture &store)
{
    QFile::copy(store.path(), store.file(QStringLiteral("old.db")));
    QCOMPARE(store.run({"stop", "--fleet"}).code, 0);
    for (const auto suffix : {"", "-wal"})
        QFile::remove(store.path() + QString::fromLatin1(suffix));
    QVERIFY(QFile::copy(store.file(QStringLiteral("old.db")), store.path()));
    QFile::setPermissions(store.path(), QFile::ReadOwner | QFile::WriteOwner);
}

} // namespace

class TestHandresetctl : public QObject {
    Q_OBJECT

private Q_SLOTS:
    // ---- Use ---------------------------------------------------------------------------------------------------
    void badUseIsTold_data()
    {
        QTest::addColumn<QByteArray>("words");
        QTest::addColumn<QByteArray>("says");
        QTest::newRow("no verb") << QByteArray("") << QByteArray("handresetctl VERB [ARGUMENTS]");
        QTest::newRow("unknown verb") << QByteArray("statsu") << QByteArray("did you mean status?");
        QTest::newRow("half a verb") << QByteArray("policy") << QByteArray("policy check, policy show, policy apply");
        QTest::newRow("wrong second word") << QByteArray("policy chekc f") << QByteArray("policy check");
        QTest::newRow("unknown option") << QByteArray("status --jsno") << QByteArray("--jsno, did you mean --json?");
        QTest::newRow("missing argument") << QByteArray("ack") << QByteArray("an argument is missing");
        QTest::newRow("too many") << QByteArray("status x") << QByteArray("one argument too many: x");
        QTest::newRow("no reason") << QByteArray("rearm 5") << QByteArray("--reason is missing");
        QTest::newRow("no such trip's form") << QByteArray("ack five") << QByteArray("a trip is a number");
        QTest::newRow("stop nobody") << QByteArray("stop") << QByteArray("--fleet");
        QTest::newRow("stop both") << QByteArray("stop billing --fleet") << QByteArray("not both");
        QTest::newRow("stop to closed") << QByteArray("stop billing --to closed")
                                        << QByteArray("--to is open or degraded");
        QTest::newRow("time without zone") << QByteArray("at 2026-11-30T02:14:07") << QByteArray("time with its zone");
        QTest::newRow("what-if without policy") << QByteArray("what-if") << QByteArray("--policy FILE");
        QTest::newRow("diagram's format")
            << QByteArray("diagram --format svg") << QByteArray("markdown, graphviz or mermaid");
        QTest::newRow("operator is not chosen") << QByteArray("ack 5 --as root") << QByteArray("unknown option --as");
    }
    void badUseIsTold()
    {
        QFETCH(QByteArray, words);
        QFETCH(QByteArray, says);
        CtlFixture store;
        QCOMPARE(store.run({"init", "--unsigned"}).code, 0);
        std::vector<std::string> line;
        for (const auto &word : words.split(' ')) {
            if (!word.isEmpty())
                line.push_back(word.toStdString());
        }
        const auto ran = store.run(line);
        QCOMPARE(ran.code, 2);
        QVERIFY2(ran.err.find(says.toStdString()) != std::string::npos, ran.err.c_str());
        QVERIFY(ran.out.empty());
    }
    void everyVerbHasHelp()
    {
        CtlFixture store;
        const auto general = store.runBare({"--help"});
        QCOMPARE(general.code, 0);
        for (const auto *verb : ctl::allVerbs()) {
            const std::string name(verb->usage.verb);
            QVERIFY2(general.says(name), name.c_str());
            auto words = name.find(' ') == std::string::npos
                ? std::vector<std::string>{name}
                : std::vector<std::string>{name.substr(0, name.find(' ')), name.substr(name.find(' ') + 1)};
            words.emplace_back("--help");
            const auto help = store.runBare(words);
            QCOMPARE(help.code, 0);
            QVERIFY2(help.says("handresetctl " + name) && help.says("--json prints one object")
                         && help.says("--store S"),
                     name.c_str());
        }
        QVERIFY(store.runBare({"--version"}).says("handresetctl 0."));
    }
    void storeMayStandAnywhere()
    {
        CtlFixture store;
        const auto path = store.path().toStdString();
        QCOMPARE(store.runBare({"--store", path, "init", "--unsigned"}).code, 0);
        const auto before = store.runBare({"--store", path, "--json", "status"});
        const auto behind = store.runBare({"status", "--json", "--store=" + path});
        QCOMPARE(before.code, 0);
        QCOMPARE(before.out, behind.out);
        QCOMPARE(before.json()[u"fleet"].toString(), QStringLiteral("fleet"));
        QCOMPARE(store.runBare({"status", "--store"}).code, 2);
        QCOMPARE(store.runBare({"status", "--store="}).code, 2);
    }

    // ---- Stores ------------------------------------------------------------------------------------------------
    void missingStoreIsUnreachable()
    {
        CtlFixture store;
        for (const std::string verb : {"status", "agents", "breakers", "trips", "queue", "events", "verify"}) {
            const auto ran = store.run({verb});
            QCOMPARE(ran.code, 3);
            QVERIFY2(ran.says("`handresetctl init` makes one"), ran.err.c_str());
        }
        const auto json = store.runJson({"status"});
        QCOMPARE(json.code, 3);
        QCOMPARE(json.json()[u"error"][u"code"].toString(), QStringLiteral("unavailable"));
        QVERIFY(!QFile::exists(store.path()));
    }
    void initTouchesNothingThatExists()
    {
        CtlFixture store;
        const auto made = store.runJson({"init", "--unsigned", "--fleet", "night shift"});
        QCOMPARE(made.code, 0);
        QVERIFY(made.json()[u"unsigned"].toBool());
        QVERIFY(!made.json()[u"recorded"].toBool());
        const auto bytes = store.storeBytes();
        QVERIFY(store.run({"init", "--unsigned"}).code != 0);
        QCOMPARE(store.storeBytes(), bytes);
        QCOMPARE(store.runJson({"status"}).json()[u"fleet"].toString(), QStringLiteral("night shift"));
    }
    void lookingWritesNothing()
    {
        CtlFixture store;
        makeSteppedTrip(store);
        const auto seq = store.runJson({"status"}).json()[u"seq"].toInteger();
        for (const std::string verb : {"status", "agents", "breakers", "trips", "queue", "events", "verify"})
            QCOMPARE(store.run({verb}).code, 0);
        QCOMPARE(store.run({"policy", "show"}).code, 0);
        QCOMPARE(store.run({"at", "1"}).code, 0);
        QCOMPARE(store.runJson({"status"}).json()[u"seq"].toInteger(), seq);
    }
    void hostedStoreIsUnreachable()
    {
        CtlFixture store;
        QCOMPARE(store.run({"init", "--unsigned"}).code, 0);
        store.live();
        QByteArray said;
        QCOMPARE(runProcess({QStringLiteral("status"), QStringLiteral("--store"), store.path()}, &said), 3);
        QVERIFY2(said.contains("another process has it open") && said.contains("does not answer here"),
                 said.constData());
        QCOMPARE(
            runProcess({QStringLiteral("stop"), QStringLiteral("--fleet"), QStringLiteral("--store"), store.path()}),
            3);
        store.leave();
        QCOMPARE(runProcess({QStringLiteral("status"), QStringLiteral("--store"), store.path()}), 0);
    }
    void newStoreMayWaitForItsFirstHost()
    {
        CtlFixture store;
        QCOMPARE(store.run({"init", "--unsigned"}).code, 0);
        store.clock.advance(rules::hours(3)); // no time was counted that could have jumped
        store.live();
        QVERIFY(store.askStep("billing", "t1").allow);
        store.leave();
        QVERIFY(store.runJson({"status"}).json()[u"clock_trusted"].toBool());
        store.clock.jumpWall(rules::hours(1));
        store.live();
        store.leave();
        QVERIFY(!store.runJson({"status"}).json()[u"clock_trusted"].toBool());
        QCOMPARE(store.run({"confirm-time", "--reason", "compared with two time servers"}).code, 0);
        QVERIFY(store.runJson({"status"}).json()[u"clock_trusted"].toBool());
    }
    void verifyTellsWhatItCompared()
    {
        CtlFixture store;
        makeSteppedTrip(store);
        const auto clean = store.runJson({"verify"});
        QCOMPARE(clean.code, 0);
        QVERIFY(clean.json()[u"clean"].toBool());
        QVERIFY(clean.json()[u"events"].toInteger() > 5);
        QCOMPARE(clean.json()[u"head_hash"].toString().size(), 64);
    }
    void backupIsAStore()
    {
        CtlFixture store;
        makeSteppedTrip(store);
        const auto seq = store.runJson({"status"}).json()[u"seq"].toInteger();
        QVERIFY(QDir(store.file({})).mkdir(QStringLiteral("copies")));
        QFile::setPermissions(store.file(QStringLiteral("copies")),
                              QFile::ReadOwner | QFile::WriteOwner | QFile::ExeOwner);
        const auto target = store.file(QStringLiteral("copies/copy.db")).toStdString();
        const auto done = store.runJson({"backup", target});
        QVERIFY2(done.code == 0, done.err.c_str());
        QCOMPARE(done.json()[u"seq"].toInteger(), seq);
        const auto status = store.runBare({"status", "--json", "--store", target});
        QVERIFY2(status.code == 0, status.err.c_str());
        QCOMPARE(status.json()[u"seq"].toInteger(), seq);
        QVERIFY(store.run({"backup", target}).code != 0);
    }
    void wordsOnAHealthyStoreAreRefused()
    {
        CtlFixture store;
        QCOMPARE(store.run({"init", "--unsigned"}).code, 0);
        for (const std::string verb : {"confirm-time", "clear-sentinel", "accept-store"}) {
            QCOMPARE(store.run({verb}).code, 2);
            QCOMPARE(store.run({verb, "--reason", "short"}).code, 4);
            const auto ran = store.run({verb, "--reason", "nothing is wrong here"});
            QVERIFY2(ran.code == 4, (verb + ": " + ran.err).c_str());
        }
    }
    void sentinelIsClearedWithAReason()
    {
        CtlFixture store;
        QCOMPARE(store.run({"init", "--unsigned"}).code, 0);
        QVERIFY(store::setSentinel(store.path(), "the disk was full").ok());
        const auto looked = store.run({"status"});
        QCOMPARE(looked.code, 0); // to look is how one finds out; it is said that everything is denied
        QVERIFY(looked.err.find("the disk was full") != std::string::npos);
        QCOMPARE(store.run({"verify"}).code, 0);
        QCOMPARE(store.run({"accept-store", "--reason", "it is not the mark that refuses"}).code, 4);
        QCOMPARE(store.run({"stop", "--fleet"}).code, 3);
        QVERIFY(store::sentinelIsSet(store.path()));
        const auto cleared = store.runJson({"clear-sentinel", "--reason", "freed 20 GB, verified"});
        QVERIFY2(cleared.code == 0, cleared.err.c_str());
        QCOMPARE(cleared.json()[u"operator"].toString(), QStringLiteral("ana"));
        QCOMPARE(store.run({"status"}).code, 0);
        // The stop could not be written then; it stands now.
        QCOMPARE(listOf(store.runJson({"trips", "--active"}), u"trips").size(), 1);
    }
    void olderStoreIsAcceptedWithAReason()
    {
        CtlFixture store;
        QCOMPARE(store.run({"init", "--unsigned"}).code, 0);
        putOlderCopyBack(store);
        QVERIFY(!QTest::currentTestFailed());
        QCOMPARE(store.run({"status"}).code, 3);
        const auto accepted = store.runJson({"accept-store", "--reason", "restored on purpose after the disk died"});
        QVERIFY2(accepted.code == 0, accepted.err.c_str());
        QCOMPARE(store.run({"status"}).code, 0);
        const auto events = listOf(store.runJson({"events", "--kind", "store_trusted"}), u"events");
        QCOMPARE(events.size(), 1);
        QCOMPARE(events.at(0)[u"is"][u"act"].toString(), QStringLiteral("accept-store"));
        QCOMPARE(store.run({"verify"}).code, 0);
    }
    void acceptanceIsInTheLogBeforeTheMarkMoves()
    {
        CtlFixture store;
        QCOMPARE(store.run({"init", "--unsigned"}).code, 0);
        putOlderCopyBack(store);
        QVERIFY(!QTest::currentTestFailed());
        QVERIFY(store::setSentinel(store.path(), "the disk was full").ok());
        QCOMPARE(store.run({"clear-sentinel", "--reason", "the older copy is still refused"}).code, 3);
        QCOMPARE(store.run({"accept-store", "--reason", "restored on purpose after the disk died"}).code, 0);
        QVERIFY(store::sentinelIsSet(store.path())); // one word does not stand for the other
        QCOMPARE(listOf(store.runJson({"events", "--kind", "store_trusted"}), u"events").size(), 1);
        QCOMPARE(store.run({"clear-sentinel", "--reason", "verified, and the disk has room"}).code, 0);
        QCOMPARE(listOf(store.runJson({"events", "--kind", "store_trusted"}), u"events").size(), 2);
        QCOMPARE(store.run({"verify"}).code, 0);
    }

    void actsOnARefusedStoreSayWhereAndWhat()
    {
        CtlFixture store;
        makeSteppedTrip(store);
        const auto trip = activeTrip(store);
        for (const bool isMissing : {false, true}) {
            if (isMissing)
                QVERIFY(QFile::remove(store.path() + QStringLiteral(".sentinel")));
            else
                QVERIFY(store::setSentinel(store.path(), "the disk was full").ok());
            for (const std::vector<std::string> &words : std::vector<std::vector<std::string>>{
                     {"ack", trip},
                     {"ack", "9999"},
                     {"queue", "take", "t1"},
                     {"queue", "take", "nosuch"},
                     {"grant", "--agent", "billing", "--task", "nosuch", "--steps", "5", "--reason", kReason},
                     {"isolate", "lookup", "--reason", kReason},
                     {"stop", "billing"}}) {
                const auto ran = store.run(words);
                QVERIFY2(ran.code == 3, (words.front() + ": " + ran.err).c_str());
                QVERIFY2(ran.err.find("clear-sentinel") != std::string::npos, ran.err.c_str());
                QVERIFY2(ran.err.find(store.path().toStdString()) != std::string::npos, ran.err.c_str());
            }
        }
    }
    void whatIsNotThereIsNotFound()
    {
        CtlFixture store;
        makeSteppedTrip(store);
        QCOMPARE(store.run({"trips", "999"}).code, 2);
        QCOMPARE(store.run({"ack", "9999"}).code, 2);
        QCOMPARE(store.run({"rearm", "9999", "--reason", kReason}).code, 2);
        QCOMPARE(store.run({"reason", "9999", "--reason", kReason}).code, 2);
        QCOMPARE(store.run({"queue", "take", "nosuch"}).code, 2);
        QCOMPARE(store.run({"policy", "show", "--matrix", "--agent", "nosuch"}).code, 2);
        QCOMPARE(store.run({"policy", "show", "--matrix", "--agent", "billing"}).code, 0);
        const auto verb = store.run({"queue", "bogus", "x"});
        QCOMPARE(verb.code, 2);
        QVERIFY2(verb.says("unknown verb \"queue bogus\"; it is one of: queue take"), verb.err.c_str());
        QVERIFY2(store.run({"bogus"}).says("unknown verb \"bogus\"; see: handresetctl --help"), "bogus");
        for (const std::vector<std::string> &words : std::vector<std::vector<std::string>>{
                 {"bogus"}, {"queue", "bogus"}, {"status", "--nonsense"}, {"ack"}, {"status", "x"}}) {
            const auto told = store.runJson(words);
            QCOMPARE(told.code, 2);
            QCOMPARE(told.json()[u"error"][u"code"].toString(), QStringLiteral("bad_input"));
            QVERIFY(!told.err.empty());
        }
        QCOMPARE(store.runBare({"--json"}).json()[u"error"][u"code"].toString(), QStringLiteral("bad_input"));
    }
    void tripsOfOtherDaysHaveTheirDate()
    {
        CtlFixture store;
        makeSteppedTrip(store);
        QVERIFY(!store.run({"trips"}).says("2026-11-30"));
        store.clock.advance(rules::hours(20));
        QVERIFY2(store.run({"trips"}).says("2026-11-30 12:00 UTC"), store.run({"trips"}).out.c_str());
    }
    void anAcknowledgedTaskStaysStopped()
    {
        CtlFixture store;
        makeSteppedTrip(store);
        const auto ran = store.run({"ack", activeTrip(store)});
        QCOMPARE(ran.code, 0);
        QVERIFY2(ran.says("task t1 stays stopped") || ran.says("billing is open now"), ran.out.c_str());
    }
    void namesOfFilesAreLookedAt()
    {
        CtlFixture store;
        QCOMPARE(store.run({"init", "--unsigned"}).code, 0);
        const auto before = store.storeBytes();
        for (const std::string name : {"", ":memory:", "file:x?mode=memory", "bad\xFFname.db"}) {
            QCOMPARE(store.run({"backup", name}).code, 2);
            QCOMPARE(store.runBare({"status", "--store", name}).code, 2);
            QCOMPARE(store.runBare({"init", "--store", name}).code, 2);
        }
        QCOMPARE(store.storeBytes(), before);
        const auto open = store.file(QStringLiteral("open"));
        QVERIFY(QDir().mkdir(open));
        QCOMPARE(chmod(QFile::encodeName(open).constData(), 0755), 0);
        const auto refused = store.run({"backup", (open + QStringLiteral("/copy.db")).toStdString()});
        QCOMPARE(refused.code, 3);
        QVERIFY2(refused.says("group or others have rights to it; set them right: chmod 700"), refused.err.c_str());
        QVERIFY(QDir(open).isEmpty());
        const auto foreign = store.runBare({"status", "--store", "/etc/passwd"});
        QCOMPARE(foreign.code, 3);
        QVERIFY2(foreign.says("no Handreset store"), foreign.err.c_str());
        CtlFixture named;
        QCOMPARE(named.run({"init", "--fleet", std::string(101, 'f')}).code, 2);
        QCOMPARE(named.run({"init", "--fleet", ""}).code, 2);
        QCOMPARE(named.run({"init", "--unsigned", "--fleet", std::string(100, 'f')}).code, 0);
    }
    void problemsAreBounded()
    {
        CtlFixture store;
        std::string text = "schema = 1\n[defaults]\nsteps = { limit = 25 }\n";
        for (int i = 0; i < 500; ++i)
            text += "unknown" + std::to_string(i) + " = 1\n";
        const auto file = store.write(QStringLiteral("many.toml"), text);
        const auto ran = store.runBare({"policy", "check", file});
        QCOMPARE(ran.code, 2);
        QVERIFY2(ran.says("and 450 more\n"), ran.out.c_str());
        QVERIFY(std::ranges::count(ran.out, '\n') < 60);
        const auto json = store.runBare({"policy", "check", file, "--json"}).json();
        QCOMPARE(json[u"problems"].toArray().size(), 50);
        QCOMPARE(json[u"errors"].toInt(), 500);
    }

    // ---- Policy ------------------------------------------------------------------------------------------------
    void policyComesIntoForce()
    {
        CtlFixture store;
        QCOMPARE(store.run({"init", "--unsigned"}).code, 0);
        QVERIFY(store.run({"policy", "show"}).says("built-in"));
        const auto file = store.write(QStringLiteral("p.toml"), kPolicy);
        QCOMPARE(store.run({"policy", "apply", file}).code, 2);
        const auto applied = store.runJson({"policy", "apply", "--reason", kReason, file});
        QVERIFY2(applied.code == 0, applied.err.c_str());
        QCOMPARE(applied.json()[u"version"].toInt(), 1);
        QVERIFY(applied.json()[u"loosens"].toBool()); // a tool that counted as one that writes is one that reads now
        QVERIFY(!listOf(applied, u"changes").isEmpty());
        QCOMPARE(store.run({"policy", "show", "--agent", "billing"}).code, 2); // no policy names it, and it never asked
        const auto shown = store.runJson({"policy", "show"});
        QCOMPARE(shown.json()[u"text"].toString(), QString::fromLatin1(kPolicy));
        QCOMPARE(listOf(shown, u"matrix").size(), 5);
        QVERIFY(store.run({"policy", "show", "--matrix"}).says("2 steps"));
        const auto events = listOf(store.runJson({"events", "--kind", "policy_applied"}), u"events");
        QCOMPARE(events.size(), 1);
        QCOMPARE(events.at(0)[u"is"][u"reason"].toString(), QString::fromLatin1(kReason));
        QCOMPARE(store.run({"verify"}).code, 0);
    }
    void warningsAloneAreAccepted()
    {
        CtlFixture store;
        const auto file = store.write(QStringLiteral("w.toml"), "schema = 1\n[defaults]\nsteps = { limit = 25 }\n");
        const auto checked = store.runBare({"policy", "check", file, "--json"});
        QCOMPARE(checked.code, 0);
        QVERIFY(checked.json()[u"accepted"].toBool());
        QVERIFY(checked.json()[u"warnings"].toInt() > 0);
        QCOMPARE(checked.json()[u"errors"].toInt(), 0);
    }
    void examplePoliciesAreAccepted()
    {
        CtlFixture store;
        for (const auto name : {"billing", "starter"}) {
            const auto file = std::string(HANDRESET_SOURCE_DIR "/resources/policies/") + name + ".toml";
            const auto checked = store.runBare({"policy", "check", file});
            QVERIFY2(checked.code == 0, checked.out.c_str());
        }
    }
    void everyBadPolicyIsRefused_data()
    {
        QTest::addColumn<QString>("file");
        QDirIterator files(QStringLiteral(HANDRESET_SOURCE_DIR "/tests/data/policies/bad"), {QStringLiteral("*.toml")});
        int count = 0;
        for (; files.hasNext(); ++count) {
            const auto file = files.next();
            QTest::newRow(qPrintable(files.fileName())) << file;
        }
        QVERIFY(count >= 60);
    }
    void everyBadPolicyIsRefused()
    {
        QFETCH(QString, file);
        static CtlFixture store; // one for all rows: refused is refused
        if (!QFile::exists(store.path()))
            QCOMPARE(store.run({"init", "--unsigned"}).code, 0);
        const auto bytes = store.storeBytes();
        const auto path = file.toStdString();
        const auto checked = store.runBare({"policy", "check", path, "--json"});
        QCOMPARE(checked.code, 2);
        QVERIFY(!checked.json()[u"accepted"].toBool());
        const auto problems = listOf(checked, u"problems");
        QVERIFY(!problems.isEmpty());
        for (const auto &problem : problems) {
            QCOMPARE(problem[u"file"].toString(), file);
            QVERIFY(problem[u"line"].toInt() >= 1 && problem[u"column"].toInt() >= 1);
            QVERIFY(!problem[u"message"].toString().isEmpty() && !problem[u"remedy"].toString().isEmpty());
        }
        const auto applied = store.run({"policy", "apply", path, "--reason", kReason});
        QCOMPARE(applied.code, 2);
        QVERIFY2(applied.says(path + ":"), applied.out.c_str());
        QCOMPARE(store.storeBytes(), bytes);
    }
    void badPolicyEndsTheProcessWith2()
    {
        CtlFixture store;
        QCOMPARE(store.run({"init", "--unsigned"}).code, 0);
        const auto bytes = store.storeBytes();
        const auto file = QStringLiteral(HANDRESET_SOURCE_DIR "/tests/data/policies/bad/steps_rearm_auto.toml");
        QByteArray said;
        QCOMPARE(runProcess({QStringLiteral("policy"), QStringLiteral("apply"), file, QStringLiteral("--reason"),
                             QStringLiteral("no reason will do"), QStringLiteral("--store"), store.path()},
                            &said),
                 2);
        QVERIFY2(said.contains(file.toUtf8() + ':'), said.constData());
        QCOMPARE(store.storeBytes(), bytes);
    }

    // ---- Acts --------------------------------------------------------------------------------------------------
    void tripIsAcknowledgedAndRearmed()
    {
        CtlFixture store;
        makeSteppedTrip(store);
        const auto trip = activeTrip(store);
        QVERIFY(trip != "none");
        QCOMPARE(store.run({"rearm", trip, "--reason", "it was one slow invoice", "--grant", "3"}).code, 4); // not seen
        QCOMPARE(store.run({"ack", trip}).code, 0);
        QCOMPARE(store.run({"ack", trip}).code, 4);
        const auto shown = store.runJson({"trips", trip});
        QCOMPARE(shown.json()[u"acknowledged_by"].toString(), QStringLiteral("ana"));
        QCOMPARE(store.run({"rearm", trip, "--reason", "too short"}).code, 4);
        QCOMPARE(store.run({"rearm", trip, "--reason", "it was one slow invoice"}).code, 4); // no grant
        QCOMPARE(store.run({"rearm", trip, "--reason", "it was one slow invoice", "--grant", "5.00 USD"}).code, 2);
        const auto revision = shown.json()[u"revision"].toInteger();
        const auto stale = store.run({"rearm", trip, "--reason", "it was one slow invoice", "--grant", "3",
                                      "--revision", std::to_string(revision + 1000)});
        QCOMPARE(stale.code, 4);
        QVERIFY2(stale.says("nothing was written"), stale.err.c_str());
        const auto now = store.runJson({"trips", trip}).json()[u"revision"].toInteger();
        const auto done
            = store.runJson({"rearm", trip, "--reason", "it was one slow invoice", "--cause", "wrong limit", "--grant",
                             "3", "--to", "closed", "--queue", "resume", "--revision", std::to_string(now)});
        QVERIFY2(done.code == 0, done.err.c_str());
        QCOMPARE(done.json()[u"operator"].toString(), QStringLiteral("ana"));
        QVERIFY(done.json()[u"revision"].toInteger() > now);
        QVERIFY(listOf(store.runJson({"trips", "--active"}), u"trips").isEmpty());
        const auto events = listOf(store.runJson({"events", "--kind", "trip_rearmed"}), u"events");
        QCOMPARE(events.size(), 1);
        QCOMPARE(events.at(0)[u"is"][u"reason"].toString(), QStringLiteral("it was one slow invoice"));
        QCOMPARE(events.at(0)[u"is"][u"cause"].toString(), QStringLiteral("wrong limit"));
        QVERIFY(listOf(store.runJson({"events", "--kind", "act_refused", "--agent", "billing"}), u"events").size()
                >= 4);
        store.live();
        QVERIFY(store.askStep("billing", "t1").allow);
        store.leave();
        QCOMPARE(store.run({"rearm", trip, "--reason", "once more for good luck"}).code, 4); // it is over
        QCOMPARE(store.run({"rearm", "999999", "--reason", "nobody knows it at all"}).code, 2);
        QCOMPARE(store.run({"verify"}).code, 0);
    }
    void probationIsLiftedByASecondRearm()
    {
        CtlFixture store;
        makeSteppedTrip(store);
        const auto trip = activeTrip(store);
        QCOMPARE(store.run({"ack", trip}).code, 0);
        const auto done = store.run({"rearm", trip, "--reason", "let it write its diagnosis", "--grant", "2"});
        QVERIFY2(done.code == 0 && done.says("probation"), (done.out + done.err).c_str());
        const auto probation = activeTrip(store);
        QVERIFY(probation != "none" && probation != trip);
        QCOMPARE(store.runJson({"trips", probation}).json()[u"signal"].toString(), QStringLiteral("probation"));
        QCOMPARE(store.run({"ack", probation}).code, 0);
        QCOMPARE(store.run({"rearm", probation, "--reason", "it behaves well again", "--to", "closed"}).code, 0);
        QCOMPARE(activeTrip(store), std::string("none"));
    }
    void stopReachesTheVeryNextAsk()
    {
        CtlFixture store;
        makeSteppedTrip(store);
        QCOMPARE(store.run({"stop", "nobody"}).code, 2);
        const auto stopped = store.runJson({"stop", "billing", "--to", "degraded"});
        QVERIFY2(stopped.code == 0, stopped.err.c_str());
        QCOMPARE(stopped.json()[u"rung"].toString(), QStringLiteral("degraded"));
        const auto trip = QString::number(stopped.json()[u"trip"].toInteger()).toStdString();
        QCOMPARE(store.run({"reason", trip, "--reason", "it talks to a strange host"}).code, 0);
        QCOMPARE(store.runJson({"trips", trip}).json()[u"reason"].toString(),
                 QStringLiteral("it talks to a strange host"));
        QVERIFY(store.run({"stop", "billing"}).says("Stopped billing: open"));
        const auto agents = listOf(store.runJson({"agents"}), u"agents");
        QCOMPARE(agents.at(0)[u"rung"].toString(), QStringLiteral("open"));
        QCOMPARE(agents.at(0)[u"active_trips"].toArray().size(), 3);
        QCOMPARE(store.run({"stop", "--fleet", "--reason", "the provider was breached"}).code, 0);
        store.live();
        QVERIFY(!store.askStep("support", "s1").allow);
        store.leave();
    }
    void breakersAreMovedByHand()
    {
        CtlFixture store;
        QCOMPARE(store.run({"init", "--unsigned"}).code, 0);
        store.live();
        QVERIFY(store.askCall("booking", "b1", "book_room", "{\"room\": 7}").allow);
        store.leave();
        QCOMPARE(store.run({"isolate", "no_such_tool", "--reason", "it does not exist"}).code, 2);
        QCOMPARE(store.run({"isolate", "book_room"}).code, 2);
        QCOMPARE(store.run({"release", "book_room", "--reason", "it is not isolated"}).code, 4);
        const auto isolated = store.runJson({"isolate", "book_room", "--reason", "maintenance tonight"});
        QVERIFY2(isolated.code == 0, isolated.err.c_str());
        QCOMPARE(isolated.json()[u"state"].toString(), QStringLiteral("OPEN"));
        QCOMPARE(store.run({"reset", "book_room", "--reason", "isolated ones do not reset"}).code, 4);
        const auto breakers = listOf(store.runJson({"breakers"}), u"breakers");
        QCOMPARE(breakers.size(), 1);
        QCOMPARE(breakers.at(0)[u"isolated_by"].toString(), QStringLiteral("ana"));
        QVERIFY(store.run({"breakers"}).says("OPEN, isolated"));
        QCOMPARE(store.runJson({"release", "book_room", "--reason", "maintenance is over"}).json()[u"state"].toString(),
                 QStringLiteral("HALF_OPEN"));
        QCOMPARE(store.runJson({"reset", "book_room", "--reason", "it answers again"}).json()[u"state"].toString(),
                 QStringLiteral("CLOSED"));
        QCOMPARE(store.run({"probe", "book_room", "--reason", "nothing is open"}).code, 4);
    }
    void queuedTasksAreTakenAndAbandoned()
    {
        CtlFixture store;
        makeSteppedTrip(store);
        const auto queue = listOf(store.runJson({"queue"}), u"queue");
        QCOMPARE(queue.size(), 1);
        QCOMPARE(queue.at(0)[u"task"].toString(), QStringLiteral("t1"));
        QVERIFY(queue.at(0)[u"waiting"].toBool());
        QCOMPARE(store.run({"queue", "take", "other"}).code, 2);
        QCOMPARE(store.run({"queue", "resume", "t1"}).code, 4); // its switch is open
        QCOMPARE(store.run({"queue", "take", "t1"}).code, 0);
        QCOMPARE(listOf(store.runJson({"queue"}), u"queue").at(0)[u"owner"].toString(), QStringLiteral("ana"));
        QCOMPARE(store.run({"queue", "return", "t1", "--agent", "billing"}).code, 0);
        const auto done = store.runJson({"queue", "abandon", "t1", "--reason", "a colleague did it by hand"});
        QCOMPARE(done.code, 0);
        QCOMPARE(done.json()[u"verb"].toString(), QStringLiteral("abandon"));
        QVERIFY(store.run({"queue"}).says("The queue is empty."));
    }
    void grantsRaiseALimit()
    {
        CtlFixture store;
        makeSteppedTrip(store);
        QCOMPARE(store.run({"grant", "--reason", "nothing is named"}).code, 2);
        QCOMPARE(store.run({"grant", "--agent", "billing", "--task", "no", "--steps", "2", "--reason", "no such"}).code,
                 2);
        QCOMPARE(
            store.run({"grant", "--agent", "billing", "--task", "t1", "--steps", "2", "--reason", "two more"}).code, 0);
        QCOMPARE(listOf(store.runJson({"events", "--kind", "granted"}), u"events").size(), 1);
    }

    // ---- The log -----------------------------------------------------------------------------------------------
    void stateIsTheSameAsOfItsEnd()
    {
        CtlFixture store;
        makeSteppedTrip(store);
        const auto seq = store.runJson({"status"}).json()[u"seq"].toInteger();
        const auto end = store.runJson({"at", std::to_string(seq)});
        QCOMPARE(end.code, 0);
        QCOMPARE(listOf(end, u"agents"), listOf(store.runJson({"agents"}), u"agents"));
        QCOMPARE(end.json()[u"seq"].toInteger(), seq);
        QCOMPARE(end.json()[u"state_sha256"].toString().size(), 64);
        const auto first = store.runJson({"at", "1"});
        QVERIFY(listOf(first, u"agents").isEmpty());
        QVERIFY(first.json()[u"state_sha256"].toString() != end.json()[u"state_sha256"].toString());
        const auto time = end.json()[u"rule_time"].toString().toStdString();
        QCOMPARE(store.runJson({"at", time}).json()[u"seq"].toInteger(), seq);
        QCOMPARE(store.run({"at", std::to_string(seq + 1)}).code, 2);
        QCOMPARE(store.run({"at", "0"}).code, 2);
        QCOMPARE(store.run({"at", "2001-01-01T00:00:00Z"}).code, 2);
        QVERIFY(store.run({"at", "1"}).says("As of event 1, "));
    }
    void eventsAreChosen()
    {
        CtlFixture store;
        makeSteppedTrip(store);
        const auto all = store.runJson({"events", "--last", "1000"});
        const auto events = listOf(all, u"events");
        const auto last = all.json()[u"last_seq"].toInteger();
        QCOMPARE(events.size(), last);
        for (int i = 0; i < events.size(); ++i)
            QCOMPARE(events[i][u"seq"].toInteger(), i + 1);
        QCOMPARE(events.at(0)[u"kind"].toString(), QStringLiteral("store_created"));
        const auto two = listOf(store.runJson({"events", "--last", "2"}), u"events");
        QCOMPARE(two.size(), 2);
        QCOMPARE(two.at(two.size() - 1)[u"seq"].toInteger(), last);
        const auto since = listOf(store.runJson({"events", "--since", std::to_string(last - 3)}), u"events");
        QCOMPARE(since.size(), 3);
        QCOMPARE(since.at(0)[u"seq"].toInteger(), last - 2);
        QCOMPARE(listOf(store.runJson({"events", "--kind", "step_asked", "--agent", "billing"}), u"events").size(), 3);
        QCOMPARE(store.run({"events", "--kind", "nonsense"}).code, 2);
        QCOMPARE(store.run({"events", "--agent", "nobody"}).code, 2);
        QVERIFY(store.run({"events"}).says("trip"));
    }
    void hostileNamesCannotReachTheTerminal()
    {
        CtlFixture store;
        QCOMPARE(store.run({"init", "--unsigned"}).code, 0);
        const std::string name = "pay\xE2\x80\xAE"
                                 "gnillib\x1B[2J\x07\r\nfake: all is well";
        store.live();
        QVERIFY(store.askCall(name, "t\x1B]0;x\x07", "tool\x1B[31m", "{}").allow);
        QVERIFY(store.askCall(name, "t\x1B]0;x\x07", "tool\x1B[31m", "{}").allow);
        QVERIFY(!store.askCall(name, "t\x1B]0;x\x07", "tool\x1B[31m", "{}").allow);
        store.leave();
        for (const std::vector<std::string> &words : std::vector<std::vector<std::string>>{{"agents"},
                                                                                           {"trips"},
                                                                                           {"breakers"},
                                                                                           {"queue"},
                                                                                           {"events"},
                                                                                           {"at", "5"},
                                                                                           {"stop", name},
                                                                                           {"stop", name + "\x1B"}}) {
            const auto ran = store.run(words);
            const auto said = ran.out + ran.err;
            QVERIFY2(said.find('\x1B') == std::string::npos, words.front().c_str());
            QVERIFY2(said.find('\x07') == std::string::npos && said.find('\r') == std::string::npos,
                     words.front().c_str());
            QVERIFY2(said.find("\xE2\x80\xAE") == std::string::npos, words.front().c_str());
            QVERIFY2(said.find("\nfake") == std::string::npos, words.front().c_str());
        }
        QVERIFY(store.run({"agents"}).says("\xE2\x9F\xA8U+202E\xE2\x9F\xA9"));
        for (const std::string verb : {"agents", "trips", "events"}) {
            const auto json = store.runJson({verb});
            QVERIFY(json.out.find("\xE2\x80\xAE") == std::string::npos
                    && json.out.find("\\u202e") != std::string::npos);
        }
        const auto agents = listOf(store.runJson({"agents"}), u"agents");
        QCOMPARE(agents.at(0)[u"name"].toString().toStdString(), name); // machines get it as it is
    }

    // ---- Recorded runs -----------------------------------------------------------------------------------------
    void recordedRunsGoIntoTheirOwnKindOfStore()
    {
        CtlFixture store;
        QCOMPARE(store.run({"init", "--unsigned"}).code, 0);
        const auto runs = store.write(QStringLiteral("runs.ndjson"),
                                      "{\"ts\":1767225600000000,\"agent\":\"a\",\"task\":\"t\",\"kind\":\"model_call\","
                                      "\"cost_usd\":0.25,\"tokens_in\":100,"
                                      "\"tokens_out\":20}\n"
                                      "{\"ts\":1767225601000000,\"agent\":\"a\",\"task\":\"t\",\"kind\":\"tool_call\","
                                      "\"tool\":\"look\",\"args\":{}}\n"
                                      "{\"ts\":1767225602000000,\"agent\":\"a\",\"task\":\"t\",\"kind\":\"tool_"
                                      "result\",\"tool\":\"look\",\"ok\":true}\n");
        const auto refused = store.run({"import", runs});
        QCOMPARE(refused.code, 4);
        QVERIFY2(refused.says("init --recorded"), refused.err.c_str());

        CtlFixture recorded;
        QVERIFY(recorded.runJson({"init", "--recorded"}).json()[u"recorded"].toBool());
        const auto bad = recorded.write(QStringLiteral("bad.ndjson"), "{\"ts\":1,\"agent\":\"a\"}\n");
        const auto seq = recorded.runJson({"status"}).json()[u"seq"].toInteger();
        const auto wrong = recorded.run({"import", runs, bad});
        QCOMPARE(wrong.code, 2);
        QCOMPARE(recorded.runJson({"status"}).json()[u"seq"].toInteger(), seq);
        QCOMPARE(recorded.run({"import", "/nowhere.ndjson"}).code, 2);
        const auto imported = recorded.runJson({"import", runs});
        QVERIFY2(imported.code == 0, imported.err.c_str());
        QCOMPARE(imported.json()[u"lines"].toInt(), 3);
        const auto agents = listOf(recorded.runJson({"agents"}), u"agents");
        const auto agent = agents.first().toObject();
        QCOMPARE(agent[u"name"].toString(), QStringLiteral("a"));
        QCOMPARE(agent[u"cost"].toString(), QStringLiteral("0.25"));
        QCOMPARE(agent[u"tokens_in"].toInt(), 100);
        QCOMPARE(agent[u"steps"].toInt(), 1);
        QCOMPARE(agent[u"calls"].toInt(), 1);
        QCOMPARE(recorded.run({"verify"}).code, 0);
    }
    void whatIfAgreesWithTheAnswers()
    {
        const auto runs = tests::sharedFile(QStringLiteral("data/runs/taubench_airline.ndjson.gz"));
        const auto policy = tests::sharedFile(QStringLiteral("data/policy/airline.toml"));
        const auto answers = tests::sharedFile(QStringLiteral("data/expected/taubench_airline.json"));
        if (runs.isEmpty() || policy.isEmpty() || answers.isEmpty())
            QSKIP("the recorded runs are not here; HANDRESET_SHARED names their folder");
        CtlFixture store;
        const auto ran
            = store.runBare({"what-if", "--observe", "--policy", policy.toStdString(), "--json", runs.toStdString()});
        QVERIFY2(ran.code == 0, ran.err.c_str());
        QFile file(answers);
        QVERIFY(file.open(QIODevice::ReadOnly));
        QCOMPARE(ran.json(), QJsonDocument::fromJson(file.readAll()).object());
    }
    void importedCostsAreTheFilesOwn()
    {
        const auto runs = tests::sharedFile(QStringLiteral("data/runs/anyagent_cost.ndjson.gz"));
        if (runs.isEmpty())
            QSKIP("the recorded runs are not here; HANDRESET_SHARED names their folder");
        CtlFixture store;
        QCOMPARE(store.run({"init", "--recorded"}).code, 0);
        QCOMPARE(store.run({"import", runs.toStdString()}).code, 0);
        const auto agents = listOf(store.runJson({"agents"}), u"agents");
        QCOMPARE(agents.size(), 7);
        for (const auto &agent : agents) {
            QVERIFY(agent[u"tokens_in"].toInteger() > 0);
            QVERIFY(rules::Decimal::parse(agent[u"cost"].toString().toStdString()).has_value());
        }
        QCOMPARE(store.run({"verify"}).code, 0);
    }
    void whatIfReadsTheStoresOwnLog()
    {
        CtlFixture store;
        makeSteppedTrip(store);
        const auto file = store.file(QStringLiteral("p.toml")).toStdString();
        const auto ran = store.runJson({"what-if", "--observe", "--policy", file});
        QVERIFY2(ran.code == 0, ran.err.c_str());
        QCOMPARE(ran.json()[u"counts"][u"steps"].toInt(), 1);
        const auto bad
            = QStringLiteral(HANDRESET_SOURCE_DIR "/tests/data/policies/bad/steps_missing.toml").toStdString();
        QCOMPARE(store.run({"what-if", "--policy", bad}).code, 2);
        QCOMPARE(store.run({"what-if", "--policy", file, "--group", "nonsense"}).code, 2);
        for (const std::string group : {"g: a~=x", "g: a==x", "g: a>=3", "g: =x", ": a=x", "g:"})
            QCOMPARE(store.run({"what-if", "--policy", file, "--group", group}).code, 2);
        QCOMPARE(store.run({"what-if", "--policy", file, "--group", "g: a=x", "--group", "g: b=x"}).code, 2);
        QCOMPARE(store.run({"what-if", "--policy", file, "--first", "100", "--last", "50"}).code, 2);
        const auto ofFile = store.run({"what-if", "--policy", file, "--first", "5", "runs.ndjson"});
        QCOMPARE(ofFile.code, 2);
        QVERIFY2(ofFile.says("the store's own log"), ofFile.err.c_str());
        QCOMPARE(store.run({"what-if", "--policy", file, "--sweep", "1", "f"}).code, 2);
    }

    void whatIfReadsPipes()
    {
        CtlFixture store;
        const auto policy = store.write(QStringLiteral("p.toml"), kPolicy);
        const auto pipe = store.file(QStringLiteral("pipe"));
        QCOMPARE(mkfifo(QFile::encodeName(pipe).constData(), 0600), 0);
        std::thread writer([&] {
            QFile out(pipe);
            if (!out.open(QIODevice::WriteOnly))
                qFatal("the pipe cannot be opened");
            for (int i = 0; i < 3; ++i)
                out.write("{\"ts\":null,\"agent\":\"a\",\"task\":\"t\",\"kind\":\"model_call\",\"odd\":1}\n");
        });
        const auto ran = store.runBare({"what-if", "--policy", policy, "--json", pipe.toStdString()});
        writer.join();
        QVERIFY2(ran.code == 0, ran.err.c_str());
        QVERIFY2(ran.err.find("is a pipe") != std::string::npos, ran.err.c_str());
        QCOMPARE(ran.json()[u"events"].toInt(), 3);
        QCOMPARE(ran.json()[u"trips"][u"t"][u"steps"].toInt(), 2);
        QCOMPARE(ran.json()[u"unknown_fields"][u"odd"].toInt(), 3);
        CtlFixture recorded;
        QCOMPARE(recorded.run({"init", "--recorded"}).code, 0);
        const auto refused = recorded.run({"import", pipe.toStdString()});
        QCOMPARE(refused.code, 2);
        QVERIFY2(refused.says("no plain file"), refused.err.c_str());
    }

    // ---- Learning ----------------------------------------------------------------------------------------------
    void lessonTellsTheReferenceRun()
    {
        CtlFixture store;
        const auto ran = store.runBare({"lesson", "--json"});
        QCOMPARE(ran.code, 0);
        const auto reference = ran.json()[u"reference"].toObject();
        QCOMPARE(reference[u"real_calls"].toInt(), 11);
        struct Fact {
            const char *before;
            const char *after;
            int count;
            const char *outcome;
            int realCalls;
        };
        const auto compare = [](const QJsonArray &runs, const std::vector<Fact> &facts) {
            QCOMPARE(runs.size(), static_cast<qsizetype>(facts.size()));
            for (std::size_t i = 0; i < facts.size(); ++i) {
                const auto run = runs[static_cast<qsizetype>(i)].toObject();
                QCOMPARE(run[u"run"].toInt(), static_cast<int>(i + 1));
                QCOMPARE(run[u"before"].toString(), QString::fromLatin1(facts[i].before));
                QCOMPARE(run[u"after"].toString(), QString::fromLatin1(facts[i].after));
                QCOMPARE(run[u"failure_count"].toInt(), facts[i].count);
                QCOMPARE(run[u"outcome"].toString(), QString::fromLatin1(facts[i].outcome));
                QCOMPARE(run[u"real_calls"].toInt(), facts[i].realCalls);
            }
        };
        compare(reference[u"runs"].toArray(),
                {{"CLOSED", "CLOSED", 1, "failed", 3},
                 {"CLOSED", "CLOSED", 2, "failed", 3},
                 {"CLOSED", "OPEN", 3, "failed", 3},
                 {"OPEN", "OPEN", 3, "rejected", 0},
                 {"OPEN", "OPEN", 3, "rejected", 0},
                 {"OPEN", "CLOSED", 0, "ok", 1},
                 {"CLOSED", "CLOSED", 0, "ok", 1}});
        const auto strict = ran.json()[u"strict"][u"runs"].toArray();
        QCOMPARE(strict.size(), 4);
        for (int i = 0; i < 4; ++i) {
            QCOMPARE(strict[i][u"outcome"].toString(), QString::fromLatin1(i % 2 == 0 ? "failed" : "rejected"));
            QCOMPARE(strict[i][u"after"].toString(), QStringLiteral("OPEN"));
        }
        QVERIFY(store.runBare({"lesson"}).says("11"));
    }
    void diagramsComeInThreeForms()
    {
        CtlFixture store;
        QVERIFY(store.runBare({"diagram"}).says("HALF_OPEN"));
        QVERIFY(store.runBare({"diagram", "--format", "graphviz", "--machine", "breaker"}).out.starts_with("digraph"));
        QVERIFY(store.runBare({"diagram", "--format=mermaid", "--machine=latch"}).says("stateDiagram-v2"));
        const auto json = store.runBare({"diagram", "--json"}).json();
        QVERIFY(!json[u"breaker"].toString().isEmpty() && !json[u"latch"].toString().isEmpty());
    }
    void demoPlaysInNobodyElsesStore()
    {
        CtlFixture recorded;
        QCOMPARE(recorded.run({"init", "--recorded"}).code, 0);
        const auto inRecorded = recorded.run({"demo", "--demo-speed", "1000", "--until", "1"});
        QCOMPARE(inRecorded.code, 4);
        QVERIFY2(inRecorded.says("init --unsigned --fleet demo"), inRecorded.err.c_str());

        CtlFixture real;
        makeSteppedTrip(real); // a policy of its own
        const auto seq = real.runJson({"status"}).json()[u"agents"].toInteger();
        const auto refused = real.run({"demo", "--demo-speed", "1000", "--until", "1"});
        QCOMPARE(refused.code, 4);
        QVERIFY2(refused.says("not the demo's"), refused.err.c_str());
        QCOMPARE(real.runJson({"status"}).json()[u"agents"].toInteger(), seq);

        CtlFixture strangers;
        QCOMPARE(strangers.run({"init", "--unsigned"}).code, 0);
        strangers.live();
        QVERIFY(strangers.askStep("payroll", "t").allow);
        strangers.leave();
        QCOMPARE(strangers.run({"demo", "--demo-speed", "1000", "--until", "1"}).code, 4);

        CtlFixture own;
        QCOMPARE(own.run({"init", "--unsigned", "--fleet", "demo"}).code, 0);
        QCOMPARE(own.run({"demo", "--demo-speed", "1000", "--until", "1"}).code, 0);
        QCOMPARE(own.run({"demo", "--demo-speed", "1000", "--until", "1"}).code, 0); // and again
    }
    void demoSaysThatItsStoreFails()
    {
        CtlFixture store;
        QCOMPARE(store.run({"init", "--unsigned", "--fleet", "demo"}).code, 0);
        QVERIFY(store::setSentinel(store.path(), "the disk was full").ok());
        const auto ran = store.run({"demo", "--demo-speed", "1000", "--until", "1"});
        QCOMPARE(ran.code, 3);
        QVERIFY2(ran.err.find("the disk was full") != std::string::npos, ran.err.c_str());
        QVERIFY2(ran.err.find("clear-sentinel") != std::string::npos, ran.err.c_str());

        CtlFixture full; // its disk takes no more when the play has begun
        QCOMPARE(full.run({"init", "--unsigned", "--fleet", "demo"}).code, 0);
        QProcess process;
        process.start(QStringLiteral("sh"),
                      {QStringLiteral("-c"),
                       QStringLiteral("ulimit -f 2000; trap '' XFSZ; exec \"$0\" demo --demo-speed 1000 --store \"$1\""),
                       QStringLiteral(HANDRESETCTL), full.path()});
        QVERIFY(process.waitForFinished(60'000));
        QCOMPARE(process.exitCode(), 3);
        const auto said = process.readAllStandardError();
        QVERIFY2(said.contains("the demo ended early: The store could not be written"), said.constData());
    }
    void demoPlaysOnAStoreOfItsOwn()
    {
        QByteArray said;
        QCOMPARE(runProcess({QStringLiteral("demo"), QStringLiteral("--demo-speed"), QStringLiteral("100"),
                             QStringLiteral("--until"), QStringLiteral("20"), QStringLiteral("--json")},
                            &said),
                 0);
        const auto told = QJsonDocument::fromJson(said).object();
        QVERIFY2(told[u"events"].toInt() > 20, said.constData());
        QVERIFY(told[u"agents"].toInt() >= 2);
        QVERIFY(told[u"store"].toString().isEmpty());
        CtlFixture store;
        QCOMPARE(store.runBare({"demo", "--demo-speed", "0"}).code, 2);
        QCOMPARE(store.runBare({"demo", "--demo-speed", "nan"}).code, 2);
    }
};

QTEST_GUILESS_MAIN(TestHandresetctl)
#include "tst_handresetctl.moc"
