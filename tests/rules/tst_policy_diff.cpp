// Differences between two policies, and which way each goes.
#include "model/rules/policy_diff.h"
#include "model/rules/policy_text.h"

#include <QFile>
#include <QTest>

#include <algorithm>

using namespace handreset::rules;

namespace {

/// The policy that the rows edit: one line a field, so that an edit is a replacement of text.
const QString kBase = QStringLiteral(R"(schema = 1
undeclared = "refuse"
[defaults]
steps = { limit = 25, per_session = 200, per_agent = { window = "1h", limit = 500 } }
repetition = { limit = 3, max_period = 2 }
spend = [{ window = "24h", limit = "10.00 USD" }, { window = "30d", limit = "90.00 USD", action = "degraded", overdraft = "2.00 USD" }]
provider = { allowed_fails = 3, cooldown_seconds = 30 }
escalate = { trips = 3, window = "1h" }
degraded_model = "small"
estimate = "0.05 USD"
watch_after_rearm = "30m"
contact = "desk"
[agents.a]
parents = ["p", "q"]
models = ["m", "n"]
[agents.heir]
contact = "other desk"
[tools.t]
access = "write"
breaker = { failure_threshold = 3, cooldown_calls = 2, cooldown_seconds = 30, probe = "operator" }
value = { pointer = "/amount", currency = "BRL", currency_pointer = "/currency", max = "500.00", watch = "400.00" }
destination = { pointer = "/to", allow = ["x", "re:y+"] }
volume = { per = "24h", calls = 20, value = "2000.00" }
repetition = { ignore = ["/id"], limit = 4 }
redact = ["/note"]
[approval]
signals = ["envelope", "steps"]
rearms_in_24h = 3
expires = "10m"
unlock = "5m"
[prices.m]
in = "1.00 USD"
out = "2.00 USD"
)");

Policy policyOf(const QString &text)
{
    const PolicyReading reading = readPolicy(text.toStdString(), "p.toml");
    for (const PolicyProblem &problem : reading.problems) {
        if (problem.severity == Severity::Error)
            QTest::qFail(problem.toString().c_str(), __FILE__, __LINE__);
    }
    return reading.policy.value_or(Policy());
}

} // namespace

class TestPolicyDiff : public QObject {
    Q_OBJECT
private Q_SLOTS:
    void equalPoliciesDoNotDiffer();
    void oneEdit_data();
    void oneEdit();
    void inheritorsAreNotListedAgain();
    void aToolThatNoTableNames();
    void newAgentsAreComparedWithTheDefaults();
    void agentsOwnTools();
    void asText();
};

void TestPolicyDiff::equalPoliciesDoNotDiffer()
{
    const Policy policy = policyOf(kBase);
    QVERIFY(policyDiff(policy, policy).empty());
    QVERIFY(!loosens({}));
}

