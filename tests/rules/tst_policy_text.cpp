// Reading policies: what is refused and where, what is taken, how tables merge, what is warned of.
#include "model/rules/policy_text.h"

#include <QDir>
#include <QFile>
#include <QTest>

#include <algorithm>
#include <random>

using namespace handreset::rules;

namespace {

const QString kData = QStringLiteral(HANDRESET_SOURCE_DIR "/tests/data/policies/");

std::string textOf(const QString &path)
{
    QFile file(path);
    if (!file.open(QIODevice::ReadOnly))
        return {};
    return file.readAll().toStdString();
}

bool knowsZone(std::string_view zone)
{
    return zone == "UTC" || zone == "America/Sao_Paulo";
}

PolicyReading read(std::string_view text)
{
    return readPolicy(text, "policy.toml", knowsZone);
}

/// Reads a text that must be taken.
Policy taken(std::string_view text)
{
    const PolicyReading reading = read(text);
    for (const PolicyProblem &problem : reading.problems) {
        if (problem.severity == Severity::Error)
            QTest::qFail(problem.toString().c_str(), __FILE__, __LINE__);
    }
    return reading.policy.value_or(Policy());
}

/// The smallest policy without a warning, to which the tests add.
const std::string kQuiet = "schema = 1\n"
                           "[defaults]\n"
                           "steps = { limit = 25, per_session = 200 }\n"
                           "spend = [{ window = \"24h\", limit = \"10.00 USD\" }]\n"
                           "degraded_model = \"small-model\"\n";

Decimal amount(std::string_view text)
{
    return Decimal::parse(text).value();
}

struct Expectation {
    std::uint32_t line = 0;
    std::string field;
    std::string word;
};

std::vector<Expectation> expectationsOf(const std::string &text)
{
    std::vector<Expectation> out;
    for (const QByteArray &line : QByteArray::fromStdString(text).split('\n')) {
        if (!line.startsWith("# expect: "))
            break;
        const auto after = [&](const char *key, const char *end) {
            const auto from = line.indexOf(key) + QByteArray(key).size();
            const auto to = end == nullptr ? line.size() : line.indexOf(end, from);
            return line.mid(from, to - from).toStdString();
        };
        Expectation expectation{static_cast<std::uint32_t>(std::stoul(after("line=", " "))), after("field=", " word="),
                                after("word=", nullptr)};
        if (expectation.field == "-")
            expectation.field.clear();
        out.push_back(std::move(expectation));
    }
    return out;
}

QString sharedFolder()
{
    const QString named = qEnvironmentVariable("HANDRESET_SHARED");
    return named.isEmpty() ? QStringLiteral(HANDRESET_SOURCE_DIR "/../shared") : named;
}

} // namespace

class TestPolicyText : public QObject {
    Q_OBJECT
private Q_SLOTS:
    void bad_data();
    void bad();
    void problemsComeInTheOrderOfTheText();
    void everyField();
    void everyFieldOfTools();
    void smallest();
    void tablesMergeFieldByField();
    void aBreakerHasOnlyTheCooldownsItNames();
    void whoLetsAProbeOut_data();
    void whoLetsAProbeOut();
    void aFleetsProbeIsOneForAll();
    void undeclared();
    void estimates();
    void keysWithoutWindows();
    void lookUps();
    void builtIn();
    void warnings_data();
    void warnings();
    void quietPolicyHasNoWarning();
    void shippedPolicies_data();
    void shippedPolicies();
    void sharedPolicies_data();
    void sharedPolicies();
    void zonesWithoutADatabase();
    void tooLarge();
    void listsCannotFillTheMemory();
    void mutatedTextsNeverBreakTheReader();
    void problemAsText();
};

void TestPolicyText::bad_data()
{
    QTest::addColumn<QString>("path");
    const QDir folder(kData + QStringLiteral("bad"));
    for (const QString &name : folder.entryList({QStringLiteral("*.toml")}, QDir::Files))
        QTest::newRow(qPrintable(name.chopped(5))) << folder.filePath(name);
}

