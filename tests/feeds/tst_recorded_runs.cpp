// Recorded runs are taken as real sources write them, and nothing wrong is stepped over.
#include "model/feeds/recorded_runs.h"
#include "tests/support/shared_data.h"

#include <QFile>
#include <QTemporaryDir>
#include <QTest>

#include <fcntl.h>
#include <string>
#include <sys/stat.h>
#include <thread>
#include <unistd.h>
#include <vector>
#include <zlib.h>

using namespace handreset;
using rules::LineKind;
using rules::RecordedLine;

namespace {

/// A line's texts, kept.
struct KeptLine {
    RecordedLine line;
    std::string agent, task, tool, arguments, result, error, labels, call, model;
};

struct Reading {
    std::vector<KeptLine> lines;
    std::optional<rules::Error> error;
    feeds::UnknownFields unknown;
};

Reading readFile(const QString &path, std::uint64_t firstIndex = 0)
{
    Reading reading;
    auto runs = feeds::RecordedRuns::open(path.toStdString(), firstIndex);
    if (!runs) {
        reading.error = runs.error();
        return reading;
    }
    RecordedLine line;
    for (;;) {
        const auto more = (*runs)->next(line);
        if (!more) {
            reading.error = more.error();
            break;
        }
        if (!more.value())
            break;
        const auto text = [](std::string_view view) { return std::string(view); };
        reading.lines.push_back({line, text(line.agent), text(line.task), text(line.tool), text(line.arguments),
                                 text(line.result), text(line.error), text(line.labels), text(line.call),
                                 text(line.model)});
    }
    reading.unknown = (*runs)->unknownFields();
    return reading;
}

const std::string kStart = R"({"ts":null,"agent":"a","task":"t","kind":"task_start"})";

std::string call(const std::string &args)
{
    return R"({"ts":1,"agent":"a","task":"t","kind":"tool_call","tool":"pay","args":)" + args + "}";
}

} // namespace

class TestRecordedRuns : public QObject {
    Q_OBJECT

    QTemporaryDir m_folder;

    QString write(const std::string &text, const QString &name = QStringLiteral("runs.ndjson"))
    {
        const auto path = m_folder.filePath(name);
        QFile file(path);
        if (!file.open(QIODevice::WriteOnly) || file.write(text.data(), qint64(text.size())) != qint64(text.size()))
            qFatal("cannot write %s", qPrintable(path));
        return path;
    }
    QString writeGzip(const std::string &text, const QString &name = QStringLiteral("runs.ndjson.gz"))
    {
        const auto path = m_folder.filePath(name);
        gzFile file = gzopen(QFile::encodeName(path).constData(), "wb");
        gzwrite(file, text.data(), unsigned(text.size()));
        gzclose(file);
        return path;
    }

private Q_SLOTS:
    void aWholeLine();
    void argumentsStandAsTheyWereWritten_data();
    void argumentsStandAsTheyWereWritten();
    void costsAreExactOrRoundedUp_data();
    void costsAreExactOrRoundedUp();
    void whatIsWrongIsNamed_data();
    void whatIsWrongIsNamed();
    void linesAreNumberedOn();
    void longNamesAreTaken();
    void aLineTooLongIsRefused();
    void aLastLineWithoutAnEndCounts();
    void gzipInSeveralMembers();
    void aTruncatedGzipIsRefused();
    void whatStandsBehindAMemberIsRefused_data();
    void whatStandsBehindAMemberIsRefused();
    void damageIsToldBehindTheLastGoodLine();
    void aMissingFileIsTold();
    void aFolderIsTold();
    void unknownFieldsAreCounted();
    void unknownFieldsAreBounded();
    void aBadUnknownFieldIsNamedShortly();
    void aPipeIsReadOnlyWhereItMayBe();
    void aDeviceIsRefused();
    void theSharedRunsAreRead_data();
    void theSharedRunsAreRead();
};

