// How a body's framing is undone, at every cut, and its bounds. The table of refusals is tst_http_exchanges's.
#include "model/gate/http_answer.h"
#include "model/gate/http_body.h"

#include <QTest>

#include <memory>

using namespace handreset::gate;

namespace {

struct Read {
    BodyReader::State state = BodyReader::State::More;
    std::string body;
    std::size_t used = 0;
    int status = 0;
};

Head chunkedHead()
{
    Head head;
    head.framing = Framing::Chunked;
    return head;
}

Head headOf(std::uint64_t length)
{
    Head head;
    head.framing = Framing::Length;
    head.contentLength = length;
    return head;
}

Read readCut(const Limits &limits, const Head &head, std::string_view bytes, std::size_t step)
{
    BodyReader reader(limits);
    Read read;
    read.state = reader.start(head);
    while (read.state == BodyReader::State::More && read.used < bytes.size()) {
        std::size_t used = 0;
        read.state = reader.read(bytes.substr(read.used, step), used, read.body);
        read.used += used;
    }
    read.status = read.state == BodyReader::State::Wrong ? reader.problem().status : 0;
    return read;
}

} // namespace

class TestHttpBody : public QObject {
    Q_OBJECT
private Q_SLOTS:
    void chunksComeOutWholeWhereverTheyAreCut();
    void aLengthComesOutWholeWhereverItIsCut();
    void noByteBehindTheBodyIsTaken();
    void theBoundsAreExact();
    void framingIsBoundedHoweverItIsCut();
    void aClaimTakesNoMemory();
    void answersOnTheWire();
    void refusalsAreSpelledAsJson();
    void anAnswerThatCannotBeSentBecomesOneThatCan();
};

void TestHttpBody::chunksComeOutWholeWhereverTheyAreCut()
{
    const Limits limits;
    const std::string wire = "5;a=\"b\"\r\nhello\r\n001\r\n \r\nB\r\nworld, this\r\n0;x\r\nT: v\r\nU:\r\n\r\n";
    for (std::size_t step = 1; step <= wire.size(); ++step) {
        const Read read = readCut(limits, chunkedHead(), wire + "GET /", step);
        QVERIFY(read.state == BodyReader::State::Whole);
        QCOMPARE(read.body, std::string("hello world, this"));
        QCOMPARE(read.used, wire.size());
    }
    for (std::size_t size = 0; size < wire.size(); ++size)
        QVERIFY(readCut(limits, chunkedHead(), std::string_view(wire).substr(0, size), 7).state
                == BodyReader::State::More);
}

void TestHttpBody::aLengthComesOutWholeWhereverItIsCut()
{
    const Limits limits;
    for (std::size_t step = 1; step <= 12; ++step) {
        const Read read = readCut(limits, headOf(11), "hello world!", step);
        QVERIFY(read.state == BodyReader::State::Whole);
        QCOMPARE(read.body, std::string("hello world"));
        QCOMPARE(read.used, 11U);
    }
}

void TestHttpBody::noByteBehindTheBodyIsTaken()
{
    const Limits limits;
    const Read none = readCut(limits, Head(), "GET /", 5);
    QVERIFY(none.state == BodyReader::State::Whole);
    QCOMPARE(none.used, 0U);
    // Nor read: the sanitizer would tell of a read behind this memory.
    const std::string wire = "3\r\nabc\r\n0\r\n\r\n";
    const auto exact = std::make_unique<char[]>(wire.size());
    wire.copy(exact.get(), wire.size());
    QVERIFY(readCut(limits, chunkedHead(), {exact.get(), wire.size()}, wire.size()).state == BodyReader::State::Whole);
}

void TestHttpBody::theBoundsAreExact()
{
    Limits limits;
    limits.body = 10;
    QVERIFY(readCut(limits, headOf(10), "0123456789", 3).state == BodyReader::State::Whole);
    QCOMPARE(readCut(limits, headOf(11), "", 3).status, 413);
    QVERIFY(readCut(limits, chunkedHead(), "a\r\n0123456789\r\n0\r\n\r\n", 3).state == BodyReader::State::Whole);
    QCOMPARE(readCut(limits, chunkedHead(), "b\r\n", 3).status, 413);
    const Read second = readCut(limits, chunkedHead(), "6\r\n012345\r\n5\r\n", 3);
    QCOMPARE(second.status, 413);
    QCOMPARE(second.body, std::string("012345"));
}

