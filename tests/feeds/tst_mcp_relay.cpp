// The MCP proxy's books: what is held, what goes where and in which order, and that every call that was allowed is told
// of exactly once.
#include "model/feeds/mcp_relay.h"

#include <QTest>

#include <algorithm>
#include <map>
#include <random>
#include <string>
#include <variant>

using namespace handreset;
using feeds::McpCall;
using feeds::McpDecision;
using feeds::McpOutcome;
using feeds::McpRelay;
namespace mcp = feeds::mcp;

namespace {

const McpDecision kAllow{.isAllowed = true};
const McpDecision kDeny{.text = "no"};

std::string word(McpOutcome outcome)
{
    return outcome == McpOutcome::Success ? "success" : outcome == McpOutcome::Failure ? "failure" : "neutral";
}

/// The actions as lines of text.
std::string told(const mcp::Actions &actions)
{
    std::string out;
    for (const auto &action : actions) {
        if (const auto *toServer = std::get_if<mcp::ToServer>(&action))
            out += "server " + toServer->bytes;
        else if (const auto *toClient = std::get_if<mcp::ToClient>(&action))
            out += "client " + toClient->bytes;
        else if (const auto *ask = std::get_if<mcp::Ask>(&action))
            out += "ask " + std::to_string(ask->call.value) + ' ' + ask->tool + ' ' + ask->arguments + '\n';
        else if (const auto *withdraw = std::get_if<mcp::Withdraw>(&action))
            out += "withdraw " + std::to_string(withdraw->call.value) + '\n';
        else if (const auto *report = std::get_if<mcp::Report>(&action))
            out += "report " + std::to_string(report->call.value) + ' ' + word(report->outcome) + '\n';
        else
            out += "notice\n";
    }
    return out;
}

std::string call(const std::string &id, const std::string &tool = "t")
{
    return R"({"jsonrpc":"2.0","id":)" + id + R"(,"method":"tools/call","params":{"name":")" + tool + R"("}})";
}

std::string cancel(const std::string &id)
{
    return R"({"jsonrpc":"2.0","method":"notifications/cancelled","params":{"requestId":)" + id + "}}";
}

std::string result(const std::string &id)
{
    return R"({"jsonrpc":"2.0","id":)" + id + R"(,"result":{"content":[]}})";
}

std::string no(const std::string &id)
{
    return "client " + feeds::refusalLine(id, kDeny);
}

const std::string kPing = R"({"jsonrpc":"2.0", "id":9, "method":"ping"})";

} // namespace