void TestRecordedRuns::aWholeLine()
{
    const auto reading = readFile(write(
        R"({"ts":1768954559000000,"agent":"ag","task":"ta\u0073k","kind":"model_call","model":"m","ok":false,"error":"a \"b\"","cost_usd":7.2e-05,"tokens_in":0,"tokens_out":16,"empty":true,"tokens_cache_read":3,"tokens_cache_write":4})"
        "\n"
        R"({"kind":"tool_result","ts":null,"agent":"ag","task":"task","tool":"pay","result":"say \"x\"","ok":true,"call":"c1"})"
        "\n"
        R"({"ts":null,"agent":"ag","task":"task","kind":"task_end","x":{"security":true}})"
        "\n"));
    QVERIFY2(!reading.error, reading.error ? reading.error->message.c_str() : "");
    QCOMPARE(reading.lines.size(), 3U);
    const auto &first = reading.lines[0];
    QCOMPARE(first.line.index, 0U);
    QVERIFY(first.line.kind == LineKind::ModelCall);
    QCOMPARE(first.line.time->micros, 1768954559000000LL);
    QCOMPARE(first.task, std::string("task"));
    QCOMPARE(first.model, std::string("m"));
    QVERIFY(!first.line.succeeded());
    QCOMPARE(*first.line.costUsd, *rules::Decimal::parse("0.000072"));
    QCOMPARE(*first.line.tokensIn, 0);
    QCOMPARE(*first.line.tokensOut, 16);
    const auto &second = reading.lines[1];
    QVERIFY(!second.line.time);
    QCOMPARE(second.call, std::string("c1"));
    QCOMPARE(second.result, std::string(R"(say \"x\")"));
    QVERIFY(second.line.succeeded());
    QVERIFY(!second.line.tokensIn);
    QCOMPARE(reading.lines[2].labels, std::string(R"({"security":true})"));
}

void TestRecordedRuns::argumentsStandAsTheyWereWritten_data()
{
    QTest::addColumn<QString>("arguments");
    QTest::newRow("object") << QStringLiteral(R"({"b": 1,  "a":[1.0, 2e3 ,{}]})");
    QTest::newRow("array") << QStringLiteral("[ 1,2 ]");
    QTest::newRow("text") << QStringLiteral(R"("all of it\u00e9")");
    QTest::newRow("lone surrogate") << QStringLiteral(R"({"a":"\ud800"})");
    QTest::newRow("number beyond a double") << QStringLiteral("123456789012345678901234567890.5");
    QTest::newRow("huge exponent") << QStringLiteral("{\"a\":1e999}");
    QTest::newRow("null") << QStringLiteral("null");
    QTest::newRow("true") << QStringLiteral("true");
    QTest::newRow("names twice") << QStringLiteral(R"({"a":1,"a":2})");
}

void TestRecordedRuns::argumentsStandAsTheyWereWritten()
{
    QFETCH(QString, arguments);
    const auto reading = readFile(write(call(arguments.toStdString()) + "\n" + call(" " + arguments.toStdString() + " ")));
    QVERIFY2(!reading.error, reading.error ? reading.error->message.c_str() : "");
    QCOMPARE(QString::fromStdString(reading.lines[0].arguments), arguments);
    QCOMPARE(QString::fromStdString(reading.lines[1].arguments), arguments);
}

void TestRecordedRuns::costsAreExactOrRoundedUp_data()
{
    QTest::addColumn<QString>("written");
    QTest::addColumn<QString>("read");
    QTest::newRow("exact") << QStringLiteral("0.0001006") << QStringLiteral("0.0001006");
    QTest::newRow("exponent") << QStringLiteral("9.77e-05") << QStringLiteral("0.0000977");
    QTest::newRow("whole") << QStringLiteral("3") << QStringLiteral("3");
    QTest::newRow("binary dust") << QStringLiteral("0.30000000000000004") << QStringLiteral("0.300000001");
    QTest::newRow("below a billionth") << QStringLiteral("1e-15") << QStringLiteral("0.000000001");
    QTest::newRow("ten places") << QStringLiteral("0.0000012345") << QStringLiteral("0.000001235");
    QTest::newRow("zero") << QStringLiteral("0.0") << QStringLiteral("0");
    QTest::newRow("zero, negative") << QStringLiteral("-0.0") << QStringLiteral("0");
}

