// Sealed keys on the disk: opened by the right passphrase alone, refused when anything is wrong, never overwritten, and
// with no secret in the clear.
#include "model/trust/key_file.h"
#include "model/trust/text_fields.h"

#include <QDir>
#include <QDirIterator>
#include <QFile>
#include <QTemporaryDir>
#include <QtTest>

#include <optional>
#include <sys/stat.h>
#include <unistd.h>

using namespace handreset;
using namespace handreset::trust;
using rules::ErrorCode;

namespace {

const std::string kStore = "0123456789abcdef0123456789abcdef";
const KeyOwner kAna{kStore, "ana"};
constexpr const char *kPhrase = "correct horse battery staple";

Passphrase phrase(const char *text = kPhrase)
{
    return Passphrase::take(QString::fromUtf8(text)).value();
}

mode_t modeOf(const QString &path)
{
    struct stat status = {};
    return ::stat(QFile::encodeName(path).constData(), &status) == 0 ? status.st_mode & 07777U : 0;
}

QByteArray contentOf(const QString &path)
{
    QFile file(path);
    return file.open(QIODevice::ReadOnly) ? file.readAll() : QByteArray();
}

bool put(const QString &path, const QByteArray &text)
{
    QFile file(path);
    return file.open(QIODevice::WriteOnly) && file.write(text) == text.size();
}

std::string bytesOf(const SecretBytes &bytes)
{
    return {reinterpret_cast<const char *>(bytes.data()), bytes.size()};
}

/// Everything by which somebody could recognise the secret in a file or a message.
std::vector<QByteArray> spellings(const SecretKey &key)
{
    const auto seed = QByteArray::fromStdString(bytesOf(key.seed()));
    std::vector<QByteArray> all{seed,
                                seed.first(16),
                                seed.sliced(16),
                                seed.toHex(),
                                seed.toHex().toUpper(),
                                seed.toBase64(),
                                QByteArray(kPhrase),
                                QByteArray(kPhrase).toHex(),
                                QByteArray(kPhrase).toBase64()};
    return all;
}

} // namespace

class TestKeyFile : public QObject {
    Q_OBJECT
private Q_SLOTS:
    void init()
    {
        m_place.emplace();
        m_folder = m_place->filePath(QStringLiteral("data/handreset/keys"));
        m_files.emplace(m_folder, Hardness::least());
        m_file = QString::fromStdString(m_files->pathOf(kAna));
    }

