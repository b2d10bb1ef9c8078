// What agents write is never interpreted: not as markup, not as direction, not as a way to hang the desk.
#include "views/plain_label.h"
#include "views/plain_text.h"

#include <QElapsedTimer>
#include <QFontMetricsF>
#include <QTextDocument>
#include <QtTest>

using namespace handreset::views;

class TestPlainText : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void inklessBecomesVisible_data();
    void inklessBecomesVisible();
    void visibleTextKeepsTheMiddleOut();
    void surrogatesAreNeverSplit();
    void tooltipIsNeverMarkup_data();
    void tooltipIsNeverMarkup();
    void tooltipIsBounded();
    void labelShowsHostileTextAtOnce_data();
    void labelShowsHostileTextAtOnce();
    void labelElidesInTheMiddle();
    void labelSaysTheWholeToScreenReaders();
};

namespace {

QString nestedTables(int depth)
{
    return QStringLiteral("<table><tr><td>").repeated(depth) + QStringLiteral("x")
        + QStringLiteral("</td></tr></table>").repeated(depth);
}

} // namespace

void TestPlainText::inklessBecomesVisible_data()
{
    QTest::addColumn<QString>("text");
    QTest::addColumn<QString>("shown");
    QTest::newRow("plain") << QStringLiteral("send_pix 900.00") << QStringLiteral("send_pix 900.00");
    QTest::newRow("markup stays as typed") << QStringLiteral("<b>&amp;</b>") << QStringLiteral("<b>&amp;</b>");
    QTest::newRow("NUL") << QString(QChar(u'\0')) << QStringLiteral("␀");
    QTest::newRow("line feed and tab") << QStringLiteral("a\n\tb") << QStringLiteral("a␊␉b");
    QTest::newRow("escape and delete") << QStringLiteral("\x1b[31m\x7f") << QStringLiteral("␛[31m␡");
    QTest::newRow("C1 control") << QString(QChar(0x85)) << QStringLiteral("⟨U+0085⟩");
    QTest::newRow("right-to-left override") << QStringLiteral("a\u202Egpj.exe") << QStringLiteral("a⟨U+202E⟩gpj.exe");
    QTest::newRow("isolates") << QStringLiteral("\u2066x\u2069") << QStringLiteral("⟨U+2066⟩x⟨U+2069⟩");
    QTest::newRow("Arabic letter mark") << QStringLiteral("\u061C") << QStringLiteral("⟨U+061C⟩");
    QTest::newRow("zero width") << QStringLiteral("pix\u200B_key\uFEFF") << QStringLiteral("pix⟨U+200B⟩_key⟨U+FEFF⟩");
    QTest::newRow("soft hyphen") << QStringLiteral("\u00AD") << QStringLiteral("⟨U+00AD⟩");
    QTest::newRow("line separator") << QStringLiteral("\u2028") << QStringLiteral("⟨U+2028⟩");
    QTest::newRow("tag") << QString::fromUcs4(U"\U000E0041") << QStringLiteral("⟨U+E0041⟩");
    QTest::newRow("lone surrogate") << QString(QChar(0xD800)) << QStringLiteral("⟨U+D800⟩");
    QTest::newRow("Hangul filler") << QStringLiteral("\u3164") << QStringLiteral("⟨U+3164⟩");
    QTest::newRow("no-break space") << QStringLiteral("a\u00A0b") << QStringLiteral("a⟨U+00A0⟩b");
    QTest::newRow("grapheme joiner") << QStringLiteral("a\u034Fb") << QStringLiteral("a⟨U+034F⟩b");
    QTest::newRow("beam of music") << QString::fromUcs4(U"a\U0001D173") << QStringLiteral("a⟨U+1D173⟩");
    QTest::newRow("mark on nothing") << QStringLiteral("\u0301a") << QStringLiteral("⟨U+0301⟩a");
    QTest::newRow("marks on one character")
        << QStringLiteral("a\u0301\u0301\u0301\u0301") << QStringLiteral("a\u0301\u0301\u0301\u0301");
    QTest::newRow("too many of them") << QStringLiteral("a\u0301\u0301\u0301\u0301\u0301b")
                                      << QStringLiteral("a\u0301\u0301\u0301\u0301⟨U+0301⟩b");
    QTest::newRow("letters of all lands stay") << QStringLiteral("ação 日本 שלום 🚀") << QStringLiteral("ação 日本 שלום 🚀");
    QTest::newRow("empty") << QString() << QString();
}

void TestPlainText::inklessBecomesVisible()
{
    QFETCH(QString, text);
    QFETCH(QString, shown);
    QCOMPARE(visibleText(text), shown);
    QCOMPARE(visibleText(visibleText(text)), shown); // twice does no harm
}

void TestPlainText::visibleTextKeepsTheMiddleOut()
{
    QLocale::setDefault(QLocale(QStringLiteral("en_US")));
    const QString text = QStringLiteral("head") + QString(1'048'576 - 8, u'x') + QStringLiteral("tail");
    const QString shown = visibleText(text, 300);
    QVERIFY(shown.startsWith(QStringLiteral("headxxx")));
    QVERIFY(shown.endsWith(QStringLiteral("xxxtail")));
    QVERIFY(shown.contains(QStringLiteral("… 1,048,576 characters …")));
    QVERIFY(shown.size() < 340);
}

