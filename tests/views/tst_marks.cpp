// Every state can be told by its mark's shape alone: in grey, in one ink, at the sizes in use.
#include "views/marks.h"

#include <QPainter>
#include <QtTest>

#include <array>

using namespace handreset::views;
using handreset::rules::BreakerState;
using handreset::rules::Rung;

namespace {

constexpr std::array kMarks{Mark::Closed, Mark::Degraded, Mark::Open, Mark::HalfOpen, Mark::Isolated, Mark::NoData};

/// The mark in one ink, so that nothing but its shape is left.
QImage shapeOf(Mark mark, int side)
{
    QImage image(side, side, QImage::Format_Grayscale8);
    image.fill(Qt::white);
    QPainter painter(&image);
    paintMark(painter, QRectF(0, 0, side, side), mark, Qt::black, Qt::white);
    return image;
}

/// The share of the square's area in which two images differ.
double difference(const QImage &a, const QImage &b)
{
    double sum = 0;
    for (int y = 0; y < a.height(); ++y) {
        for (int x = 0; x < a.width(); ++x)
            sum += qAbs(qGray(a.pixel(x, y)) - qGray(b.pixel(x, y))) / 255.0;
    }
    return sum / (a.width() * a.height());
}

} // namespace

class TestMarks : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void shapesDiffer_data();
    void shapesDiffer();
    void greyscaleOfTheThemeTellsThemApart_data();
    void greyscaleOfTheThemeTellsThemApart();
    void statesHaveTheirMark();
    void wordsDiffer();
    void ordersDiffer();
    void staleHatchShows();
    void pixmapIsSharpOnDenseScreens();
};

void TestMarks::shapesDiffer_data()
{
    QTest::addColumn<int>("side");
    QTest::newRow("in a row") << 14;
    QTest::newRow("in a tile") << 18;
    QTest::newRow("beside a title") << 20;
    QTest::newRow("at 200 %") << 36;
}

void TestMarks::shapesDiffer()
{
    QFETCH(int, side);
    for (std::size_t i = 0; i < kMarks.size(); ++i) {
        const QImage one = shapeOf(kMarks[i], side);
        QImage blank(side, side, QImage::Format_Grayscale8);
        blank.fill(Qt::white);
        QVERIFY(difference(one, blank) > 0.1);
        for (std::size_t j = i + 1; j < kMarks.size(); ++j) {
            const double by = difference(one, shapeOf(kMarks[j], side));
            QVERIFY2(by > 0.045, qPrintable(QStringLiteral("%1 and %2 differ by %3").arg(markWord(kMarks[i]), markWord(kMarks[j])).arg(by)));
        }
    }
}

void TestMarks::greyscaleOfTheThemeTellsThemApart_data()
{
    QTest::addColumn<int>("theme");
    QTest::newRow("dark") << static_cast<int>(Theme::Dark);
    QTest::newRow("light") << static_cast<int>(Theme::Light);
    QTest::newRow("high contrast") << static_cast<int>(Theme::HighContrast);
}

void TestMarks::greyscaleOfTheThemeTellsThemApart()
{
    QFETCH(int, theme);
    const Colours &colours = coloursOf(static_cast<Theme>(theme));
    const auto grey = [&](Mark mark) {
        QImage image(14, 14, QImage::Format_RGB32);
        image.fill(colours.card);
        QPainter painter(&image);
        paintMark(painter, QRectF(0, 0, 14, 14), mark, colours);
        painter.end();
        return image.convertToFormat(QImage::Format_Grayscale8);
    };
    for (std::size_t i = 0; i < kMarks.size(); ++i) {
        for (std::size_t j = i + 1; j < kMarks.size(); ++j)
            QVERIFY2(difference(grey(kMarks[i]), grey(kMarks[j])) > 0.02, qPrintable(markWord(kMarks[i]) + markWord(kMarks[j])));
    }
}

void TestMarks::statesHaveTheirMark()
{
    QCOMPARE(markOf(Rung::Closed), Mark::Closed);
    QCOMPARE(markOf(Rung::Degraded), Mark::Degraded);
    QCOMPARE(markOf(Rung::Open), Mark::Open);
    QCOMPARE(markOf(BreakerState::Closed, false), Mark::Closed);
    QCOMPARE(markOf(BreakerState::HalfOpen, false), Mark::HalfOpen);
    QCOMPARE(markOf(BreakerState::Open, false), Mark::Open);
    QCOMPARE(markOf(BreakerState::Open, true), Mark::Isolated);
    QCOMPARE(toneOf(Mark::Closed), Tone::Normal); // grey is good
    QCOMPARE(toneOf(Mark::NoData), Tone::Normal);
    QCOMPARE(toneOf(Mark::Isolated), Tone::Open);
}

void TestMarks::wordsDiffer()
{
    QSet<QString> words;
    for (const Mark mark : kMarks)
        words.insert(markWord(mark));
    QCOMPARE(words.size(), qsizetype(kMarks.size()));
}

void TestMarks::ordersDiffer()
{
    const auto image = [](int order) {
        QImage made(18, 18, QImage::Format_Grayscale8);
        made.fill(Qt::white);
        QPainter painter(&made);
        paintOrder(painter, QRectF(0, 0, 18, 18), order, Qt::black);
        return made;
    };
    QVERIFY(image(1) != image(2));
    QVERIFY(image(2) != image(3));
    QVERIFY(image(1) != image(12));
    QCOMPARE(image(100), image(4'000)); // both "99+"
    QImage blank(18, 18, QImage::Format_Grayscale8);
    blank.fill(Qt::white);
    QCOMPARE(image(0), blank);
    QCOMPARE(image(-3), blank);
}

void TestMarks::staleHatchShows()
{
    QImage image(100, 40, QImage::Format_RGB32);
    image.fill(coloursOf(Theme::Dark).card);
    const QImage before = image;
    QPainter painter(&image);
    paintStaleHatch(painter, QRectF(0, 0, 100, 40), 8, coloursOf(Theme::Dark));
    painter.end();
    QVERIFY(difference(before, image) > 0.01);
    QCOMPARE(image.pixel(0, 0), before.pixel(0, 0)); // the corner is round
}

void TestMarks::pixmapIsSharpOnDenseScreens()
{
    const QPixmap pixmap = markPixmap(Mark::Open, 14, coloursOf(Theme::Light), 2);
    QCOMPARE(pixmap.size(), QSize(28, 28));
    QCOMPARE(pixmap.deviceIndependentSize(), QSizeF(14, 14));
}

QTEST_MAIN(TestMarks)
#include "tst_marks.moc"