void TestPolicyText::bad()
{
    QFETCH(QString, path);
    const std::string text = textOf(path);
    std::vector<Expectation> expected = expectationsOf(text);
    QVERIFY2(!expected.empty(), "the file does not say what is wrong with it");

    const PolicyReading reading = readPolicy(text, "bad.toml", knowsZone);
    QVERIFY(!reading.accepted());
    std::vector<PolicyProblem> errors = reading.problems;
    std::erase_if(errors, [](const PolicyProblem &problem) { return problem.severity != Severity::Error; });
    for (const Expectation &expectation : expected) {
        const auto found = std::find_if(errors.begin(), errors.end(), [&](const PolicyProblem &problem) {
            return problem.line == expectation.line && problem.field == expectation.field
                && problem.message.find(expectation.word) != std::string::npos;
        });
        if (found == errors.end()) {
            for (const PolicyProblem &problem : errors)
                qWarning("%s", problem.toString().c_str());
        }
        QVERIFY2(found != errors.end(), ("line " + std::to_string(expectation.line) + " " + expectation.field).c_str());
        QCOMPARE(found->file, std::string("bad.toml"));
        QVERIFY(found->column >= 1);
        QVERIFY2(found->remedy.size() > 10, "no remedy");
        errors.erase(found);
    }
    QVERIFY2(errors.empty(), errors.empty() ? "" : errors.front().toString().c_str());
}

void TestPolicyText::problemsComeInTheOrderOfTheText()
{
    const PolicyReading reading = read(textOf(kData + QStringLiteral("bad/many_at_once.toml")));
    QCOMPARE(reading.errorCount(), std::size_t{6});
    const auto isBefore = [](const PolicyProblem &a, const PolicyProblem &b) {
        return std::pair(a.line, a.column) < std::pair(b.line, b.column);
    };
    QVERIFY(std::is_sorted(reading.problems.begin(), reading.problems.end(), isBefore));
    QVERIFY(reading.problems == read(textOf(kData + QStringLiteral("bad/many_at_once.toml"))).problems);
}

void TestPolicyText::everyField()
{
    const Policy policy = taken(textOf(kData + QStringLiteral("good/every_field.toml")));
    QCOMPARE(policy.schema, 1);
    QCOMPARE(policy.timezone, std::string("America/Sao_Paulo"));
    QCOMPARE(policy.weekStarts, WeekDay::Monday);
    QCOMPARE(policy.undeclared, Undeclared::Write);

    AgentPolicy defaults;
    defaults.parents = {"planner"};
    defaults.models = {"medium-model", "tiny-model"};
    defaults.steps = {30, 20, Reach::Agent, 150, StepsPolicy::PerAgent{WindowKind{6}, 400}};
    defaults.repetition = {4, 3, Rung::Open, Reach::Agent, 2};
    defaults.envelope = {Rung::Degraded, Reach::Task};
    defaults.provider = {5, 45, Rung::Open, RearmBy::Human};
    defaults.escalate = {2, minutes(30)};
    defaults.degradedModel = "tiny-model";
    defaults.estimate = {amount("0.02"), "EUR"};
    defaults.offline = Offline::Lease;
    defaults.lease = seconds(15);
    defaults.watchAfterRearm = minutes(20);
    defaults.acknowledgeWithin = minutes(5);
    defaults.drillEvery = hours(7 * 24);
    defaults.runbook = "https://wiki.example.com/agents";
    defaults.contact = "on-call";
    QVERIFY(policy.defaults == defaults);

    AgentPolicy billing = defaults;
    billing.key = "acme";
    billing.parents = {"supervisor"};
    billing.models = {"large-model"};
    billing.steps.limit = 12;
    billing.steps.watch = 8;
    billing.degradedModel = "small-model";
    billing.estimate = {amount("0.1"), "USD"};
    billing.offline = Offline::Refuse;
    billing.contact = "billing on-call";
    QVERIFY(policy.agents.at("billing") == billing);
    QCOMPARE(policy.agents.at("night.shift").key, std::string("night.shift"));
    QCOMPARE(policy.agents.size(), std::size_t{2});

    const KeyPolicy byDefault{
        "EUR", {{WindowKind{12}, amount("7.5"), amount("5"), Rung::Open, {}, RearmBy::Human}}, ""};
    const KeyPolicy acme{"USD",
                         {{WindowKind{24}, amount("10"), amount("8"), Rung::Degraded, amount("1.25"), RearmBy::Clock},
                          {WindowKind{168}, amount("50"), {}, Rung::Open, {}, RearmBy::Clock},
                          {WindowKind{720}, amount("100"), {}, Rung::Open, {}, RearmBy::Human}},
                         ""};
    KeyPolicy shared = byDefault;
    shared.gateway = "litellm";
    QVERIFY(policy.defaultKey == byDefault);
    QVERIFY(policy.keys.at("acme") == acme);
    QVERIFY(policy.keys.at("shared") == shared);

    const ApprovalPolicy approval{
        {Signal::Spend, Signal::Envelope, Signal::Steps}, 2, false, false, minutes(5), seconds(0)};
    QVERIFY(policy.approval == approval);
    const Price large{{amount("2.5"), "USD"}, {amount("10"), "USD"}};
    QVERIFY(policy.prices.at("large-model") == large);
    QVERIFY(policy.prices.at("free.model").in.amount.isZero());
}