void TestRecordedRuns::costsAreExactOrRoundedUp()
{
    QFETCH(QString, written);
    QFETCH(QString, read);
    const auto reading = readFile(write(R"({"ts":1,"agent":"a","task":"t","kind":"model_call","cost_usd":)"
                                        + written.toStdString() + "}"));
    QVERIFY2(!reading.error, reading.error ? reading.error->message.c_str() : "");
    QCOMPARE(QString::fromStdString(reading.lines[0].line.costUsd->toString()), read);
}

void TestRecordedRuns::whatIsWrongIsNamed_data()
{
    QTest::addColumn<QString>("line");
    QTest::addColumn<QString>("field");
    const auto row = [](const char *name, const char *line, const char *field) {
        QTest::newRow(name) << QString::fromUtf8(line) << QString::fromUtf8(field);
    };
    row("no JSON", "hello", "");
    row("cut off", R"({"ts":1,"agent":"a","task":)", "");
    row("an array", "[1]", "");
    row("empty line", "", "");
    row("goes on", R"({"ts":1,"agent":"a","task":"t","kind":"task_start"} {})", "");
    row("no ts", R"({"agent":"a","task":"t","kind":"task_start"})", "ts");
    row("ts a text", R"({"ts":"yesterday","agent":"a","task":"t","kind":"task_start"})", "ts");
    row("ts a fraction", R"({"ts":1.5,"agent":"a","task":"t","kind":"task_start"})", "ts");
    row("ts negative", R"({"ts":-1,"agent":"a","task":"t","kind":"task_start"})", "ts");
    row("ts beyond time", R"({"ts":999999999999999999,"agent":"a","task":"t","kind":"task_start"})", "ts");
    row("no agent", R"({"ts":1,"task":"t","kind":"task_start"})", "agent");
    row("agent empty", R"({"ts":1,"agent":"","task":"t","kind":"task_start"})", "agent");
    row("agent a number", R"({"ts":1,"agent":7,"task":"t","kind":"task_start"})", "agent");
    row("agent with NUL", R"({"ts":1,"agent":"a\u0000b","task":"t","kind":"task_start"})", "agent");
    row("no task", R"({"ts":1,"agent":"a","kind":"task_start"})", "task");
    row("no kind", R"({"ts":1,"agent":"a","task":"t"})", "kind");
    row("unknown kind", R"({"ts":1,"agent":"a","task":"t","kind":"llm_call"})", "kind");
    row("call without tool", R"({"ts":1,"agent":"a","task":"t","kind":"tool_call","args":{}})", "tool");
    row("args no JSON", R"({"ts":1,"agent":"a","task":"t","kind":"tool_call","tool":"p","args":{"a":tru}})", "args");
    row("args a bad escape", R"({"ts":1,"agent":"a","task":"t","kind":"tool_call","tool":"p","args":{"a":"\x"}})", "args");
    row("args a bad number", R"({"ts":1,"agent":"a","task":"t","kind":"tool_call","tool":"p","args":[01]})", "args");
    row("args a bad name", R"({"ts":1,"agent":"a","task":"t","kind":"tool_call","tool":"p","args":{"\q":1}})", "args");
    row("ok a text", R"({"ts":1,"agent":"a","task":"t","kind":"model_call","ok":"yes"})", "ok");
    row("cost negative", R"({"ts":1,"agent":"a","task":"t","kind":"model_call","cost_usd":-0.01})", "cost_usd");
    row("cost a text", R"({"ts":1,"agent":"a","task":"t","kind":"model_call","cost_usd":"0.01"})", "cost_usd");
    row("cost beyond count", R"({"ts":1,"agent":"a","task":"t","kind":"model_call","cost_usd":1e300})", "cost_usd");
    row("tokens negative", R"({"ts":1,"agent":"a","task":"t","kind":"model_call","tokens_in":-1})", "tokens_in");
    row("tokens a fraction", R"({"ts":1,"agent":"a","task":"t","kind":"model_call","tokens_out":1.5})", "tokens_out");
    row("x a text", R"({"ts":1,"agent":"a","task":"t","kind":"task_start","x":"y"})", "x");
    row("a field twice", R"({"ts":1,"agent":"a","agent":"b","task":"t","kind":"task_start"})", "agent");
    row("unknown field broken", R"({"ts":1,"agent":"a","task":"t","kind":"task_start","more":[1 2]})", "more");
}

