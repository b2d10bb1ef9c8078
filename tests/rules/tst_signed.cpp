// Signed acts, roles, second persons, passes and broken glass (spec 3.4, 4; cases 52, 60, 61; threats: replay,
// impersonation, forged logs).
#include "tests/support/fleet_driver.h"
#include "tests/support/test_operator.h"

#include "model/rules/act_changes.h"
#include "model/rules/authority.h"

#include <QTest>

using namespace handreset::rules;
using handreset::test::FleetDriver;
using handreset::test::TestOperator;

class TestSigned : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void actsComeBackFromTheirBytes();
    void firstOperatorMakesTheStoreASignedOne();
    void unsignedActsAreRefusedFromThenOn();
    void alteredActsAreRefused_data();
    void alteredActsAreRefused();
    void replaysAreRefusedBeforeAndAfterAKeyframe();
    void staleTimeIsRefused();
    void wrongRoleIsRefused();
    void retiredOperatorIsRefused();
    void rotatedKeyEndsTheOldOne();
    void staleRevisionIsRefused();
    void lastApproverStays();
    void twoApproversChangeOperatorsTogether();
    void envelopeWaitsForASecondPerson();
    void requesterCannotApproveByAnyPath();
    void approvalDiesWithAnyChange_data();
    void approvalDiesWithAnyChange();
    void approvalExpires();
    void requestIsTriedBeforeItWaits();
    void thirdRearmTakesTwo();
    void fleetsStopIsLiftedByTwo();
    void looseningPolicyTakesTwo();
    void approvalsFromOnePlaceAreLabelled();
    void brokenGlassStaysOpenUntilAnotherCloses();
    void declinedAndWithdrawnAreOver();
    void passLetsExactlyOneCallThrough();
    void probationOfAnEnvelopeTripTakesTwoAsWell();
    void forgedEventsAreNotFolded_data();
    void forgedEventsAreNotFolded();
    void keyframesHoldOperatorsAndRequests();
    void refusalsNameNobodyNew();
    void requestsAndPassesEndWhileTheWallClockStands();
    void usedKeysComeBackToNobody();
    void unreadableActsLeaveAnEvent();
    void anAcceptedStoreStopsTheFleetUntilTwoReArmIt();
    void oneAgentsRefusedCallsPushOutNobodyElses();
    void anApprovalIsOfWhatWasLookedAt();
    void requestsDieWithTheKeyTheyWereAskedUnder();
    void forgeriesAreNobodysDoing();
    void operatorsNamesCanBeToldApart_data();
    void operatorsNamesCanBeToldApart();
    void deadKeysAreNotEnrolled();
    void longActsAreRefused();
    void actsForAnAcceptedCopyAreNoneForTheOriginal();
    void tokensAreMadeAndRevokedByApprovers();
};

namespace {

const char *const kPolicy = R"(
schema = 1
[defaults]
steps = { limit = 25, action = "open", reaches = "task" }
[tools.send_pix]
access = "write"
value = { pointer = "/amount", currency = "BRL", max = "500.00" }
)";

const char *const kWhy = "the ticket was checked by hand";

/// A signed store with two approvers, a responder and a viewer; `ana` is the first.
struct Signing {
    TestOperator ana{"ana"};
    TestOperator bo{"bo"};
    TestOperator rui{"rui"};
    TestOperator vic{"vic"};
    FleetDriver driver;

    explicit Signing(bool withSecondApprover = true) : driver(kPolicy)
    {
        bo.machine = "bo's laptop";
        bo.session = "desk 2";
        must(ana, ana.enrolsSelf());
        must(ana, rui.enrolled(Role::Responder));
        must(ana, vic.enrolled(Role::Viewer));
        if (withSecondApprover)
            must(ana, bo.enrolled(Role::Approver));
    }
    [[nodiscard]] Signed signedBy(const TestOperator &who, Act act) const
    {
        return who.sign(driver.fleet, std::move(act), driver.moment.now.wall);
    }
    const Outcome &act(const TestOperator &who, Act one) { return driver.act(signedBy(who, std::move(one))); }
    void must(const TestOperator &who, Act one)
    {
        act(who, std::move(one));
        if (!driver.problem().empty())
            qFatal("refused: %s", driver.problem().c_str());
    }
    /// The number of the request that the act now waits as; not set where it does not wait.
    Seq request(const TestOperator &who, Act one)
    {
        const auto *done = std::get_if<ActDone>(&act(who, std::move(one)));
        return done != nullptr ? done->request : Seq{};
    }
    /// An envelope trip of an agent, acknowledged.
    TripId envelopeTrip(const std::string &agent = "billing", const std::string &task = "t1")
    {
        driver.askCall(agent, task, "send_pix", R"({"amount":1.00})");
        driver.askCall(agent, task, "send_pix", R"({"amount":900.00})");
        const auto id = driver.trip(Signal::Envelope)->id;
        must(rui, Acknowledge{id, {}, {}});
        return id;
    }
    TripId stepsTrip(const std::string &agent, const std::string &task)
    {
        for (int n = 0; n < 30 && driver.trip(Signal::Steps) == nullptr; ++n)
            driver.askStep(agent, task);
        const auto id = driver.trip(Signal::Steps)->id;
        must(rui, Acknowledge{id, {}, {}});
        return id;
    }
    [[nodiscard]] Rearm rearm(TripId trip, Rung to = Rung::Closed, std::string why = kWhy) const
    {
        Rearm one{
            .trip = trip, .revision = driver.fleet.revisionOf(*driver.fleet.trip(trip)), .reason = std::move(why)};
        one.to = to;
        if (driver.fleet.trip(trip)->subject.signal == Signal::Steps)
            one.grant.steps = 5;
        for (const auto &[task, item] : driver.fleet.queue) {
            if (item.trip == trip)
                one.queue.emplace_back(task, QueueVerb::Resume);
        }
        return one;
    }
    [[nodiscard]] std::string problem() const { return driver.problem(); }
    [[nodiscard]] bool isActive(TripId id) const { return driver.fleet.trip(id)->active(); }
};

/// The whole log folds to the fleet: nothing that was decided is refused in folding.
bool foldsAgain(const FleetDriver &driver, std::string *why = nullptr)
{
    Fleet fleet;
    for (const auto &event : driver.log) {
        if (auto done = apply(fleet, event); !done) {
            if (why != nullptr)
                *why = done.error().message;
            return false;
        }
    }
    return encodeFleet(fleet) == encodeFleet(driver.fleet);
}

} // namespace