void TestPolicyText::everyFieldOfTools()
{
    const Policy policy = taken(textOf(kData + QStringLiteral("good/every_field.toml")));
    ToolPolicy lookup;
    lookup.declared = true;
    lookup.access = Access::Read;
    lookup.repetitionExempt = true;
    QVERIFY(policy.tools.at("lookup") == lookup);

    ToolPolicy pix;
    pix.declared = true;
    pix.breaker = {BreakerScope::Agent, 4, 3, 20, 90, ProbeBy::Auto};
    pix.value = ValueCap{"/payments/*/amount", "BRL", "/currency", amount("500"), amount("400")};
    pix.destination
        = DestinationCap{"/pix_key", {"acme@example.com"}, {"[0-9]{11}", "[a-z]+(\\.[a-z]+)*@acme\\.example"}};
    pix.volume = VolumeCap{WindowKind{24}, 20, amount("2000")};
    pix.repetitionIgnore = {"/request_id", "/trace~1id"};
    pix.repetitionLimit = 5;
    pix.redact = {"/note"};
    QVERIFY(policy.tools.at("send_pix") == pix);

    ToolPolicy own = pix;
    own.value->max = amount("200");
    own.value->watch = amount("150");
    own.destination->patterns.clear(); // arrays replace
    own.volume = VolumeCap{std::nullopt, 2, amount("2000")};
    own.breaker.cooldownSeconds = 60;
    QVERIFY(policy.agentTools.at({"billing", "send_pix"}) == own);
    QCOMPARE(policy.agentTools.at({"billing", "only_here"}).access, Access::Read);
    QVERIFY(!policy.tools.contains("only_here"));
}

void TestPolicyText::smallest()
{
    const Policy policy = taken("schema = 1\n[defaults]\nsteps = { limit = 25 }\n");
    QVERIFY(policy == builtInPolicy());
}

