// The life of the gate: waits until it can have the store, hosts it, tells how it is, and ends cleanly. Thread: the
// main thread, under its event loop; the store is opened on a thread of its own, for a large one takes long. Failure:
// `ended` with the exit code (spec 8), after the log said why.
#pragma once

#include "app/gate/gate_log.h"
#include "app/gate/gate_options.h"
#include "app/gate/gate_service.h"
#include "app/gate/heartbeat.h"
#include "app/gate/service_manager.h"
#include "model/engine/embedded_host.h"

#include <QElapsedTimer>
#include <QObject>
#include <QString>
#include <QThread>
#include <QTimer>

#include <memory>
#include <optional>
#include <string>

namespace handreset::gate {

class Gate : public QObject {
    Q_OBJECT

public:
    /// Log and service manager outlive it.
    Gate(GateSettings settings, GateLog &log, ServiceManager &manager, QObject *parent = nullptr);
    /// Closes the doors, then the store; says so.
    ~Gate() override;

    void start();

Q_SIGNALS:
    void ended(int exitCode);

private:
    struct Opened {
        std::unique_ptr<engine::EmbeddedHost> host;
        rules::Error error;
        bool isHeldByAnother = false;
    };
    [[nodiscard]] Opened open() const;
    void openStore();
    void taken(const std::shared_ptr<Opened> &opened);
    void waitForStore();
    void hosting();
    void end(const rules::Error &error);

    void look();
    void lookAtHealth(const engine::HostStatus &status);
    void lookAtHeart(const engine::HostStatus &status);
    [[nodiscard]] std::chrono::milliseconds lookEvery() const;

    GateSettings m_settings;
    GateLog &m_log;
    ServiceManager &m_manager;
    QString m_path;

    std::unique_ptr<QThread> m_opening;
    QTimer m_again;           ///< the store is tried once more
    QTimer m_looking;         ///< how everything is
    bool m_isWaiting = false; ///< for another host, and it was said
    bool m_wasRetried = false;
    bool m_isReady = false; ///< and the service manager knows it
    QElapsedTimer m_since;

    std::unique_ptr<engine::EmbeddedHost> m_host;
    std::unique_ptr<GateService> m_service;
    Heartbeat m_heart;
    std::optional<engine::StoreHealth> m_health; ///< that was told last
    QElapsedTimer m_alive;                       ///< since the last sign of life
    bool m_isSilent = false;                     ///< the watchdog hears nothing, and it was told
    bool m_isWatchdogOff = false;
};

} // namespace handreset::gate