    void aSealedKeyIsOpenedByItsPassphrase()
    {
        const auto key = SecretKey::generate();
        QVERIFY(m_files->seal(kAna, key, phrase()).ok());
        const auto opened = m_files->open(kAna, phrase());
        QVERIFY(opened.ok());
        QVERIFY(opened->publicKey() == key.publicKey());
        QCOMPARE(bytesOf(opened->seed()), bytesOf(key.seed()));
        const auto read = m_files->read(kAna);
        QVERIFY(read.ok());
        QVERIFY(read->publicKey == key.publicKey());
        QVERIFY(read->owner == kAna);
    }
    void itIsForItsUserAlone()
    {
        QVERIFY(m_files->seal(kAna, SecretKey::generate(), phrase()).ok());
        QCOMPARE(modeOf(m_file), mode_t{0600});
        QCOMPARE(modeOf(QFileInfo(m_file).absolutePath()), mode_t{0700});
        QCOMPARE(modeOf(m_folder), mode_t{0700});
        // the store's own folder, should the key come first: `init` wants it so
        QCOMPARE(modeOf(QFileInfo(m_folder).absolutePath()), mode_t{0700});
        // and nothing else is left
        QCOMPARE(QDir(QFileInfo(m_file).absolutePath()).entryList(QDir::Files | QDir::Hidden).size(), 1);
    }
    void theUsualHardnessIsArgon2idsModerate()
    {
        const KeyFiles usual(m_folder);
        QVERIFY(usual.seal(kAna, SecretKey::generate(), phrase()).ok());
        QVERIFY(contentOf(m_file).contains("argon2id 3 268435456\n"));
        QVERIFY(usual.open(kAna, phrase()).ok());
    }
    void theWrongPassphraseIsSaidSo()
    {
        QVERIFY(m_files->seal(kAna, SecretKey::generate(), phrase()).ok());
        const auto opened = m_files->open(kAna, phrase("correct horse battery stable"));
        QVERIFY(!opened);
        QCOMPARE(opened.error().code, ErrorCode::Refused);
        QCOMPARE(opened.error().message, std::string("the passphrase is wrong"));
    }
    void aMissingKeyIsSaidSo()
    {
        QCOMPARE(m_files->open(kAna, phrase()).error().code, ErrorCode::NotFound);
        QVERIFY(!QFile::exists(m_folder)); // looking makes nothing
        QVERIFY(m_files->seal(kAna, SecretKey::generate(), phrase()).ok());
        QCOMPARE(m_files->open({kStore, "ben"}, phrase()).error().code, ErrorCode::NotFound);
        QCOMPARE(m_files->open({std::string(32, 'f'), "ana"}, phrase()).error().code, ErrorCode::NotFound);
    }
    void aKeyIsNeverOverwritten()
    {
        QVERIFY(m_files->seal(kAna, SecretKey::generate(), phrase()).ok());
        const auto before = contentOf(m_file);
        const auto again = m_files->seal(kAna, SecretKey::generate(), phrase("another passphrase"));
        QVERIFY(!again);
        QCOMPARE(again.error().code, ErrorCode::Refused);
        QCOMPARE(contentOf(m_file), before);
        QCOMPARE(QDir(QFileInfo(m_file).absolutePath()).entryList(QDir::Files | QDir::Hidden).size(), 1);
    }

    void thePassphraseCanBeChanged()
    {
        const auto key = SecretKey::generate();
        QVERIFY(m_files->seal(kAna, key, phrase()).ok());
        const auto before = contentOf(m_file);
        QCOMPARE(m_files->changePassphrase(kAna, phrase("not the right one"), phrase("a new passphrase")).error().code,
                 ErrorCode::Refused);
        QCOMPARE(contentOf(m_file), before);
        QVERIFY(m_files->changePassphrase(kAna, phrase(), phrase("a new passphrase")).ok());
        QVERIFY(!m_files->open(kAna, phrase()));
        QVERIFY(m_files->open(kAna, phrase("a new passphrase"))->publicKey() == key.publicKey());
        QCOMPARE(modeOf(m_file), mode_t{0600});
    }
    void aNextKeyWaitsBesideThePresentOne()
    {
        const auto present = SecretKey::generate();
        const auto next = SecretKey::generate();
        constexpr auto kNext = KeyFiles::Which::Next;
        QVERIFY(m_files->seal(kAna, present, phrase()).ok());
        QCOMPARE(m_files->takeNext(kAna).error().code, ErrorCode::NotFound);
        QVERIFY(m_files->seal(kAna, SecretKey::generate(), phrase(), kNext).ok());
        QVERIFY(m_files->seal(kAna, next, phrase("the next passphrase"), kNext).ok()); // nobody used the first one
        QVERIFY(m_files->open(kAna, phrase())->publicKey() == present.publicKey());
        QCOMPARE(m_files->operatorsOf(kStore), std::vector<std::string>{"ana"});
        QVERIFY(m_files->takeNext(kAna).ok());
        QVERIFY(m_files->open(kAna, phrase("the next passphrase"))->publicKey() == next.publicKey());
        QCOMPARE(m_files->read(kAna, kNext).error().code, ErrorCode::NotFound);
    }