void TestPolicyText::tablesMergeFieldByField()
{
    const Policy policy = taken(kQuiet
                                + "repetition = { limit = 5, action = \"open\" }\n"
                                  "[agents.a]\n"
                                  "repetition = { limit = 2 }\n"
                                  "[tools.t]\n"
                                  "access = \"read\"\n"
                                  "redact = [\"/a\", \"/b\"]\n"
                                  "[agents.a.tools.t]\n"
                                  "redact = [\"/c\"]\n");
    QCOMPARE(policy.agents.at("a").repetition.limit, 2);
    QCOMPARE(policy.agents.at("a").repetition.action, Rung::Open);
    QCOMPARE(policy.agents.at("a").steps.limit, 25);
    QCOMPARE(policy.agents.at("a").key, std::string("a"));
    const ToolPolicy &tool = policy.agentTools.at({"a", "t"});
    QCOMPARE(tool.access, Access::Read);
    QVERIFY(tool.redact == std::vector<std::string>{"/c"});
}

void TestPolicyText::aBreakerHasOnlyTheCooldownsItNames()
{
    const Policy policy = taken(kQuiet
                                + "[tools.none]\n"
                                  "[tools.calls]\nbreaker = { cooldown_calls = 1 }\n"
                                  "[tools.seconds]\nbreaker = { cooldown_seconds = 5 }\n"
                                  "[agents.a.tools.seconds]\nbreaker = { scope = \"agent\", cooldown_calls = 7 }\n"
                                  "[agents.a.tools.fresh]\nbreaker = { scope = \"agent\", cooldown_calls = 7 }\n");
    const auto both
        = [](const ToolPolicy &tool) { return std::pair(tool.breaker.cooldownCalls, tool.breaker.cooldownSeconds); };
    using Both = std::pair<std::optional<std::int64_t>, std::optional<std::int64_t>>;
    QVERIFY(both(policy.tools.at("none")) == Both(2, 30));
    QVERIFY(both(policy.tools.at("calls")) == Both(1, std::nullopt));
    QVERIFY(both(policy.tools.at("seconds")) == Both(std::nullopt, 5));
    QVERIFY(both(policy.agentTools.at({"a", "seconds"})) == Both(7, 5));
    QVERIFY(both(policy.agentTools.at({"a", "fresh"})) == Both(7, std::nullopt));
    QCOMPARE(policy.tools.at("calls").breaker.failureThreshold, 3);
    QCOMPARE(policy.tools.at("calls").breaker.probeLeaseSeconds, 60);
}

void TestPolicyText::whoLetsAProbeOut_data()
{
    QTest::addColumn<QString>("table");
    QTest::addColumn<int>("probe");
    const QString cap = QStringLiteral("value = { pointer = \"/a\", currency = \"USD\", max = \"5\" }\n");
    const QString volume = QStringLiteral("volume = { per = \"task\", calls = 3 }\n");
    const auto row = [](const char *name, const QString &table, ProbeBy probe) {
        QTest::newRow(name) << table << static_cast<int>(probe);
    };
    row("write without cap", {}, ProbeBy::Auto);
    row("write with value cap", cap, ProbeBy::Operator);
    row("write with another cap", volume, ProbeBy::Auto);
    row("read with value cap", cap + QStringLiteral("access = \"read\"\n"), ProbeBy::Auto);
    row("said otherwise", cap + QStringLiteral("breaker = { cooldown_seconds = 5, probe = \"auto\" }\n"),
        ProbeBy::Auto);
    row("breaker without the word", cap + QStringLiteral("breaker = { cooldown_seconds = 5 }\n"), ProbeBy::Operator);
    row("asked for", QStringLiteral("breaker = { cooldown_seconds = 5, probe = \"operator\" }\n"), ProbeBy::Operator);
}

void TestPolicyText::whoLetsAProbeOut()
{
    QFETCH(QString, table);
    QFETCH(int, probe);
    const Policy policy = taken(kQuiet + "[tools.t]\n" + table.toStdString());
    QCOMPARE(static_cast<int>(policy.tools.at("t").breaker.probe), probe);
}

