// SHA-256 against FIPS 180-4's examples, whole and in pieces.
#include "model/rules/sha256.h"

#include <QTest>

using namespace handreset::rules;

class TestSha256 : public QObject {
    Q_OBJECT
private Q_SLOTS:
    void vectors_data();
    void vectors();
    void piecesAndReuse();
    void sizedPartsDoNotRunTogether();
    void hexIsStrict();
    void speed();
};

void TestSha256::vectors_data()
{
    QTest::addColumn<QByteArray>("text");
    QTest::addColumn<QByteArray>("hex");
    QTest::newRow("empty") << QByteArray()
                           << QByteArray("e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855");
    QTest::newRow("abc") << QByteArray("abc")
                         << QByteArray("ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad");
    QTest::newRow("two blocks") << QByteArray("abcdbcdecdefdefgefghfghighijhijkijkljklmklmnlmnomnopnopq")
                                << QByteArray("248d6a61d20638b8e5c026930c3e6039a33ce45964ff2167f6ecedd419db06c1");
    QTest::newRow("a million a") << QByteArray(1'000'000, 'a')
                                 << QByteArray("cdc76e5c9914fb9281a1c7e284d73e67f1809a48a497200e046d39ccc7112cd0");
}

void TestSha256::vectors()
{
    QFETCH(QByteArray, text);
    QFETCH(QByteArray, hex);
    const Digest digest = sha256(text.toStdString());
    QCOMPARE(QByteArray::fromStdString(toHex(digest)), hex);
    QVERIFY(digestFromHex(hex.toStdString()) == digest);
    QVERIFY(digestFromHex(hex.toUpper().toStdString()) == digest);
}

void TestSha256::piecesAndReuse()
{
    Sha256 hasher;
    for (int round = 0; round < 2; ++round) {
        hasher.add("a");
        hasher.add("");
        hasher.add("bc");
        QVERIFY(hasher.finish() == sha256("abc"));
    }
    QVERIFY(hasher.finish() == sha256(""));
}

void TestSha256::sizedPartsDoNotRunTogether()
{
    const auto of = [](std::string_view a, std::string_view b) {
        Sha256 hasher;
        hasher.addSized(a);
        hasher.addSized(b);
        return hasher.finish();
    };
    QVERIFY(of("ab", "c") != of("a", "bc"));
    QVERIFY(of("", "abc") != of("abc", ""));
    QVERIFY(of("ab", "c") == of("ab", "c"));
}

void TestSha256::hexIsStrict()
{
    const std::string good(64, 'a');
    QVERIFY(digestFromHex(good).has_value());
    QVERIFY(!digestFromHex("").has_value());
    QVERIFY(!digestFromHex(good.substr(1)).has_value());
    QVERIFY(!digestFromHex(good + "a").has_value());
    QVERIFY(!digestFromHex(good.substr(1) + "g").has_value());
    QVERIFY(!digestFromHex(good.substr(2) + "0x").has_value());
}

void TestSha256::speed()
{
    const std::string text(700, 'x');
    Digest digest{};
    QBENCHMARK
    {
        for (int i = 0; i < 1000; ++i)
            digest = sha256(text);
    }
    QVERIFY(digest == sha256(std::string(700, 'x')));
}

QTEST_APPLESS_MAIN(TestSha256)
#include "tst_sha256.moc"
