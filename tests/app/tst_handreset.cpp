// The desk as a program: its exit codes, what it refuses to touch, and how it ends.
#include <QDeadlineTimer>
#include <QDir>
#include <QFileInfo>
#include <QImage>
#include <QProcess>
#include <QTemporaryDir>
#include <QTest>

class TestHandreset : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void helpNeedsNoDisplay();
    void withoutADisplayItSaysSo();
    void wrongUse_data();
    void wrongUse();
    void aMissingStoreIsNotMade();
    void theDemoKeepsOutOfAUsersStore();
    void aStoreThatIsHostedIsFollowed();
    void aGatesStoreIsNotTaken();
    void aHostThatDoesNotAnswerIsSaid();
    void aSignalEndsItCleanly();
    void picturesAreOfThePassingDemo();
};

namespace {

constexpr int kLong = 60'000;

QProcessEnvironment environment(const QString &platform)
{
    auto environment = QProcessEnvironment::systemEnvironment();
    for (const auto *name : {"DISPLAY", "WAYLAND_DISPLAY", "QT_QPA_PLATFORM"})
        environment.remove(QLatin1String(name));
    if (!platform.isEmpty())
        environment.insert(QStringLiteral("QT_QPA_PLATFORM"), platform);
    return environment;
}

struct Ran {
    int code = -1;
    QString out;
    QString err;
};

Ran runDesk(const QStringList &arguments, const QString &platform)
{
    QProcess desk;
    desk.setProcessEnvironment(environment(platform));
    desk.start(QStringLiteral(HANDRESET), arguments);
    if (!desk.waitForFinished(kLong))
        return {};
    return {desk.exitStatus() == QProcess::NormalExit ? desk.exitCode() : -1,
            QString::fromUtf8(desk.readAllStandardOutput()), QString::fromUtf8(desk.readAllStandardError())};
}

void makeStore(const QString &path)
{
    QCOMPARE(QProcess::execute(QStringLiteral(HANDRESETCTL),
                               {QStringLiteral("init"), QStringLiteral("--unsigned"), QStringLiteral("--store"), path}),
             0);
}

/// A desk that runs, and what it has said so far.
struct Desk {
    explicit Desk(const QStringList &arguments)
    {
        process.setProcessEnvironment(environment(QStringLiteral("offscreen")));
        process.setProcessChannelMode(QProcess::MergedChannels);
        process.start(QStringLiteral(HANDRESET), arguments);
    }
    [[nodiscard]] bool says(const char *words)
    {
        for (QDeadlineTimer due(kLong); !told.contains(words) && !due.hasExpired();) {
            process.waitForReadyRead(50);
            told += process.readAll();
        }
        return told.contains(words);
    }
    void end()
    {
        process.terminate();
        QVERIFY(process.waitForFinished(kLong));
    }
    QProcess process;
    QByteArray told;
};

} // namespace

void TestHandreset::helpNeedsNoDisplay()
{
    const auto ran = runDesk({QStringLiteral("--help")}, {});
    QCOMPARE(ran.code, 0);
    QVERIFY(ran.out.contains(QStringLiteral("--demo-speed")));
}

void TestHandreset::withoutADisplayItSaysSo()
{
    const auto ran = runDesk({QStringLiteral("--demo")}, {});
    QCOMPARE(ran.code, 3);
    QVERIFY2(ran.err.contains(QStringLiteral("handresetctl")), qPrintable(ran.err));
}

void TestHandreset::wrongUse_data()
{
    QTest::addColumn<QStringList>("arguments");
    QTest::newRow("unknown") << QStringList{QStringLiteral("--nonsense")};
    QTest::newRow("speed") << QStringList{QStringLiteral("--demo"), QStringLiteral("--demo-speed"), QStringLiteral("0")};
    QTest::newRow("size") << QStringList{QStringLiteral("--size"), QStringLiteral("10x10")};
    QTest::newRow("a store on another machine")
        << QStringList{QStringLiteral("--connect"), QStringLiteral("host.example"), QStringLiteral("--store"),
                       QStringLiteral("/nowhere/fleet.db")};
    QTest::newRow("no address") << QStringList{QStringLiteral("--connect"), QStringLiteral("host.example:nothing")};
    QTest::newRow("no fingerprint") << QStringList{QStringLiteral("--connect"), QStringLiteral("host.example"),
                                                   QStringLiteral("--fingerprint"), QStringLiteral("AB:CD")};
    QTest::newRow("a fingerprint of nobody") << QStringList{QStringLiteral("--fingerprint"), QStringLiteral("AB:CD")};
    QTest::newRow("pictures of a store") << QStringList{QStringLiteral("--screenshots"), QStringLiteral("/nowhere"),
                                                        QStringLiteral("--store"), QStringLiteral("/nowhere/fleet.db")};
}

void TestHandreset::wrongUse()
{
    QFETCH(QStringList, arguments);
    const auto ran = runDesk(arguments, QStringLiteral("offscreen"));
    QCOMPARE(ran.code, 2);
    QVERIFY(!ran.err.isEmpty());
}

void TestHandreset::aMissingStoreIsNotMade()
{
    const QTemporaryDir folder;
    const QString store = folder.filePath(QStringLiteral("mistyped/fleet.db"));
    QProcess desk;
    desk.setProcessEnvironment(environment(QStringLiteral("offscreen")));
    desk.start(QStringLiteral(HANDRESET), {QStringLiteral("--store"), store});
    QByteArray err;
    QTRY_VERIFY_WITH_TIMEOUT((desk.waitForReadyRead(10), err += desk.readAllStandardError(), err.contains("init")), kLong);
    desk.terminate(); // its window stays, with the reason
    QVERIFY(desk.waitForFinished(kLong));
    QCOMPARE(desk.exitCode(), 3);
    QVERIFY(!QFileInfo::exists(store));
    QVERIFY(!QFileInfo::exists(QFileInfo(store).path()));
}