    void cutAtAnyByteItIsRefused()
    {
        QVERIFY(m_files->seal(kAna, SecretKey::generate(), phrase()).ok());
        const auto whole = contentOf(m_file);
        for (qsizetype size = 0; size < whole.size(); ++size) {
            QVERIFY(put(m_file, whole.first(size)));
            const auto opened = m_files->open(kAna, phrase());
            QVERIFY2(!opened, qPrintable(QString::number(size)));
            QCOMPARE(opened.error().code, ErrorCode::Unavailable);
            QVERIFY(opened.error().message.find("damaged") != std::string::npos);
            QCOMPARE(opened.error().context, m_file.toStdString());
        }
        QVERIFY(put(m_file, whole + "\n"));
        QVERIFY(!m_files->open(kAna, phrase()));
        QVERIFY(put(m_file, whole));
        QVERIFY(m_files->open(kAna, phrase()).ok());
    }
    void withAnyBitFlippedItIsRefused()
    {
        const auto text = *sealKey(SecretKey::generate(), phrase(), kAna, Hardness::least());
        for (std::size_t bit = 0; bit < text.size() * 8; ++bit) {
            auto flipped = text;
            flipped[bit / 8] = static_cast<char>(flipped[bit / 8] ^ (1U << bit % 8));
            QVERIFY2(!readSealedKey(flipped), std::to_string(bit).c_str());
        }
    }
    void withAnyBitFlippedOnPurposeItIsRefusedToo()
    {
        // Who changes it can make its last line fit. What the line hides then, the seal finds.
        const auto text = *sealKey(SecretKey::generate(), phrase(), kAna, Hardness::least());
        const std::string content(*withoutCheckLine(text));
        int opened = 0;
        for (std::size_t bit = 0; bit < content.size() * 8; ++bit) {
            auto flipped = content;
            flipped[bit / 8] = static_cast<char>(flipped[bit / 8] ^ (1U << bit % 8));
            const auto read = readSealedKey(withCheckLine(flipped));
            if (!read || read->hardness != Hardness::least()) // a flip that asks for much work is not tried here
                continue;
            ++opened;
            QVERIFY2(!openKey(*read, phrase()), std::to_string(bit).c_str());
        }
        QVERIFY(opened > 500); // the fields' hexadecimal digits at least
    }
    void thePublicKeyCannotBeExchanged()
    {
        auto sealed = *readSealedKey(*sealKey(SecretKey::generate(), phrase(), kAna, Hardness::least()));
        sealed.publicKey = SecretKey::generate().publicKey();
        QVERIFY(!openKey(sealed, phrase()));
    }
    void moreWorkThanAnyKeyNeedsIsNotDone_data()
    {
        QTest::addColumn<QByteArray>("hardness");
        QTest::newRow("memory") << QByteArray("3 1099511627776");
        QTest::newRow("passes") << QByteArray("4000000000 268435456");
        QTest::newRow("none") << QByteArray("0 8192");
        QTest::newRow("too large a number") << QByteArray("3 99999999999999999999999");
        QTest::newRow("negative") << QByteArray("-3 268435456");
        QTest::newRow("another spelling") << QByteArray("03 268435456");
    }
    void moreWorkThanAnyKeyNeedsIsNotDone()
    {
        QFETCH(QByteArray, hardness);
        const auto text = *sealKey(SecretKey::generate(), phrase(), kAna, Hardness::least());
        auto content = QByteArray::fromStdString(std::string(*withoutCheckLine(text)));
        content.replace("argon2id 1 8192", "argon2id " + hardness);
        const auto read = readSealedKey(withCheckLine(content.toStdString()));
        QVERIFY(!read);
        QCOMPARE(read.error().code, ErrorCode::Unavailable);
    }
    void aNewerFormIsSaidSo()
    {
        const auto text = *sealKey(SecretKey::generate(), phrase(), kAna, Hardness::least());
        auto content = QByteArray::fromStdString(std::string(*withoutCheckLine(text)));
        content.replace("handreset-key 1\n", "handreset-key 2\n");
        QVERIFY(readSealedKey(withCheckLine(content.toStdString())).error().message.find("newer") != std::string::npos);
    }
    void aKeyOfSomebodyElseInItsPlaceIsRefused()
    {
        const KeyOwner ben{kStore, "ben"};
        QVERIFY(m_files->seal(ben, SecretKey::generate(), phrase()).ok());
        QVERIFY(QFile::rename(QString::fromStdString(m_files->pathOf(ben)), m_file));
        const auto opened = m_files->open(kAna, phrase());
        QVERIFY(!opened);
        QVERIFY(opened.error().message.find("another operator") != std::string::npos);
        QVERIFY(m_files->operatorsOf(kStore).empty());
    }

