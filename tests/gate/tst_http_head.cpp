// The strict check of a request's head, byte by byte and as a whole. The table of refusals is tst_http_exchanges's.
#include "model/gate/http_head.h"

#include <QTest>

#include <memory>

using namespace handreset::gate;

namespace {

const Limits kLimits;

/// What scanner and reader make of `text` when it comes in two pieces.
struct Read {
    bool isWhole = false;
    int status = 0; ///< of the refusal; 0: none
    std::size_t length = 0;
    Head head;
};

Read readCut(const std::string &text, std::size_t cut, Door door = Door::Tcp)
{
    HeadScanner scanner(kLimits);
    HeadScanner::State state = scanner.scan(std::string_view(text).substr(0, cut));
    if (state == HeadScanner::State::More)
        state = scanner.scan(text);
    Read read;
    read.length = scanner.length();
    read.isWhole = state != HeadScanner::State::More;
    if (state == HeadScanner::State::Wrong)
        read.status = scanner.problem().status;
    if (state != HeadScanner::State::Whole)
        return read;
    const auto head = std::string_view(text).substr(scanner.start(), scanner.length() - scanner.start());
    if (const auto problem = readHead(head, door, kLimits, read.head))
        read.status = problem->status;
    return read;
}

const std::string kGood = "POST /v1/steps?x=1 HTTP/1.1\r\nHost: localhost:80\r\nContent-Type: application/json\r\n"
                          "CONTENT-LENGTH: 12\r\nauthorization:Bearer abc \r\nContent-Encoding:\tgzip\r\n"
                          "Expect: 100-continue\r\n\r\n";

} // namespace

class TestHttpHead : public QObject {
    Q_OBJECT
private Q_SLOTS:
    void aGoodHeadIsReadWholeWhereverItIsCut();
    void whatFollowsAHeadIsNotLookedAt();
    void aHeadIsWholeWithItsLastByteOnly();
    void framing_data();
    void framing();
    void keepAlive_data();
    void keepAlive();
    void theBoundsAreExact();
    void aTrickledHeadIsBounded();
    void aScannerStaysWrong();
    void aWrongByteIsNamedWhenItComes();
    void onlyTheUnixDoorTakesAForeignHost();
};

void TestHttpHead::aGoodHeadIsReadWholeWhereverItIsCut()
{
    for (std::size_t cut = 0; cut <= kGood.size(); ++cut) {
        const Read read = readCut(kGood, cut);
        QCOMPARE(read.status, 0);
        QCOMPARE(read.length, kGood.size());
        QCOMPARE(read.head.method, "POST");
        QCOMPARE(read.head.target, "/v1/steps?x=1");
        QCOMPARE(read.head.contentType, "application/json");
        QCOMPARE(read.head.contentEncoding, "gzip");
        QCOMPARE(read.head.authorization, "Bearer abc");
        QVERIFY(read.head.framing == Framing::Length);
        QCOMPARE(read.head.contentLength, 12U);
        QVERIFY(read.head.keepAlive && read.head.expectContinue && !read.head.isHttp10);
    }
}

void TestHttpHead::whatFollowsAHeadIsNotLookedAt()
{
    QCOMPARE(readCut(kGood + std::string("\0\n\x7f", 3), 10).length, kGood.size());
    // Nothing behind the text's end either: the sanitizer would tell of a read behind this memory.
    const auto exact = std::make_unique<char[]>(kGood.size());
    kGood.copy(exact.get(), kGood.size());
    HeadScanner scanner(kLimits);
    QVERIFY(scanner.scan({exact.get(), kGood.size()}) == HeadScanner::State::Whole);
    Head head;
    QVERIFY(!readHead({exact.get(), kGood.size()}, Door::Tcp, kLimits, head));
}

void TestHttpHead::aHeadIsWholeWithItsLastByteOnly()
{
    for (std::size_t size = 0; size < kGood.size(); ++size)
        QVERIFY(!readCut(kGood.substr(0, size), size / 2).isWhole);
}

void TestHttpHead::framing_data()
{
    QTest::addColumn<QByteArray>("fields");
    QTest::addColumn<int>("framing");
    QTest::newRow("none") << QByteArray() << static_cast<int>(Framing::None);
    QTest::newRow("length 0") << QByteArray("Content-Length: 0\r\n") << static_cast<int>(Framing::None);
    QTest::newRow("length") << QByteArray("Content-Length: 5\r\n") << static_cast<int>(Framing::Length);
    QTest::newRow("chunked") << QByteArray("Transfer-Encoding: Chunked\r\n") << static_cast<int>(Framing::Chunked);
}