void TestPolicyText::aFleetsProbeIsOneForAll()
{
    const std::string cap = "value = { pointer = \"/a\", currency = \"USD\", max = \"5\" }\n";
    const Policy shared
        = taken(kQuiet + "[tools.t]\n[agents.a.tools.t]\n" + cap + "[agents.b.tools.t]\naccess = \"read\"\n");
    QCOMPARE(shared.tools.at("t").breaker.probe, ProbeBy::Operator);
    QCOMPARE(shared.agentTools.at({"b", "t"}).breaker.probe, ProbeBy::Operator);
    const Policy apart = taken(
        kQuiet + "[tools.t]\nbreaker = { scope = \"agent\", cooldown_seconds = 3 }\n[agents.a.tools.t]\n" + cap);
    QCOMPARE(apart.tools.at("t").breaker.probe, ProbeBy::Auto);
    QCOMPARE(apart.agentTools.at({"a", "t"}).breaker.probe, ProbeBy::Operator);
}

void TestPolicyText::undeclared()
{
    const std::string volume = "volume = { per = \"task\", calls = 3 }\n";
    QCOMPARE(taken(kQuiet + "[tools.t]\naccess = \"write\"\n").undeclared, Undeclared::Write);
    QCOMPARE(taken(kQuiet + "[tools.t]\n" + volume).undeclared, Undeclared::Refuse);
    QCOMPARE(taken(kQuiet + "[agents.a.tools.t]\n" + volume).undeclared, Undeclared::Refuse);
    QCOMPARE(taken("undeclared = \"write\"\n" + kQuiet + "[tools.t]\n" + volume).undeclared, Undeclared::Write);
    QCOMPARE(taken("undeclared = \"refuse\"\n" + kQuiet).undeclared, Undeclared::Refuse);
}

void TestPolicyText::estimates()
{
    const Policy policy = taken("schema = 1\n[defaults]\nsteps = { limit = 25 }\n"
                                "spend = [{ window = \"24h\", limit = \"10.00 EUR\" }]\n"
                                "[agents.brl]\nkey = \"acme\"\n[agents.own]\nestimate = \"0.5 EUR\"\n"
                                "[keys.acme]\nspend = [{ window = \"1h\", limit = \"9.00 BRL\" }]\n"
                                "[keys.unnamed]\nspend = [{ window = \"1h\", limit = \"9.00 USD\" }]\n");
    const auto money = [](const char *text, const char *currency) { return Money{amount(text), currency}; };
    QVERIFY(policy.defaults.estimate == money("0.05", "EUR"));
    QVERIFY(policy.agents.at("brl").estimate == money("0.05", "BRL"));
    QVERIFY(policy.agents.at("own").estimate == money("0.5", "EUR"));
    QVERIFY(policy.forAgent("somebody").estimate == money("0.05", "EUR"));
    QVERIFY(policy.forAgent("unnamed").estimate == money("0.05", "USD"));
}

void TestPolicyText::keysWithoutWindows()
{
    const Policy policy = taken(kQuiet + "[keys.inherits]\ngateway = \"litellm\"\n[keys.none]\nspend = []\n");
    QCOMPARE(policy.keys.at("inherits").windows.size(), std::size_t{1});
    QVERIFY(policy.keys.at("none").windows.empty());
    QCOMPARE(policy.forKey("never named").windows.size(), std::size_t{1});
}

void TestPolicyText::lookUps()
{
    const Policy policy = taken(kQuiet + "[agents.a]\nkey = \"k\"\n[tools.t]\n[agents.a.tools.t]\naccess = \"read\"\n");
    QCOMPARE(policy.forAgent("a").key, std::string("k"));
    QCOMPARE(policy.forAgent("other").key, std::string("other"));
    QCOMPARE(policy.forTool("a", "t").access, Access::Read);
    QCOMPARE(policy.forTool("other", "t").access, Access::Write);
    QVERIFY(policy.forTool("other", "t").declared);
    QVERIFY(!policy.forTool("a", "never named").declared);
    QVERIFY(!policy.declaresEnvelope());
}

