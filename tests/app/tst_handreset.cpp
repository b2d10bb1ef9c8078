// The desk as a program: its exit codes, what it refuses to touch, and how it ends.
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

void TestHandreset::aSignalEndsItCleanly()
{
    const QTemporaryDir folder;
    auto there = environment(QStringLiteral("offscreen"));
    there.insert(QStringLiteral("TMPDIR"), folder.path());
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
    for (const auto *page : {"board", "trips", "subject", "queue", "events", "rearm"}) {
        for (const auto *theme : {"dark", "light"}) {
            const QImage picture(folder.filePath(QStringLiteral("%1_%2.png").arg(QLatin1String(page), QLatin1String(theme))));
            QCOMPARE(picture.size(), QSize(1024, 640));
        }
    }
}

QTEST_GUILESS_MAIN(TestHandreset)
#include "tst_handreset.moc"
