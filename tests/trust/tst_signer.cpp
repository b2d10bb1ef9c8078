// A signed act verifies, and nothing of it can be changed afterwards.
#include "model/rules/act.h"
#include "model/trust/signer.h"
#include "model/trust/unlocked_key.h"

#include <QTemporaryDir>
#include <QtTest>

#include <functional>

using namespace handreset;
using namespace handreset::trust;
using rules::SignedAct;

namespace {

const std::string kStore = "0123456789abcdef0123456789abcdef";
constexpr rules::Instant kHostTime{1'772'366'400'000'000};

rules::Rearm rearm()
{
    rules::Rearm act;
    act.trip = rules::TripId{17};
    act.revision = rules::Revision{4};
    act.by = "somebody else";
    act.cause = "loop";
    act.reason = "the loop was in the prompt, which is mended";
    return act;
}

Signer signer()
{
    return {SecretKey::generate(), {kStore, "ana", "desk-3", "0011223344556677"}};
}

bool fits(const SignedAct &act, const rules::PublicKey &key)
{
    return rules::signatureFits(rules::bytesToSign(act), act.signature, key);
}

Passphrase phrase(const char *text)
{
    return Passphrase::take(QString::fromLatin1(text)).value();
}

} // namespace

class TestSigner : public QObject {
    Q_OBJECT
private Q_SLOTS:
    void aSignedActVerifiesAndSaysWhoAndWhere()
    {
        const auto ana = signer();
        const auto made = ana.sign(rearm(), kHostTime);
        QVERIFY(fits(made.act, ana.publicKey()));
        QCOMPARE(made.act.storeId, kStore);
        QCOMPARE(made.act.by, std::string("ana"));
        QCOMPARE(made.act.machine, std::string("desk-3"));
        QCOMPARE(made.act.session, std::string("0011223344556677"));
        QVERIFY(made.act.at == kHostTime);
        QVERIFY(!made.act.breakGlass);
        QCOMPARE(made.act.nonce.size(), rules::kNonceSize);
        QVERIFY(made.origin == rules::ActOrigin()); // is the host's to say

        const auto act = rules::decodeAct(made.act.act);
        QVERIFY(act.ok());
        QCOMPARE(rules::actorOf(*act), std::string("ana")); // whoever it named before
        auto expected = rearm();
        expected.by = "ana";
        QVERIFY(*act == rules::Act(expected));
    }
    void twoOfTheSameActAreTwo()
    {
        const auto ana = signer();
        const auto one = ana.sign(rearm(), kHostTime);
        const auto other = ana.sign(rearm(), kHostTime);
        QVERIFY(one.act.nonce != other.act.nonce);
        QVERIFY(one.act.signature != other.act.signature);
    }
    void anotherKeyDoesNotFit() { QVERIFY(!fits(signer().sign(rearm(), kHostTime).act, signer().publicKey())); }

    void noFieldCanBeChanged_data()
    {
        QTest::addColumn<int>("field");
        const char *const names[]
            = {"store", "by", "nonce", "at", "machine", "session", "break glass", "act", "signature"};
        for (int field = 0; field < 9; ++field)
            QTest::newRow(names[field]) << field;
    }
    void noFieldCanBeChanged()
    {
        QFETCH(int, field);
        const std::function<void(SignedAct &)> changes[] = {
            [](SignedAct &act) { act.storeId.back() = '0'; },
            [](SignedAct &act) { act.by = "ben"; },
            [](SignedAct &act) { act.nonce[0] = static_cast<char>(act.nonce[0] ^ 1); },
            [](SignedAct &act) { act.at = act.at + rules::microseconds(1); },
            [](SignedAct &act) { act.machine += "x"; },
            [](SignedAct &act) { act.session.clear(); },
            [](SignedAct &act) { act.breakGlass = true; },
            [](SignedAct &act) {
                auto other = rearm();
                other.by = "ana";
                other.to = rules::Rung::Closed;
                act.act = rules::encodeAct(other);
            },
            [](SignedAct &act) { act.signature[63] = static_cast<char>(act.signature[63] ^ 1); },
        };
        const auto ana = signer();
        auto act = ana.sign(rearm(), kHostTime).act;
        QVERIFY(fits(act, ana.publicKey()));
        changes[field](act);
        QVERIFY(!fits(act, ana.publicKey()));
    }
    void noBitOfTheActCanBeChanged()
    {
        const auto ana = signer();
        const auto made = ana.sign(rearm(), kHostTime, true).act;
        QVERIFY(made.breakGlass);
        for (std::size_t bit = 0; bit < made.act.size() * 8; ++bit) {
            auto changed = made;
            changed.act[bit / 8] = static_cast<char>(changed.act[bit / 8] ^ (1U << bit % 8));
            QVERIFY(!fits(changed, ana.publicKey()));
        }
    }
    void aSeatHereKnowsTheMachineAndItsOwnSession()
    {
        const auto one = SignerSeat::here(kStore, "ana");
        QCOMPARE(one.machine, QSysInfo::machineHostName().toStdString());
        QCOMPARE(one.session.size(), std::size_t{16});
        QVERIFY(one.session != SignerSeat::here(kStore, "ana").session);
    }

    void anUnlockedKeyLocksItselfAtItsEnd()
    {
        UnlockedKey key(signer(), rules::Steady{} + rules::minutes(5));
        QVERIFY(key.remaining(rules::Steady{}) == rules::minutes(5));
        QVERIFY(key.sign(rearm(), rules::Steady{} + rules::seconds(299), kHostTime).ok());
        const auto late = key.sign(rearm(), rules::Steady{} + rules::minutes(5), kHostTime);
        QVERIFY(!late);
        QCOMPARE(late.error().code, rules::ErrorCode::Refused);
        QVERIFY(key.isLocked());
        // A time line that goes back opens nothing again.
        QVERIFY(!key.sign(rearm(), rules::Steady{}, kHostTime));
        QVERIFY(key.remaining(rules::Steady{}) == rules::Duration{});
    }
    void anUnlockedKeyCanBeLockedAtOnce()
    {
        UnlockedKey key(signer(), rules::Steady{} + rules::minutes(5));
        key.lock();
        QVERIFY(key.isLocked());
        QVERIFY(!key.sign(rearm(), rules::Steady{}, kHostTime));
    }
    void unlockingAsksForThePassphrase()
    {
        const QTemporaryDir folder;
        const KeyFiles files(folder.filePath(QStringLiteral("keys")), Hardness::least());
        const auto secret = SecretKey::generate();
        QVERIFY(files.seal({kStore, "ana"}, secret, phrase("the right one")).ok());
        const SignerSeat seat{kStore, "ana", "desk-3", "s"};
        const auto wrong
            = UnlockedKey::unlock(files, seat, phrase("the wrong one"), rules::Steady{}, rules::minutes(5));
        QVERIFY(!wrong);
        QCOMPARE(wrong.error().code, rules::ErrorCode::Refused);
        auto key = UnlockedKey::unlock(files, seat, phrase("the right one"), rules::Steady{}, rules::minutes(5));
        QVERIFY(key.ok());
        const auto made = key->sign(rearm(), rules::Steady{}, kHostTime);
        QVERIFY(made && fits(made->act, secret.publicKey()));
    }
};

QTEST_GUILESS_MAIN(TestSigner)
#include "tst_signer.moc"