    void othersRightsAreRefusedWithTheFix_data()
    {
        QTest::addColumn<int>("mode");
        for (const int mode : {0640, 0604, 0620, 0610, 0666, 0777})
            QTest::newRow(qPrintable(QString::number(mode, 8))) << mode;
    }
    void othersRightsAreRefusedWithTheFix()
    {
        QFETCH(int, mode);
        QVERIFY(m_files->seal(kAna, SecretKey::generate(), phrase()).ok());
        QCOMPARE(chmod(QFile::encodeName(m_file).constData(), static_cast<mode_t>(mode)), 0);
        const auto opened = m_files->open(kAna, phrase());
        QVERIFY(!opened);
        QCOMPARE(opened.error().code, ErrorCode::Unavailable);
        QVERIFY2(opened.error().message.find("chmod 600") != std::string::npos, opened.error().message.c_str());
        QCOMPARE(opened.error().context, m_file.toStdString());
    }
    void aFolderThatOthersMayEnterIsRefused()
    {
        QVERIFY(m_files->seal(kAna, SecretKey::generate(), phrase()).ok());
        for (const QString &folder : {m_folder, QFileInfo(m_file).absolutePath()}) {
            const auto native = QFile::encodeName(folder);
            QCOMPARE(chmod(native.constData(), 0755), 0);
            for (const auto &error : {m_files->open(kAna, phrase()).error(),
                                      m_files->seal({kStore, "ben"}, SecretKey::generate(), phrase()).error()}) {
                QCOMPARE(error.code, ErrorCode::Unavailable);
                QVERIFY2(error.message.find("chmod 700") != std::string::npos, error.message.c_str());
            }
            QCOMPARE(chmod(native.constData(), 0700), 0);
        }
        QVERIFY(m_files->open(kAna, phrase()).ok());
    }
    void anotherUsersKeyIsRefused()
    {
        if (geteuid() != 0)
            QSKIP("only root can give a file away");
        QVERIFY(m_files->seal(kAna, SecretKey::generate(), phrase()).ok());
        QCOMPARE(chown(QFile::encodeName(m_file).constData(), 12345, 12345), 0);
        QVERIFY(m_files->open(kAna, phrase()).error().message.find("another user (12345)") != std::string::npos);
    }
    void linksAreNotFollowed()
    {
        QVERIFY(m_files->seal(kAna, SecretKey::generate(), phrase()).ok());
        const auto elsewhere = m_place->filePath(QStringLiteral("elsewhere.key"));
        QVERIFY(QFile::rename(m_file, elsewhere));
        QVERIFY(QFile::link(elsewhere, m_file));
        QVERIFY(m_files->open(kAna, phrase()).error().message.find("symbolic link") != std::string::npos);
        // a link that leads nowhere is in the way, not a place to write to
        QVERIFY(QFile::remove(elsewhere));
        QCOMPARE(m_files->seal(kAna, SecretKey::generate(), phrase()).error().code, ErrorCode::Refused);
        QVERIFY(!QFile::exists(elsewhere));
    }
    void aFolderThatIsALinkIsRefused()
    {
        QVERIFY(m_files->seal(kAna, SecretKey::generate(), phrase()).ok());
        const auto elsewhere = m_place->filePath(QStringLiteral("elsewhere"));
        QVERIFY(QFile::rename(m_folder, elsewhere));
        QVERIFY(QFile::link(elsewhere, m_folder));
        QVERIFY(m_files->open(kAna, phrase()).error().message.find("symbolic link") != std::string::npos);
    }
    void hardLinksAndPipesAreRefused()
    {
        QVERIFY(m_files->seal(kAna, SecretKey::generate(), phrase()).ok());
        const auto native = QFile::encodeName(m_file);
        const auto other = QFile::encodeName(m_place->filePath(QStringLiteral("other")));
        QCOMPARE(link(native.constData(), other.constData()), 0);
        QVERIFY(m_files->open(kAna, phrase()).error().message.find("hard links") != std::string::npos);
        QCOMPARE(unlink(native.constData()), 0);
        QCOMPARE(mkfifo(native.constData(), 0600), 0);
        QVERIFY(m_files->open(kAna, phrase()).error().message.find("plain file") != std::string::npos);
    }
    void aFolderThatCannotBeWrittenIsSaidSo()
    {
        QVERIFY(put(m_place->filePath(QStringLiteral("file")), "x"));
        const KeyFiles files(m_place->filePath(QStringLiteral("file/keys")), Hardness::least());
        const auto sealed = files.seal(kAna, SecretKey::generate(), phrase());
        QVERIFY(!sealed);
        QCOMPARE(sealed.error().code, ErrorCode::Unavailable);
    }