void TestPolicyDiff::oneEdit_data()
{
    QTest::addColumn<QString>("from");
    QTest::addColumn<QString>("to");
    QTest::addColumn<QString>("field");
    QTest::addColumn<QString>("there"); // direction from base to the edit
    QTest::addColumn<QString>("back");
    int count = 0;
    const auto row = [&](const char *from, const char *to, const char *field, const char *there, const char *back) {
        QTest::addRow("%d %s", ++count, field)
            << QString::fromLatin1(from) << QString::fromLatin1(to) << QString::fromLatin1(field)
            << QString::fromLatin1(there) << QString::fromLatin1(back);
    };
    const char *const up = "loosens";
    const char *const down = "tightens";
    const char *const flat = "neutral";
    row("limit = 25", "limit = 26", "defaults.steps.limit", up, down);
    row("limit = 25,", "limit = 25, watch = 9,", "defaults.steps.watch", flat, flat);
    row("limit = 25,", "limit = 25, reaches = \"agent\",", "defaults.steps.reaches", down, up);
    row("per_session = 200", "per_session = 300", "defaults.steps.per_session", up, down);
    row("per_session = 200, ", "", "defaults.steps.per_session", up, down);
    row(", per_agent = { window = \"1h\", limit = 500 }", "", "defaults.steps.per_agent", up, down);
    row("window = \"1h\", limit = 500", "window = \"1h\", limit = 600", "defaults.steps.per_agent", up, down);
    row("repetition = { limit = 3, max_period = 2 }", "repetition = { limit = 4, max_period = 2 }",
        "defaults.repetition.limit", up, down);
    row("max_period = 2", "max_period = 1", "defaults.repetition.max_period", up, down);
    row("max_period = 2", "max_period = 2, action = \"open\"", "defaults.repetition.action", down, up);
    row("max_period = 2", "max_period = 2, reaches = \"agent\"", "defaults.repetition.reaches", down, up);
    row("escalate", "envelope = { action = \"degraded\" }\nescalate", "defaults.envelope.action", up, down);
    row("escalate", "envelope = { reaches = \"task\" }\nescalate", "defaults.envelope.reaches", up, down);
    row("allowed_fails = 3", "allowed_fails = 4", "defaults.provider.allowed_fails", up, down);
    row("cooldown_seconds = 30 }\nescalate", "cooldown_seconds = 20 }\nescalate", "defaults.provider.cooldown_seconds",
        up, down);
    row("cooldown_seconds = 30 }\nescalate", "cooldown_seconds = 30, rearm = \"human\" }\nescalate",
        "defaults.provider.rearm", down, up);
    row("cooldown_seconds = 30 }\nescalate", "cooldown_seconds = 30, action = \"open\" }\nescalate",
        "defaults.provider.action", down, up);
    row("trips = 3", "trips = 5", "defaults.escalate.trips", up, down);
    row("trips = 3, window = \"1h\"", "trips = 3, window = \"30m\"", "defaults.escalate.window", up, down);
    row("\"10.00 USD\"", "\"12.00 USD\"", "defaults.spend[24h].limit", up, down);
    row("{ window = \"24h\", limit = \"10.00 USD\" }, ", "", "defaults.spend[24h]", up, down);
    row("\"10.00 USD\"", "\"10.00 USD\", rearm = \"human\"", "defaults.spend[24h].rearm", down, up);
    row("\"10.00 USD\"", "\"10.00 USD\", watch = \"8.00 USD\"", "defaults.spend[24h].watch", flat, flat);
    row("overdraft = \"2.00 USD\"", "overdraft = \"3.00 USD\"", "defaults.spend[30d].overdraft", up, down);
    row("degraded_model = \"small\"", "degraded_model = \"large\"", "defaults.degraded_model", up, up);
    row("estimate = \"0.05 USD\"", "estimate = \"0.01 USD\"", "defaults.estimate", up, down);
    row("estimate", "offline = \"lease\"\nestimate", "defaults.offline", up, down);
    row("estimate", "lease = \"10s\"\nestimate", "defaults.lease", flat, flat);
    row("watch_after_rearm = \"30m\"", "watch_after_rearm = \"5m\"", "defaults.watch_after_rearm", up, down);
    row("contact = \"desk\"", "contact = \"people\"", "defaults.contact", flat, flat);
    row("[agents.a]", "[agents.a]\nkey = \"k\"", "agents.a.key", up, up);
    row("[\"p\", \"q\"]", "[\"p\"]", "agents.a.parents", down, up);
    row("[\"p\", \"q\"]", "[\"p\", \"z\"]", "agents.a.parents", up, up);
    row("[\"m\", \"n\"]", "[\"m\", \"n\", \"o\"]", "agents.a.models", up, down);
    row("models = [\"m\", \"n\"]\n", "", "agents.a.models", up, down);
    row("[agents.heir]", "[keys.heir]\ngateway = \"litellm\"\n[agents.heir]", "keys.heir.gateway", up, down);
    row("\"write\"", "\"read\"", "tools.t.access", up, down);
    row("failure_threshold = 3", "failure_threshold = 5", "tools.t.breaker.failure_threshold", up, down);
    row("cooldown_calls = 2, ", "", "tools.t.breaker.cooldown_calls", up, down);
    row("cooldown_calls = 2", "cooldown_calls = 3", "tools.t.breaker.cooldown_calls", down, up);
    row("probe = \"operator\"", "probe = \"auto\"", "tools.t.breaker.probe", up, down);
    row("cooldown_calls = 2", "cooldown_calls = 2, scope = \"agent\"", "tools.t.breaker.scope", up, down);
    row("cooldown_calls = 2", "cooldown_calls = 2, probe_lease_seconds = 9", "tools.t.breaker.probe_lease_seconds",
        flat, flat);
    row("max = \"500.00\"", "max = \"501\"", "tools.t.value.max", up, down);
    row("watch = \"400.00\"", "watch = \"300.00\"", "tools.t.value.watch", flat, flat);
    row("\"/amount\"", "\"/other\"", "tools.t.value.pointer", up, up);
    row("currency = \"BRL\"", "currency = \"EUR\"", "tools.t.value.currency", up, up);
    row("currency_pointer = \"/currency\", ", "", "tools.t.value.currency_pointer", up, down);
    row("destination = { pointer = \"/to\", allow = [\"x\", \"re:y+\"] }\n", "", "tools.t.destination", up, down);
    row("\"re:y+\"", "\"re:y+\", \"z\"", "tools.t.destination.allow", up, down);
    row("\"re:y+\"", "\"re:y*\"", "tools.t.destination.allow", up, up);
    row("\"/to\"", "\"/from\"", "tools.t.destination.pointer", up, up);
    row("volume = { per = \"24h\", calls = 20, value = \"2000.00\" }\n", "", "tools.t.volume", up, down);
    row("calls = 20, ", "", "tools.t.volume.calls", up, down);
    row("value = \"2000.00\"", "value = \"1000.00\"", "tools.t.volume.value", down, up);
    row("per = \"24h\"", "per = \"1h\"", "tools.t.volume.per", up, down);
    row("per = \"24h\"", "per = \"task\"", "tools.t.volume.per", up, up);
    row("ignore = [\"/id\"]", "ignore = [\"/id\", \"/time\"]", "tools.t.repetition.ignore", down, up);
    row("limit = 4 }", "limit = 5 }", "tools.t.repetition.limit", up, down);
    row(", limit = 4 }", " }", "tools.t.repetition.limit", down, up);
    row("limit = 4 }", "limit = 4, exempt = true }", "tools.t.repetition.exempt", up, down);
    row("redact = [\"/note\"]", "redact = [\"/note\", \"/name\"]", "tools.t.redact", flat, flat);
    row("undeclared = \"refuse\"", "undeclared = \"write\"", "undeclared", up, down);
    row("undeclared", "timezone = \"Europe/Lisbon\"\nundeclared", "timezone", flat, flat);
    row("undeclared", "week_starts = \"monday\"\nundeclared", "week_starts", flat, flat);
    row("[\"envelope\", \"steps\"]", "[\"envelope\"]", "approval.signals", up, down);
    row("[\"envelope\", \"steps\"]", "[\"envelope\", \"spend\"]", "approval.signals", up, up);
    row("rearms_in_24h = 3", "rearms_in_24h = 4", "approval.rearms_in_24h", up, down);
    row("expires = \"10m\"", "expires = \"1h\"", "approval.expires", up, down);
    row("unlock = \"5m\"", "unlock = \"30m\"", "approval.unlock", up, down);
    row("[approval]", "[approval]\npasses = false", "approval.passes", up, down);
    row("[approval]", "[approval]\nloosening = false", "approval.loosening", up, down);
    row("in = \"1.00 USD\"", "in = \"0.50 USD\"", "prices.m.price", up, down);
    row("[prices.m]\nin = \"1.00 USD\"\nout = \"2.00 USD\"\n", "", "prices.m.price", up, flat);
}