void TestSigned::actsComeBackFromTheirBytes()
{
    Rearm rearm{.trip = TripId{7}, .revision = Revision{3}, .by = "ana", .cause = "cause", .reason = kWhy};
    rearm.grant.steps = 4;
    rearm.queue.emplace_back(TaskId{2}, QueueVerb::Resume);
    const std::vector<Act> acts{
        rearm,
        Acknowledge{TripId{7}, "ana", "seen"},
        StopAgent{"billing", Rung::Open, "ana", {}},
        ApplyPolicy{.text = "schema = 1", .file = "p.toml", .by = "ana", .reason = "r", .over = 3},
        EnrolOperator{"bo", Role::Approver, {}, "ana", {}},
        GivePass{AskId{9}, "ana", kWhy},
        Approve{Seq{12}, "bo", {}},
        CloseReview{Seq{3}, "bo", "looked"}};
    for (const auto &act : acts) {
        const auto back = decodeAct(encodeAct(act));
        QVERIFY(back);
        QCOMPARE(back->index(), act.index());
        QVERIFY(*back == act);
        QCOMPARE(encodeAct(*back), encodeAct(act));
    }
    QVERIFY(!decodeAct("garbage"));
    QVERIFY(!decodeAct(encodeAct(acts.front()).substr(0, 5)));
}

void TestSigned::firstOperatorMakesTheStoreASignedOne()
{
    TestOperator ana("ana");
    FleetDriver driver;
    QVERIFY(driver.fleet.isUnsigned);
    auto viewer = ana.enrolled(Role::Viewer);
    QVERIFY(!driver.done(ana.sign(driver.fleet, viewer, driver.moment.now.wall))); // the first one is an approver
    TestOperator mallory("mallory");
    auto forged = mallory.sign(driver.fleet, ana.enrolsSelf(), driver.moment.now.wall);
    forged.act.by = "ana";
    QVERIFY(!driver.done(forged)); // nobody enrols another as the first
    QVERIFY(driver.fleet.isUnsigned);
    QVERIFY(driver.done(ana.sign(driver.fleet, ana.enrolsSelf(), driver.moment.now.wall)));
    QVERIFY(!driver.fleet.isUnsigned);
    QVERIFY(driver.fleet.rootKey == ana.key());
    QVERIFY(foldsAgain(driver));
}

void TestSigned::unsignedActsAreRefusedFromThenOn()
{
    Signing s;
    s.driver.askStep("billing", "t1");
    const std::vector<Command> bare{StopAgent{"billing", Rung::Open, "ana", kWhy},
                                    ConfirmTime{"ana", kWhy},
                                    TrustStore{"clear-sentinel", "ana", kWhy},
                                    EnrolOperator{"eve", Role::Approver, {}, "ana", {}},
                                    Approve{Seq{1}, "bo", {}},
                                    GivePass{AskId{1}, "ana", kWhy}};
    for (const auto &command : bare) {
        QVERIFY(!s.driver.done(command));
        QVERIFY2(s.problem().find("signed acts only") != std::string::npos, s.problem().c_str());
        QVERIFY(std::holds_alternative<ActRefused>(s.driver.step.events.back().payload));
    }
    QCOMPARE(s.driver.fleet.agent(s.driver.agent("billing")).rung, Rung::Closed);
    QVERIFY(foldsAgain(s.driver));
}

void TestSigned::alteredActsAreRefused_data()
{
    QTest::addColumn<int>("what");
    QTest::addColumn<QString>("words");
    const QString signature = QStringLiteral("signature");
    QTest::newRow("act") << 0 << signature;
    QTest::newRow("by") << 1 << signature;
    QTest::newRow("nonce") << 2 << signature;
    QTest::newRow("time") << 3 << signature;
    QTest::newRow("machine") << 4 << signature;
    QTest::newRow("store") << 5 << signature;
    QTest::newRow("break glass") << 6 << signature;
    QTest::newRow("signature") << 7 << signature;
    QTest::newRow("another fleet, signed") << 8 << QStringLiteral("another fleet");
    QTest::newRow("another name inside, signed") << 9 << QStringLiteral("another person");
    QTest::newRow("short nonce, signed") << 10 << QStringLiteral("malformed");
    QTest::newRow("glass without root, signed") << 11 << QStringLiteral("root");
    QTest::newRow("unknown operator") << 12 << QStringLiteral("no operator of this name");
    QTest::newRow("no signature") << 13 << signature;
}

void TestSigned::alteredActsAreRefused()
{
    QFETCH(int, what);
    QFETCH(QString, words);
    Signing s;
    s.driver.askStep("billing", "t1");
    auto command = s.signedBy(s.rui, StopAgent{"billing", Rung::Degraded, {}, kWhy});
    auto &one = command.act;
    const Act other = StopAgent{"billing", Rung::Open, "rui", kWhy};
    switch (what) {
    case 0:
        one.act = encodeAct(other);
        break;
    case 1:
        one.by = "ana";
        break;
    case 2:
        one.nonce[0] = static_cast<char>(one.nonce[0] ^ 1);
        break;
    case 3:
        one.at = one.at + seconds(1);
        break;
    case 4:
        one.machine = "another";
        break;
    case 5:
        one.storeId[0] = 'f';
        break;
    case 6:
        one.breakGlass = true;
        break;
    case 7:
        one.signature[5] = static_cast<char>(one.signature[5] ^ 1);
        break;
    case 8:
        one.storeId = "f0000000000000000000000000000001";
        s.rui.resign(one);
        break;
    case 9:
        one.act = encodeAct(Act(StopAgent{"billing", Rung::Open, "ana", kWhy}));
        s.rui.resign(one);
        break;
    case 10:
        one.nonce = "short";
        s.rui.resign(one);
        break;
    case 11:
        one.breakGlass = true;
        s.rui.resign(one);
        command.origin.isRoot = false;
        break;
    case 12:
        one.by = "nobody";
        break;
    default:
        one.signature.clear();
        break;
    }
    QVERIFY(!s.driver.done(command));
    QVERIFY2(s.problem().find(words.toStdString()) != std::string::npos, s.problem().c_str());
    const auto *refused = std::get_if<ActRefused>(&s.driver.step.events.back().payload);
    QVERIFY(refused != nullptr);
    QCOMPARE(QString::fromStdString(refused->act), QStringLiteral("stop"));
    QCOMPARE(s.driver.fleet.agent(s.driver.agent("billing")).rung, Rung::Closed);
    QVERIFY(foldsAgain(s.driver));
}