void TestRecordedRuns::whatIsWrongIsNamed()
{
    QFETCH(QString, line);
    QFETCH(QString, field);
    const auto path = write(kStart + "\n" + line.toStdString() + "\n" + kStart + "\n");
    const auto reading = readFile(path);
    QVERIFY(reading.error.has_value());
    QCOMPARE(reading.lines.size(), 1U);
    QVERIFY(reading.error->code == rules::ErrorCode::BadInput);
    const auto expected = path.toStdString() + ":2" + (field.isEmpty() ? "" : ": " + field.toStdString());
    QCOMPARE(reading.error->context, expected);
    QVERIFY(reading.error->message.find(';') != std::string::npos || reading.error->message.find("must") != std::string::npos);
}

void TestRecordedRuns::linesAreNumberedOn()
{
    const auto reading = readFile(write(kStart + "\r\n" + kStart + "\n"), 100);
    QVERIFY(!reading.error);
    QCOMPARE(reading.lines[0].line.index, 100U);
    QCOMPARE(reading.lines[1].line.index, 101U);
}

void TestRecordedRuns::longNamesAreTaken()
{
    const std::string sentence(500, 's');
    const auto good = readFile(write(R"({"ts":1,"agent":"a","task":"t","kind":"tool_call","tool":")" + sentence + "\"}"));
    QVERIFY(!good.error);
    QCOMPARE(good.lines[0].tool, sentence);
    QVERIFY(good.lines[0].arguments.empty());
    const auto tooLong = readFile(
        write(R"({"ts":1,"agent":"a","task":"t","kind":"tool_call","tool":")" + std::string(1025, 's') + "\"}"));
    QVERIFY(tooLong.error.has_value());
}

void TestRecordedRuns::aLineTooLongIsRefused()
{
    const auto fits = readFile(write(call("\"" + std::string(1000 * 1000, 'x') + "\"") + "\n" + kStart));
    QVERIFY(!fits.error);
    QCOMPARE(fits.lines.size(), 2U);
    const auto tooLong = readFile(write(kStart + "\n" + call("\"" + std::string(3 * 1024 * 1024, 'x') + "\"")));
    QVERIFY(tooLong.error.has_value());
    QVERIFY(tooLong.error->context.ends_with(":2"));
    QVERIFY(tooLong.error->message.find("1 MiB") != std::string::npos);
}

void TestRecordedRuns::aLastLineWithoutAnEndCounts()
{
    QCOMPARE(readFile(write(kStart + "\n" + kStart)).lines.size(), 2U);
    QCOMPARE(readFile(write("")).lines.size(), 0U);
}

void TestRecordedRuns::gzipInSeveralMembers()
{
    std::string all;
    for (int i = 0; i < 3; ++i) {
        QFile file(writeGzip(kStart + "\n" + kStart + "\n", QStringLiteral("part.gz")));
        QVERIFY(file.open(QIODevice::ReadOnly));
        all += file.readAll().toStdString();
    }
    const auto reading = readFile(write(all, QStringLiteral("all.ndjson.gz")));
    QVERIFY2(!reading.error, reading.error ? reading.error->message.c_str() : "");
    QCOMPARE(reading.lines.size(), 6U);
}

void TestRecordedRuns::aTruncatedGzipIsRefused()
{
    std::string text;
    for (int i = 0; i < 5000; ++i)
        text += call("{\"i\":" + std::to_string(i * 7919) + "}") + "\n";
    QFile file(writeGzip(text));
    QVERIFY(file.open(QIODevice::ReadOnly));
    auto bytes = file.readAll().toStdString();
    const auto cut = readFile(write(bytes.substr(0, bytes.size() / 2), QStringLiteral("cut.gz")));
    QVERIFY(cut.error.has_value());
    bytes[bytes.size() / 2] = static_cast<char>(bytes[bytes.size() / 2] ^ 0x55);
    const auto damaged = readFile(write(bytes, QStringLiteral("damaged.gz")));
    QVERIFY(damaged.error.has_value());
}

