// What the MCP proxy sees in a line: every tool call, in whatever spelling, and nothing that two readers could read
// differently.
#include "model/feeds/mcp_answer.h"
#include "model/feeds/mcp_line_cutter.h"
#include "model/feeds/mcp_message.h"

#include <QTest>

#include <string>
#include <vector>

using namespace handreset;
using feeds::McpKind;
using feeds::McpOutcome;
using feeds::readMcpLine;
using feeds::readMcpMessage;

namespace {

std::string nested(int levels)
{
    const auto count = static_cast<std::size_t>(levels);
    return std::string(count, '[') + std::string(count, ']');
}

std::string call(const std::string &arguments)
{
    return R"({"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":"t","arguments":)" + arguments + "}}";
}

/// Hears of the cutter's work as words.
class Heard final : public feeds::McpLineSink {
public:
    std::vector<std::string> words;
    std::string passed; ///< pieces, put together again

    void line(std::string_view line) override { words.push_back("line " + std::string(line)); }
    void piece(std::string_view bytes) override { passed += bytes; }
    void tooLong(const feeds::McpIdFinder &ids) override
    {
        std::string word = "too long";
        for (const auto &id : ids.requests())
            word += " request " + id;
        for (const auto &id : ids.responses())
            word += " response " + id;
        words.push_back(word);
    }
};

} // namespace