void TestSigned::replaysAreRefusedBeforeAndAfterAKeyframe()
{
    Signing s;
    s.driver.askStep("billing", "t1");
    const auto command = s.signedBy(s.rui, StopAgent{"billing", Rung::Open, {}, kWhy});
    QVERIFY(s.driver.done(command));
    QVERIFY(!s.driver.done(command));
    QVERIFY2(s.problem().find("nonce") != std::string::npos, s.problem().c_str());
    auto again = decodeFleet(encodeFleet(s.driver.fleet)); // as after a restart
    QVERIFY(again);
    Step step;
    run(*again, command, s.driver.moment, step);
    QVERIFY(std::holds_alternative<Error>(step.outcome));
    QVERIFY(std::get<Error>(step.outcome).message.find("nonce") != std::string::npos);
    // However long somebody keeps it: the nonce may be forgotten, the time is over by then.
    for (int minute = 0; minute < 30; ++minute) {
        s.driver.wait(minutes(1));
        const auto agent = "agent" + std::to_string(minute);
        s.driver.askStep(agent, "t");
        s.must(s.rui, StopAgent{agent, Rung::Open, {}, kWhy});
        QVERIFY(!s.driver.done(command));
    }
    QVERIFY(s.driver.fleet.nonces.size() < 10); // they are forgotten by and by
}

void TestSigned::staleTimeIsRefused()
{
    Signing s;
    s.driver.askStep("billing", "t1");
    const auto wall = s.driver.moment.now.wall;
    for (const auto at : {wall - minutes(6), wall + minutes(6), wall - hours(24), wall + hours(24)}) {
        QVERIFY(!s.driver.done(s.rui.sign(s.driver.fleet, StopAgent{"billing", Rung::Open, {}, kWhy}, at)));
        QVERIFY2(s.problem().find("sign it anew") != std::string::npos, s.problem().c_str());
    }
    QVERIFY(s.driver.done(s.rui.sign(s.driver.fleet, StopAgent{"billing", Rung::Open, {}, kWhy}, wall - minutes(4))));
}

void TestSigned::wrongRoleIsRefused()
{
    Signing s;
    s.driver.askStep("billing", "t1");
    const std::vector<Act> ofResponder{StopAgent{"billing", Rung::Open, {}, kWhy}, ConfirmTime{{}, kWhy},
                                       Acknowledge{TripId{1}, {}, {}}, GivePass{AskId{1}, {}, kWhy},
                                       EndRequest{Seq{1}, {}, {}}};
    for (const auto &act : ofResponder) {
        s.act(s.vic, act);
        QVERIFY2(s.problem().find("the role viewer may not") != std::string::npos, s.problem().c_str());
    }
    const std::vector<Act> ofApprover{ApplyPolicy{.text = "schema = 1", .reason = kWhy, .over = 1},
                                      Approve{Seq{1}, {}, {}},
                                      TestOperator("eve").enrolled(Role::Approver),
                                      RetireOperator{"bo", {}, {}},
                                      CloseReview{Seq{1}, {}, {}},
                                      TrustStore{"accept-store", {}, kWhy}};
    for (const auto &act : ofApprover) {
        s.act(s.rui, act);
        QVERIFY2(s.problem().find("the role responder may not") != std::string::npos, s.problem().c_str());
    }
    s.must(s.vic, RotateKey{"vic", TestOperator("vic").key(), {}, {}}); // everyone may change their own key
    QVERIFY(foldsAgain(s.driver));
}

void TestSigned::retiredOperatorIsRefused()
{
    Signing s(false);
    s.driver.askStep("billing", "t1");
    s.must(s.ana, RetireOperator{"rui", {}, "left the team"});
    s.act(s.rui, StopAgent{"billing", Rung::Open, {}, kWhy});
    QVERIFY2(s.problem().find("retired") != std::string::npos, s.problem().c_str());
    s.act(s.ana, s.rui.enrolled(Role::Responder)); // a name is used once
    QVERIFY2(s.problem().find("enrolled before") != std::string::npos, s.problem().c_str());
    QVERIFY(foldsAgain(s.driver));
}

void TestSigned::rotatedKeyEndsTheOldOne()
{
    Signing s;
    s.driver.askStep("billing", "t1");
    const TestOperator next("rui");
    s.must(s.rui, RotateKey{"rui", next.key(), {}, "a new laptop"});
    s.act(s.rui, StopAgent{"billing", Rung::Open, {}, kWhy});
    QVERIFY2(s.problem().find("signature") != std::string::npos, s.problem().c_str());
    s.must(next, StopAgent{"billing", Rung::Open, {}, kWhy});
    s.act(next, RotateKey{"ana", TestOperator("x").key(), {}, "mine now"});
    QVERIFY(!s.problem().empty());
    QVERIFY(s.driver.fleet.rootKey == s.ana.key());
    QVERIFY(foldsAgain(s.driver));
}

void TestSigned::staleRevisionIsRefused()
{
    Signing s;
    const auto trip = s.stepsTrip("billing", "t1");
    auto stale = s.rearm(trip);
    s.must(s.rui, StopAgent{"billing", Rung::Degraded, {}, kWhy});
    s.act(s.rui, stale);
    QVERIFY2(s.problem().find("revision") != std::string::npos, s.problem().c_str());
    stale.revision.reset(); // a signed one may not leave it open
    s.act(s.rui, stale);
    QVERIFY2(s.problem().find("names the revision") != std::string::npos, s.problem().c_str());
    QVERIFY(s.isActive(trip));
    QVERIFY(foldsAgain(s.driver));
}

void TestSigned::lastApproverStays()
{
    Signing s(false);
    s.act(s.ana, RetireOperator{"ana", {}, "goes"});
    QVERIFY2(s.problem().find("last approver") != std::string::npos, s.problem().c_str());
}

void TestSigned::twoApproversChangeOperatorsTogether()
{
    Signing s;
    TestOperator eve("eve");
    const auto request = s.request(s.ana, eve.enrolled(Role::Approver));
    QVERIFY(request.isSet());
    QCOMPARE(s.driver.fleet.operators.size(), std::size_t(4));
    s.must(s.bo, Approve{request, {}, {}});
    QCOMPARE(s.driver.fleet.operators.size(), std::size_t(5));
    QVERIFY(foldsAgain(s.driver));
}

void TestSigned::envelopeWaitsForASecondPerson()
{
    Signing s;
    const auto trip = s.envelopeTrip();
    const auto request = s.request(s.rui, s.rearm(trip, Rung::Closed));
    QVERIFY(request.isSet());
    QVERIFY(s.isActive(trip));
    QCOMPARE(s.driver.fleet.requests.size(), std::size_t(1));
    QCOMPARE(s.driver.fleet.requests.begin()->second.trip, trip);
    s.must(s.bo, Approve{request, {}, "saw the ticket"});
    QVERIFY(!s.isActive(trip));
    QVERIFY(s.driver.fleet.requests.empty());
    const auto *rearmed = [&]() -> const TripRearmed * {
        for (const auto &event : s.driver.step.events) {
            if (const auto *one = std::get_if<TripRearmed>(&event.payload))
                return one;
        }
        return nullptr;
    }();
    QVERIFY(rearmed != nullptr);
    QCOMPARE(s.driver.fleet.names(rearmed->by), std::string("rui"));
    QCOMPARE(s.driver.fleet.names(rearmed->approvedBy), std::string("bo"));
    std::string why;
    QVERIFY2(foldsAgain(s.driver, &why), why.c_str());
    s.act(s.bo, Approve{request, {}, {}}); // an approval is used once
    QVERIFY(!s.problem().empty());
}