class TstMcpRelay : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void whatIsNoCallPassesToTheByte()
    {
        McpRelay relay;
        for (const std::string line : {" {\"id\" :1,\"method\":\"ping\"}\r\n", "garbage\n", "\n", "[]\n", "[1, 2]\n",
                                       "{\"id\":1,\"result\":{}}", "[{\"id\":1,\"method\":\"ping\"} ]\n"})
            QCOMPARE(told(relay.fromClient(line)), "server " + line);
        QCOMPARE(relay.heldBytes(), std::size_t{0});
    }

    void anAllowedCallPassesToTheByteAndIsToldOf()
    {
        McpRelay relay;
        const auto line = " " + call("1") + " \r\n";
        QCOMPARE(told(relay.fromClient(line)), "ask 1 t {}\n");
        QCOMPARE(relay.waiting(), std::size_t{1});
        QCOMPARE(told(relay.fromClient(kPing + '\n')), "server " + kPing + '\n'); // does not wait
        QCOMPARE(told(relay.decided({1}, kAllow)), "server " + line);
        QCOMPARE(relay.waiting(), std::size_t{0});
        QCOMPARE(told(relay.fromServer(R"({"jsonrpc":"2.0","method":"notifications/progress"})"
                                       "\n")),
                 "");
        QCOMPARE(told(relay.fromServer(result("9") + '\n')), "");
        QCOMPARE(told(relay.fromServer(result("1.0") + '\n')), "report 1 success\n");
        QCOMPARE(told(relay.fromServer(result("1") + '\n')), "");
        QCOMPARE(told(relay.end(true)), "");
    }

    void aRefusedCallIsAnsweredHere()
    {
        McpRelay relay;
        static_cast<void>(relay.fromClient(call("\"x\"") + '\n'));
        QCOMPARE(told(relay.decided({1}, kDeny)), no("\"x\""));
        QCOMPARE(told(relay.decided({1}, kAllow)), "");
        QCOMPARE(told(relay.end(true)), ""); // a refused call is never told of
    }

    void whatEndsBadlyIsToldAsThat()
    {
        McpRelay relay;
        for (const std::string id : {"1", "2", "3", "4", "5"}) {
            static_cast<void>(relay.fromClient(call(id) + '\n'));
            static_cast<void>(relay.decided({std::stoull(id)}, kAllow));
        }
        QCOMPARE(told(relay.fromServer(R"({"id":1,"result":{"isError":true}})"
                                       "\n")),
                 "report 1 failure\n");
        QCOMPARE(told(relay.fromServer(R"({"id":2,"error":{"code":-32602}})"
                                       "\n")),
                 "report 2 neutral\n");
        QCOMPARE(told(relay.fromServer(R"({"id":3,"error":{"code":-1}})"
                                       "\n")),
                 "report 3 failure\n");
        QCOMPARE(told(relay.fromServer(R"({"id":4,"result":{"a":1,"a":2}})"
                                       "\n")),
                 "report 4 neutral\n"); // unread
        QCOMPARE(told(relay.tooLongFromServer({"5", "77"})), "report 5 neutral\n");
    }

    void batchOfAnswers()
    {
        McpRelay relay;
        static_cast<void>(relay.fromClient('[' + call("1") + ',' + call("2") + "]\n"));
        static_cast<void>(relay.decided({1}, kAllow));
        static_cast<void>(relay.decided({2}, kAllow));
        QCOMPARE(told(relay.fromServer('[' + result("2") + ',' + result("1") + "]\n")),
                 "report 2 success\nreport 1 success\n");
    }

    void aCallThatWaitsIsCalledOff()
    {
        McpRelay relay;
        static_cast<void>(relay.fromClient(call("1") + '\n'));
        QCOMPARE(told(relay.fromClient(cancel("1") + '\n')), "withdraw 1\n");
        QCOMPARE(relay.waiting(), std::size_t{0});
        QCOMPARE(relay.heldBytes(), std::size_t{0});
        QCOMPARE(told(relay.decided({1}, kAllow)), "report 1 neutral\n"); // just allowed: its probe must go free
        static_cast<void>(relay.fromClient(call("2") + '\n'));
        static_cast<void>(relay.fromClient(cancel("2") + '\n'));
        QCOMPARE(told(relay.decided({2}, kDeny)), "");
        static_cast<void>(relay.fromClient(call("3") + '\n'));
        static_cast<void>(relay.fromClient(cancel("3") + '\n'));
        relay.forget({3});
        QCOMPARE(told(relay.decided({3}, kAllow)), "");
    }

    void aCallThatIsOutIsCalledOff()
    {
        McpRelay relay;
        static_cast<void>(relay.fromClient(call("1") + '\n'));
        static_cast<void>(relay.decided({1}, kAllow));
        QCOMPARE(told(relay.fromClient(cancel("1") + '\n')), "report 1 neutral\nserver " + cancel("1") + '\n');
        QCOMPARE(told(relay.fromServer(result("1") + '\n')), ""); // too late
        QCOMPARE(told(relay.fromClient(cancel("8") + '\n')), "server " + cancel("8") + '\n');
    }

    void anAnsweredCallIsNotCalledOff()
    {
        McpRelay relay;
        static_cast<void>(relay.fromClient(call("1") + '\n'));
        static_cast<void>(relay.decided({1}, kAllow));
        static_cast<void>(relay.fromServer(result("1") + '\n'));
        QCOMPARE(told(relay.fromClient(cancel("1") + '\n')), "server " + cancel("1") + '\n');
    }

    void aBatchPassesWithoutWhatIsRefused()
    {
        McpRelay relay;
        const auto line = '[' + kPing + " , " + call("1") + ", " + call("2", "u") + "]\r\n";
        QCOMPARE(told(relay.fromClient(line)), "ask 1 t {}\nask 2 u {}\n");
        QCOMPARE(told(relay.decided({2}, kDeny)), no("2"));
        QCOMPARE(told(relay.decided({1}, kAllow)), "server [" + kPing + ',' + call("1") + "]\r\n");
        QCOMPARE(told(relay.fromServer('[' + result("9") + ',' + result("1") + "]\n")), "report 1 success\n");

        QCOMPARE(told(relay.fromClient('[' + call("3") + "]\n")), "ask 3 t {}\n");
        QCOMPARE(told(relay.decided({3}, kDeny)), no("3")); // nothing is left of it

        const auto whole = "[ " + call("4") + " ," + call("5") + " ]\n";
        static_cast<void>(relay.fromClient(whole));
        QCOMPARE(told(relay.decided({4}, kAllow)), "");
        QCOMPARE(told(relay.decided({5}, kAllow)), "server " + whole); // to the byte
    }

    void aBatchWithWhatIsMalformed()
    {
        McpRelay relay;
        const std::string bad = R"({"id":3,"method":"tools/call","Params":{"name":"t"}})";
        const auto got = told(relay.fromClient('[' + kPing + ',' + bad + "]\n"));
        QVERIFY2(got.starts_with("notice\nclient {\"jsonrpc\":\"2.0\",\"id\":3,\"error\":{\"code\":-32600"),
                 got.c_str());
        QVERIFY2(got.ends_with("server [" + kPing + "]\n"), got.c_str());
    }

    void callingOffWithinABatch()
    {
        McpRelay relay;
        QCOMPARE(told(relay.fromClient('[' + call("1") + ',' + cancel("1") + "]\n")), "ask 1 t {}\nwithdraw 1\n");
        QCOMPARE(relay.heldBytes(), std::size_t{0});
        static_cast<void>(relay.fromClient('[' + call("2") + ',' + call("3") + "]\n"));
        static_cast<void>(relay.decided({2}, kAllow));
        QCOMPARE(told(relay.fromClient(cancel("2") + '\n')), "report 2 neutral\n"); // allowed, but never left
        QCOMPARE(told(relay.decided({3}, kAllow)), "server [" + call("3") + "]\n");
        static_cast<void>(relay.fromClient('[' + call("4") + ',' + call("5") + "]\n"));
        static_cast<void>(relay.decided({4}, kAllow));
        QCOMPARE(told(relay.fromClient(cancel("5") + '\n')), "withdraw 5\nserver [" + call("4") + "]\n");
    }

    void whatCannotBeReadIsRefused()
    {
        McpRelay relay;
        const auto twice = told(relay.fromClient(R"({"id":4,"method":"ping","method":"tools/call"})"
                                                 "\n"));
        QVERIFY2(twice.starts_with("notice\nclient {\"jsonrpc\":\"2.0\",\"id\":4,\"error\":{\"code\":-32600"),
                 twice.c_str());
        QCOMPARE(told(relay.fromClient(R"({"method":"tools/call","params":{"name":"t"}})"
                                       "\n")),
                 "notice\n");
        // A response's id is the server's: an error with it would hit a request of the client's own.
        QCOMPARE(told(relay.fromClient(R"({"id":4,"result":{"a":1,"a":1}})"
                                       "\n")),
                 "notice\n");
        QVERIFY(told(relay.fromClient(R"({"id":4,"method":"tools/call","params":{}})"
                                      "\n"))
                    .find("-32602")
                != std::string::npos);
        const auto tooLong = told(relay.tooLongFromClient({"6"}));
        QVERIFY2(tooLong.starts_with("notice\nclient {\"jsonrpc\":\"2.0\",\"id\":6,\"error\":{\"code\":-32600"),
                 tooLong.c_str());
        QCOMPARE(told(relay.end(true)), "");
    }

    void theSameIdTwice()
    {
        McpRelay relay; // a mistake of the client's; each call is asked and told of all the same
        static_cast<void>(relay.fromClient(call("1") + '\n'));
        static_cast<void>(relay.fromClient(call("1", "u") + '\n'));
        static_cast<void>(relay.decided({1}, kAllow));
        static_cast<void>(relay.decided({2}, kAllow));
        QCOMPARE(told(relay.fromServer(result("1") + '\n')), "report 1 success\n");
        QCOMPARE(told(relay.fromServer(result("1") + '\n')), "report 2 success\n");
    }

    void theEnd()
    {
        for (const bool serverFirst : {true, false}) {
            McpRelay relay;
            static_cast<void>(relay.fromClient(call("1") + '\n'));
            static_cast<void>(relay.fromClient(call("2") + '\n'));
            static_cast<void>(relay.fromClient('[' + call("3") + ',' + call("4") + "]\n"));
            static_cast<void>(relay.decided({1}, kAllow));
            static_cast<void>(relay.decided({3}, kAllow));
            QCOMPARE(told(relay.end(serverFirst)),
                     std::string("report 1 ") + (serverFirst ? "failure" : "neutral")
                         + "\nwithdraw 2\nreport 3 neutral\nwithdraw 4\n");
            QCOMPARE(told(relay.decided({2}, kAllow)), "report 2 neutral\n");
            QCOMPARE(told(relay.decided({4}, kDeny)), "");
        }
    }

    /// Whatever comes in whatever order: nothing passes that was not allowed, each allowed call is told of exactly once
    /// and no other is, and each request has at most one answer of ours.
    void anyOrder()
    {
        for (std::uint32_t seed = 1; seed <= 300; ++seed) {
            std::mt19937 random(seed);
            McpRelay relay;
            std::map<std::uint64_t, std::string> tools; // of each ask
            std::map<std::uint64_t, bool> decided;
            std::map<std::uint64_t, int> reports;
            std::vector<std::uint64_t> open;
            std::string toServer;
            const auto take = [&](const mcp::Actions &actions) {
                for (const auto &action : actions) {
                    if (const auto *ask = std::get_if<mcp::Ask>(&action)) {
                        tools[ask->call.value] = ask->tool;
                        open.push_back(ask->call.value);
                    } else if (const auto *report = std::get_if<mcp::Report>(&action)) {
                        ++reports[report->call.value];
                    } else if (const auto *out = std::get_if<mcp::ToServer>(&action)) {
                        toServer += out->bytes;
                    } else if (const auto *withdraw = std::get_if<mcp::Withdraw>(&action); withdraw && random() % 2) {
                        std::erase(open, withdraw->call.value);
                        relay.forget(withdraw->call);
                    }
                }
            };
            int ids = 0;
            for (int step = 0; step < 60; ++step) {
                const auto someId = std::to_string(random() % static_cast<unsigned>(ids + 1));
                switch (random() % 5) {
                case 0:
                    ++ids;
                    take(relay.fromClient(call(std::to_string(ids), "tool" + std::to_string(ids) + "_") + '\n'));
                    break;
                case 1:
                    ids += 2;
                    take(relay.fromClient('[' + call(std::to_string(ids - 1), "tool" + std::to_string(ids - 1) + "_")
                                          + ',' + call(std::to_string(ids), "tool" + std::to_string(ids) + "_")
                                          + "]\n"));
                    break;
                case 2:
                    take(relay.fromClient(cancel(someId) + '\n'));
                    break;
                case 3:
                    take(relay.fromServer(result(someId) + '\n'));
                    break;
                default:
                    if (!open.empty()) {
                        const auto at = random() % open.size();
                        const auto number = open[at];
                        open.erase(open.begin() + static_cast<std::ptrdiff_t>(at));
                        decided[number] = random() % 2 == 0;
                        take(relay.decided({number}, decided[number] ? kAllow : kDeny));
                    }
                }
            }
            take(relay.end(random() % 2 == 0));
            for (const auto number : std::vector(open)) {
                decided[number] = true;
                take(relay.decided({number}, kAllow));
            }
            for (const auto &[number, tool] : tools) {
                const bool isAllowed = decided.contains(number) && decided[number];
                QVERIFY2(reports[number] == (isAllowed ? 1 : 0), std::to_string(seed).c_str());
                if (!isAllowed)
                    QVERIFY2(toServer.find(tool + '"') == std::string::npos, std::to_string(seed).c_str());
            }
            QCOMPARE(relay.heldBytes(), std::size_t{0});
        }
    }
};

QTEST_GUILESS_MAIN(TstMcpRelay)
#include "tst_mcp_relay.moc"