class TstMcpMessage : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void kinds_data()
    {
        QTest::addColumn<QByteArray>("json");
        QTest::addColumn<int>("kind");
        const auto row = [](const char *name, std::string json, McpKind kind) {
            QTest::newRow(name) << QByteArray::fromStdString(json) << static_cast<int>(kind);
        };
        using enum McpKind;
        row("a tool call", call("{}"), ToolCall);
        row("escapes in the method", R"({"id":1,"method":"tools\u002fcall","params":{"name":"t"}})", ToolCall);
        row("escapes in the names", R"({"id":1,"meth\u006fd":"tools/c\u0061ll","p\u0061rams":{"n\u0061me":"t"}})",
            ToolCall);
        row("a slash that is escaped", R"({"id":1,"method":"tools\/call","params":{"name":"t"}})", ToolCall);
        row("the id is text", R"({"id":"a","method":"tools/call","params":{"name":"t"}})", ToolCall);
        row("blanks", "  { \"id\" : 1 , \"method\" : \"tools/call\" , \"params\" : {\"name\":\"t\"} } ", ToolCall);
        row("no jsonrpc", R"({"id":1,"method":"tools/call","params":{"name":"t"}})", ToolCall);
        row("a result beside the method", R"({"id":1,"result":{},"method":"tools/call","params":{"name":"t"}})",
            ToolCall);
        row("at the deepest", call(nested(30)), ToolCall);

        row("too deep", call(nested(31)), Refused);
        row("a method twice", R"({"id":1,"method":"ping","method":"tools/call","params":{"name":"t"}})", Refused);
        row("a name twice", R"({"id":1,"method":"tools/call","params":{"name":"t","name":"u"}})", Refused);
        row("an argument twice", call(R"({"a":1,"a":2})"), Refused);
        row("a lone surrogate", call(R"({"a":"\ud800"})"), Refused);
        row("not UTF-8", call("{\"a\":\"\xff\"}"), Refused);
        row("NaN", call(R"({"a":NaN})"), Refused);
        row("a comma too many", call(R"({"a":1,})"), Refused);
        row("a comment", "/**/" + call("{}"), Refused);
        row("two in a line", call("{}") + call("{}"), Refused);
        row("cut off", "{\"id\":1,\"method\":\"tools/ca", Refused);
        row("NUL", call("{}") + std::string(1, '\0'), Refused);
        row("a byte order mark", "\xEF\xBB\xBF" + call("{}"), Refused);
        row("Method", R"({"id":1,"method":"ping","Method":"tools/call","params":{"name":"t"}})", Refused);
        row("only Method", R"({"id":1,"METHOD":"tools/call","params":{"name":"t"}})", Refused);
        row("Params", R"({"id":1,"method":"tools/call","params":{"name":"t"},"Params":{"name":"u"}})", Refused);
        row("long s", "{\"id\":1,\"method\":\"tools/call\",\"params\":{\"name\":\"t\"},\"param\xC5\xBF\":{}}", Refused);
        row("ID", R"({"id":1,"method":"tools/call","params":{"name":"t"},"ID":2})", Refused);
        row("Name", R"({"id":1,"method":"tools/call","params":{"name":"t","Name":"u"}})", Refused);
        row("Arguments", R"({"id":1,"method":"tools/call","params":{"name":"t","argumentS":{}}})", Refused);
        row("no id", R"({"method":"tools/call","params":{"name":"t"}})", Refused);
        row("null id", R"({"id":null,"method":"tools/call","params":{"name":"t"}})", Refused);
        row("an id in a list", R"({"id":[1],"method":"tools/call","params":{"name":"t"}})", Refused);
        row("a method in a list", R"({"id":1,"method":["tools/call"],"params":{"name":"t"}})", Refused);
        row("no params", R"({"id":1,"method":"tools/call"})", Refused);
        row("params in a list", R"({"id":1,"method":"tools/call","params":["t"]})", Refused);
        row("no tool", R"({"id":1,"method":"tools/call","params":{"arguments":{}}})", Refused);
        row("an empty tool", R"({"id":1,"method":"tools/call","params":{"name":""}})", Refused);
        row("a tool's number", R"({"id":1,"method":"tools/call","params":{"name":5}})", Refused);

        row("another method", R"({"id":1,"method":"tools/list"})", Other);
        row("another notification", R"({"method":"notifications/initialized"})", Other);
        row("its words within text",
            "{\"id\":1,\"method\":\"ping\",\"params\":{\"x\":\"{\\\"method\\\":\\\"tools/call\\\"}\"}}", Other);
        row("arguments of others", R"({"id":1,"method":"x","params":{"Method":"tools/call"}})", Other);
        row("text", R"("tools/call")", Other);
        row("a number", "5", Other);
        row("empty", "", Other);
        row("malformed without an object", "tools/call!", Other);
        row("calling off", R"({"method":"notifications/cancelled","params":{"requestId":1}})", Cancelled);
        row("calling off nothing", R"({"method":"notifications/cancelled","params":{}})", Other);
        row("a result", R"({"id":1,"result":{}})", Response);
        row("an error", R"({"id":1,"error":{"code":-1,"message":"m"}})", Response);
        row("an error of nobody", R"({"id":null,"error":{"code":-1,"message":"m"}})", Other);
    }
    void kinds()
    {
        QFETCH(QByteArray, json);
        QFETCH(int, kind);
        QCOMPARE(static_cast<int>(readMcpMessage(json.toStdString()).kind), kind);
        const auto line = readMcpLine((json + '\n').toStdString());
        QCOMPARE(line.parts.size(), std::size_t{1});
        QCOMPARE(static_cast<int>(line.parts.front().message.kind), kind);
    }

    void whatACallHas()
    {
        const auto message = readMcpMessage(
            R"({"params":{"arguments":{"b":500.00,"a":"é"},"name":"p\u0061y"},"id":"x\u0031","method":"tools/call"})");
        QCOMPARE(message.kind, McpKind::ToolCall);
        QCOMPARE(message.tool, "pay");
        QCOMPARE(message.id, R"("x1")");
        QCOMPARE(message.arguments, R"({"a":"é","b":500})");
        QCOMPARE(readMcpMessage(R"({"id":1.0,"method":"tools/call","params":{"name":"t"}})").id, "1");
        QCOMPARE(readMcpMessage(R"({"id":1,"method":"tools/call","params":{"name":"t"}})").arguments, "{}");
        QCOMPARE(readMcpMessage(call("null")).arguments, "{}");
        QCOMPARE(readMcpMessage(call(R"({"n":9007199254740993})")).arguments, R"({"n":9.007199254740993e+15})");
    }

    void outcomes()
    {
        const auto of = [](std::string_view json) { return readMcpMessage(json).outcome; };
        QCOMPARE(of(R"({"id":1,"result":{"content":[]}})"), McpOutcome::Success);
        QCOMPARE(of(R"({"id":1,"result":{"isError":false}})"), McpOutcome::Success);
        QCOMPARE(of(R"({"id":1,"result":"x"})"), McpOutcome::Success);
        QCOMPARE(of(R"({"id":1,"result":{"isError":true}})"), McpOutcome::Failure);
        QCOMPARE(of(R"({"id":1,"error":{"code":-32603,"message":"secret"}})"), McpOutcome::Failure);
        QCOMPARE(of(R"({"id":1,"error":"x"})"), McpOutcome::Failure);
        QCOMPARE(of(R"({"id":1,"error":{"code":-32602}})"), McpOutcome::Neutral);
        QCOMPARE(readMcpMessage(R"({"id":1,"error":{"code":-32603,"message":"secret"}})").error,
                 "JSON-RPC error -32603");
    }

    void refusedResponsesHaveNoIdToAnswer()
    {
        QCOMPARE(readMcpMessage(R"({"id":1,"result":{},"Params":1})").id, "");
        QCOMPARE(readMcpMessage(R"({"id":1,"method":"x","Params":1})").id, "1");
    }

    void batches()
    {
        const std::string text
            = R"( [ {"id":1,"method":"ping"} , )" + call("{\"a\":\"],[\\\"\"}") + " , 5, \"x\" ]\r\n";
        const auto line = readMcpLine(text);
        QVERIFY(line.isBatch);
        QCOMPARE(line.end, "\r\n");
        QCOMPARE(line.parts.size(), std::size_t{4});
        QCOMPARE(line.parts[0].json, R"({"id":1,"method":"ping"})");
        QCOMPARE(line.parts[1].json, call("{\"a\":\"],[\\\"\"}"));
        QCOMPARE(line.parts[1].message.kind, McpKind::ToolCall);
        QCOMPARE(line.parts[2].json, "5");
        QCOMPARE(line.parts[3].json, "\"x\"");
        QCOMPARE(readMcpLine("[]\n").parts.size(), std::size_t{0});
        const auto within = readMcpLine('[' + std::string("[") + call("{}") + "]]\n");
        QCOMPARE(within.parts.size(), std::size_t{1});
        QCOMPARE(within.parts[0].message.kind, McpKind::Refused);
    }

    void aCarriageReturnWithinEndsALineForSome()
    {
        // One message to JSON, three lines to a reader with universal line ends, the second of them a tool call.
        const auto line = readMcpLine("{\"id\":1,\"method\":\"ping\",\"params\":\r" + call("{}") + "\r}\n");
        QCOMPARE(line.parts.size(), std::size_t{1});
        QCOMPARE(line.parts[0].message.kind, McpKind::Refused);
        QCOMPARE(readMcpLine(call("{}") + "\r\n").parts[0].message.kind, McpKind::ToolCall);
        QCOMPARE(readMcpLine("x\r" + call("{}") + '\n').parts[0].message.kind, McpKind::Refused);
    }

    void linesAreCut()
    {
        for (std::size_t step = 1; step < 20; ++step) {
            Heard heard;
            feeds::McpLineCutter cutter(heard, 10);
            const std::string text = "abc\n\n123456789\nx";
            for (std::size_t at = 0; at < text.size(); at += step)
                cutter.feed(std::string_view(text).substr(at, step));
            cutter.finish();
            cutter.finish();
            QCOMPARE(heard.words, (std::vector<std::string>{"line abc\n", "line \n", "line 123456789\n", "line x"}));
        }
    }

    void aLineThatIsTooLongIsNotHeld()
    {
        const std::string longOne = "{\"method\":\"tools/call\",\"params\":{\"id\":7,\"name\":\"id\",\"x\":\""
            + std::string(500, 'x') + "\\\",\\\"id\\\":8\"},\"jsonrpc\":\"2.0\",\"id\":\"a\\u0062\"}";
        for (const std::size_t step : {1, 7, 64, 1000}) {
            Heard heard;
            feeds::McpLineCutter cutter(heard, 100);
            const auto text = "one\n" + longOne + "\ntwo\n" + longOne;
            for (std::size_t at = 0; at < text.size(); at += step)
                cutter.feed(std::string_view(text).substr(at, step));
            cutter.finish();
            QCOMPARE(heard.words,
                     (std::vector<std::string>{"line one\n", R"(too long request "ab")", "line two\n",
                                               R"(too long request "ab")"}));
            QCOMPARE(heard.passed, longOne + '\n' + longOne);
        }
    }

    void idsAreFound_data()
    {
        QTest::addColumn<QByteArray>("text");
        QTest::addColumn<QByteArray>("ids");
        const auto row = [](const char *name, const char *text, const char *ids) {
            QTest::newRow(name) << QByteArray(text) << QByteArray(ids);
        };
        row("a request", R"({"id":1,"method":"x"})", "request 1");
        row("a response", R"({"id":1,"result":{"method":"x"}})", "response 1");
        row("a notification", R"({"method":"x","params":{"id":4}})", "");
        row("of a batch", R"([{"id":1,"method":"x"},{"id":"b","method":"y"},{"id":3,"result":1}])",
            R"(request 1 request "b" response 3)");
        row("an object for an id", R"({"id":{"a":5},"method":"x"})", "");
        row("behind other values", R"({"params":{"a":[1,{"id":9}]},"method":"x","id":2})", "request 2");
        row("cut off", "{\"id\":1,\"method\":\"x\"", "");
        row("no JSON", "}}}]]],,,:::\"", "");
    }
    void idsAreFound()
    {
        QFETCH(QByteArray, text);
        QFETCH(QByteArray, ids);
        feeds::McpIdFinder finder;
        finder.feed(text.toStdString());
        std::string found;
        for (const auto &id : finder.requests())
            found += (found.empty() ? "request " : " request ") + id;
        for (const auto &id : finder.responses())
            found += (found.empty() ? "response " : " response ") + id;
        QCOMPARE(found, ids.toStdString());
    }

    void refusalsSayWhatEndsThem_data()
    {
        QTest::addColumn<int>("retry");
        QTest::addColumn<double>("amount");
        QTest::addColumn<QString>("words");
        const auto row = [](feeds::McpRetry retry, double amount, const char *words) {
            QTest::newRow(words) << static_cast<int>(retry) << amount << QString::fromUtf8(words);
        };
        using enum feeds::McpRetry;
        row(Never, 0, "What would end it: nothing does; do not repeat this call.");
        row(AfterHuman, 0,
            "What would end it: a human re-arms trip 12; repeating the call before that is refused, too.");
        row(AfterSeconds, 30, "What would end it: time; ask again after 30 seconds.");
        row(AfterSeconds, 1, "What would end it: time; ask again after 1 second.");
        row(AfterSeconds, 1.5, "What would end it: time; ask again after 1.5 seconds.");
        row(AfterCalls, 2, "What would end it: its cooldown; 2 more calls are turned away first.");
        row(AfterCalls, 1, "What would end it: its cooldown; 1 more call is turned away first.");
        row(Untold, 0, "What would end it: not said; tell a human.");
    }
    void refusalsSayWhatEndsThem()
    {
        QFETCH(int, retry);
        QFETCH(double, amount);
        QFETCH(QString, words);
        feeds::McpDecision decision{
            false, "three equal calls.", "repetition", "12", static_cast<feeds::McpRetry>(retry), amount};
        QCOMPARE(feeds::refusalText(decision),
                 "Refused by Handreset: three equal calls (repetition). The tool was not called. "
                     + words.toStdString());
    }

    void answersAreOneLineOfJson()
    {
        feeds::McpDecision decision;
        decision.text = "a \"quote\"\nand a line";
        const auto line = feeds::refusalLine(R"("i")", decision);
        QCOMPARE(
            line,
            "{\"jsonrpc\":\"2.0\",\"id\":\"i\",\"result\":{\"content\":[{\"type\":\"text\",\"text\":\"Refused by "
            "Handreset: a \\\"quote\\\"\\nand a line. The tool was not called. What would end it: not said; tell a "
            "human.\"}],\"isError\":true}}\n");
        QCOMPARE(feeds::errorLine("3", -32600, "x\ny"),
                 "{\"jsonrpc\":\"2.0\",\"id\":3,\"error\":{\"code\":-32600,\"message\":\"x\\ny\"}}\n");
    }
};

QTEST_GUILESS_MAIN(TstMcpMessage)
#include "tst_mcp_message.moc"