void TestSigned::requesterCannotApproveByAnyPath()
{
    Signing s;
    const auto trip = s.envelopeTrip();
    const auto request = s.request(s.ana, s.rearm(trip));
    QVERIFY(request.isSet());
    s.act(s.ana, Approve{request, {}, {}});
    QVERIFY2(s.problem().find("cannot be the second person") != std::string::npos, s.problem().c_str());
    // under another's name
    auto forged = s.ana.sign(s.driver.fleet, Approve{request, {}, {}}, s.driver.moment.now.wall);
    forged.act.by = "bo";
    QVERIFY(!s.driver.done(forged));
    // by a second name with the same key
    TestOperator twin = s.ana;
    Act enrol = EnrolOperator{"ana2", Role::Approver, twin.key(), {}, {}};
    s.act(s.ana, enrol);
    QVERIFY2(s.problem().find("another operator has, or had, this key") != std::string::npos, s.problem().c_str());
    // by a responder's word, or a viewer's
    for (const auto *who : {&s.rui, &s.vic}) {
        s.act(*who, Approve{request, {}, {}});
        QVERIFY(!s.problem().empty());
    }
    // by rotating the other's key to one of their own: that takes two as well
    TestOperator mine("bo");
    s.act(s.ana, RotateKey{"bo", mine.key(), {}, "lost key"});
    s.act(mine, Approve{request, {}, {}});
    QVERIFY(!s.problem().empty());
    // by acting again
    QVERIFY(!s.request(s.ana, s.rearm(trip)).isSet());
    QVERIFY2(s.problem().find("waits already") != std::string::npos, s.problem().c_str());
    QVERIFY(s.isActive(trip));
    QVERIFY(foldsAgain(s.driver));
}

void TestSigned::approvalDiesWithAnyChange_data()
{
    QTest::addColumn<int>("change");
    QTest::newRow("a new trip") << 0;
    QTest::newRow("a stop") << 1;
    QTest::newRow("an acknowledgement") << 2;
    QTest::newRow("a policy") << 3;
    QTest::newRow("the requester is retired") << 4;
}

void TestSigned::approvalDiesWithAnyChange()
{
    QFETCH(int, change);
    Signing s;
    s.driver.askCall("billing", "t1", "send_pix", R"({"amount":1.00})");
    TripId other;
    if (change == 2) {
        for (int n = 0; n < 30 && s.driver.trip(Signal::Steps) == nullptr; ++n)
            s.driver.askStep("billing", "t2");
        other = s.driver.trip(Signal::Steps)->id;
    }
    const auto trip = s.envelopeTrip();
    const auto request = s.request(s.rui, s.rearm(trip));
    QVERIFY(request.isSet());
    if (change == 0) {
        s.must(s.ana, StopAgent{"billing", Rung::Degraded, {}, kWhy});
    } else if (change == 1) {
        s.must(s.ana, StopAgent{{}, Rung::Open, {}, kWhy});
    } else if (change == 2) {
        s.must(s.ana, Acknowledge{other, {}, {}});
    } else if (change == 3) {
        s.must(s.ana,
               ApplyPolicy{.text = std::string(kPolicy) + "\n[tools.other]\naccess = \"read\"\n",
                           .file = "p",
                           .reason = kWhy,
                           .over = s.driver.fleet.policyVersion});
        if (const auto waiting = s.driver.fleet.requests; waiting.size() > 1)
            s.must(s.bo, Approve{waiting.rbegin()->first, {}, {}});
    } else {
        const auto retirement = s.request(s.ana, RetireOperator{"rui", {}, "left"});
        s.must(s.bo, Approve{retirement, {}, {}});
    }
    s.act(s.bo, Approve{request, {}, {}});
    QVERIFY2(s.problem().find("waits") != std::string::npos, s.problem().c_str());
    QVERIFY(s.isActive(trip));
    bool isVoid = false;
    for (const auto &event : s.driver.log) {
        const auto *ended = std::get_if<RequestEnded>(&event.payload);
        isVoid = isVoid || (ended != nullptr && ended->request == request && ended->how == RequestEnd::Void);
    }
    QVERIFY(isVoid);
    QVERIFY(foldsAgain(s.driver));
}

void TestSigned::approvalExpires()
{
    Signing s;
    const auto trip = s.envelopeTrip();
    const auto request = s.request(s.rui, s.rearm(trip));
    s.driver.wait(minutes(10));
    s.act(s.bo, Approve{request, {}, {}});
    QVERIFY(!s.problem().empty());
    QVERIFY(s.isActive(trip));
    QVERIFY(s.driver.fleet.requests.empty());
    const auto again = s.request(s.rui, s.rearm(trip));
    QVERIFY(again.isSet());
    s.driver.wait(minutes(9));
    s.must(s.bo, Approve{again, {}, {}});
    QVERIFY(!s.isActive(trip));
}

void TestSigned::requestIsTriedBeforeItWaits()
{
    Signing s;
    const auto trip = s.envelopeTrip();
    QVERIFY(!s.request(s.rui, s.rearm(trip, Rung::Closed, "short")).isSet());
    QVERIFY2(s.problem().find("10 characters") != std::string::npos, s.problem().c_str());
    QVERIFY(s.driver.fleet.requests.empty());
    QVERIFY(foldsAgain(s.driver));
}

void TestSigned::thirdRearmTakesTwo()
{
    Signing s;
    for (int n = 1; n <= 3; ++n) {
        const auto trip = s.stepsTrip("billing", "t" + std::to_string(n));
        const auto request = s.request(s.rui, s.rearm(trip, Rung::Closed, kWhy + std::to_string(n)));
        QCOMPARE(request.isSet(), n == 3);
        QCOMPARE(s.isActive(trip), n == 3);
        if (n == 3)
            s.must(s.ana, Approve{request, {}, {}});
    }
    QVERIFY(foldsAgain(s.driver));
}

void TestSigned::fleetsStopIsLiftedByTwo()
{
    Signing s;
    s.driver.askStep("billing", "t1");
    s.must(s.rui, StopAgent{{}, Rung::Open, {}, kWhy});
    const auto trip = s.driver.trip(Signal::Operator)->id;
    s.must(s.rui, Acknowledge{trip, {}, {}});
    const auto request = s.request(s.rui, s.rearm(trip));
    QVERIFY(request.isSet());
    QVERIFY(s.isActive(trip));
    s.must(s.bo, Approve{request, {}, {}});
    QVERIFY(!s.isActive(trip));
    QVERIFY(s.driver.askStep("billing", "t1").allow);
}

