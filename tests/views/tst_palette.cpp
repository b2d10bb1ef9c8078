// Every text keeps its contrast on every ground, in every theme; the palette carries its theme.
#include "views/desk_style.h"
#include "views/palette.h"

#include <QtTest>

using namespace handreset::views;

class TestPalette : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void contrastIsReadable_data();
    void contrastIsReadable();
    void contrastRatioIsWcags();
    void tokensAreThoseOfTheTable();
    void paletteCarriesItsTheme();
    void systemThemeIsReadOffThePlatform();
    void mixtureIsClamped();
    void themeCanBeChangedWhileRunning();
};

void TestPalette::contrastIsReadable_data()
{
    QTest::addColumn<QColor>("ink");
    QTest::addColumn<QColor>("ground");
    QTest::addColumn<double>("least");
    const std::pair<const char *, Theme> themes[] = {
        {"dark", Theme::Dark}, {"light", Theme::Light}, {"high contrast", Theme::HighContrast}};
    for (const auto &[name, theme] : themes) {
        const Colours &c = coloursOf(theme);
        const double least = theme == Theme::HighContrast ? 7.0 : 4.5;
        const std::pair<const char *, QColor> inks[] = {{"text", c.text},         {"secondary", c.secondary},
                                                        {"open", c.open},         {"degraded", c.degraded},
                                                        {"probing", c.probing},   {"operator's act", c.operatorAct}};
        const std::pair<const char *, QColor> grounds[] = {{"ground", c.ground}, {"rail", c.rail}, {"card", c.card}, {"raised", c.raised}};
        for (const auto &[inkName, ink] : inks) {
            for (const auto &[groundName, ground] : grounds)
                QTest::addRow("%s: %s on %s", name, inkName, groundName) << ink << ground << least;
        }
        QTest::addRow("%s: selected text", name)
            << c.text << paletteOf(theme).color(QPalette::Highlight) << 4.5;
        QTest::addRow("%s: NOT LIVE", name) << c.card << c.operatorAct << 4.5;
    }
}

void TestPalette::contrastIsReadable()
{
    QFETCH(QColor, ink);
    QFETCH(QColor, ground);
    QFETCH(double, least);
    const double ratio = contrastRatio(ink, ground);
    QVERIFY2(ratio >= least, qPrintable(QStringLiteral("%1 on %2: %3").arg(ink.name(), ground.name()).arg(ratio)));
}

void TestPalette::contrastRatioIsWcags()
{
    QCOMPARE(contrastRatio(Qt::black, Qt::white), 21.0);
    QCOMPARE(contrastRatio(Qt::white, Qt::white), 1.0);
    QVERIFY(qAbs(contrastRatio(QColor(0x777777), Qt::white) - 4.48) < 0.01); // the known near miss
}

void TestPalette::tokensAreThoseOfTheTable()
{
    QCOMPARE(coloursOf(Theme::Dark).ground.name(), QStringLiteral("#15181c"));
    QCOMPARE(coloursOf(Theme::Dark).open.name(), QStringLiteral("#ee6c46"));
    QCOMPARE(coloursOf(Theme::Light).card.name(), QStringLiteral("#ffffff"));
    QCOMPARE(coloursOf(Theme::Light).operatorAct.name(), QStringLiteral("#7b46b8"));
}

void TestPalette::paletteCarriesItsTheme()
{
    for (const Theme theme : {Theme::Dark, Theme::Light, Theme::HighContrast})
        QCOMPARE(themeOf(paletteOf(theme)), theme);
    QPalette foreign(Qt::lightGray);
    foreign.setColor(QPalette::Window, QColor(0x202020));
    foreign.setColor(QPalette::WindowText, Qt::white);
    QCOMPARE(themeOf(foreign), Theme::Dark);
}

void TestPalette::systemThemeIsReadOffThePlatform()
{
    const auto platform = [](const QColor &window, const QColor &text) {
        QPalette palette;
        palette.setColor(QPalette::Window, window);
        palette.setColor(QPalette::WindowText, text);
        return palette;
    };
    QCOMPARE(systemTheme(platform(QColor(0xefefef), Qt::black)), Theme::Light);
    QCOMPARE(systemTheme(platform(QColor(0x2a2e32), QColor(0xfcfcfc))), Theme::Dark);
    QCOMPARE(systemTheme(platform(Qt::black, Qt::white)), Theme::HighContrast);
}

void TestPalette::mixtureIsClamped()
{
    QCOMPARE(mixed(Qt::black, Qt::white, 7), QColor(Qt::white).toRgb());
    QCOMPARE(mixed(Qt::black, Qt::white, -1), QColor(Qt::black).toRgb());
}

void TestPalette::themeCanBeChangedWhileRunning()
{
    QWidget widget;
    applyTheme(*qApp, Theme::Light);
    QCOMPARE(coloursOf(widget).ground, coloursOf(Theme::Light).ground);
    QVERIFY(qobject_cast<DeskStyle *>(QApplication::style()) != nullptr);
    applyTheme(*qApp, Theme::Dark);
    QCOMPARE(coloursOf(widget).ground, coloursOf(Theme::Dark).ground);
}

QTEST_MAIN(TestPalette)
#include "tst_palette.moc"
