// handresetctl mcp-proxy as a program. Its server is mostly `cat`: what comes back is what was let through, to the
// byte, and the test speaks the server's answers itself.
#include "tests/clients/cpp/gate_stand_in.h"

#include <QElapsedTimer>
#include <QFile>
#include <QProcess>
#include <QProcessEnvironment>
#include <QTemporaryDir>
#include <QTest>

#include <csignal>
#include <memory>

using namespace handreset;
using test::allow;
using test::deny;
using test::GateStandIn;

namespace {

const QByteArray kPing = "{\"jsonrpc\":\"2.0\",\"id\":99,\"method\":\"ping\"}\n";

QByteArray call(int id, const char *tool = "t", const QByteArray &arguments = "{}")
{
    return "{\"jsonrpc\":\"2.0\",\"id\":" + QByteArray::number(id)
        + ",\"method\":\"tools/call\",\"params\":{\"name\":\"" + tool + "\",\"arguments\":" + arguments + "}}\n";
}

QByteArray result(int id, const QByteArray &rest = "{\"content\":[]}")
{
    return "{\"jsonrpc\":\"2.0\",\"id\":" + QByteArray::number(id) + ",\"result\":" + rest + "}\n";
}

QByteArray cancel(int id)
{
    return "{\"jsonrpc\":\"2.0\",\"method\":\"notifications/cancelled\",\"params\":{\"requestId\":"
        + QByteArray::number(id) + "}}\n";
}

/// The proxy, a gate beside it, and this test as the client.
struct Proxy {
    GateStandIn gate;
    QProcess process;
    QByteArray out; ///< read, and not taken yet

    void start(const QStringList &server = {QStringLiteral("cat")}, const QStringList &options = {})
    {
        auto environment = QProcessEnvironment::systemEnvironment();
        environment.insert(QStringLiteral("HANDRESET_TOKEN"), QStringLiteral("test-token"));
        process.setProcessEnvironment(environment);
        QStringList words{QStringLiteral("mcp-proxy"), QStringLiteral("--agent"), QStringLiteral("booking"),
                          QStringLiteral("--gate"), QString::fromStdString(gate.address())};
        words += options;
        words += QStringLiteral("--");
        words += server;
        process.start(QStringLiteral(HANDRESETCTL), words);
        QVERIFY2(process.waitForStarted(), qPrintable(process.errorString()));
    }
    void send(const QByteArray &bytes) { process.write(bytes); }
    /// The next line from the proxy; what came so far where none comes.
    QByteArray line(int longest = 10000)
    {
        QElapsedTimer time;
        time.start();
        while (!out.contains('\n') && time.elapsed() < longest) {
            process.waitForReadyRead(20);
            out += process.readAllStandardOutput();
        }
        const auto end = out.indexOf('\n') + 1;
        return end > 0 ? std::exchange(out, out.mid(end)).left(end) : std::exchange(out, {});
    }
    /// Closes the client's side and waits for the end; the exit code.
    int end()
    {
        process.closeWriteChannel();
        process.waitForFinished(10000);
        out += process.readAllStandardOutput();
        return process.exitStatus() == QProcess::NormalExit ? process.exitCode() : -1;
    }
    /// The outcomes that were told, in order.
    QByteArrayList outcomes() const
    {
        QByteArrayList list;
        for (const auto &post : gate.posts("/result"))
            list += QByteArray::fromStdString(post.field("outcome"));
        return list;
    }
    bool isTold(int count) const
    {
        return QTest::qWaitFor([&] { return outcomes().size() == count; }, 10000);
    }
};

} // namespace