void TestSigned::looseningPolicyTakesTwo()
{
    Signing s;
    const std::string loose = std::string(kPolicy).replace(std::string(kPolicy).find("500.00"), 6, "900.00");
    const std::string tight = std::string(kPolicy).replace(std::string(kPolicy).find("500.00"), 6, "400.00");
    const auto version = s.driver.fleet.policyVersion;
    s.must(s.ana, ApplyPolicy{.text = tight, .file = "p", .reason = kWhy, .over = version});
    QCOMPARE(s.driver.fleet.policyVersion, version + 1);
    const auto request = s.request(s.ana, ApplyPolicy{.text = loose, .file = "p", .reason = kWhy, .over = version + 1});
    QVERIFY(request.isSet());
    QCOMPARE(s.driver.fleet.policyVersion, version + 1);
    s.must(s.bo, Approve{request, {}, {}});
    QCOMPARE(s.driver.fleet.policyVersion, version + 2);
    QCOMPARE(s.driver.fleet.policyText, loose);
    s.act(s.ana, ApplyPolicy{.text = tight, .file = "p", .reason = kWhy, .over = version}); // saw an older one
    QVERIFY(!s.problem().empty());
    QVERIFY(foldsAgain(s.driver));
}

void TestSigned::approvalsFromOnePlaceAreLabelled()
{
    for (const auto &[machine, session, words] : {std::tuple{"bo's laptop", "desk 2", ""},
                                                  {"laptop", "desk 2", "the same machine"},
                                                  {"x", "desk 1", "the same session"}}) {
        Signing s;
        const auto trip = s.envelopeTrip();
        const auto request = s.request(s.rui, s.rearm(trip));
        s.bo.machine = machine;
        s.bo.session = session;
        s.must(s.bo, Approve{request, {}, {}});
        for (const auto &event : s.driver.step.events) {
            if (const auto *ended = std::get_if<RequestEnded>(&event.payload))
                QCOMPARE(ended->closeness, std::string(words));
        }
    }
    for (const int hoursLater : {0, 25}) { // a lone approver who enrols the first person of a pair
        Signing s(false);
        s.ana.machine = s.ana.session = "elsewhere";
        s.driver.wait(hours(hoursLater));
        const auto trip = s.envelopeTrip();
        s.must(s.ana, Approve{s.request(s.rui, s.rearm(trip)), {}, {}});
        const auto ended = std::find_if(s.driver.step.events.begin(), s.driver.step.events.end(), [](const Event &event) {
            return std::holds_alternative<RequestEnded>(event.payload);
        });
        const auto &close = std::get<RequestEnded>(ended->payload).closeness;
        QCOMPARE(close.find("whom the approver enrolled") != std::string::npos, hoursLater == 0);
    }
}

void TestSigned::brokenGlassStaysOpenUntilAnotherCloses()
{
    Signing s;
    const auto trip = s.envelopeTrip();
    s.rui.breakGlass = true;
    s.must(s.rui, s.rearm(trip));
    s.rui.breakGlass = false;
    QVERIFY(!s.isActive(trip));
    QCOMPARE(s.driver.fleet.reviews.size(), std::size_t(1));
    const auto review = s.driver.fleet.reviews.begin()->first;
    s.act(s.rui, CloseReview{review, {}, "all fine"});
    QVERIFY(!s.problem().empty());
    s.must(s.ana, CloseReview{review, {}, "looked at the payments"});
    QVERIFY(s.driver.fleet.reviews.empty());
    QVERIFY(foldsAgain(s.driver));
}

void TestSigned::declinedAndWithdrawnAreOver()
{
    Signing s;
    const auto trip = s.envelopeTrip();
    auto request = s.request(s.rui, s.rearm(trip));
    s.act(s.vic, EndRequest{request, {}, {}});
    QVERIFY(!s.problem().empty());
    s.must(s.bo, EndRequest{request, {}, "not before the bank answers"});
    s.act(s.ana, Approve{request, {}, {}});
    QVERIFY(!s.problem().empty());
    request = s.request(s.rui, s.rearm(trip));
    s.must(s.rui, EndRequest{request, {}, "a mistake"});
    QVERIFY(s.driver.fleet.requests.empty());
    QVERIFY(s.isActive(trip));
    QVERIFY(foldsAgain(s.driver));
}

void TestSigned::passLetsExactlyOneCallThrough()
{
    Signing s;
    const std::string call = R"({"amount":900.00})";
    const auto trip = s.envelopeTrip();
    const auto ask = s.driver.fleet.trip(trip)->ask;
    QVERIFY(s.driver.fleet.refusedCalls.contains(ask));
    std::string shown;
    for (const auto &line : changesOf(s.driver.fleet, GivePass{ask, {}, {}})) // the second person reads the whole call
        shown += line + '\n';
    QVERIFY2(shown.find("arguments: {\"amount\":900") != std::string::npos, shown.c_str());
    QVERIFY2(shown.find("900.00 BRL against 500.00 BRL") != std::string::npos, shown.c_str());
    s.must(s.bo, Approve{s.request(s.rui, s.rearm(trip)), {}, {}});
    const auto request = s.request(s.rui, GivePass{ask, {}, kWhy});
    QVERIFY(request.isSet()); // a pass needs an approver
    s.must(s.bo, Approve{request, {}, {}});
    QCOMPARE(s.driver.fleet.passes.size(), std::size_t(1));
    QVERIFY(!s.driver.askCall("billing", "t2", "send_pix", call).allow); // another task: trips again
    const auto second = s.driver.trip(Signal::Envelope)->id;
    s.must(s.rui, Acknowledge{second, {}, {}});
    s.must(s.bo, Approve{s.request(s.rui, s.rearm(second, Rung::Closed, "the second one was seen too")), {}, {}});
    QVERIFY(s.driver.askCall("billing", "t1", "send_pix", call).allow);
    QVERIFY(s.driver.fleet.passes.empty());
    QVERIFY(!s.driver.askCall("billing", "t1", "send_pix", call).allow); // once
    QVERIFY(foldsAgain(s.driver));
    // and its time ends
    Signing t;
    const auto other = t.envelopeTrip();
    const auto refused = t.driver.fleet.trip(other)->ask;
    t.must(t.bo, Approve{t.request(t.rui, t.rearm(other)), {}, {}});
    t.must(t.bo, Approve{t.request(t.rui, GivePass{refused, {}, kWhy}), {}, {}});
    t.driver.wait(minutes(15));
    QVERIFY(!t.driver.askCall("billing", "t1", "send_pix", call).allow);
}

