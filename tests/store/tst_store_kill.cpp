// A host that is killed at any moment: nothing that it acknowledged is lost, and the store verifies clean.
// 30 rounds; 1,000 when HANDRESET_LONG is set.
#include "model/store/store.h"
#include "tests/support/temporary_store.h"

#include <QProcess>
#include <QTest>

#include <csignal>
#include <random>

using namespace handreset;
using namespace handreset::tests;

class TestStoreKill : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void nothingAcknowledgedIsLost();
};

void TestStoreKill::nothingAcknowledgedIsLost()
{
    const int rounds = qEnvironmentVariableIsSet("HANDRESET_LONG") ? 1'000 : 30;
    TemporaryStore temporary;
    std::mt19937 random(20260301);
    std::uint64_t before = 1;
    int withWork = 0;
    for (int round = 0; round < rounds; ++round) {
        QProcess writer;
        writer.start(QStringLiteral(STORE_WRITER), {temporary.path(), QString::number(round)});
        QVERIFY(writer.waitForStarted());
        if (round % 10 != 0) // now and then while it is still opening
            QVERIFY2(writer.waitForReadyRead(30'000), writer.readAllStandardError().constData());
        QTest::qWait(static_cast<int>(random() % 60)); // not for anything to happen: the moment of death is the input
        ::kill(static_cast<pid_t>(writer.processId()), SIGKILL);
        QVERIFY(writer.waitForFinished());
        auto said = writer.readAllStandardOutput();
        said.truncate(said.lastIndexOf('\n') + 1);
        const auto lines = said.trimmed().split('\n');
        const auto acknowledged = lines.last().toULongLong(); // 0 where it said nothing
        withWork += acknowledged > 0 ? 1 : 0;

        auto &open = temporary.open();
        QVERIFY2(open.lastSeq().value >= std::max<std::uint64_t>(acknowledged, before),
                 qPrintable(QStringLiteral("%1 acknowledged, %2 kept").arg(acknowledged).arg(open.lastSeq().value)));
        before = open.lastSeq().value;
        if (rounds <= 30 || round % 20 == 0 || round == rounds - 1) {
            const auto verified = open.verify({});
            QVERIFY(verified.ok());
            QVERIFY2(verified->clean(), verified->clean() ? "" : verified->findings.front().c_str());
        }
        temporary.close();
        if (before > 60'000) { // a fresh one, so that a long run stays short
            QVERIFY(QFile::remove(temporary.path()) && QFile::remove(temporary.path() + QStringLiteral(".mark"))
                    && QFile::remove(temporary.path() + QStringLiteral(".sentinel")));
            QVERIFY(store::Store::init(temporary.path(), {}, kStart).ok());
            before = 1;
        }
    }
    QVERIFY(withWork > rounds / 2);
}

QTEST_GUILESS_MAIN(TestStoreKill)
#include "tst_store_kill.moc"