void TestPolicyDiff::oneEdit()
{
    QFETCH(QString, from);
    QFETCH(QString, to);
    QFETCH(QString, field);
    QFETCH(QString, there);
    QFETCH(QString, back);
    QCOMPARE(kBase.count(from) > 0, true);
    QString edited = kBase;
    edited.replace(kBase.indexOf(from), from.size(), to);
    const Policy before = policyOf(kBase);
    const Policy after = policyOf(edited);
    for (const bool isThere : {true, false}) {
        const auto changes = isThere ? policyDiff(before, after) : policyDiff(after, before);
        QStringList all;
        for (const PolicyChange &change : changes)
            all << QString::fromStdString(change.toString());
        QVERIFY2(changes.size() == 1, qPrintable(all.join(u'\n')));
        const PolicyChange &change = changes.front();
        QCOMPARE(QString::fromStdString(change.field), field);
        const std::string_view direction = toWord(change.direction);
        QCOMPARE(QString::fromLatin1(direction.data(), static_cast<qsizetype>(direction.size())),
                 isThere ? there : back);
        QVERIFY(!change.words.empty() && !change.before.empty() && !change.after.empty()
                && change.before != change.after);
        QCOMPARE(loosens(changes), change.direction == Direction::Loosens);
    }
}

void TestPolicyDiff::inheritorsAreNotListedAgain()
{
    QString edited = kBase;
    edited.replace(QStringLiteral("limit = 25"), QStringLiteral("limit = 40"));
    const auto changes = policyDiff(policyOf(kBase), policyOf(edited));
    QCOMPARE(changes.size(), std::size_t{1});
    edited.replace(QStringLiteral("[agents.a]"), QStringLiteral("[agents.a]\nsteps = { limit = 60 }"));
    const auto more = policyDiff(policyOf(kBase), policyOf(edited));
    QCOMPARE(more.size(), std::size_t{2});
    QCOMPARE(more.back().toString(), std::string("agents.a.steps.limit: 25 → 60, a higher limit (loosens)"));
}

