// Keys and passphrases in memory: the right signatures, and nothing left behind that can be wiped.
#include "model/rules/signed_act.h"
#include "model/trust/passphrase.h"
#include "model/trust/secret_key.h"
#include "model/trust/text_fields.h"

#include <QtTest>

#include <cstring>
#include <set>
#include <type_traits>

using namespace handreset;
using namespace handreset::trust;

static_assert(!std::is_copy_constructible_v<SecretBytes> && std::is_nothrow_move_constructible_v<SecretBytes>);
static_assert(!std::is_copy_constructible_v<SecretKey> && std::is_nothrow_move_constructible_v<SecretKey>);
static_assert(!std::is_copy_constructible_v<Passphrase> && std::is_nothrow_move_constructible_v<Passphrase>);

class TestSecretKey : public QObject {
    Q_OBJECT
private Q_SLOTS:
    void aKnownSeedGivesTheKnownKey()
    {
        // RFC 8032, 7.1, test 2
        const auto bytes = fromHex("4ccd089b28ff96da9db6c346ec114e0f5b8a319f35aba624da8cf6ed4fb8a6fb", kSeedSize);
        SecretBytes seed(kSeedSize);
        std::memcpy(seed.data(), bytes->data(), kSeedSize);
        const auto key = SecretKey::fromSeed(seed);
        QCOMPARE(toHex(key.publicKey()),
                 std::string("3d4017c3e843895a92b70aa74d1b7ebc9c982ccf2ec4968cc0cd55f12af4660c"));
        QCOMPARE(
            toHex(key.sign("\x72")),
            std::string("92a009a9f0d4cab8720e820b5f642540a2b27b5416503f8fb3762223ebdb69da085ac1e43e15996e458f3613d0"
                        "f11d8c387b2eaeb4302aeeb00d291612bb0c00"));
        QCOMPARE(std::memcmp(key.seed().data(), bytes->data(), kSeedSize), 0);
    }
    void eachKeyIsNew()
    {
        std::set<std::string> keys;
        for (int i = 0; i < 100; ++i)
            keys.insert(toHex(SecretKey::generate().publicKey()));
        QCOMPARE(keys.size(), std::size_t{100});
    }
    void aSignatureFitsItsBytesOnly()
    {
        const auto key = SecretKey::generate();
        const auto signature = key.sign("re-arm");
        QCOMPARE(signature.size(), rules::kSignatureSize);
        QVERIFY(rules::signatureFits("re-arm", signature, key.publicKey()));
        QVERIFY(!rules::signatureFits("re-arn", signature, key.publicKey()));
        QVERIFY(!rules::signatureFits("re-arm", signature, SecretKey::generate().publicKey()));
    }
    void aKeyThatWasMovedSignsThere()
    {
        auto key = SecretKey::generate();
        const auto there = std::move(key);
        QVERIFY(rules::signatureFits("stop", there.sign("stop"), there.publicKey()));
        QVERIFY(key.sign("stop").empty()); // NOLINT(bugprone-use-after-move,clang-analyzer-cplusplus.Move): it must
                                           // hold nothing any more
    }
    void randomBytesAreAsManyAndNew()
    {
        QCOMPARE(randomBytes(0).size(), std::size_t{0});
        QCOMPARE(randomBytes(16).size(), std::size_t{16});
        QVERIFY(randomBytes(16) != randomBytes(16));
    }

    void passphrasesOfARightLength_data()
    {
        QTest::addColumn<QString>("text");
        QTest::addColumn<QString>("says"); // empty: taken
        QTest::newRow("none") << QString() << "too short";
        QTest::newRow("seven") << "1234567"
                               << "too short";
        QTest::newRow("eight") << "12345678"
                               << "";
        QTest::newRow("seven of four bytes each") << QString::fromUtf8("\xF0\x9F\x94\x91").repeated(7) << "too short";
        QTest::newRow("eight of two bytes each") << QString(8, QChar(0xE9)) << "";
        QTest::newRow("the most") << QString(1024, QLatin1Char('x')) << "";
        QTest::newRow("one more") << QString(1025, QLatin1Char('x')) << "too long";
        QTest::newRow("a line end") << "12345\n6789"
                                    << "line end";
        QTest::newRow("a zero") << QString::fromLatin1("1234\0005678", 9) << "zero";
        QTest::newRow("half a character") << QStringLiteral("12345678") + QChar(0xD83D) << "no text";
    }
    void passphrasesOfARightLength()
    {
        QFETCH(QString, text);
        QFETCH(QString, says);
        const auto kept = text.toStdString();
        const auto taken = Passphrase::take(std::move(text));
        QCOMPARE(taken.ok(), says.isEmpty());
        if (taken) {
            QCOMPARE(std::string(taken->bytes().begin(), taken->bytes().end()), kept);
            return;
        }
        QCOMPARE(taken.error().code, rules::ErrorCode::BadInput);
        QVERIFY2(QString::fromStdString(taken.error().message).contains(says), taken.error().message.c_str());
        QVERIFY(kept.empty() || taken.error().message.find(kept) == std::string::npos);
    }
    void anAccentTypedInAnotherWayIsTheSame()
    {
        const auto one = Passphrase::take(QString::fromUtf8("caf\xC3\xA9 at noon"));
        const auto other = Passphrase::take(QByteArray("cafe\xCC\x81 at noon"));
        QVERIFY(one && other);
        QCOMPARE(std::string(one->bytes().begin(), one->bytes().end()),
                 std::string(other->bytes().begin(), other->bytes().end()));
    }
    void bytesThatAreNoUtf8()
    {
        const auto taken = Passphrase::take(QByteArray("12345678\xFF"));
        QVERIFY(!taken);
        QCOMPARE(taken.error().code, rules::ErrorCode::BadInput);
    }
    void whatAPassphraseIsGivenIsTaken()
    {
        QByteArray bytes("correct horse battery staple");
        QVERIFY(Passphrase::take(std::move(bytes)).ok());
        QVERIFY(bytes.isEmpty()); // NOLINT(bugprone-use-after-move,clang-analyzer-cplusplus.Move): it must hold nothing
                                  // any more
    }
};

QTEST_GUILESS_MAIN(TestSecretKey)
#include "tst_secret_key.moc"