void TestPolicyText::builtIn()
{
    const Policy policy = builtInPolicy();
    QCOMPARE(policy.defaults.steps.limit, 25);
    QCOMPARE(policy.defaults.repetition.limit, 3);
    QCOMPARE(policy.defaults.repetition.action, Rung::Degraded);
    QCOMPARE(policy.defaults.envelope.reaches, Reach::Agent);
    QVERIFY(policy.defaults.estimate == (Money{amount("0.05"), "USD"}));
    QVERIFY(policy.defaultKey.windows.empty());
    QCOMPARE(policy.undeclared, Undeclared::Write);
    QVERIFY(policy.defaultTool.breaker == (BreakerPolicy{BreakerScope::Fleet, 3, 2, 30, 60, ProbeBy::Auto}));
}

void TestPolicyText::warnings_data()
{
    QTest::addColumn<QString>("text");
    QTest::addColumn<QString>("field");
    QTest::addColumn<int>("line");
    QTest::addColumn<QString>("word");
    const QString quiet = QString::fromStdString(kQuiet);
    const auto row = [](const char *name, const QString &text, const char *field, int line, const char *word) {
        QTest::newRow(name) << text << QString::fromLatin1(field) << line << QString::fromLatin1(word);
    };
    const QString tool = quiet + QStringLiteral("[tools.t]\n");
    const QString cap = QStringLiteral("value = { pointer = \"/a/b\", currency = \"USD\", max = \"5\" }\n");
    row("no schema", quiet.mid(11), "schema", 1, "missing");
    row("steps without a spend window",
        QStringLiteral("schema = 1\n[defaults]\nsteps = { limit = 25, per_session = 9 }\ndegraded_model = \"s\"\n"),
        "defaults.spend", 2, "spend window");
    row("a key without a window", quiet + QStringLiteral("[keys.k]\nspend = []\n"), "keys.k.spend", 7, "no window");
    row("no limit per session or per agent",
        QStringLiteral("schema = 1\n[defaults]\nsteps = { limit = 25 }\ndegraded_model = \"s\"\n"
                       "spend = [{ window = \"24h\", limit = \"10.00 USD\" }]\n"),
        "defaults.steps", 3, "per session");
    row("degraded without a model",
        QStringLiteral(
            "schema = 1\n[defaults]\nsteps = { limit = 25, per_session = 9 }\nenvelope = { action = \"degraded\" }\n"
            "spend = [{ window = \"24h\", limit = \"10.00 USD\" }]\n"),
        "defaults.degraded_model", 2, "repetition, envelope, provider");
    row("degraded without a model at one agent",
        QStringLiteral("schema = 1\n[defaults]\nsteps = { limit = 25, per_session = 9 }\n"
                       "repetition = { action = \"open\" }\nprovider = { action = \"open\" }\n"
                       "spend = [{ window = \"24h\", limit = \"10.00 USD\" }]\n"
                       "[agents.a]\nrepetition = { action = \"degraded\" }\n"),
        "agents.a.degraded_model", 7, "own models");
    row("threshold above 10", tool + QStringLiteral("breaker = { failure_threshold = 11, cooldown_seconds = 5 }\n"),
        "tools.t.breaker.failure_threshold", 7, "above 10");
    row("cooldown in calls alone", tool + QStringLiteral("breaker = { cooldown_calls = 2 }\n"), "tools.t.breaker", 7,
        "calls alone");
    row("a probe that moves money",
        tool + cap + QStringLiteral("breaker = { cooldown_seconds = 5, probe = \"auto\" }\n"), "tools.t.breaker.probe",
        8, "moves real money");
    row("an empty list", tool + QStringLiteral("destination = { pointer = \"/a\", allow = [] }\n"),
        "tools.t.destination.allow", 7, "refused");
    row("a redacted amount", tool + cap + QStringLiteral("redact = [\"/a\"]\n"), "tools.t.redact", 8, "what-if");
    row("estimate above the limit", quiet + QStringLiteral("estimate = \"20 USD\"\n"), "defaults.spend[0].limit", 4,
        "first ask");
    row("estimate above the overdraft",
        quiet
            + QStringLiteral(
                "[keys.k]\nspend = [{ window = \"24h\", limit = \"9 USD\", action = \"degraded\", overdraft = "
                "\"0.01 USD\" }]\n"),
        "keys.k.spend[0].overdraft", 7, "no call fits");
    row("a price that never counts", quiet + QStringLiteral("[prices.m]\nin = \"1 BRL\"\nout = \"1 BRL\"\n"),
        "prices.m", 6, "unpriced");
}

