// The key of the person at this desk: which ones of this store lie here, whose it is, and whether it is unlocked, for
// as long as the policy lets it be. Thread: GUI; the passphrase is tried on a thread of its own, for that takes a
// second. Ownership: owns that thread and waits for it at the end; the clock must outlive it. Failure: `failed` says
// why in words that hold neither passphrase nor key; nothing is ever signed with a key that is locked or whose time is
// over.
#pragma once

#include "model/engine/host_clock.h"
#include "model/trust/key_file.h"
#include "model/trust/unlocked_key.h"

#include <QObject>
#include <QString>
#include <QStringList>
#include <QThread>

#include <cstdint>
#include <memory>
#include <optional>
#include <string>

namespace handreset::live {

class OperatorKey : public QObject {
    Q_OBJECT

public:
    enum class State : std::uint8_t {
        None, ///< no key of this store lies here
        Locked,
        Opening, ///< a passphrase is being tried
        Unlocked,
    };

    explicit OperatorKey(const engine::Clock &clock, trust::KeyFiles files = trust::KeyFiles(),
                         QObject *parent = nullptr);
    ~OperatorKey() override;

    /// Looks which keys of this store lie here; `preferred` is chosen where one of them is theirs. Empty: no store that
    /// asks for signatures.
    void setStore(const QString &storeId, const QString &preferred);
    /// From the next unlocking on; 0: each act asks anew.
    void setLength(rules::Duration length) { m_length = length; }
    /// Somebody may have enrolled meanwhile.
    void lookAgain();

    /// Whose keys of this store lie here.
    [[nodiscard]] const QStringList &names() const { return m_names; }
    /// Who acts at this desk; empty: nobody can.
    [[nodiscard]] const QString &name() const { return m_name; }
    [[nodiscard]] State state() const;
    /// How long it stays unlocked; zero while it is not.
    [[nodiscard]] rules::Duration left() const;
    /// True while it is unlocked for no more than one act.
    [[nodiscard]] bool isForOneAct() const { return m_isForOneAct && state() == State::Unlocked; }

    /// This run of the desk, as every signature of it says.
    [[nodiscard]] QString session() const { return QString::fromStdString(m_session); }

    /// `unlocked` or `failed` follows. Nothing while one is being tried.
    void unlock(const QString &name, trust::Passphrase passphrase);
    /// What is being tried is not wanted any more: it stays locked, and nothing is said.
    void abandon() { m_isAbandoned = m_opening != nullptr; }
    /// Refused while it is locked.
    [[nodiscard]] rules::Result<rules::Signed> sign(rules::Act act, rules::Instant hostTime,
                                                    const std::string &fleet);
    void lock();
    /// Wipes the key when its time is over. At least once a second.
    void tick();

Q_SIGNALS:
    void changed();
    void unlocked();
    void failed(const QString &why);

private:
    using Opened = std::optional<rules::Result<trust::SecretKey>>;

    void opened(const QString &name, Opened result);

    const engine::Clock &m_clock;
    trust::KeyFiles m_files;
    std::string m_session; ///< this run of the desk
    QString m_storeId;
    QStringList m_names;
    QString m_name;
    rules::Duration m_length;
    bool m_isForOneAct = false;
    bool m_isAbandoned = false;
    rules::Steady m_until;
    std::optional<trust::UnlockedKey> m_key;
    std::unique_ptr<QThread> m_opening;
};

} // namespace handreset::live