void TestPolicyDiff::aToolThatNoTableNames()
{
    const QString tool = QStringLiteral("[tools.extra]\naccess = \"read\"\n");
    const auto added = policyDiff(policyOf(kBase), policyOf(kBase + tool));
    QCOMPARE(added.size(), std::size_t{1}); // refused before, so that only this counts
    QCOMPARE(added.front().field, std::string("tools.extra.declared"));
    QCOMPARE(added.front().direction, Direction::Loosens);
    QCOMPARE(policyDiff(policyOf(kBase + tool), policyOf(kBase)).front().direction, Direction::Tightens);

    QString open = kBase;
    open.replace(QStringLiteral("undeclared = \"refuse\""), QStringLiteral("undeclared = \"write\""));
    const auto changes = policyDiff(policyOf(open), policyOf(open + tool));
    QCOMPARE(changes.size(), std::size_t{2});
    QCOMPARE(changes.front().direction, Direction::Neutral);
    QCOMPARE(changes.back().words, std::string("write to read"));
}

void TestPolicyDiff::newAgentsAreComparedWithTheDefaults()
{
    const QString agent = QStringLiteral("[agents.fresh]\nsteps = { limit = 5 }\n");
    const auto changes = policyDiff(policyOf(kBase), policyOf(kBase + agent));
    QCOMPARE(changes.size(), std::size_t{1});
    QCOMPARE(changes.front().field, std::string("agents.fresh.steps.limit"));
    QCOMPARE(changes.front().direction, Direction::Tightens);
    const QString key = QStringLiteral("[keys.fresh]\nspend = [{ window = \"24h\", limit = \"99.00 USD\" }]\n");
    const auto keys = policyDiff(policyOf(kBase), policyOf(kBase + key));
    QCOMPARE(keys.size(), std::size_t{2});
    QCOMPARE(keys.front().toString(),
             std::string("keys.fresh.spend[24h].limit: 10.00 USD → 99.00 USD, a higher limit (loosens)"));
    QCOMPARE(keys.back().field, std::string("keys.fresh.spend[30d]"));
}

void TestPolicyDiff::agentsOwnTools()
{
    const QString own = QStringLiteral("[agents.a.tools.t]\nvalue = { max = \"800.00\", watch = \"400.00\" }\n");
    const auto changes = policyDiff(policyOf(kBase), policyOf(kBase + own));
    QCOMPARE(changes.size(), std::size_t{1});
    QCOMPARE(changes.front().field, std::string("agents.a.tools.t.value.max"));
    QCOMPARE(changes.front().direction, Direction::Loosens);
}

void TestPolicyDiff::asText()
{
    QString edited = kBase;
    edited.replace(QStringLiteral("contact = \"desk\""), QStringLiteral("drill_every = \"30d\"\ncontact = \"desk\""));
    const auto changes = policyDiff(policyOf(kBase), policyOf(edited));
    QCOMPARE(changes.front().toString(), std::string("defaults.drill_every: none → 30d, how often to drill"));
}

QTEST_APPLESS_MAIN(TestPolicyDiff)
#include "tst_policy_diff.moc"
