// The policy's matrix in words: five lines for one agent.
#include "model/rules/policy_matrix.h"
#include "model/rules/policy_text.h"

#include <QFile>
#include <QTest>

using namespace handreset::rules;

class TestPolicyMatrix : public QObject {
    Q_OBJECT
private Q_SLOTS:
    void builtIn();
    void billing();
};

void TestPolicyMatrix::builtIn()
{
    const auto lines = policyMatrix(builtInPolicy(), "anyone");
    for (std::size_t i = 0; i < lines.size(); ++i)
        QCOMPARE(lines[i].signal, kFiveSignals[i]);
    QCOMPARE(lines[0].limit, std::string("none"));
    QCOMPARE(lines[1].limit, std::string("25 steps"));
    QCOMPARE(lines[2].limit, std::string("3 equal calls"));
    QCOMPARE(lines[3].rearm, std::string("by itself after 30 s"));
    QCOMPARE(lines[4].limit, std::string("none"));
}

void TestPolicyMatrix::billing()
{
    QFile file(QStringLiteral(HANDRESET_SOURCE_DIR "/resources/policies/billing.toml"));
    QVERIFY(file.open(QIODevice::ReadOnly));
    const auto policy = readPolicy(file.readAll().toStdString(), "billing.toml").policy;
    QVERIFY(policy.has_value());
    const auto lines = policyMatrix(*policy, "billing");
    QCOMPARE(lines[0].limit, std::string("10.00 USD per 24h, 100.00 USD per 30d"));
    QCOMPARE(lines[0].action, std::string("24h degraded and open after 1.00 USD more, 30d open"));
    QCOMPARE(lines[0].rearm, std::string("by itself when the window ends"));
    QCOMPARE(lines[1].limit, std::string("25 steps, 200 per session, 500 per 1h"));
    QCOMPARE(lines[4].limit, std::string("send_pix: value 500.00 BRL, destination, volume per 24h"));
    QCOMPARE(lines[4].rearm, std::string("human"));
    QCOMPARE(policyMatrix(*policy, "support")[0].limit, std::string("25.00 USD per 24h"));
}

QTEST_APPLESS_MAIN(TestPolicyMatrix)
#include "tst_policy_matrix.moc"
