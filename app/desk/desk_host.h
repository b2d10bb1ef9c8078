// The host that the desk follows: on another machine, the one that has the store open already, or its own, made where
// there is none, opened and, for a demo, peopled, away from the GUI thread. What it hosts itself it serves to others by
// the store's socket. Threads: `openAsync` and the destructor on the GUI thread. Ownership: owns host, link, demo and
// the passing store's folder; the clock outlives it. Failure: `failed` says what is wrong and what to do.
#pragma once

#include "app/demo/demo_fleet.h"
#include "app/desk/desk_options.h"
#include "app/desk/network_host.h"
#include "model/engine/embedded_host.h"
#include "model/link/link_server.h"
#include "model/link/linked_host.h"

#include <QObject>
#include <QString>
#include <QTemporaryDir>
#include <QThread>

#include <functional>
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
    [[nodiscard]] engine::Host &host();
    /// The store, or where its host is.
    [[nodiscard]] QString place() const { return m_network ? m_network->address() : m_path; }
    /// The store's file; empty where it is on another machine.
    [[nodiscard]] QString storePath() const { return m_path; }
    /// Null unless the host is on another machine: what it asks a person for.
    [[nodiscard]] NetworkHost *network() { return m_network.get(); }
    /// "ops.example.net:7431", "this machine"; empty where the desk hosts the store itself.
    [[nodiscard]] QString linkName() const;
    [[nodiscard]] link::LinkState linkState() const { return m_linked ? m_linked->state() : link::LinkState{}; }
    /// The shift is over: asks for the passphrase anew.
    void renewShift();

Q_SIGNALS:
    /// `news`: what was made on the way; empty for a store that was there.
    void opened(const QString &news);
    void failed(const QString &why);
    void demoEnded();
    /// What a person should know of the demo while it plays.
    void demoTold(const QString &text);
    void linkChanged(bool isRefused);

private:
    struct Opened {
        std::unique_ptr<engine::EmbeddedHost> host;
        std::unique_ptr<link::LinkedHost> linked;
        std::unique_ptr<link::LinkServer> server;
        std::unique_ptr<demo::DemoFleet> demo;
        QString news;
        QString trouble;
    };

    [[nodiscard]] Opened open();
    [[nodiscard]] Opened follow();
    void serve(Opened &result);
    [[nodiscard]] std::function<void(const link::LinkState &)> tellsLink();
    void startDemo(Opened &result);
    void demoTells(const QString &text);
    void taken(const std::shared_ptr<Opened> &opened);

    const engine::Clock &m_clock;
    DeskOptions m_options;
    QString m_operator;
    std::unique_ptr<QTemporaryDir> m_passing;
    QString m_path;
    QString m_demoNews; ///< what the demo told before the store was open here
    std::unique_ptr<QThread> m_opening;
    std::unique_ptr<NetworkHost> m_network;
    std::unique_ptr<engine::EmbeddedHost> m_host;
    std::unique_ptr<link::LinkedHost> m_linked; ///< in place of it
    std::unique_ptr<link::LinkServer> m_server; ///< after the host: it must end first
    std::unique_ptr<demo::DemoFleet> m_demo;    ///< likewise
};

} // namespace handreset::desk