    void namesNeverBecomePaths_data()
    {
        QTest::addColumn<QByteArray>("name");
        QTest::newRow("up") << QByteArray("../../../etc/passwd");
        QTest::newRow("root") << QByteArray("/etc/passwd");
        QTest::newRow("dots") << QByteArray("..");
        QTest::newRow("one dot") << QByteArray(".");
        QTest::newRow("another's next key") << QByteArray("ana.next");
        QTest::newRow("suffix") << QByteArray("ana.key");
        QTest::newRow("percent") << QByteArray("ana%2Ekey");
        QTest::newRow("zero") << QByteArray("a\0b", 3);
        QTest::newRow("line feed") << QByteArray("ana\npublic 00");
        QTest::newRow("space") << QByteArray("Ana Mar\xC3\xAD"
                                             "a");
        QTest::newRow("long") << QByteArray(1024, 'x');
        QTest::newRow("long, each byte encoded") << QByteArray("\xC3\xA9").repeated(512);
    }
    void namesNeverBecomePaths()
    {
        QFETCH(QByteArray, name);
        const KeyOwner owner{kStore, name.toStdString()};
        const auto key = SecretKey::generate();
        QVERIFY(m_files->seal(kAna, SecretKey::generate(), phrase(), KeyFiles::Which::Next).ok());
        QVERIFY(m_files->seal(owner, key, phrase()).ok());
        QVERIFY(m_files->open(owner, phrase())->publicKey() == key.publicKey());
        QCOMPARE(QDir(m_folder).entryList(QDir::AllEntries | QDir::Hidden | QDir::NoDotAndDotDot).size(), 1);
        QCOMPARE(QDir(QFileInfo(m_file).absolutePath()).entryList(QDir::Files | QDir::Hidden).size(), 2);
        QCOMPARE(m_files->operatorsOf(kStore), std::vector<std::string>{owner.name});
    }
    void longNamesWithOneBeginningAreApart()
    {
        const KeyOwner one{kStore, std::string(1000, 'x') + "1"};
        const KeyOwner other{kStore, std::string(1000, 'x') + "2"};
        QVERIFY(m_files->seal(one, SecretKey::generate(), phrase()).ok());
        QVERIFY(m_files->seal(other, SecretKey::generate(), phrase()).ok());
        QCOMPARE(m_files->operatorsOf(kStore), (std::vector<std::string>{one.name, other.name}));
    }
    void wrongOwnersAreRefused_data()
    {
        QTest::addColumn<QByteArray>("store");
        QTest::addColumn<QByteArray>("name");
        const auto id = QByteArray::fromStdString(kStore);
        QTest::newRow("no store") << QByteArray() << QByteArray("ana");
        QTest::newRow("a path") << QByteArray("../0123456789abcdef0123456789abc") << QByteArray("ana");
        QTest::newRow("large digits") << id.toUpper() << QByteArray("ana");
        QTest::newRow("no name") << id << QByteArray();
        QTest::newRow("too long a name") << id << QByteArray(1025, 'x');
        QTest::newRow("no UTF-8") << id << QByteArray("ana\xFF");
    }
    void wrongOwnersAreRefused()
    {
        QFETCH(QByteArray, store);
        QFETCH(QByteArray, name);
        const KeyOwner owner{store.toStdString(), name.toStdString()};
        QCOMPARE(m_files->seal(owner, SecretKey::generate(), phrase()).error().code, ErrorCode::BadInput);
        QCOMPARE(m_files->open(owner, phrase()).error().code, ErrorCode::BadInput);
        QVERIFY(!QFile::exists(m_folder));
    }
    void operatorsOfAStoreInOrder()
    {
        for (const char *name : {"cleo", "ana", "ben"})
            QVERIFY(m_files->seal({kStore, name}, SecretKey::generate(), phrase()).ok());
        QVERIFY(m_files->seal({std::string(32, 'f'), "dora"}, SecretKey::generate(), phrase()).ok());
        QVERIFY(put(QFileInfo(m_file).absolutePath() + QStringLiteral("/notes.txt"), "x"));
        QCOMPARE(m_files->operatorsOf(kStore), (std::vector<std::string>{"ana", "ben", "cleo"}));
        QVERIFY(m_files->operatorsOf("../../etc").empty());
    }

