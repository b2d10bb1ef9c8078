// Only a hold of a second and a half that ends in a release upon the button confirms; nothing else ever does.
#include "views/hold_button.h"

#include <QAccessible>
#include <QDialog>
#include <QSignalSpy>
#include <QVBoxLayout>
#include <QLineEdit>
#include <QtTest>

#include <memory>

using namespace handreset::views;

class TestHoldButton : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void init();
    void cleanup();

    void confirmsOnReleaseAfterTheHold();
    void aClickOrShortHoldDoesNothing();
    void spaceHeldConfirms();
    void autoRepeatNeverConfirms();
    void repeatsThatLookLikeReleasesDoNotEndTheHold();
    void enterNeverDoesAnything_data();
    void enterNeverDoesAnything();
    void leavingCancels();
    void losingFocusCancels();
    void escapeCancelsWithoutClosing();
    void disablingOrHidingCancels();
    void otherButtonsAndModifiersAreIgnored();
    void programmaticClickNeverConfirms();
    void isAButtonToScreenReaders();

private:
    void pressMouse() { QTest::mousePress(m_button, Qt::LeftButton, {}, m_button->rect().center()); }
    void releaseMouse() { QTest::mouseRelease(m_button, Qt::LeftButton, {}, m_button->rect().center()); }
    void sendSpace(QEvent::Type type, bool repeat)
    {
        QKeyEvent event(type, Qt::Key_Space, Qt::NoModifier, QStringLiteral(" "), repeat);
        QCoreApplication::sendEvent(m_button, &event);
    }

    qint64 m_now = 0;
    std::unique_ptr<QDialog> m_dialog;
    HoldButton *m_button = nullptr;
    QLineEdit *m_other = nullptr;
    std::unique_ptr<QSignalSpy> m_confirmed;
    std::unique_ptr<QSignalSpy> m_cancelled;
};

void TestHoldButton::init()
{
    m_now = 1'000;
    m_dialog = std::make_unique<QDialog>();
    auto *layout = new QVBoxLayout(m_dialog.get());
    m_other = new QLineEdit(m_dialog.get());
    m_button = new HoldButton(QStringLiteral("Hold to re-arm"), m_dialog.get(), [this] { return m_now; });
    layout->addWidget(m_other);
    layout->addWidget(m_button);
    m_dialog->show();
    QVERIFY(QTest::qWaitForWindowExposed(m_dialog.get()));
    m_dialog->activateWindow();
    m_button->setFocus();
    QTRY_VERIFY(m_button->hasFocus());
    m_confirmed = std::make_unique<QSignalSpy>(m_button, &HoldButton::confirmed);
    m_cancelled = std::make_unique<QSignalSpy>(m_button, &HoldButton::cancelled);
}

void TestHoldButton::cleanup()
{
    m_confirmed.reset();
    m_cancelled.reset();
    m_dialog.reset();
}

void TestHoldButton::confirmsOnReleaseAfterTheHold()
{
    pressMouse();
    QCOMPARE(m_button->progress(), 0.0);
    m_now += HoldButton::kHoldMs / 2;
    QCOMPARE(m_button->progress(), 0.5);
    m_now += HoldButton::kHoldMs;
    QCOMPARE(m_button->progress(), 1.0);
    QCOMPARE(m_confirmed->count(), 0); // full, yet nothing happens before the release
    releaseMouse();
    QCOMPARE(m_confirmed->count(), 1);
    QCOMPARE(m_cancelled->count(), 0);
    QVERIFY(!m_button->isHeld());
}

void TestHoldButton::aClickOrShortHoldDoesNothing()
{
    QSignalSpy clicked(m_button, &QAbstractButton::clicked);
    QTest::mouseClick(m_button, Qt::LeftButton);
    pressMouse();
    m_now += HoldButton::kHoldMs - 1;
    releaseMouse();
    QCOMPARE(m_confirmed->count(), 0);
    QCOMPARE(m_cancelled->count(), 2);
    QCOMPARE(clicked.count(), 0);
    // Two short holds do not add up to a long one.
    pressMouse();
    m_now += 1;
    releaseMouse();
    QCOMPARE(m_confirmed->count(), 0);
}

void TestHoldButton::spaceHeldConfirms()
{
    sendSpace(QEvent::KeyPress, false);
    QVERIFY(m_button->isHeld());
    m_now += HoldButton::kHoldMs;
    QCOMPARE(m_confirmed->count(), 0);
    sendSpace(QEvent::KeyRelease, false);
    QCOMPARE(m_confirmed->count(), 1);
}

void TestHoldButton::autoRepeatNeverConfirms()
{
    sendSpace(QEvent::KeyPress, false);
    for (int i = 0; i < 100; ++i) {
        m_now += 30;
        sendSpace(QEvent::KeyRelease, true);
        sendSpace(QEvent::KeyPress, true);
    }
    QCOMPARE(m_confirmed->count(), 0);
    QVERIFY(m_button->isHeld()); // repeats neither ended nor restarted the finger's hold
    sendSpace(QEvent::KeyRelease, false);
    QCOMPARE(m_confirmed->count(), 1);
    // A repeat that arrives first (the key went down elsewhere) starts nothing.
    sendSpace(QEvent::KeyPress, true);
    m_now += 2 * HoldButton::kHoldMs;
    sendSpace(QEvent::KeyRelease, false);
    QCOMPARE(m_confirmed->count(), 1);
}