void TestRecordedRuns::whatStandsBehindAMemberIsRefused_data()
{
    QTest::addColumn<QByteArray>("behind");
    QTest::newRow("plain text") << QByteArray::fromStdString(kStart + "\n" + kStart + "\n");
    QTest::newRow("garbage") << QByteArray("\x01\x02\x03\x04\x05\x06\x07\x08\x09\x0a");
    QTest::newRow("one byte") << QByteArray("x");
    QTest::newRow("the beginning of a head") << QByteArray("\x1f");
    QTest::newRow("a head alone") << QByteArray("\x1f\x8b\x08\x00\x00\x00\x00\x00\x00\x03", 10);
    QTest::newRow("zeros") << QByteArray(100, '\0');
    QFile whole(writeGzip(kStart + "\n", QStringLiteral("behind.gz")));
    QVERIFY(whole.open(QIODevice::ReadOnly));
    auto member = whole.readAll();
    member[0] = 'X';
    QTest::newRow("a member with a damaged head") << member;
    member[0] = '\x1f';
    member[member.size() - 6] = static_cast<char>(member.at(member.size() - 6) ^ 0x55);
    QTest::newRow("a member with a wrong sum") << member;
}

void TestRecordedRuns::whatStandsBehindAMemberIsRefused()
{
    QFETCH(QByteArray, behind);
    QFile first(writeGzip(kStart + "\n" + kStart + "\n", QStringLiteral("first.gz")));
    QVERIFY(first.open(QIODevice::ReadOnly));
    const auto reading
        = readFile(write(first.readAll().toStdString() + behind.toStdString(), QStringLiteral("two.gz")));
    QVERIFY(reading.error.has_value());
    QVERIFY(reading.error->code == rules::ErrorCode::BadInput);
    QVERIFY2(reading.error->message.find("damaged or cut off behind line ") != std::string::npos,
             reading.error->message.c_str());
    QVERIFY(reading.lines.size() >= 2); // what is whole was handed out before
}

void TestRecordedRuns::damageIsToldBehindTheLastGoodLine()
{
    QFile first(writeGzip(kStart + "\n" + kStart + "\n" + kStart + "\n"));
    QVERIFY(first.open(QIODevice::ReadOnly));
    const auto whole = first.readAll().toStdString();
    const auto reading = readFile(write(whole + "rest", QStringLiteral("rest.gz")));
    QVERIFY(reading.error.has_value());
    QVERIFY2(reading.error->message.find("behind line 3 ") != std::string::npos, reading.error->message.c_str());
    QVERIFY(reading.error->context.ends_with(":4"));
}

void TestRecordedRuns::aMissingFileIsTold()
{
    const auto reading = readFile(m_folder.filePath(QStringLiteral("none.ndjson")));
    QVERIFY(reading.error.has_value());
    QVERIFY(reading.error->code == rules::ErrorCode::NotFound);
}

void TestRecordedRuns::aFolderIsTold()
{
    const auto reading = readFile(m_folder.path());
    QVERIFY(reading.error.has_value());
    QVERIFY(reading.error->message.find("folder") != std::string::npos);
}

void TestRecordedRuns::unknownFieldsAreCounted()
{
    const auto line = R"({"ts":1,"agent":"a","task":"t","kind":"task_start","cost":3,"note":{"a":[null]}})";
    const auto reading = readFile(write(std::string(line) + "\n" + line + "\n" + kStart));
    QVERIFY(!reading.error);
    QCOMPARE(reading.lines.size(), 3U);
    const auto &named = reading.unknown.named();
    QCOMPARE(named.at("cost"), 2U);
    QCOMPARE(named.at("note"), 2U);
    QCOMPARE(named.size(), 2U);
    QCOMPARE(reading.unknown.further(), 0U);
}