    void noSecretIsInAnyFileOrMessage()
    {
        const auto key = SecretKey::generate();
        std::vector<rules::Error> errors;
        QVERIFY(m_files->seal(kAna, key, phrase()).ok());
        errors.push_back(m_files->seal(kAna, key, phrase()).error());
        errors.push_back(m_files->open(kAna, phrase("the wrong passphrase")).error());
        errors.push_back(m_files->changePassphrase(kAna, phrase("the wrong passphrase"), phrase()).error());
        QVERIFY(m_files->seal(kAna, key, phrase(), KeyFiles::Which::Next).ok());
        QVERIFY(m_files->changePassphrase(kAna, phrase(), phrase("yet another passphrase")).ok());
        QVERIFY(m_files->changePassphrase(kAna, phrase("yet another passphrase"), phrase()).ok());
        errors.push_back(m_files->seal({kStore, ""}, key, phrase()).error());
        QCOMPARE(chmod(QFile::encodeName(m_file).constData(), 0644), 0);
        errors.push_back(m_files->open(kAna, phrase()).error());

        const auto secrets = spellings(key);
        int files = 0;
        QDirIterator all(m_place->path(), QDir::Files | QDir::Hidden, QDirIterator::Subdirectories);
        while (all.hasNext()) {
            const auto text = contentOf(all.next());
            QVERIFY(!text.isEmpty());
            ++files;
            for (const auto &secret : secrets)
                QVERIFY2(!text.contains(secret), qPrintable(all.filePath()));
        }
        QCOMPARE(files, 2);
        for (const auto &error : errors) {
            const auto text = QByteArray::fromStdString(error.message + error.context);
            QVERIFY(!text.isEmpty());
            for (const auto &secret : secrets)
                QVERIFY2(!text.contains(secret), text.constData());
        }
    }
    void thePlaceIsTheUsersDataFolderUnlessNamed()
    {
        qunsetenv("HANDRESET_KEYS");
        QCOMPARE(KeyFiles::defaultFolder(), qEnvironmentVariable("XDG_DATA_HOME") + QStringLiteral("/handreset/keys"));
        qputenv("HANDRESET_KEYS", "/somewhere/else");
        QCOMPARE(KeyFiles::defaultFolder(), QStringLiteral("/somewhere/else"));
        qunsetenv("HANDRESET_KEYS");
    }

private:
    std::optional<QTemporaryDir> m_place;
    std::optional<KeyFiles> m_files;
    QString m_folder;
    QString m_file;
};

QTEST_GUILESS_MAIN(TestKeyFile)
#include "tst_key_file.moc"