void TestHttpBody::framingIsBoundedHoweverItIsCut()
{
    Limits limits;
    limits.chunkFraming = 100;
    limits.chunkLine = 40;
    std::string trailers = "0\r\n";
    for (int i = 0; i < 20; ++i)
        trailers += "X: y\r\n";
    std::string small;
    for (int i = 0; i < 40; ++i)
        small += "1\r\nx\r\n";
    for (std::size_t step : {1U, 3U, 1000U}) {
        QCOMPARE(readCut(limits, chunkedHead(), "1;" + std::string(50, 'x'), step).status, 400);
        QCOMPARE(readCut(limits, chunkedHead(), trailers, step).status, 413);
        QCOMPARE(readCut(limits, chunkedHead(), small, step).status, 413);
    }
}

void TestHttpBody::aClaimTakesNoMemory()
{
    const Limits limits;
    QVERIFY(readCut(limits, headOf(limits.body), "x", 1).body.capacity() <= std::size_t{16} * 1024);
    QVERIFY(readCut(limits, chunkedHead(), "40000\r\nx", 8).body.capacity() < 1024);
}

void TestHttpBody::answersOnTheWire()
{
    const auto wire = [](const Answer &answer, bool isHead, After after) {
        std::string out;
        appendAnswer(out, answer, isHead, after);
        return out;
    };
    Answer answer;
    answer.body = "{}";
    QCOMPARE(wire(answer, false, After::Keep),
             std::string("HTTP/1.1 200 OK\r\nContent-Type: application/json\r\nContent-Length: 2\r\n\r\n{}"));
    QCOMPARE(wire(answer, true, After::Close),
             std::string("HTTP/1.1 200 OK\r\nContent-Type: application/json\r\n"
                         "Content-Length: 2\r\nConnection: close\r\n\r\n"));
    answer = {.status = 204, .body = "left out"};
    QCOMPARE(wire(answer, false, After::Keep10),
             std::string("HTTP/1.1 204 No Content\r\nConnection: keep-alive\r\n\r\n"));
    answer = {.status = 405, .body = "x", .contentType = "text/plain", .allow = "GET, HEAD"};
    QVERIFY(wire(answer, false, After::Keep).find("\r\nAllow: GET, HEAD\r\n") != std::string::npos);
    answer = {.status = 429, .retryAfter = 7};
    QVERIFY(wire(answer, false, After::Keep).find("\r\nRetry-After: 7\r\n") != std::string::npos);
    answer = {.status = 401};
    QVERIFY(wire(answer, false, After::Keep).find("\r\nWWW-Authenticate: Bearer\r\n") != std::string::npos);
}

void TestHttpBody::refusalsAreSpelledAsJson()
{
    QCOMPARE(errorAnswer(400, "bad_value", "no \"such\"\n").body,
             std::string("{\"error\":{\"code\":\"bad_value\",\"message\":\"no \\\"such\\\"\\n\"}}"));
    QCOMPARE(errorAnswer(422, "c", "m", "/a/0", 0).body,
             std::string(R"({"error":{"code":"c","message":"m","field":"/a/0","offset":0}})"));
    QVERIFY(answerTo({400, "c", "m"}).close);
}

void TestHttpBody::anAnswerThatCannotBeSentBecomesOneThatCan()
{
    std::string out;
    appendAnswer(out, {.status = 99}, false, After::Keep);
    QVERIFY(out.starts_with("HTTP/1.1 500 "));
    out.clear();
    appendAnswer(out, {.contentType = "a\r\nSet-Cookie: b", .allow = "GET\nX"}, false, After::Keep);
    QCOMPARE(out, std::string("HTTP/1.1 200 OK\r\nContent-Length: 0\r\n\r\n"));
    out.clear();
    appendAnswer(out, {.status = 599, .retryAfter = -3}, false, After::Keep);
    QVERIFY(out.starts_with("HTTP/1.1 599 \r\n") && out.find("Retry-After: 0\r\n") != std::string::npos);
}

QTEST_GUILESS_MAIN(TestHttpBody)
#include "tst_http_body.moc"
