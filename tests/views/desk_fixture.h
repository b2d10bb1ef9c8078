// A desk over a real host on a store of its own, driven by keys alone, and the log to hold against it.
#pragma once

#include "model/engine/embedded_host.h"
#include "model/live/desk_session.h"
#include "model/store/store.h"
#include "views/desk_style.h"
#include "views/main_window.h"

#include <QApplication>
#include <QDialog>
#include <QTemporaryDir>
#include <QTest>

#include <future>
#include <memory>
#include <vector>

namespace handreset::test {

class DeskFixture {
public:
    DeskFixture()
    {
        path = folder.filePath(QStringLiteral("fleet.db"));
        if (const auto made = store::Store::init(path, {}, clock.now()); !made)
            qFatal("%s", made.error().message.c_str());
        auto started = engine::EmbeddedHost::start({.storePath = path, .version = "test", .operatorName = "ana", .clock = &clock, .open = {}});
        if (!started)
            qFatal("%s", started.error().message.c_str());
        host = std::move(started).value();
        session = std::make_unique<live::DeskSession>(*host, clock, QStringLiteral("ana"));
        window = std::make_unique<views::MainWindow>(*session, path);
        window->resize(1440, 900);
        session->start();
        window->show();
        window->activateWindow();
    }
    ~DeskFixture()
    {
        window.reset();
        session.reset();
    }

    void call(const char *agent, const char *task, const char *tool, const char *arguments, int times = 1)
    {
        for (int i = 0; i < times; ++i)
            static_cast<void>(engine::submitAndWait(*host, rules::AskCall{.agent = agent, .task = task, .session = {}, .parent = {},
                                                                          .tool = tool, .arguments = arguments}));
    }

    /// One key to whatever has the focus.
    static void press(int key, Qt::KeyboardModifiers modifiers = {})
    {
        QTest::keyClick(receiver(), static_cast<Qt::Key>(key), modifiers);
    }
    static void type(const QString &text) { QTest::keyClicks(receiver(), text); }
    /// Holds Space on what has the focus for as long as it takes.
    static void holdSpace(int ms)
    {
        QWidget *held = receiver();
        QTest::keyPress(held, Qt::Key_Space);
        QTest::qWait(ms);
        QTest::keyRelease(held, Qt::Key_Space);
    }
    /// Tab until the widget of this name has the focus; false when it is never reached.
    [[nodiscard]] static bool tabTo(const QString &name)
    {
        for (int i = 0; i < 80; ++i) {
            if (receiver()->objectName() == name)
                return true;
            press(Qt::Key_Tab);
        }
        return false;
    }
    [[nodiscard]] QDialog *rearmDialog() const { return window->findChild<QDialog *>(QStringLiteral("rearmDialog")); }

    /// All events of one kind, in order.
    template <class Payload>
    [[nodiscard]] std::vector<Payload> log() const
    {
        std::vector<Payload> found;
        for (const rules::Event &event : allEvents()) {
            if (const auto *payload = std::get_if<Payload>(&event.payload))
                found.push_back(*payload);
        }
        return found;
    }
    [[nodiscard]] std::vector<rules::Event> allEvents() const
    {
        std::promise<std::vector<rules::Event>> promise;
        engine::EventQuery query;
        query.newestFirst = false;
        query.limit = 100'000;
        host->readEvents(query, [&](rules::Result<std::vector<rules::Event>> read) {
            promise.set_value(read ? std::move(read).value() : std::vector<rules::Event>());
        });
        return promise.get_future().get();
    }
    [[nodiscard]] rules::OperatorId ana() const
    {
        for (const auto &named : log<rules::Named>()) {
            if (named.kind == rules::NameKind::Operator && named.text == "ana")
                return rules::OperatorId{named.id};
        }
        return {};
    }

    QTemporaryDir folder;
    QString path;
    engine::SystemClock clock;
    std::unique_ptr<engine::EmbeddedHost> host;
    std::unique_ptr<live::DeskSession> session;
    std::unique_ptr<views::MainWindow> window;

private:
    [[nodiscard]] static QWidget *receiver()
    {
        QWidget *focus = QApplication::focusWidget();
        return focus ? focus : QApplication::activeWindow();
    }
};

} // namespace handreset::test