void TestHoldButton::repeatsThatLookLikeReleasesDoNotEndTheHold()
{
    sendSpace(QEvent::KeyPress, false);
    for (int i = 0; i < 10; ++i) { // as X11 gives them where the press comes a moment later
        m_now += HoldButton::kHoldMs / 10;
        QVERIFY(m_button->isHeld());
        if (i == 9)
            break;
        sendSpace(QEvent::KeyRelease, false);
        sendSpace(QEvent::KeyPress, false);
    }
    QCOMPARE(m_confirmed->count(), 0);
    QCOMPARE(m_button->progress(), 1.0); // since the finger came down
    sendSpace(QEvent::KeyRelease, false);
    QCOMPARE(m_confirmed->count(), 1);
    // A finger that lets go too early ends it, only a moment later.
    sendSpace(QEvent::KeyPress, false);
    m_now += HoldButton::kHoldMs / 2;
    sendSpace(QEvent::KeyRelease, false);
    QTRY_COMPARE(m_cancelled->count(), 1);
    m_now += HoldButton::kHoldMs;
    QCOMPARE(m_confirmed->count(), 1);
    QVERIFY(!m_button->isHeld());
}

void TestHoldButton::enterNeverDoesAnything_data()
{
    QTest::addColumn<int>("key");
    QTest::newRow("return") << static_cast<int>(Qt::Key_Return);
    QTest::newRow("enter") << static_cast<int>(Qt::Key_Enter);
    QTest::newRow("select") << static_cast<int>(Qt::Key_Select);
}

void TestHoldButton::enterNeverDoesAnything()
{
    QFETCH(int, key);
    QSignalSpy closed(m_dialog.get(), &QDialog::finished);
    QTest::keyPress(m_button, static_cast<Qt::Key>(key));
    QVERIFY(!m_button->isHeld());
    m_now += 2 * HoldButton::kHoldMs;
    QTest::keyRelease(m_button, static_cast<Qt::Key>(key));
    QCOMPARE(m_confirmed->count(), 0);
    QCOMPARE(closed.count(), 0);
}

void TestHoldButton::leavingCancels()
{
    pressMouse();
    m_now += 2 * HoldButton::kHoldMs;
    QTest::mouseMove(m_button, QPoint(-20, -20));
    QMouseEvent out(QEvent::MouseMove, QPointF(-20, -20), m_button->mapToGlobal(QPointF(-20, -20)), Qt::NoButton,
                    Qt::LeftButton, Qt::NoModifier);
    QCoreApplication::sendEvent(m_button, &out);
    QCOMPARE(m_cancelled->count(), 1);
    releaseMouse(); // back upon it: too late
    QCOMPARE(m_confirmed->count(), 0);
}

void TestHoldButton::losingFocusCancels()
{
    sendSpace(QEvent::KeyPress, false);
    m_now += 2 * HoldButton::kHoldMs;
    m_other->setFocus();
    QCOMPARE(m_cancelled->count(), 1);
    sendSpace(QEvent::KeyRelease, false);
    QCOMPARE(m_confirmed->count(), 0);
}

void TestHoldButton::escapeCancelsWithoutClosing()
{
    QSignalSpy closed(m_dialog.get(), &QDialog::finished);
    sendSpace(QEvent::KeyPress, false);
    m_now += 2 * HoldButton::kHoldMs;
    QTest::keyClick(m_button, Qt::Key_Escape);
    QCOMPARE(m_cancelled->count(), 1);
    QCOMPARE(closed.count(), 0);
    sendSpace(QEvent::KeyRelease, false);
    QCOMPARE(m_confirmed->count(), 0);
}

void TestHoldButton::disablingOrHidingCancels()
{
    pressMouse();
    m_now += 2 * HoldButton::kHoldMs;
    m_button->setEnabled(false);
    QCOMPARE(m_cancelled->count(), 1);
    m_button->setEnabled(true);
    releaseMouse();
    QCOMPARE(m_confirmed->count(), 0);
    pressMouse();
    m_now += 2 * HoldButton::kHoldMs;
    m_button->hide();
    QCOMPARE(m_cancelled->count(), 2);
    QCOMPARE(m_confirmed->count(), 0);
}

void TestHoldButton::otherButtonsAndModifiersAreIgnored()
{
    QTest::mousePress(m_button, Qt::RightButton);
    QVERIFY(!m_button->isHeld());
    QTest::mouseRelease(m_button, Qt::RightButton);
    QTest::keyPress(m_button, Qt::Key_Space, Qt::ControlModifier);
    QVERIFY(!m_button->isHeld());
    QTest::keyRelease(m_button, Qt::Key_Space, Qt::ControlModifier);
    QCOMPARE(m_confirmed->count(), 0);
}

void TestHoldButton::programmaticClickNeverConfirms()
{
    m_button->click();
    m_now += 2 * HoldButton::kHoldMs;
    m_button->click();
    QCOMPARE(m_confirmed->count(), 0);
}

void TestHoldButton::isAButtonToScreenReaders()
{
    QAccessibleInterface *face = QAccessible::queryAccessibleInterface(m_button);
    QVERIFY(face != nullptr);
    QCOMPARE(face->role(), QAccessible::Button);
    QCOMPARE(face->text(QAccessible::Name), QStringLiteral("Hold to re-arm"));
    QVERIFY(face->text(QAccessible::Description).contains(QStringLiteral("Hold")));
}

QTEST_MAIN(TestHoldButton)
#include "tst_hold_button.moc"