void TestRecordedRuns::unknownFieldsAreBounded()
{
    std::string text;
    for (int i = 0; i < 500; ++i)
        text += R"({"ts":1,"agent":"a","task":"t","kind":"task_start",")" + std::to_string(i) + std::string(5000, 'n')
            + "\":1}\n";
    const auto reading = readFile(write(text));
    QVERIFY(!reading.error);
    QCOMPARE(reading.unknown.named().size(), feeds::UnknownFields::kMostNames);
    QCOMPARE(reading.unknown.further(), 400U);
    for (const auto &[name, lines] : reading.unknown.named())
        QVERIFY(name.size() < 70);
}

void TestRecordedRuns::aBadUnknownFieldIsNamedShortly()
{
    const auto reading = readFile(
        write(R"({"ts":1,"agent":"a","task":"t","kind":"task_start",")" + std::string(100'000, 'n') + R"(":{"a":}})"));
    QVERIFY(reading.error.has_value());
    QVERIFY2(reading.error->message.size() + reading.error->context.size() < 1000, reading.error->message.c_str());
}

void TestRecordedRuns::aPipeIsReadOnlyWhereItMayBe()
{
    const auto path = m_folder.filePath(QStringLiteral("pipe"));
    QCOMPARE(mkfifo(QFile::encodeName(path).constData(), 0600), 0);
    const auto refused = readFile(path); // and does not wait for a writer
    QVERIFY(refused.error.has_value());
    QVERIFY(refused.error->code == rules::ErrorCode::BadInput);
    QVERIFY(refused.error->message.find("no plain file") != std::string::npos);

    std::thread writer([&] {
        const int out = ::open(QFile::encodeName(path).constData(), O_WRONLY);
        for (const char c : kStart + "\n" + kStart + "\n") { // byte by byte: what there is may end anywhere
            if (::write(out, &c, 1) != 1)
                qFatal("the pipe cannot be written");
        }
        ::close(out);
    });
    auto runs = feeds::RecordedRuns::open(path.toStdString(), 0, feeds::Source::FileOrPipe);
    QVERIFY(runs.ok());
    RecordedLine line;
    QVERIFY((*runs)->next(line).value());
    QVERIFY((*runs)->next(line).value());
    QVERIFY(!(*runs)->next(line).value());
    writer.join();
}

void TestRecordedRuns::aDeviceIsRefused()
{
    const auto reading = readFile(QStringLiteral("/dev/zero"));
    QVERIFY(reading.error.has_value());
    QVERIFY(reading.error->code == rules::ErrorCode::BadInput);
    const auto runs = feeds::RecordedRuns::open("/dev/zero", 0, feeds::Source::FileOrPipe);
    QVERIFY(!runs.ok());
}

void TestRecordedRuns::theSharedRunsAreRead_data()
{
    QTest::addColumn<QString>("file");
    QTest::addColumn<int>("events");
    QTest::newRow("agentdyn") << QStringLiteral("data/runs/agentdyn_undefended.ndjson.gz") << 146222;
    QTest::newRow("airline") << QStringLiteral("data/runs/taubench_airline.ndjson.gz") << 5182;
    QTest::newRow("any-agent") << QStringLiteral("data/runs/anyagent_cost.ndjson.gz") << 75;
}

void TestRecordedRuns::theSharedRunsAreRead()
{
    QFETCH(QString, file);
    QFETCH(int, events);
    const auto path = tests::sharedFile(file);
    if (path.isEmpty())
        QSKIP("the shared runs are not beside this project");
    auto runs = feeds::RecordedRuns::open(path.toStdString());
    QVERIFY(runs.ok());
    RecordedLine line;
    int count = 0;
    for (;; ++count) {
        const auto more = (*runs)->next(line);
        QVERIFY2(more.ok(), more.ok() ? "" : more.error().message.c_str());
        if (!more.value())
            break;
    }
    QCOMPARE(count, events);
    QVERIFY((*runs)->unknownFields().empty());
}

QTEST_APPLESS_MAIN(TestRecordedRuns)
#include "tst_recorded_runs.moc"