class TstMcpProxy : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void everythingElsePassesToTheByte()
    {
        Proxy proxy;
        proxy.start();
        const QByteArrayList lines{" { \"id\" :1,\"method\" : \"initialize\"}\r\n",
                                   "\n",
                                   "garbage\n",
                                   "{\"method\":\"notifications/initialized\"}\n",
                                   "[ {\"id\":2,\"method\":\"ping\"} , 5 ]\n",
                                   "{\"id\":3,\"result\":{\"x\":\"" + QByteArray(3'000'000, 'x') + "\"}}\n"};
        proxy.send(lines.join());
        for (const auto &line : lines)
            QCOMPARE(proxy.line(), line);
        proxy.send("last words");
        QCOMPARE(proxy.end(), 0);
        QCOMPARE(proxy.out, "last words");
        QVERIFY(proxy.gate.asks().empty());
    }

    void anAllowedCall()
    {
        Proxy proxy;
        proxy.start();
        const QByteArray odd = "{\"id\":\"a\", \"method\":\"tools\\u002fcall\",\"params\":{\"arguments\":{\"b\":1.50,"
                               "\"a\":[true]},\"name\":\"pay\"} }\r\n";
        proxy.send(odd);
        QCOMPARE(proxy.line(), odd);
        const auto asks = proxy.gate.asks();
        QCOMPARE(asks.size(), std::size_t{1});
        QCOMPARE(asks[0].path, "/v1/calls");
        QCOMPARE(asks[0].field("agent"), "booking");
        QCOMPARE(asks[0].field("tool"), "pay");
        QVERIFY(asks[0].field("task").starts_with("mcp-"));
        QVERIFY(asks[0].body.find("\"arguments\":{\"a\":[true],\"b\":1.5}") != std::string::npos);
        QVERIFY(asks[0].head.find("Bearer test-token") != std::string::npos);
        QVERIFY(proxy.outcomes().isEmpty());
        proxy.send("{\"id\":\"a\",\"result\":{}}\n");
        QVERIFY(proxy.isTold(1));
        QCOMPARE(proxy.outcomes(), QByteArrayList{"success"});
        QCOMPARE(proxy.end(), 0);
        QCOMPARE(proxy.gate.posts("/end").size(), std::size_t{1});
    }

    void aRefusedCall()
    {
        Proxy proxy;
        proxy.gate.script({deny("closed", "breaker", "{\"after_calls\":2}")});
        proxy.start();
        proxy.send(call(1) + kPing);
        QByteArrayList lines{proxy.line(), proxy.line()}; // the ping need not wait
        lines.removeOne(kPing);
        QCOMPARE(lines.size(), 1);
        QVERIFY2(
            lines[0].startsWith("{\"jsonrpc\":\"2.0\",\"id\":1,\"result\":{\"content\":[{\"type\":\"text\",\"text\":"
                                "\"Refused by Handreset: "),
            lines[0].constData());
        QVERIFY2(lines[0].endsWith("What would end it: its cooldown; 2 more calls are turned away first.\"}],"
                                   "\"isError\":true}}\n"),
                 lines[0].constData());
        QCOMPARE(proxy.end(), 0);
        QVERIFY(proxy.out.isEmpty()); // the server never saw it
        QVERIFY(proxy.outcomes().isEmpty());
    }

    void outcomesAreToldBeforeTheNextAsk()
    {
        Proxy proxy;
        proxy.start();
        const QByteArrayList answers{result(0, "{\"isError\":true}"),
                                     "{\"id\":1,\"error\":{\"code\":-32603,\"message\":\"secret\"}}\n",
                                     "{\"id\":2,\"error\":{\"code\":-32602,\"message\":\"x\"}}\n", result(3)};
        for (int i = 0; i < 4; ++i) {
            proxy.send(call(i));
            QCOMPARE(proxy.line(), call(i));
            proxy.send(answers[i]);
            QCOMPARE(proxy.line(), answers[i]);
        }
        QCOMPARE(proxy.end(), 0);
        QCOMPARE(proxy.outcomes(), (QByteArrayList{"failure", "failure", "neutral", "success"}));
        std::string order;
        for (const auto &request : proxy.gate.requests()) {
            order += request.path == "/v1/calls" ? 'a' : request.path.ends_with("/result") ? 'r' : 'e';
            QVERIFY(request.body.find("secret") == std::string::npos);
        }
        QCOMPARE(order, "arararare");
    }

    void severalCallsAreOut()
    {
        Proxy proxy;
        proxy.start();
        QByteArray all;
        for (int i = 0; i < 50; ++i)
            all += call(i);
        proxy.send(all);
        for (int i = 0; i < 50; ++i)
            QCOMPARE(proxy.line(), call(i));
        for (int i = 49; i >= 0; --i)
            proxy.send(result(i));
        QVERIFY(proxy.isTold(50));
        QCOMPARE(proxy.end(), 0);
        QCOMPARE(proxy.outcomes().count("success"), 50);
    }

    void aBatch()
    {
        Proxy proxy;
        proxy.gate.script({deny(), allow()});
        proxy.start();
        proxy.send('[' + call(1).trimmed() + ", " + kPing.trimmed() + ',' + call(2).trimmed() + "]\n");
        QVERIFY(proxy.line().startsWith("{\"jsonrpc\":\"2.0\",\"id\":1,\"result\":{\"content\""));
        QCOMPARE(proxy.line(), '[' + kPing.trimmed() + ',' + call(2).trimmed() + "]\n");
        proxy.send('[' + result(99).trimmed() + ',' + result(2).trimmed() + "]\n");
        QVERIFY(proxy.isTold(1));
        QCOMPARE(proxy.end(), 0);
    }

    void aCallIsCalledOffWhileTheGateThinks()
    {
        Proxy proxy;
        proxy.gate.script({test::slow(std::chrono::milliseconds(150)), test::slow(std::chrono::milliseconds(150))});
        proxy.start();
        proxy.send(call(1) + call(2)); // the second waits behind the first and is not asked yet
        QVERIFY(QTest::qWaitFor([&] { return proxy.gate.asks().size() == 1; }));
        proxy.send(cancel(2) + cancel(1) + kPing);
        QCOMPARE(proxy.line(), kPing);
        QVERIFY(proxy.isTold(1)); // the first was allowed too late
        QCOMPARE(proxy.end(), 0);
        QCOMPARE(proxy.outcomes(), QByteArrayList{"neutral"});
        QCOMPARE(proxy.gate.asks().size(), std::size_t{1});
        QVERIFY(proxy.out.isEmpty());
    }

    void nothingSlipsPast_data()
    {
        QTest::addColumn<QByteArray>("line");
        QTest::addColumn<QByteArray>("id");
        const auto row = [](const char *name, const char *line, const char *id) {
            QTest::newRow(name) << QByteArray(line) + '\n' << QByteArray(id);
        };
        row("twice", "{\"id\":7,\"method\":\"ping\",\"method\":\"tools/call\",\"params\":{\"name\":\"t\"}}", "7");
        row("in capitals", "{\"id\":7,\"METHOD\":\"tools/call\",\"params\":{\"name\":\"t\"}}", "7");
        row("a lone surrogate", "{\"id\":7,\"method\":\"tools/call\",\"params\":{\"name\":\"\\ud800\"}}", "7");
        row("no id", "{\"method\":\"tools/call\",\"params\":{\"name\":\"t\"}}", "");
        row("between carriage returns",
            "{\"id\":7,\"method\":\"x\",\"params\":\r{\"id\":8,\"method\":\"tools/"
            "call\",\"params\":{\"name\":\"t\"}}\r}",
            "7");
        row("a batch within a batch", "[[{\"id\":7,\"method\":\"tools/call\",\"params\":{\"name\":\"t\"}}]]", "");
    }
    void nothingSlipsPast()
    {
        QFETCH(QByteArray, line);
        QFETCH(QByteArray, id);
        Proxy proxy;
        proxy.start();
        proxy.send(line + kPing);
        if (!id.isEmpty()) {
            const auto answer = proxy.line();
            QVERIFY2(answer.startsWith("{\"jsonrpc\":\"2.0\",\"id\":" + id + ",\"error\":{\"code\":-32600,"),
                     answer.constData());
        }
        QCOMPARE(proxy.line(), kPing);
        QCOMPARE(proxy.end(), 0);
        QVERIFY(proxy.out.isEmpty());
        QVERIFY(proxy.process.readAllStandardError().contains("a message from the client was dropped"));
    }

    void aLineWithoutEndIsNotHeld()
    {
        Proxy proxy;
        proxy.start();
        const QByteArray filler(1 << 20, 'x');
        proxy.send("{\"method\":\"tools/call\",\"params\":{\"name\":\"t\",\"arguments\":{\"x\":\"");
        for (int i = 0; i < 20; ++i)
            proxy.send(filler);
        proxy.send("\"}},\"jsonrpc\":\"2.0\",\"id\":7}\n" + kPing);
        const auto answer = proxy.line(60000);
        QVERIFY2(answer.startsWith("{\"jsonrpc\":\"2.0\",\"id\":7,\"error\":{\"code\":-32600,"), answer.constData());
        QCOMPARE(proxy.line(), kPing);
        QCOMPARE(proxy.end(), 0);
        QVERIFY(proxy.gate.asks().empty());
    }

    void aServerMaySayMoreThanWeHold()
    {
        Proxy proxy;
        proxy.start(
            {QStringLiteral("sh"), QStringLiteral("-c"),
             QStringLiteral("read line; printf '{\"id\":1,\"result\":\"'; head -c 20000000 /dev/zero | tr '\\0' x; "
                            "printf '\"}\\n'; cat")});
        proxy.send(call(1));
        const auto line = proxy.line(60000);
        QCOMPARE(line.size(), 20'000'000 + 21);
        QVERIFY(line.startsWith("{\"id\":1,\"result\":\"xxx") && line.endsWith("x\"}\n"));
        QVERIFY(proxy.isTold(1));
        QCOMPARE(proxy.outcomes(), QByteArrayList{"neutral"}); // what it says of the call was not read
        proxy.send(kPing);
        QCOMPARE(proxy.line(), kPing);
        QCOMPARE(proxy.end(), 0);
    }

    void aClientThatReadsSlowlyLosesNothing()
    {
        Proxy proxy;
        proxy.start({QStringLiteral("sh"), QStringLiteral("-c"), QStringLiteral("seq 1 1000000; exit 5")});
        QTest::qWait(300); // the server has ended long before all is read
        QByteArray all;
        while (proxy.process.waitForReadyRead(5000) || proxy.process.bytesAvailable() > 0)
            all += proxy.process.readAllStandardOutput();
        QCOMPARE(proxy.end(), 5);
        all += proxy.out;
        QCOMPARE(all.size(), 6888896);
        QVERIFY(all.endsWith("\n1000000\n"));
    }

    void whatWasSaidBeforeTheEndIsAsked()
    {
        Proxy proxy;
        proxy.gate.script({test::slow(std::chrono::milliseconds(150))});
        proxy.start();
        proxy.send(call(1).trimmed()); // without a line's end, too
        QCOMPARE(proxy.end(), 0);
        QCOMPARE(proxy.out, call(1).trimmed());
        QCOMPARE(proxy.outcomes(), QByteArrayList{"neutral"}); // the client went without waiting for the answer
    }

    void aServerThatDiesHasFailed()
    {
        Proxy proxy;
        proxy.start({QStringLiteral("sh"), QStringLiteral("-c"), QStringLiteral("echo oops >&2; read line; exit 3")});
        proxy.send(call(1));
        QVERIFY(proxy.process.waitForFinished(10000));
        QCOMPARE(proxy.process.exitCode(), 3);
        QCOMPARE(proxy.process.readAllStandardError(), "oops\n");
        QCOMPARE(proxy.outcomes(), QByteArrayList{"failure"});
        QCOMPARE(proxy.gate.posts("/end").size(), std::size_t{1});
    }

    void signalsReachTheServer()
    {
        Proxy proxy;
        proxy.start({QStringLiteral("sh"), QStringLiteral("-c"),
                     QStringLiteral("trap 'exit 42' TERM; echo up; while :; do sleep 0.05; done")});
        QCOMPARE(proxy.line(), "up\n");
        ::kill(static_cast<pid_t>(proxy.process.processId()), SIGTERM);
        QVERIFY(proxy.process.waitForFinished(10000));
        QCOMPARE(proxy.process.exitCode(), 42);
    }

    void aClientThatLeavesTakesTheServerAlong()
    {
        const GateStandIn gate;
        QProcess shell;
        auto environment = QProcessEnvironment::systemEnvironment();
        environment.insert(QStringLiteral("HANDRESET_TOKEN"), QStringLiteral("test-token"));
        shell.setProcessEnvironment(environment);
        shell.start(QStringLiteral("sh"),
                    {QStringLiteral("-c"), QStringLiteral("exec 3>&1; { \"$@\"; echo left $? >&3; } | head -n 1"),
                     QStringLiteral("sh"), QStringLiteral(HANDRESETCTL), QStringLiteral("mcp-proxy"),
                     QStringLiteral("--agent"), QStringLiteral("a"), QStringLiteral("--gate"),
                     QString::fromStdString(gate.address()), QStringLiteral("--"), QStringLiteral("sh"),
                     QStringLiteral("-c"), QStringLiteral("while echo x; do sleep 0.01; done; exit 141")});
        QVERIFY(shell.waitForFinished(10000));                    // its input is open all the while
        QCOMPARE(shell.readAllStandardOutput(), "x\nleft 141\n"); // SIGPIPE, as without us
    }

    void withoutTheGate()
    {
        Proxy proxy;
        proxy.start({QStringLiteral("cat")}, {QStringLiteral("--read"), QStringLiteral("look")});
        const auto refusal = [&](const QByteArray &words) {
            const auto line = proxy.line();
            return line.contains("Refused by Handreset") && line.contains(words) ? QByteArray() : line;
        };
        proxy.gate.stop();
        proxy.send(call(1, "look"));
        QCOMPARE(refusal("has never answered"), QByteArray());
        proxy.gate.start();
        proxy.send(call(2, "look") + call(3, "pay"));
        QCOMPARE(proxy.line(), call(2, "look"));
        QCOMPARE(proxy.line(), call(3, "pay"));
        proxy.gate.stop();
        proxy.send(call(4, "look"));
        QCOMPARE(proxy.line(), call(4, "look")); // its lease
        proxy.send(call(5, "pay"));
        QCOMPARE(refusal("write tools are refused"), QByteArray());
        proxy.send(call(6, "other"));
        QCOMPARE(refusal("write tools are refused"), QByteArray());
        proxy.send(kPing);
        QCOMPARE(proxy.line(), kPing);
        proxy.gate.otherwise(deny("open", "steps", "\"after_human\""));
        proxy.gate.start();
        proxy.send(call(7, "look"));
        QCOMPARE(refusal("steps"), QByteArray());
        QCOMPARE(proxy.end(), 0);
        QVERIFY(proxy.process.readAllStandardError().contains("made on a lease is not counted"));
    }

    void aGateThatTurnsUsAway()
    {
        Proxy proxy;
        proxy.gate.script({test::status(401), test::status(503), test::raw("no HTTP at all\r\n\r\n"),
                           test::raw("no HTTP at all\r\n\r\n")});
        proxy.start();
        for (int i = 0; i < 3; ++i) {
            proxy.send(call(i));
            QVERIFY(proxy.line().contains("Refused by Handreset"));
        }
        QCOMPARE(proxy.end(), 0);
        QVERIFY(proxy.out.isEmpty());
    }

    void options()
    {
        QTemporaryDir folder;
        const auto file = folder.filePath(QStringLiteral("token"));
        QFile token(file);
        QVERIFY(token.open(QFile::WriteOnly));
        token.write("from-a-file\n");
        token.close();
        Proxy proxy;
        proxy.start({QStringLiteral("cat")},
                    {QStringLiteral("--token-file"), file, QStringLiteral("--task"), QStringLiteral("ticket-7")});
        proxy.send(call(1));
        QCOMPARE(proxy.line(), call(1));
        QCOMPARE(proxy.end(), 0);
        QCOMPARE(proxy.gate.asks()[0].field("task"), "ticket-7");
        QVERIFY(proxy.gate.asks()[0].head.find("Bearer from-a-file") != std::string::npos);
        QCOMPARE(proxy.gate.posts("/end")[0].path, "/v1/tasks/ticket-7/end");
    }

    void wrongUse_data()
    {
        QTest::addColumn<QStringList>("words");
        QTest::addColumn<QByteArray>("says");
        const auto row = [](const char *name, const char *words, const char *says) {
            QTest::newRow(name) << QString::fromUtf8(words).split(u' ') << QByteArray(says);
        };
        row("no agent", "--gate unix:/nowhere -- cat", "--agent is missing");
        row("no server", "--agent a --gate unix:/nowhere", "an argument is missing");
        row("no gate", "--agent a -- cat", "handresetctl: ");
        row("another machine", "--agent a --gate http://example.com:80 -- cat", "handresetctl: ");
        row("no such server", "--agent a --gate unix:/nowhere -- /no/such/program", "the server cannot be started");
        row("no such file", "--agent a --gate unix:/nowhere --token-file /no/such/file -- cat", "no token can be read");
    }
    void wrongUse()
    {
        QFETCH(QStringList, words);
        QFETCH(QByteArray, says);
        QProcess process;
        auto environment = QProcessEnvironment::systemEnvironment();
        environment.insert(QStringLiteral("HANDRESET_TOKEN"), QStringLiteral("test-token"));
        environment.remove(QStringLiteral("HANDRESET_GATE"));
        process.setProcessEnvironment(environment);
        process.start(QStringLiteral(HANDRESETCTL), QStringList{QStringLiteral("mcp-proxy")} + words);
        process.closeWriteChannel();
        QVERIFY(process.waitForFinished(10000));
        QCOMPARE(process.exitCode(), 2);
        QVERIFY(process.readAllStandardOutput().isEmpty());
        const auto said = process.readAllStandardError();
        QVERIFY2(said.contains(says), said.constData());
    }
};

QTEST_GUILESS_MAIN(TstMcpProxy)
#include "tst_mcp_proxy.moc"