void TestPolicyText::warnings()
{
    QFETCH(QString, text);
    QFETCH(QString, field);
    QFETCH(int, line);
    QFETCH(QString, word);
    const PolicyReading reading = read(text.toStdString());
    QVERIFY(reading.accepted());
    QVERIFY2(reading.problems.size() == 1, std::to_string(reading.problems.size()).c_str());
    const PolicyProblem &warning = reading.problems.front();
    QCOMPARE(warning.severity, Severity::Warning);
    QCOMPARE(QString::fromStdString(warning.field), field);
    QCOMPARE(static_cast<int>(warning.line), line);
    QVERIFY2(warning.message.find(word.toStdString()) != std::string::npos, warning.message.c_str());
    QVERIFY(warning.remedy.size() > 10);
}

void TestPolicyText::quietPolicyHasNoWarning()
{
    QVERIFY(read(kQuiet).problems.empty());
    QCOMPARE(read(textOf(kData + QStringLiteral("good/every_field.toml"))).warningCount(), std::size_t{1}); // its probe
}

void TestPolicyText::shippedPolicies_data()
{
    QTest::addColumn<QString>("path");
    const QDir folder(QStringLiteral(HANDRESET_SOURCE_DIR "/resources/policies"));
    for (const QString &name : folder.entryList({QStringLiteral("*.toml")}, QDir::Files))
        QTest::newRow(qPrintable(name)) << folder.filePath(name);
}

void TestPolicyText::shippedPolicies()
{
    QFETCH(QString, path);
    const PolicyReading reading = read(textOf(path));
    QVERIFY2(reading.problems.empty(), reading.problems.empty() ? "" : reading.problems.front().toString().c_str());
    QVERIFY(reading.accepted());
}

void TestPolicyText::sharedPolicies_data()
{
    QTest::addColumn<QString>("name");
    for (const char *name : {"agentdyn.toml", "airline.toml", "billing.toml"})
        QTest::newRow(name) << QString::fromLatin1(name);
}

void TestPolicyText::sharedPolicies()
{
    QFETCH(QString, name);
    const QString path = sharedFolder() + QStringLiteral("/data/policy/") + name;
    if (!QFile::exists(path))
        QSKIP("the shared data is not here");
    const Policy policy = taken(textOf(path));
    if (name == u"agentdyn.toml") {
        QCOMPARE(policy.defaults.steps.limit, 10);
        QCOMPARE(policy.undeclared, Undeclared::Write);
        const ToolPolicy &tool = policy.tools.at("send_money");
        QCOMPARE(tool.breaker.scope, BreakerScope::Agent);
        QVERIFY(!tool.breaker.cooldownSeconds);
        QVERIFY(tool.volume == (VolumeCap{std::nullopt, 2, amount("1000")}));
        QCOMPARE(tool.destination->exact.size(), std::size_t{6});
    } else if (name == u"airline.toml") {
        QCOMPARE(policy.defaults.repetition.limit, 2);
        QCOMPARE(policy.tools.at("book_reservation").value->pointer, std::string("/payment_methods/*/amount"));
    } else {
        QCOMPARE(policy.undeclared, Undeclared::Refuse);
        QCOMPARE(policy.forAgent("billing").key, std::string("billing-acme"));
        QCOMPARE(policy.forKey("billing-acme").windows.front().overdraft, amount("1"));
        QCOMPARE(policy.tools.at("send_pix").breaker.probe, ProbeBy::Operator);
    }
}

