// The README's tables are those that the engine scans: `handresetctl diagram` writes them, this holds them to it.
#include "model/rules/diagram.h"

#include <QFile>
#include <QtTest>

using namespace handreset;

class TestReadmeDiagram : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void readmeHasTheTables_data()
    {
        QTest::addColumn<QString>("machine");
        QTest::addColumn<QString>("table");
        QTest::newRow("breaker") << "breaker" << QString::fromStdString(rules::diagramMarkdown(rules::breakerGraph()));
        QTest::newRow("latch") << "latch" << QString::fromStdString(rules::diagramMarkdown(rules::latchGraph()));
    }
    void readmeHasTheTables()
    {
        QFETCH(QString, machine);
        QFETCH(QString, table);
        QFile file(QStringLiteral(HANDRESET_SOURCE_DIR "/README.md"));
        QVERIFY(file.open(QIODevice::ReadOnly));
        const auto readme = QString::fromUtf8(file.readAll());
        const auto begin = QStringLiteral("<!-- diagram:%1 -->\n").arg(machine);
        const auto from = readme.indexOf(begin);
        QVERIFY2(from >= 0, qPrintable(begin));
        const auto to = readme.indexOf(QStringLiteral("<!-- /diagram -->"), from);
        QVERIFY(to >= 0);
        const auto written = readme.mid(from + begin.size(), to - from - begin.size()).trimmed();
        QVERIFY2(written == table.trimmed(),
                 qPrintable(QStringLiteral("write it anew: handresetctl diagram --machine ") + machine));
    }
};

QTEST_APPLESS_MAIN(TestReadmeDiagram)
#include "tst_readme_diagram.moc"