void TestPlainText::surrogatesAreNeverSplit()
{
    const QString rockets = QStringLiteral("🚀").repeated(500);
    for (qsizetype longest = 8; longest < 40; ++longest)
        QVERIFY2(!visibleText(rockets, longest).contains(QStringLiteral("U+D")), qPrintable(QString::number(longest)));
}

void TestPlainText::tooltipIsNeverMarkup_data()
{
    QTest::addColumn<QString>("text");
    QTest::newRow("image") << QStringLiteral("<img src=\"http://example.com/beacon.png\">");
    QTest::newRow("rich by its look") << QStringLiteral("<qt><b>re-armed</b></qt>");
    QTest::newRow("closing the paragraph") << QStringLiteral("</p></qt><h1>OK</h1>");
    QTest::newRow("link") << QStringLiteral("<a href='javascript:1'>click</a>");
    QTest::newRow("style") << QStringLiteral("<style>*{color:red}</style>");
    QTest::newRow("entity") << QStringLiteral("&lt;&#x202e;&amp;");
    QTest::newRow("nested tables") << nestedTables(18);
}

void TestPlainText::tooltipIsNeverMarkup()
{
    QFETCH(QString, text);
    const QString tip = plainTooltip(text);
    QVERIFY(Qt::mightBeRichText(tip));
    QTextDocument document;
    document.setHtml(tip);
    // Line breaks come from the tooltip's own folding.
    QCOMPARE(document.toPlainText().remove(u'\n').remove(QChar(QChar::LineSeparator)), visibleText(text, 1'920));
    QVERIFY(!document.toHtml().contains(QStringLiteral("<img")));
    QVERIFY(!document.toHtml().contains(QStringLiteral("<table")));
}

void TestPlainText::tooltipIsBounded()
{
    QElapsedTimer timer;
    timer.start();
    const QString tip = plainTooltip(QString(1'048'576, u'<'));
    QTextDocument document;
    document.setHtml(tip);
    QVERIFY(document.toPlainText().size() < kTooltipLine * (kTooltipLines + 1));
    QVERIFY(timer.elapsed() < 2'000);
    QVERIFY(plainTooltip(QString()).isEmpty());
    QVERIFY(plainTooltip(QStringList{QString(), QString()}).isEmpty());
    QVERIFY(plainTooltip(QStringList(500, QStringLiteral("line"))).count(QStringLiteral("<br/>")) < kTooltipLines);
}

void TestPlainText::labelShowsHostileTextAtOnce_data()
{
    QTest::addColumn<QString>("text");
    QTest::newRow("18 nested tables") << nestedTables(18);
    QTest::newRow("4,000 nested tables") << nestedTables(4'000);
    QTest::newRow("1 MB of letters") << QString(1'048'576, u'w');
    QTest::newRow("1 MB of controls") << QString(1'048'576, QChar(0x202E));
    QTest::newRow("1 MB of marks upon one letter") << QStringLiteral("a") + QString(1'048'576, QChar(0x0301));
    QTest::newRow("line feeds") << QString(100'000, u'\n');
}

void TestPlainText::labelShowsHostileTextAtOnce()
{
    QFETCH(QString, text);
    QElapsedTimer timer;
    timer.start();
    PlainLabel label(text);
    label.resize(300, 20);
    const QImage shown = label.grab().toImage();
    QVERIFY(!shown.isNull());
    QCOMPARE(label.textFormat(), Qt::PlainText);
    QVERIFY(label.sizeHint().width() <= 660);
    QVERIFY(label.sizeHint().height() < 60);
    QVERIFY2(timer.elapsed() < 2'000, qPrintable(QString::number(timer.elapsed())));
}

void TestPlainText::labelElidesInTheMiddle()
{
    const QFontMetricsF metrics(textFont());
    const QString text = QStringLiteral("https://example.com/a/very/long/path/to/the/invoice_2231.pdf");
    const QString shown = elidedMiddle(text, metrics, 160);
    QVERIFY(shown.startsWith(QStringLiteral("https")));
    QVERIFY(shown.endsWith(QStringLiteral(".pdf")));
    QVERIFY(shown.contains(u'…'));
    QVERIFY(metrics.horizontalAdvance(shown) <= 161);
    QCOMPARE(elidedMiddle(text, metrics, 5'000), text);
}

void TestPlainText::labelSaysTheWholeToScreenReaders()
{
    PlainLabel label;
    label.setPlain(QStringLiteral("<b>x</b>\u202E"));
    QCOMPARE(label.accessibleName(), QStringLiteral("<b>x</b>⟨U+202E⟩"));
    QCOMPARE(label.plain(), label.accessibleName());
    QVERIFY(label.minimumSizeHint().width() <= label.sizeHint().width());
}

QTEST_MAIN(TestPlainText)
#include "tst_plain_text.moc"
