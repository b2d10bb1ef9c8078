// Events in words for a person: where a cost comes from is always said (cases 30).
#include "model/rules/words_of_event.h"
#include "tests/support/fleet_driver.h"

#include <QTest>

using namespace handreset::rules;
using handreset::test::FleetDriver;

class TestWordsOfEvent : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void aCostNamesItsSource_data();
    void aCostNamesItsSource();
};

namespace {

constexpr std::string_view kPolicy = R"(
schema = 1
[defaults]
steps = { limit = 9 }
estimate = "0.50 USD"
spend = [{ window = "24h", limit = "10.00 USD" }]
[prices.large]
in = "2.00 USD"
out = "4.00 USD"
)";

} // namespace

void TestWordsOfEvent::aCostNamesItsSource_data()
{
    QTest::addColumn<QByteArray>("model");
    QTest::addColumn<bool>("isReported");
    QTest::addColumn<QByteArray>("words");
    QTest::newRow("reported") << QByteArray("unknown") << true << QByteArray("cost 0.25 as reported");
    QTest::newRow("priced") << QByteArray("large") << false << QByteArray("cost 3.00 by the price table");
    QTest::newRow("unpriced") << QByteArray("unknown") << false << QByteArray("cost 0.50, an estimate: the model has no price");
}

void TestWordsOfEvent::aCostNamesItsSource()
{
    QFETCH(QByteArray, model);
    QFETCH(bool, isReported);
    QFETCH(QByteArray, words);
    FleetDriver d(kPolicy);
    StepReport report{.model = model.toStdString(), .tokensIn = 500'000, .tokensOut = 500'000};
    if (isReported)
        report.cost = Money{*Decimal::parse("0.25"), "USD"};
    d.act(FinishStep{d.askStep("a", "t", model.toStdString()).id, "a", report});
    QCOMPARE(d.problem(), std::string());
    const auto said = wordsOf(d.log.back(), d.fleet).sentence;
    QVERIFY2(said.ends_with(words.constData()), said.c_str());
}

QTEST_GUILESS_MAIN(TestWordsOfEvent)
#include "tst_words_of_event.moc"
