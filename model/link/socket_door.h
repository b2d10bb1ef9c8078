// The door on this machine: listens at the store's own socket and lets in the host's user and root, as the kernel names
// them. Others are told so and nothing else. Thread: its owner's, with an event loop. Ownership: the caller takes what
// came in; the socket's file goes with the door. Failure: `open` says why; later, where descriptors run out, it waits a
// little instead of spinning.
#pragma once

#include "model/link/socket_path.h"
#include "model/rules/result.h"

#include <QObject>
#include <QSocketNotifier>
#include <QTimer>

#include <functional>
#include <memory>

class QLocalSocket;

namespace handreset::link {

class SocketDoor : public QObject {
public:
    /// Called with a peer that may come in.
    using Enter = std::function<void(std::unique_ptr<QLocalSocket>, uid_t)>;
    /// Called with one that may not.
    using Refuse = std::function<void(std::unique_ptr<QLocalSocket>, uid_t)>;

    SocketDoor(QString path, Enter enter, Refuse refuse, QObject *parent = nullptr);
    ~SocketDoor() override;
    [[nodiscard]] rules::Result<void> open();

private:
    void acceptAll();
    void take(int descriptor);

    QString m_path;
    Enter m_enter;
    Refuse m_refuse;
    ListeningSocket m_socket;
    std::unique_ptr<QSocketNotifier> m_notifier;
    QTimer m_again;
};

} // namespace handreset::link
