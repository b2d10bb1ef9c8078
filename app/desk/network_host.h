// A host on another machine, for this desk: it is met, its certificate compared with the one that was accepted, and the
// person's key makes a pass for one shift; then the link holds by itself. Thread: GUI; what blocks runs on a thread of
// its own. Ownership: owns the link until it is taken. Failure: `failed` says why and what to do; a wrong passphrase is
// `refused`, and may be tried again.
#pragma once

#include "model/link/linked_host.h"
#include "model/link/meeting.h"
#include "model/trust/passphrase.h"

#include <QObject>
#include <QString>
#include <QStringList>
#include <QThread>

#include <functional>
#include <memory>
#include <optional>

namespace handreset::desk {

class NetworkHost : public QObject {
    Q_OBJECT

public:
    /// `fingerprint`: that the person names; empty: the accepted one. `onChange` is called on the link's thread.
    NetworkHost(QString address, QString fingerprint, std::function<void(const link::LinkState &)> onChange,
                QObject *parent = nullptr);
    ~NetworkHost() override;

    void start();
    /// The person has compared the fingerprint.
    void accept();
    /// `ready` or `refused` follows.
    void tryPassphrase(const QString &name, const std::shared_ptr<trust::Passphrase> &passphrase);
    [[nodiscard]] const QString &address() const { return m_address; }
    [[nodiscard]] const QStringList &names() const { return m_names; }
    /// After `ready`.
    [[nodiscard]] std::unique_ptr<link::LinkedHost> take() { return std::move(m_host); }
    /// The shift is over: the next passphrase makes a new pass for this link, which was taken before.
    void renew(link::LinkedHost *host) { m_renewed = host; }

Q_SIGNALS:
    /// Nobody here has accepted this certificate yet.
    void isUnknown(const QString &fingerprint);
    void passphraseAsked();
    void refused(const QString &why);
    void ready();
    void failed(const QString &why);

private:
    void met(const rules::Result<link::Meeting> &meeting);
    void judgeCertificate();
    void askPassphrase();
    void begun(const rules::Result<link::HeldPass> &pass);
    void connected(const rules::Result<void> &up);
    template <class Job, class Then>
    void away(Job job, Then then);

    const QString m_address;
    const QString m_fingerprint;
    const std::function<void(const link::LinkState &)> m_onChange;
    link::Meeting m_meeting;
    rules::Steady m_metAt; ///< by this machine's steady time
    QStringList m_names;
    std::unique_ptr<link::LinkedHost> m_host;
    link::LinkedHost *m_renewed = nullptr;
    std::unique_ptr<QThread> m_away;
};

} // namespace handreset::desk