void TestPolicyText::zonesWithoutADatabase()
{
    const auto accepts = [](const char *zone) {
        return readPolicy("timezone = \"" + std::string(zone) + "\"\n" + kQuiet, "p").accepted();
    };
    QVERIFY(accepts("UTC"));
    QVERIFY(accepts("Europe/Lisbon"));
    QVERIFY(accepts("America/Argentina/Buenos_Aires"));
    QVERIFY(accepts("Japan")); // an old name, still in the database
    QVERIFY(!accepts("UTC+03:00"));
    QVERIFY(!readPolicy("timezone = \"UTC+03:00\"\n" + kQuiet, "p", [](auto) { return true; }).accepted());
    QVERIFY(!readPolicy("timezone = \"Japan\"\n" + kQuiet, "p", [](auto) { return false; }).accepted());
    QVERIFY(!accepts("/Lisbon"));
    QVERIFY(!accepts("Europe/../Lisbon"));
}

void TestPolicyText::tooLarge()
{
    const std::string text = kQuiet + "#" + std::string(kMostPolicyBytes, 'x');
    const PolicyReading reading = read(text);
    QVERIFY(!reading.accepted());
    QCOMPARE(reading.problems.size(), std::size_t{1});
    QVERIFY(reading.problems.front().message.find("1 MiB") != std::string::npos);
    QVERIFY(read(text.substr(0, kMostPolicyBytes)).accepted());
}

void TestPolicyText::listsCannotFillTheMemory()
{
    std::string text = kQuiet + "[tools.t]\ndestination = { pointer = \"/a\", allow = [";
    for (int i = 0; i < 20'000; ++i)
        text += "\"" + std::to_string(i) + "\",";
    text += "] }\n";
    for (int i = 0; i < 60; ++i)
        text += "[agents.a" + std::to_string(i) + ".tools.t]\n";
    const PolicyReading reading = read(text);
    QVERIFY(!reading.accepted());
    QCOMPARE(reading.errorCount(), std::size_t{1});
    QVERIFY(reading.problems.front().message.find("too many entries") != std::string::npos);
}

void TestPolicyText::mutatedTextsNeverBreakTheReader()
{
    const std::string original = textOf(kData + QStringLiteral("good/every_field.toml"));
    const std::string pieces = "[]{}\"'\\.=,#\n 0-9ae\x80\xff_\"\"\"'''";
    std::mt19937 random(20'261);
    const auto below = [&](std::size_t n) { return static_cast<std::size_t>(random()) % n; };
    for (int round = 0; round < 1'500; ++round) {
        std::string text = original;
        for (std::size_t change = 0; change <= below(4); ++change) {
            const std::size_t at = below(text.size());
            if (below(3) == 0)
                text.erase(at, below(40));
            else if (below(2) == 0)
                text.insert(at, 1 + below(3), pieces[below(pieces.size())]);
            else
                text[at] = pieces[below(pieces.size())];
        }
        const PolicyReading reading = read(text);
        QCOMPARE(reading.accepted(), reading.errorCount() == 0);
        for (const PolicyProblem &problem : reading.problems)
            QVERIFY(!problem.message.empty() && !problem.remedy.empty() && problem.line >= 1);
    }
}

void TestPolicyText::problemAsText()
{
    const PolicyReading reading = read("schema = 1\n[defaults]\nsteps = { limit = 25 }\nrepitition = { limit = 3 }\n");
    QCOMPARE(reading.problems.size(), std::size_t{1});
    const std::string text = reading.problems.front().toString();
    QVERIFY2(
        text.starts_with("policy.toml:4:1: error: defaults.repitition is an unknown field. Did you mean repetition?"),
        text.c_str());
}

QTEST_APPLESS_MAIN(TestPolicyText)
#include "tst_policy_text.moc"