void TestSigned::probationOfAnEnvelopeTripTakesTwoAsWell()
{
    Signing s;
    const auto trip = s.envelopeTrip();
    s.must(s.bo, Approve{s.request(s.rui, s.rearm(trip, Rung::Degraded)), {}, {}});
    const auto probation = s.driver.trip(Signal::Probation)->id;
    s.must(s.rui, Acknowledge{probation, {}, {}});
    s.driver.fleet.endedTrips.clear(); // as after many others
    const auto request = s.request(s.rui, s.rearm(probation, Rung::Closed, "it behaved for an hour"));
    QVERIFY(request.isSet());
    s.must(s.bo, Approve{request, {}, {}});
    QVERIFY(s.driver.fleet.trips.empty());
}

void TestSigned::forgedEventsAreNotFolded_data()
{
    QTest::addColumn<int>("what");
    QTest::newRow("re-arm without a signature") << 0;
    QTest::newRow("re-arm after another act's signature") << 1;
    QTest::newRow("re-arm of one person where two are asked for") << 2;
    QTest::newRow("another rung than was signed") << 3;
    QTest::newRow("signature altered") << 4;
    QTest::newRow("effect twice") << 5;
    QTest::newRow("operator without a signature") << 6;
    QTest::newRow("clock lifts a human's latch") << 7;
    QTest::newRow("approval by the requester") << 8;
    QTest::newRow("time confirmed by nobody") << 9;
    QTest::newRow("the same act's signature again") << 10;
    QTest::newRow("approval of an act that was exchanged since") << 11;
    QTest::newRow("token without a signature") << 12;
    QTest::newRow("a release told as a lease's end") << 13;
    QTest::newRow("a release told as a result") << 14;
}

void TestSigned::forgedEventsAreNotFolded()
{
    QFETCH(int, what);
    Signing s;
    auto &fleet = s.driver.fleet;
    const auto steps = s.stepsTrip("worker", "w1");
    const auto envelope = s.envelopeTrip();
    const OperatorId rui{fleet.names.find(NameKind::Operator, "rui")};
    const auto before = fleet;
    const auto event = [&](AgentId agent, std::uint8_t row, Payload payload) {
        return Event{fleet.seq.next(),
                     s.driver.moment.now.wall,
                     s.driver.moment.now.steady,
                     {},
                     agent,
                     {},
                     row,
                     std::move(payload),
                     {}};
    };
    const auto rearmed = [&](TripId trip, Rung to) {
        return TripRearmed{.trip = trip,
                           .to = to,
                           .by = rui,
                           .cause = "not stated",
                           .reason = kWhy,
                           .revisionSeen = fleet.revisionOf(*fleet.trip(trip)),
                           .grant = s.rearm(trip).grant,
                           .queue = s.rearm(trip).queue};
    };
    const auto worker = s.driver.agent("worker");
    const auto billing = s.driver.agent("billing");
    const auto take = [&](Event e) {
        e.seq = fleet.seq.next();
        return apply(fleet, e);
    };
    const auto signedEvent = [&](const Act &act) {
        const auto command = s.signedBy(s.rui, act);
        return event({}, 0, ActSigned{command.act, command.origin});
    };
    switch (what) {
    case 0:
        QVERIFY(!take(event(worker, 25, rearmed(steps, Rung::Closed))));
        break;
    case 1:
        QVERIFY(take(signedEvent(StopAgent{"worker", Rung::Open, {}, kWhy})));
        QVERIFY(!take(event(worker, 25, rearmed(steps, Rung::Closed))));
        break;
    case 2:
        QVERIFY(take(signedEvent(s.rearm(envelope))));
        QVERIFY(!take(event(billing, 25, rearmed(envelope, Rung::Closed))));
        break;
    case 3:
        QVERIFY(take(signedEvent(s.rearm(steps, Rung::Degraded))));
        QVERIFY(!take(event(worker, 25, rearmed(steps, Rung::Closed))));
        break;
    case 4: {
        auto command = s.signedBy(s.rui, s.rearm(steps));
        command.act.signature[0] = static_cast<char>(command.act.signature[0] ^ 1);
        QVERIFY(!take(event({}, 0, ActSigned{command.act, command.origin})));
        break;
    }
    case 5: {
        Grant grant;
        grant.steps = 5;
        const TripSubject subject{.signal = Signal::Steps, .root = s.driver.task("worker", "w1")};
        QVERIFY(take(signedEvent(GrantMore{subject, grant, {}, kWhy})));
        QVERIFY(take(event(worker, 0, Granted{subject, grant, rui, kWhy})));
        QVERIFY(!take(event(worker, 0, Granted{subject, grant, rui, kWhy})));
        break;
    }
    case 6:
        QVERIFY(take(event({}, 0, Named{NameKind::Operator, fleet.names.count(NameKind::Operator) + 1, "eve", {}})));
        QVERIFY(!take(event({}, 0,
                            OperatorEnrolled{OperatorId{fleet.names.count(NameKind::Operator)},
                                             Role::Approver,
                                             TestOperator("eve").key(),
                                             rui,
                                             {}})));
        break;
    case 7:
        QVERIFY(!take(event(worker, 24, TripRearmed{.trip = steps, .cause = "clock"})));
        QVERIFY(!take(event(worker, 25, TripRearmed{.trip = steps, .cause = "clock"})));
        break;
    case 8: {
        const auto request = s.request(s.ana, s.rearm(envelope));
        const auto command = s.signedBy(s.ana, Approve{request, {}, {}});
        QVERIFY(take(event({}, 0, ActSigned{command.act, command.origin})));
        const OperatorId ana{fleet.names.find(NameKind::Operator, "ana")};
        QVERIFY(!take(event(billing, 0, RequestEnded{request, RequestEnd::Approved, ana, {}, {}})));
        QVERIFY(!take(event(billing, 25, rearmed(envelope, Rung::Closed))));
        break;
    }
    case 9:
        QVERIFY(!take(event({}, 0, ClockConfirmed{rui, kWhy})));
        break;
    case 11: { // bo's word was for one operator; whoever holds ana's key and the file puts another in its place
        TestOperator joe("joe");
        TestOperator eve("eve");
        auto looked = fleet;
        const auto request = s.request(s.ana, joe.enrolled(Role::Viewer));
        const auto word = s.signedBy(s.bo, Approve{request, {}, {}});
        fleet = looked;
        QCOMPARE(s.request(s.ana, eve.enrolled(Role::Approver)), request);
        QVERIFY(take(event({}, 0, ActSigned{word.act, word.origin})));
        const OperatorId bo{fleet.names.find(NameKind::Operator, "bo")};
        QVERIFY(!take(event({}, 0, RequestEnded{request, RequestEnd::Approved, bo, {}, {}})));
        break;
    }
    case 13:
    case 14: {
        s.must(s.rui, ActOnBreaker{"send_pix", {}, BreakerEvent::Isolate, {}, kWhy});
        const BreakerKey key = s.driver.breakerKey("send_pix");
        const auto lie = what == 13
            ? event({}, 17, BreakerMoved{key, BreakerEvent::LeaseOver, {}, {}, {}, {}})
            : event(billing, 17, CallFinished{AskId{3}, key.tool, CallOutcome::Success, {}, {}, false});
        QVERIFY(!take(lie));
        QVERIFY(fleet.breaker(key).isolation.has_value());
        break;
    }
    case 12:
        QVERIFY(!take(event(worker, 0, TokenAdded{{}, Digest{1}, rui, kWhy})));
        break;
    default: {
        const auto one = signedEvent(StopAgent{"worker", Rung::Degraded, {}, kWhy});
        QVERIFY(take(one));
        QVERIFY(!take(one));
        break;
    }
    }
    for (const auto id : {steps, envelope})
        QVERIFY(fleet.trip(id)->active());
}