void TestHttpHead::framing()
{
    QFETCH(QByteArray, fields);
    QFETCH(int, framing);
    const std::string text = "GET / HTTP/1.1\r\nHost: localhost\r\n" + fields.toStdString() + "\r\n";
    const Read read = readCut(text, 0);
    QCOMPARE(read.status, 0);
    QCOMPARE(static_cast<int>(read.head.framing), framing);
}

void TestHttpHead::keepAlive_data()
{
    QTest::addColumn<QByteArray>("version");
    QTest::addColumn<QByteArray>("fields");
    QTest::addColumn<bool>("keeps");
    QTest::newRow("1.1") << QByteArray("1.1") << QByteArray() << true;
    QTest::newRow("1.1 close") << QByteArray("1.1") << QByteArray("Connection: CLOSE\r\n") << false;
    QTest::newRow("1.1 close in a list") << QByteArray("1.1") << QByteArray("Connection: a, close\t,b\r\n") << false;
    QTest::newRow("1.1 closed is another word") << QByteArray("1.1") << QByteArray("Connection: closed\r\n") << true;
    QTest::newRow("1.0") << QByteArray("1.0") << QByteArray() << false;
    QTest::newRow("1.0 keep-alive") << QByteArray("1.0") << QByteArray("Connection: Keep-Alive\r\n") << true;
    QTest::newRow("1.0 both") << QByteArray("1.0") << QByteArray("Connection: keep-alive, close\r\n") << false;
}

void TestHttpHead::keepAlive()
{
    QFETCH(QByteArray, version);
    QFETCH(QByteArray, fields);
    QFETCH(bool, keeps);
    const std::string text
        = "GET / HTTP/" + version.toStdString() + "\r\nHost: localhost\r\n" + fields.toStdString() + "\r\n";
    const Read read = readCut(text, 0);
    QCOMPARE(read.status, 0);
    QCOMPARE(read.head.keepAlive, keeps);
}

void TestHttpHead::theBoundsAreExact()
{
    const auto of = [](std::size_t size) {
        std::string text = "GET / HTTP/1.1\r\nHost: localhost\r\nX: \r\n\r\n";
        text.insert(text.size() - 4, size - text.size(), 'x');
        return text;
    };
    QCOMPARE(readCut(of(kLimits.head), 0).status, 0);
    QCOMPARE(readCut(of(kLimits.head + 1), 0).status, 431);
    // An empty line before it is no part of it.
    QCOMPARE(readCut("\r\n" + of(kLimits.head), 0).status, 0);
}

void TestHttpHead::aTrickledHeadIsBounded()
{
    // Each read ends inside a name: what a parser that counts each field by itself never adds up.
    const std::string start = "GET / HTTP/1.1\r\nHost: localhost\r\n";
    std::string text = start;
    HeadScanner scanner(kLimits);
    HeadScanner::State state = scanner.scan(text);
    for (int i = 0; i < 100'000 && state == HeadScanner::State::More; ++i) {
        text += "xxxxxxxxxxxxxxxxxx";
        state = scanner.scan(text);
    }
    QVERIFY(state == HeadScanner::State::Wrong);
    QCOMPARE(scanner.problem().status, 431);
    QVERIFY(text.size() <= kLimits.head + 18);
}

void TestHttpHead::aScannerStaysWrong()
{
    HeadScanner scanner(kLimits);
    QVERIFY(scanner.scan("\n") == HeadScanner::State::Wrong);
    QVERIFY(scanner.scan("\nGET / HTTP/1.1\r\n\r\n") == HeadScanner::State::Wrong);
    scanner.restart();
    QVERIFY(scanner.scan("GET / HTTP/1.1\r\n\r\n") == HeadScanner::State::Whole);
}

void TestHttpHead::aWrongByteIsNamedWhenItComes()
{
    // A client that means LF when it writes line ends would otherwise wait for its time to run out.
    QCOMPARE(readCut("GET / HTTP/1.1\n", 0).status, 400);
    QCOMPARE(readCut(std::string("GET /\0", 6), 0).status, 400);
    QCOMPARE(readCut("GET / HTTP/1.1\r\r", 0).status, 400);
}

void TestHttpHead::onlyTheUnixDoorTakesAForeignHost()
{
    const std::string text = "GET / HTTP/1.1\r\nHost: agents.sock\r\n\r\n";
    QCOMPARE(readCut(text, 0, Door::Tcp).status, 400);
    QCOMPARE(readCut(text, 0, Door::Unix).status, 0);
}

QTEST_GUILESS_MAIN(TestHttpHead)
#include "tst_http_head.moc"
