// Pictures of every widget in its states, written to $HANDRESET_ARTEFACTS (else ./artefacts) to be looked at; and the
// simple facts about them that a program can check.
#include "gallery.h"

#include "views/desk_style.h"

#include <QDir>
#include <QtTest>

using namespace handreset::tests;
using namespace handreset::views;

class TestKitGallery : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void initTestCase();
    void picturesAreMade_data();
    void picturesAreMade();

private:
    QDir m_folder;
};

namespace {

int pixelsLike(const QImage &image, const QColor &colour)
{
    int count = 0;
    for (int y = 0; y < image.height(); ++y) {
        const auto *line = reinterpret_cast<const QRgb *>(image.constScanLine(y));
        for (int x = 0; x < image.width(); ++x)
            count += (line[x] & RGB_MASK) == (colour.rgb() & RGB_MASK) ? 1 : 0;
    }
    return count;
}

} // namespace

void TestKitGallery::initTestCase()
{
    applyTheme(*qApp, Theme::Dark);
    const QString wanted = qEnvironmentVariable("HANDRESET_ARTEFACTS", QStringLiteral("artefacts"));
    m_folder = QDir(wanted);
    QVERIFY(m_folder.mkpath(QStringLiteral("kit")));
    QVERIFY(m_folder.cd(QStringLiteral("kit")));
}

void TestKitGallery::picturesAreMade_data()
{
    QTest::addColumn<int>("piece");
    QTest::addColumn<int>("theme");
    QTest::addColumn<int>("scale");
    const std::pair<const char *, Theme> themes[] = {
        {"dark", Theme::Dark}, {"light", Theme::Light}, {"high_contrast", Theme::HighContrast}};
    for (std::size_t i = 0; i < galleryPieces().size(); ++i) {
        for (const auto &[name, theme] : themes) {
            for (const int scale : {1, 2})
                QTest::addRow("%s_%s_%d", galleryPieces()[i].name, name, scale * 100) << int(i) << int(theme) << scale;
        }
    }
}

void TestKitGallery::picturesAreMade()
{
    QFETCH(int, piece);
    QFETCH(int, theme);
    QFETCH(int, scale);
    const GalleryPiece &wanted = galleryPieces()[std::size_t(piece)];
    const Colours &colours = coloursOf(static_cast<Theme>(theme));
    applyTheme(*qApp, static_cast<Theme>(theme));
    const QImage image = picture(wanted, static_cast<Theme>(theme), scale);
    QVERIFY(image.save(m_folder.filePath(QString::fromLatin1(QTest::currentDataTag()) + QStringLiteral(".png"))));
    QCOMPARE(image.size(), wanted.size * scale);

    const std::string_view name = wanted.name;
    QVERIFY(pixelsLike(image, colours.text) > 20);
    const bool open = name == "graph_open" || name == "graph_isolated" || name == "ladder" || name == "board" || name == "header"
        || name == "lanes" || name == "marks";
    if (open)
        QVERIFY(pixelsLike(image, colours.open) > 40);
    // Grey is good: nothing of a quiet picture has the colour of trouble.
    if (name == "ladder_closed" || name == "rail" || name == "graph_no_data")
        QCOMPARE(pixelsLike(image, colours.open) + pixelsLike(image, colours.degraded), 0);
    if (name == "graph_half_open")
        QVERIFY(pixelsLike(image, colours.probing) > 200);
}

QTEST_MAIN(TestKitGallery)
#include "tst_kit_gallery.moc"
