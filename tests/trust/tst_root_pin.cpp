// The pin of a store's first operator, outside the store.
#include "model/trust/root_pin.h"

#include <QDir>
#include <QFile>
#include <QTemporaryDir>
#include <QtTest>

#include <optional>
#include <sys/stat.h>

using namespace handreset;
using namespace handreset::trust;
using rules::ErrorCode;

namespace {

const std::string kStore = "0123456789abcdef0123456789abcdef";

RootPin pin(std::uint8_t first)
{
    RootPin made{kStore, {}};
    made.root.fill(7);
    made.root[0] = first;
    return made;
}

mode_t modeOf(const QString &path)
{
    struct stat status = {};
    return ::stat(QFile::encodeName(path).constData(), &status) == 0 ? status.st_mode & 07777U : 0;
}

/// An environment variable for one scope.
class Environment {
public:
    Environment(const char *name, const QByteArray &value) : m_name(name), m_was(qgetenv(name))
    {
        qputenv(name, value);
    }
    ~Environment() { m_was.isNull() ? qunsetenv(m_name) : qputenv(m_name, m_was); }

private:
    const char *m_name;
    QByteArray m_was;
};

} // namespace

class TestRootPin : public QObject {
    Q_OBJECT
private Q_SLOTS:
    void init()
    {
        m_place.emplace();
        m_folder = m_place->filePath(QStringLiteral("state/handreset/pins"));
        m_file = m_folder + QStringLiteral("/0123456789abcdef0123456789abcdef");
    }
    void aStoreThatWasNeverPinnedHasNone()
    {
        const auto none = readPin(m_folder, kStore);
        QVERIFY(none.ok());
        QVERIFY(!none->has_value());
        QVERIFY(!QFile::exists(m_folder)); // looking makes nothing
    }
    void aPinIsReadBack()
    {
        QVERIFY(writePin(m_folder, pin(1)).ok());
        const auto read = readPin(m_folder, kStore);
        QVERIFY(read && read->has_value());
        QVERIFY(**read == pin(1));
        QCOMPARE(modeOf(m_folder), mode_t{0700});
        QCOMPARE(modeOf(m_file), mode_t{0600});
        QCOMPARE(QDir(m_folder).entryList(QDir::Files | QDir::Hidden).size(), 1);
    }
    void anotherStoreHasAPinOfItsOwn()
    {
        QVERIFY(writePin(m_folder, pin(1)).ok());
        const auto other = readPin(m_folder, std::string(32, 'f'));
        QVERIFY(other && !other->has_value());
    }
    void anotherKeyIsRefusedUnlessItIsMeant()
    {
        QVERIFY(writePin(m_folder, pin(1)).ok());
        QVERIFY(writePin(m_folder, pin(1)).ok()); // the same again
        const auto refused = writePin(m_folder, pin(2));
        QVERIFY(!refused);
        QCOMPARE(refused.error().code, ErrorCode::Refused);
        QVERIFY(**readPin(m_folder, kStore) == pin(1));
        QVERIFY(writePin(m_folder, pin(2), Replace::Yes).ok());
        QVERIFY(**readPin(m_folder, kStore) == pin(2));
        QCOMPARE(modeOf(m_file), mode_t{0600});
    }
    void aWrongIdIsNoPath()
    {
        for (const std::string id : {"", "..", "../../etc/passwd", "0123456789ABCDEF0123456789ABCDEF"}) {
            QCOMPARE(readPin(m_folder, id).error().code, ErrorCode::BadInput);
            QCOMPARE(writePin(m_folder, {id, {}}).error().code, ErrorCode::BadInput);
        }
    }
    void eachFlippedBitAndEachCutIsAnErrorAndNeverNone()
    {
        QVERIFY(writePin(m_folder, pin(1)).ok());
        QFile file(m_file);
        QVERIFY(file.open(QIODevice::ReadOnly));
        const auto whole = file.readAll();
        file.close();
        const auto isRefused = [this](const QByteArray &text) {
            QFile changed(m_file);
            if (!changed.open(QIODevice::WriteOnly) || changed.write(text) != text.size())
                return false;
            changed.close();
            const auto read = readPin(m_folder, kStore);
            // and it is not written over, even where that is asked for
            return !read && read.error().code == ErrorCode::Unavailable && !writePin(m_folder, pin(2), Replace::Yes);
        };
        for (qsizetype size = 0; size < whole.size(); ++size)
            QVERIFY2(isRefused(whole.first(size)), qPrintable(QString::number(size)));
        for (qsizetype bit = 0; bit < whole.size() * 8; ++bit) {
            auto flipped = whole;
            flipped[bit / 8] = static_cast<char>(flipped[bit / 8] ^ (1 << bit % 8));
            QVERIFY2(isRefused(flipped), qPrintable(QString::number(bit)));
        }
        QVERIFY(isRefused(whole + "x"));
        QVERIFY(!isRefused(whole));
    }
    void aPinOfAnotherStoreInItsPlaceIsRefused()
    {
        QVERIFY(writePin(m_folder, {std::string(32, 'f'), {}}).ok());
        QVERIFY(QFile::rename(m_folder + QLatin1Char('/') + QString(32, QLatin1Char('f')), m_file));
        QCOMPARE(readPin(m_folder, kStore).error().code, ErrorCode::Unavailable);
    }
    void othersRightsAndLinksAreRefused()
    {
        QVERIFY(writePin(m_folder, pin(1)).ok());
        const auto file = QFile::encodeName(m_file);
        QCOMPARE(chmod(file.constData(), 0640), 0);
        const auto wide = readPin(m_folder, kStore);
        QVERIFY(!wide);
        QVERIFY2(wide.error().message.find("chmod 600") != std::string::npos, wide.error().message.c_str());
        QCOMPARE(chmod(file.constData(), 0600), 0);
        const auto folder = QFile::encodeName(m_folder);
        QCOMPARE(chmod(folder.constData(), 0750), 0);
        QVERIFY(readPin(m_folder, kStore).error().message.find("chmod 700") != std::string::npos);
        QCOMPARE(chmod(folder.constData(), 0700), 0);
        QVERIFY(QFile::rename(m_file, m_file + QStringLiteral("x")));
        QVERIFY(QFile::link(m_file + QStringLiteral("x"), m_file));
        QVERIFY(readPin(m_folder, kStore).error().message.find("symbolic link") != std::string::npos);
    }
    void theFolderIsTheUsersStateUnlessNamed()
    {
        const Environment none("HANDRESET_PINS", "");
        {
            const Environment state("XDG_STATE_HOME", "/somewhere/state");
            QCOMPARE(pinFolder(), QStringLiteral("/somewhere/state/handreset/pins"));
        }
        {
            const Environment state("XDG_STATE_HOME", "no/absolute/path");
            QCOMPARE(pinFolder(), QDir::homePath() + QStringLiteral("/.local/state/handreset/pins"));
        }
        const Environment named("HANDRESET_PINS", "/elsewhere");
        QCOMPARE(pinFolder(), QStringLiteral("/elsewhere"));
    }

private:
    std::optional<QTemporaryDir> m_place;
    QString m_folder;
    QString m_file;
};

QTEST_GUILESS_MAIN(TestRootPin)
#include "tst_root_pin.moc"
