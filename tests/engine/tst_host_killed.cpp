// A host under load is killed again and again (spec 4, "Durability"): nothing that was acknowledged is lost, and verify
// is clean each time. 30 times; 1,000 with HANDRESET_LONG.
#include "model/rules/event.h"
#include "model/store/store.h"
#include "tests/engine/host_fixture.h"

#include <QProcess>
#include <QRandomGenerator>

#include <string>

using namespace handreset;

namespace {

struct Acknowledged {
    rules::Seq seq;
    std::string task;
};

/// Runs the writer for some milliseconds of load, kills it, and returns what it had acknowledged.
std::vector<Acknowledged> runAndKill(const QString &path, int milliseconds)
{
    QProcess writer;
    writer.setProcessChannelMode(QProcess::SeparateChannels);
    writer.start(QStringLiteral(KILL_WRITER), {path});
    QByteArray told;
    while (!told.contains("started\n") && writer.waitForReadyRead(60'000))
        told += writer.readAllStandardOutput();
    if (!told.contains("started\n"))
        qWarning("the writer did not start: %s", writer.readAllStandardError().constData());
    QDeadlineTimer end(milliseconds);
    while (!end.hasExpired()) {
        writer.waitForReadyRead(static_cast<int>(end.remainingTime()));
        told += writer.readAllStandardOutput();
    }
    writer.kill(); // SIGKILL
    writer.waitForFinished(60'000);
    told += writer.readAllStandardOutput();
    std::vector<Acknowledged> result;
    for (const QByteArray &line : told.left(told.lastIndexOf('\n')).split('\n')) {
        const qsizetype space = line.indexOf(' ');
        const rules::Seq seq{line.left(space).toULongLong()};
        if (seq.isSet())
            result.push_back({seq, line.mid(space + 1).toStdString()});
    }
    return result;
}

} // namespace

class TestHostKilled : public QObject {
    Q_OBJECT
private Q_SLOTS:
    void nothingAcknowledgedIsLost()
    {
        const int kills = qEnvironmentVariableIsSet("HANDRESET_LONG") ? 1'000 : 30;
        constexpr int killsAStore = 10; // then a new one, so that verify does not grow without end
        std::uint64_t acknowledged = 0;
        std::unique_ptr<test::HostFixture> fixture;
        for (int kill = 0; kill < kills; ++kill) {
            if (kill % killsAStore == 0)
                fixture = std::make_unique<test::HostFixture>();
            const auto told = runAndKill(fixture->path(), QRandomGenerator::global()->bounded(5, 120));
            acknowledged += told.size();
            checkAll(fixture->path(), told);
            if (QTest::currentTestFailed())
                return;
        }
        qInfo("%d kills, %llu acknowledged asks, none lost", kills, static_cast<unsigned long long>(acknowledged));
        QVERIFY(acknowledged > static_cast<std::uint64_t>(kills));
    }

private:
    static void checkAll(const QString &path, const std::vector<Acknowledged> &told)
    {
        auto opened = store::Store::open(path);
        QVERIFY2(opened.ok(), opened ? "" : opened.error().message.c_str());
        const auto fleet = (*opened)->load();
        QVERIFY(fleet.ok());
        std::map<std::uint64_t, std::string> logged;
        const auto read = (*opened)->read(rules::Seq{1}, (*opened)->lastSeq(), false, [&](const rules::Event &event) {
            const bool isAsk = std::holds_alternative<rules::StepAsked>(event.payload)
                || std::holds_alternative<rules::CallAsked>(event.payload);
            if (isAsk)
                logged.emplace(event.seq.value, fleet->names(event.task));
            return true;
        });
        QVERIFY(read.ok());
        for (const Acknowledged &one : told)
            QCOMPARE(logged[one.seq.value], one.task);
        const auto verified = (*opened)->verify([](double) { return true; });
        QVERIFY(verified.ok());
        QVERIFY2(verified->clean(), verified->clean() ? "" : verified->findings.front().c_str());
    }
};

QTEST_GUILESS_MAIN(TestHostKilled)
#include "tst_host_killed.moc"