void TestSigned::keyframesHoldOperatorsAndRequests()
{
    Signing s;
    const auto trip = s.envelopeTrip();
    const auto request = s.request(s.rui, s.rearm(trip));
    auto again = decodeFleet(encodeFleet(s.driver.fleet));
    QVERIFY(again);
    QVERIFY(again->operators == s.driver.fleet.operators);
    QVERIFY(again->requests == s.driver.fleet.requests);
    QVERIFY(again->nonces == s.driver.fleet.nonces);
    QVERIFY(again->rootKey == s.driver.fleet.rootKey);
    Step step;
    run(*again, s.signedBy(s.bo, Approve{request, {}, {}}), s.driver.moment, step);
    QVERIFY(!again->trip(trip)->active());
}

void TestSigned::refusalsNameNobodyNew()
{
    Signing s;
    const auto names = s.driver.fleet.names.count(NameKind::Operator);
    const TestOperator eve("eve");
    s.act(eve, StopAgent{"billing", Rung::Open, {}, kWhy});
    QVERIFY(!s.problem().empty());
    QCOMPARE(s.driver.fleet.names.count(NameKind::Operator), names);
    const auto *refused = std::get_if<ActRefused>(&s.driver.step.events.back().payload);
    QVERIFY(refused != nullptr && refused->why.find("eve") != std::string::npos);
}

void TestSigned::requestsAndPassesEndWhileTheWallClockStands()
{
    Signing s;
    const auto trip = s.envelopeTrip();
    const auto ask = s.driver.fleet.trip(trip)->ask;
    const auto request = s.request(s.rui, s.rearm(trip));
    const auto standStill = [&s](Duration time) { s.driver.moment.now.steady = s.driver.moment.now.steady + time; };
    standStill(minutes(10)); // somebody holds the wall clock back
    s.act(s.bo, Approve{request, {}, {}});
    QVERIFY(!s.problem().empty());
    QVERIFY(s.isActive(trip));
    s.must(s.bo, Approve{s.request(s.rui, s.rearm(trip)), {}, {}});
    s.must(s.bo, Approve{s.request(s.rui, GivePass{ask, {}, kWhy}), {}, {}});
    standStill(minutes(15));
    QVERIFY(!s.driver.askCall("billing", "t1", "send_pix", R"({"amount":900.00})").allow);
    QVERIFY(foldsAgain(s.driver));
}

void TestSigned::usedKeysComeBackToNobody()
{
    Signing s(false);
    const TestOperator next("rui");
    s.must(s.rui, RotateKey{"rui", next.key(), {}, {}});
    s.act(next, RotateKey{"rui", s.rui.key(), {}, {}});
    QVERIFY2(s.problem().find("in use, or was") != std::string::npos, s.problem().c_str());
    s.act(s.ana, EnrolOperator{"eve", Role::Responder, s.rui.key(), {}, {}});
    QVERIFY(!s.problem().empty());
    QVERIFY(foldsAgain(s.driver));
}

void TestSigned::unreadableActsLeaveAnEvent()
{
    Signing s;
    for (const auto &[by, bytes] : {std::pair<std::string, std::string>{"rui", "no act at all"},
                                    {"", encodeAct(ConfirmTime{"", kWhy})}}) {
        auto command = s.signedBy(s.rui, ConfirmTime{{}, kWhy});
        command.act.by = by;
        command.act.act = bytes;
        QVERIFY(!s.driver.done(command));
        const auto *refused = std::get_if<ActRefused>(&s.driver.step.events.back().payload);
        QVERIFY(refused != nullptr);
        QCOMPARE(refused->act, std::string("unreadable act"));
    }
    QVERIFY(foldsAgain(s.driver));
}

void TestSigned::anAcceptedStoreStopsTheFleetUntilTwoReArmIt()
{
    Signing s;
    QVERIFY(s.driver.askStep("billing", "t1").allow);
    s.must(s.ana, TrustStore{std::string(kAcceptStore), {}, "restored from the copy of last night"});
    const auto trip = s.driver.trip(Signal::Tamper)->id;
    QVERIFY(!s.driver.askStep("billing", "t1").allow);
    QVERIFY(!s.driver.askStep("new", "t1").allow);
    s.must(s.rui, Acknowledge{trip, {}, {}});
    const auto request = s.request(s.rui, s.rearm(trip));
    QVERIFY(request.isSet());
    QVERIFY(!s.driver.askStep("billing", "t1").allow);
    s.must(s.bo, Approve{request, {}, {}});
    QVERIFY(s.driver.askStep("billing", "t1").allow);
    std::string why;
    QVERIFY2(foldsAgain(s.driver, &why), why.c_str());
}

void TestSigned::oneAgentsRefusedCallsPushOutNobodyElses()
{
    Signing s;
    const auto trip = s.envelopeTrip();
    const auto ask = s.driver.fleet.trip(trip)->ask;
    for (int n = 0; n < 1200; ++n)
        s.driver.askCall("noisy", "t" + std::to_string(n), "send_pix", R"({"amount":90000.00})");
    QVERIFY(s.driver.fleet.refusedCalls.contains(ask));
    QVERIFY(s.driver.fleet.refusedCalls.size() <= kRefusedCallsOfAgent + 1);
}

void TestSigned::anApprovalIsOfWhatWasLookedAt()
{
    Signing s;
    const auto trip = s.envelopeTrip();
    const auto request = s.request(s.rui, s.rearm(trip));
    s.act(s.bo, Approve{request, {}, {}, Digest{7}});
    QVERIFY2(s.problem().find("another act") != std::string::npos, s.problem().c_str());
    QVERIFY(s.isActive(trip));
    s.must(s.bo, Approve{request, {}, {}}); // the request waits on
    QVERIFY(foldsAgain(s.driver));
}

