// Every row of the table of hostile exchanges, against a running server: over TCP and over the Unix socket, in one
// piece and byte by byte; and without sockets cut at every byte.
#include "tests/gate/conversation_driver.h"
#include "tests/gate/exchange_table.h"
#include "tests/gate/server_fixture.h"

#include <QTest>

#include <algorithm>
#include <map>

using namespace handreset;
using namespace std::chrono_literals;
using gate::Door;
using test::Exchange;
using test::RawClient;

namespace {

constexpr std::size_t kShort = 200; ///< bytes; longer rows are not sent byte by byte
const std::string kErrorStart = "{\"error\":{\"code\":\"";
const std::string kProbe = "GET /probe HTTP/1.1\r\nHost: localhost\r\n\r\n";

gate::Limits patient()
{
    gate::Limits limits;
    limits.wholeHead = limits.wholeBody = limits.idle = limits.lingering = 60s;
    return limits;
}

std::string joined(const std::vector<std::string> &parts)
{
    std::string all;
    for (const std::string &part : parts)
        all += part + "\n";
    return all;
}

} // namespace

class TestHttpExchanges : public QObject {
    Q_OBJECT
private Q_SLOTS:
    void theTableIsLongAndItsNamesAreUnique();
    void exchange_data();
    void exchange();
    void everyCutGivesTheSame_data() { exchange_data(); }
    void everyCutGivesTheSame();
    void unfinished_data();
    void unfinished();

private:
    void run(test::ServerFixture &server, const Exchange &row, Door door, bool byBytes);

    test::ServerFixture m_server{patient()};
};

void TestHttpExchanges::theTableIsLongAndItsNamesAreUnique()
{
    std::map<std::string, int> names;
    for (const Exchange &row : test::exchanges())
        QVERIFY2(++names[row.name] == 1, row.name.c_str());
    qInfo("%zu exchanges, %zu unfinished ones", test::exchanges().size(), test::unfinishedExchanges().size());
    QVERIFY(test::exchanges().size() >= 300);
}

void TestHttpExchanges::exchange_data()
{
    QTest::addColumn<int>("index");
    for (std::size_t i = 0; i < test::exchanges().size(); ++i)
        QTest::newRow(test::exchanges()[i].name.c_str()) << static_cast<int>(i);
}

void TestHttpExchanges::run(test::ServerFixture &server, const Exchange &row, Door door, bool byBytes)
{
    const std::string statuses = (door == Door::Tcp ? row.overTcp : row.overUnix) + (row.closes ? "" : " 200");
    const std::string bytes = row.bytes + (row.closes ? "" : kProbe);
    const RawClient client = server.client(door);
    QVERIFY(client.isOpen());
    if (byBytes)
        client.sendByBytes(bytes);
    else
        client.send(bytes);
    if (!row.closes)
        client.finish();
    std::string got;
    const RawClient::End end = client.read(got, 20s);
    const auto answers = test::parseAnswers(got, row.isHead);
    QCOMPARE(test::statusesOf(answers), statuses);
    QVERIFY2(end == RawClient::End::Closed, "not closed, or reset before the answer could be read");
    for (const auto &answer : answers)
        QVERIFY2(answer.status < 400 || row.isHead || answer.body.starts_with(kErrorStart), answer.body.c_str());
    // The handler saw the good ones, and nothing that stood in a body or behind an end.
    const auto targets = server.takeTargets();
    QCOMPARE(
        static_cast<int>(targets.size()),
        static_cast<int>(std::count_if(answers.begin(), answers.end(), [](const auto &a) { return a.status == 200; })));
    QVERIFY2(std::none_of(targets.begin(), targets.end(),
                          [](const std::string &target) { return target.starts_with(test::kSmuggledTarget); }),
             joined(targets).c_str());
}

void TestHttpExchanges::exchange()
{
    QFETCH(int, index);
    const Exchange &row = test::exchanges()[static_cast<std::size_t>(index)];
    for (const Door door : {Door::Tcp, Door::Unix}) {
        run(m_server, row, door, false);
        if (!QTest::currentTestFailed() && row.bytes.size() <= kShort)
            run(m_server, row, door, true);
        if (QTest::currentTestFailed())
            return;
    }
}

void TestHttpExchanges::everyCutGivesTheSame()
{
    QFETCH(int, index);
    const Exchange &row = test::exchanges()[static_cast<std::size_t>(index)];
    const gate::Limits limits;
    test::ConversationDriver driver(limits);
    for (const Door door : {Door::Tcp, Door::Unix}) {
        const test::Spoken whole = driver.speak(row.bytes, door, {});
        QCOMPARE(test::statusesOf(test::parseAnswers(whole.output, row.isHead)),
                 door == Door::Tcp ? row.overTcp : row.overUnix);
        QCOMPARE(whole.hasEnded, row.closes);
        // Long rows are long for their bounds: cut at the places around them, and here and there.
        const std::size_t stride = row.bytes.size() <= 2000 ? 1 : row.bytes.size() / 200;
        for (std::size_t cut = 1; cut < row.bytes.size(); cut += stride)
            QVERIFY2(driver.speak(row.bytes, door, {cut}) == whole, std::to_string(cut).c_str());
        std::vector<std::size_t> all(row.bytes.size());
        for (std::size_t i = 0; i < all.size(); ++i)
            all[i] = i;
        QVERIFY(driver.speak(row.bytes, door, all) == whole);
    }
}

void TestHttpExchanges::unfinished_data()
{
    QTest::addColumn<int>("index");
    for (std::size_t i = 0; i < test::unfinishedExchanges().size(); ++i)
        QTest::newRow(test::unfinishedExchanges()[i].name.c_str()) << static_cast<int>(i);
}

void TestHttpExchanges::unfinished()
{
    QFETCH(int, index);
    gate::Limits limits;
    limits.wholeHead = limits.wholeBody = 200ms;
    test::ServerFixture server(limits);
    for (const Door door : {Door::Tcp, Door::Unix}) {
        run(server, test::unfinishedExchanges()[static_cast<std::size_t>(index)], door, false);
        if (QTest::currentTestFailed())
            return;
    }
}

QTEST_GUILESS_MAIN(TestHttpExchanges)
#include "tst_http_exchanges.moc"
