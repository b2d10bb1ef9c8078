// The store that the desk hosts: made where there is none, opened and, for a demo, peopled, away from the GUI thread.
// Threads: `openAsync` and the destructor on the GUI thread. Ownership: owns host, demo and the passing store's folder;
// the clock outlives it. Failure: `failed` says what is wrong and what to do.
#pragma once

#include "app/demo/demo_fleet.h"
#include "app/desk/desk_options.h"
#include "model/engine/embedded_host.h"

#include <QObject>
#include <QString>
#include <QTemporaryDir>
#include <QThread>

#include <memory>
#include <optional>

namespace handreset::desk {

class DeskHost : public QObject {
    Q_OBJECT

public:
    DeskHost(const engine::Clock &clock, DeskOptions options, QString operatorName, QObject *parent = nullptr);
    ~DeskHost() override;

    /// Makes, opens and loads the store on a thread of its own; `opened` or `failed` follows.
    void openAsync();
    [[nodiscard]] engine::Host &host() { return *m_host; }
    [[nodiscard]] QString storePath() const { return m_path; }

Q_SIGNALS:
    /// `news`: what was made on the way; empty for a store that was there.
    void opened(const QString &news);
    void failed(const QString &why);
    void demoEnded();

private:
    struct Opened {
        std::unique_ptr<engine::EmbeddedHost> host;
        std::unique_ptr<demo::DemoFleet> demo;
        QString news;
        QString trouble;
    };

    [[nodiscard]] Opened open();
    void taken(const std::shared_ptr<Opened> &opened);

    const engine::Clock &m_clock;
    DeskOptions m_options;
    QString m_operator;
    std::unique_ptr<QTemporaryDir> m_passing;
    QString m_path;
    std::unique_ptr<QThread> m_opening;
    std::unique_ptr<engine::EmbeddedHost> m_host;
    std::unique_ptr<demo::DemoFleet> m_demo; ///< after the host: it must end first
};

} // namespace handreset::desk