void TestSigned::tokensAreMadeAndRevokedByApprovers()
{
    Signing s;
    const AddToken add{"billing", {}, sha256("a secret"), {}, "the billing team asked for it"};
    s.act(s.rui, add);
    QVERIFY2(s.problem().find("it takes approver") != std::string::npos, s.problem().c_str());
    s.must(s.ana, add);
    QCOMPARE(s.driver.fleet.tokens.size(), std::size_t(1));
    const auto [number, token] = *s.driver.fleet.tokens.begin();
    QCOMPARE(token.agent, s.driver.agent("billing"));
    s.act(s.ana, add); // a secret is one token
    QVERIFY(!s.problem().empty());
    s.act(s.ana, AddToken{"billing", "otlp", sha256("b"), {}, {}});
    QVERIFY(!s.problem().empty());
    s.must(s.ana, AddToken{{}, "otlp", sha256("c"), {}, {}});
    s.must(s.ana, StopAgent{"billing", Rung::Open, {}, kWhy}); // known by its token, before it has asked
    QVERIFY(!s.driver.askStep("billing", "t1").allow);
    s.must(s.ana, RevokeToken{number, {}, {}});
    s.act(s.ana, RevokeToken{number, {}, {}});
    QVERIFY(!s.problem().empty());
    QCOMPARE(s.driver.fleet.tokens.size(), std::size_t(1));
    std::string why;
    QVERIFY2(foldsAgain(s.driver, &why), why.c_str());
}

void TestSigned::requestsDieWithTheKeyTheyWereAskedUnder()
{
    Signing s;
    const auto trip = s.envelopeTrip();
    const auto request = s.request(s.rui, s.rearm(trip));
    const TestOperator next("rui");
    s.must(s.rui, RotateKey{"rui", next.key(), {}, "it was stolen"});
    QVERIFY(s.driver.fleet.requests.empty());
    s.act(s.bo, Approve{request, {}, {}});
    QVERIFY(!s.problem().empty());
    QVERIFY(s.isActive(trip));
    QVERIFY(foldsAgain(s.driver));
}

void TestSigned::forgeriesAreNobodysDoing()
{
    Signing s;
    const TestOperator mallory("mallory");
    auto forged = mallory.sign(s.driver.fleet, ConfirmTime{{}, kWhy}, s.driver.moment.now.wall);
    forged.act.by = "ana";
    QVERIFY(!s.driver.done(forged));
    const auto &refused = std::get<ActRefused>(s.driver.step.events.back().payload);
    QVERIFY(!refused.by.isSet());
    QVERIFY2(refused.why.starts_with("signed as \"ana\""), refused.why.c_str());
    s.act(s.vic, ConfirmTime{{}, kWhy}); // a true signature of one who may not
    QCOMPARE(s.driver.fleet.names(std::get<ActRefused>(s.driver.step.events.back().payload).by), std::string("vic"));
}

void TestSigned::operatorsNamesCanBeToldApart_data()
{
    QTest::addColumn<QString>("name");
    QTest::addColumn<bool>("isTaken");
    QTest::newRow("plain") << QStringLiteral("joe") << true;
    QTest::newRow("full name") << QString::fromUtf8("José Ñuñez-O'Brien Jr.") << true;
    QTest::newRow("Cyrillic") << QString::fromUtf8("Иван") << true;
    QTest::newRow("Chinese") << QString::fromUtf8("王芳") << true;
    QTest::newRow("blank behind") << QStringLiteral("ana ") << false;
    QTest::newRow("capitals") << QStringLiteral("Ana") << false;
    QTest::newRow("a Cyrillic letter in it") << QString::fromUtf8("\u0430na") << false;
    QTest::newRow("hidden") << QString::fromUtf8("an\u200ba") << false;
    QTest::newRow("line") << QStringLiteral("joe\nana") << false;
    QTest::newRow("wide letters") << QString::fromUtf8("\uff41na") << false;
    QTest::newRow("long") << QString(65, QLatin1Char('x')) << false;
}

void TestSigned::operatorsNamesCanBeToldApart()
{
    QFETCH(QString, name);
    QFETCH(bool, isTaken);
    Signing s(false);
    const TestOperator joe(name.toStdString());
    s.act(s.ana, joe.enrolled(Role::Responder));
    QVERIFY2(s.problem().empty() == isTaken, s.problem().c_str());
}

void TestSigned::deadKeysAreNotEnrolled()
{
    Signing s(false);
    PublicKey one{1}; // of order 1
    for (const auto &key : {PublicKey{}, one}) {
        s.act(s.ana, EnrolOperator{"joe", Role::Approver, key, {}, {}});
        QVERIFY2(s.problem().find("no key") != std::string::npos, s.problem().c_str());
        s.act(s.ana, RotateKey{"ana", key, {}, {}});
        QVERIFY2(s.problem().find("no key") != std::string::npos, s.problem().c_str());
    }
}

void TestSigned::longActsAreRefused()
{
    Signing s;
    const auto before = s.driver.fleet.seq;
    s.act(s.rui, ConfirmTime{{}, std::string(100'000, 'x')});
    QVERIFY2(s.problem().find("longer than acts") != std::string::npos, s.problem().c_str());
    s.act(s.vic, RotateKey{"vic", TestOperator("v").key(), {}, std::string(100'000, 'x')});
    QVERIFY2(s.problem().find("longer than acts") != std::string::npos, s.problem().c_str());
    QCOMPARE(s.driver.fleet.seq.value, before.value + 2); // what the log keeps of them is short
}

void TestSigned::actsForAnAcceptedCopyAreNoneForTheOriginal()
{
    Signing s;
    s.driver.askStep("billing", "t1");
    auto copy = s.driver.fleet;
    Step step;
    auto moment = s.driver.moment;
    moment.now.wall = moment.now.wall + seconds(3);
    run(copy, s.ana.sign(copy, TrustStore{std::string(kAcceptStore), {}, "a drill on last night's copy"}, moment.now.wall),
        moment, step);
    QVERIFY(std::holds_alternative<ActDone>(step.outcome));
    const auto ofCopy = s.rui.sign(copy, StopAgent{"billing", Rung::Open, {}, kWhy}, moment.now.wall);
    QVERIFY(!s.driver.done(ofCopy));
    QVERIFY2(s.problem().find("a copy of this one") != std::string::npos, s.problem().c_str());
    const auto ofOriginal = s.signedBy(s.rui, StopAgent{"billing", Rung::Open, {}, kWhy});
    run(copy, ofOriginal, moment, step);
    QVERIFY(std::holds_alternative<Error>(step.outcome));
    run(copy, ofCopy, moment, step);
    QVERIFY(std::holds_alternative<ActDone>(step.outcome));
}

QTEST_APPLESS_MAIN(TestSigned)
#include "tst_signed.moc"