void TestHandreset::theDemoKeepsOutOfAUsersStore()
{
    const QTemporaryDir folder;
    const QString store = folder.filePath(QStringLiteral("fleet.db"));
    QCOMPARE(QProcess::execute(QStringLiteral(HANDRESETCTL), {QStringLiteral("init"), QStringLiteral("--recorded"),
                                                              QStringLiteral("--store"), store}),
             0);
    QProcess desk;
    desk.setProcessEnvironment(environment(QStringLiteral("offscreen")));
    desk.start(QStringLiteral(HANDRESET), {QStringLiteral("--demo"), QStringLiteral("--store"), store});
    QByteArray out;
    QTRY_VERIFY_WITH_TIMEOUT((desk.waitForReadyRead(10), out += desk.readAllStandardOutput(), out.contains("does not play")),
                             kLong);
    desk.terminate();
    QVERIFY(desk.waitForFinished(kLong));
}

void TestHandreset::aStoreThatIsHostedIsFollowed()
{
    const QTemporaryDir folder;
    const QString store = folder.filePath(QStringLiteral("fleet.db"));
    makeStore(store);
    Desk first({QStringLiteral("--store"), store});
    QTRY_VERIFY_WITH_TIMEOUT(QFileInfo::exists(store + QStringLiteral(".link")), kLong); // it serves others
    Desk second({QStringLiteral("--store"), store});
    QVERIFY2(second.says("follows the host"), second.told.constData());
    second.end();
    QCOMPARE(second.process.exitCode(), 0);
    first.end();
    QCOMPARE(first.process.exitCode(), 0);
    QVERIFY(!QFileInfo::exists(store + QStringLiteral(".link")));
}

void TestHandreset::aGatesStoreIsNotTaken()
{
    const QTemporaryDir folder;
    const QString store = folder.filePath(QStringLiteral("fleet.db"));
    makeStore(store);
    QProcess gate;
    gate.setProcessChannelMode(QProcess::MergedChannels);
    gate.start(QStringLiteral(HANDRESET_GATE), {QStringLiteral("--store"), store});
    QTRY_VERIFY_WITH_TIMEOUT(QFileInfo::exists(store + QStringLiteral(".link")), kLong);
    {
        Desk follows({QStringLiteral("--store"), store});
        QVERIFY2(follows.says("follows the host"), follows.told.constData());
        follows.end();
    }
    gate.terminate();
    QVERIFY(gate.waitForFinished(kLong));
    Desk refused({QStringLiteral("--store"), store});
    QVERIFY2(refused.says("handreset-gate hosts this store"), refused.told.constData());
    refused.end();
    QCOMPARE(refused.process.exitCode(), 3);
    Desk takes({QStringLiteral("--host"), QStringLiteral("--store"), store});
    QTRY_VERIFY_WITH_TIMEOUT(QFileInfo::exists(store + QStringLiteral(".link")), kLong);
    takes.end();
    QCOMPARE(takes.process.exitCode(), 0);
}

void TestHandreset::aHostThatDoesNotAnswerIsSaid()
{
    Desk desk({QStringLiteral("--connect"), QStringLiteral("127.0.0.1:1")});
    QVERIFY2(desk.says("127.0.0.1"), desk.told.constData());
    desk.end();
    QCOMPARE(desk.process.exitCode(), 3);
}

void TestHandreset::aSignalEndsItCleanly()
{
    const QTemporaryDir folder;
    auto there = environment(QStringLiteral("offscreen"));
    there.insert(QStringLiteral("TMPDIR"), folder.path());
    const QTemporaryDir runtime; // Qt would make one of its own among them where the session has none
    there.insert(QStringLiteral("XDG_RUNTIME_DIR"), runtime.path());
    QProcess desk;
    desk.setProcessEnvironment(there);
    desk.start(QStringLiteral(HANDRESET), {QStringLiteral("--demo"), QStringLiteral("--demo-speed"), QStringLiteral("20")});
    QByteArray out;
    QTRY_VERIFY_WITH_TIMEOUT((desk.waitForReadyRead(10), out += desk.readAllStandardOutput(), out.contains("passing store")),
                             kLong);
    QVERIFY(!QDir(folder.path()).entryList(QDir::AllEntries | QDir::NoDotAndDotDot).isEmpty());
    QTest::qWait(300); // in the middle of the play
    desk.terminate();
    QVERIFY(desk.waitForFinished(kLong));
    QCOMPARE(desk.exitStatus(), QProcess::NormalExit);
    QCOMPARE(desk.exitCode(), 0);
    QCOMPARE(QDir(folder.path()).entryList(QDir::AllEntries | QDir::NoDotAndDotDot), QStringList());
}

void TestHandreset::picturesAreOfThePassingDemo()
{
    const QTemporaryDir folder;
    const auto ran = runDesk({QStringLiteral("--screenshots"), folder.path(), QStringLiteral("--size"),
                              QStringLiteral("1024x640")},
                             {});
    QVERIFY2(ran.code == 0, qPrintable(ran.err));
    for (const auto *page : {"board", "trips", "subject", "queue", "events", "requests", "audit", "rearm"}) {
        for (const auto *theme : {"dark", "light"}) {
            const QImage picture(folder.filePath(QStringLiteral("%1_%2.png").arg(QLatin1String(page), QLatin1String(theme))));
            QCOMPARE(picture.size(), QSize(1024, 640));
        }
    }
}

QTEST_GUILESS_MAIN(TestHandreset)
#include "tst_handreset.moc"
