#include "app/desk/network_host.h"

#include "model/engine/host_clock.h"
#include "model/link/known_hosts.h"
#include "model/link/link_address.h"
#include "model/link/shift_pass.h"
#include "model/trust/key_file.h"

#include <chrono>
#include <utility>

namespace handreset::desk {

using rules::Result;

namespace {

constexpr std::chrono::seconds kWithin{10};

[[nodiscard]] QString text(const rules::Error &error)
{
    return QString::fromStdString(error.context.empty() ? error.message : error.context + ": " + error.message);
}

} // namespace

NetworkHost::NetworkHost(QString address, QString fingerprint, std::function<void(const link::LinkState &)> onChange,
                         QObject *parent)
    : QObject(parent),
      m_address(std::move(address)),
      m_fingerprint(std::move(fingerprint)),
      m_onChange(std::move(onChange))
{}

NetworkHost::~NetworkHost()
{
    if (m_away)
        m_away->wait();
}

/// Runs `job` on a thread of its own, then `then` with what it gave on this one. One at a time.
template <class Job, class Then>
void NetworkHost::away(Job job, Then then)
{
    using Given = decltype(job());
    auto given = std::make_shared<std::optional<Given>>();
    m_away.reset(QThread::create([job = std::move(job), given]() mutable { given->emplace(job()); }));
    connect(m_away.get(), &QThread::finished, this, [this, given, then] {
        m_away->wait();
        m_away.release()->deleteLater(); // this is called by its own signal
        then(**given);
    });
    m_away->start();
}

void NetworkHost::start()
{
    away([address = m_address] { return link::meet(address, kWithin); },
         [this](const Result<link::Meeting> &meeting) { met(meeting); });
}

void NetworkHost::met(const Result<link::Meeting> &meeting)
{
    if (!meeting)
        return Q_EMIT failed(text(meeting.error()));
    m_meeting = *meeting;
    m_metAt = engine::SystemClock().now().steady;
    if (m_meeting.storeId.empty())
        return Q_EMIT failed(tr("The host at %1 has no store that it can show now.").arg(m_address));
    judgeCertificate();
}

void NetworkHost::judgeCertificate()
{
    const QString seen = m_meeting.fingerprint;
    if (!m_fingerprint.isEmpty()) {
        const auto wanted = link::fingerprintIn(m_fingerprint);
        if (!wanted || link::fingerprintText(*wanted) != seen)
            return Q_EMIT failed(
                tr("Who answers at %1 has another certificate than the one that you named: %2. Nothing was "
                   "sent.")
                    .arg(m_address, seen));
        return accept();
    }
    const auto known = link::acceptedFingerprint(link::knownHostsFile(), m_address);
    if (!known)
        return Q_EMIT failed(text(known.error()));
    if (!*known)
        return Q_EMIT isUnknown(seen);
    if (**known != seen)
        return Q_EMIT failed(
            tr("Who answers at %1 has ANOTHER certificate than the accepted one: %2, not %3. Somebody may "
               "stand between you and the host; nothing was sent. If the host has a new one and you have "
               "compared it: --fingerprint %2")
                .arg(m_address, seen, **known));
    askPassphrase();
}

void NetworkHost::accept()
{
    if (const auto kept = link::acceptFingerprint(link::knownHostsFile(), m_address, m_meeting.fingerprint); !kept)
        return Q_EMIT failed(text(kept.error()));
    askPassphrase();
}

void NetworkHost::askPassphrase()
{
    m_names.clear();
    for (const std::string &name : trust::KeyFiles().operatorsOf(m_meeting.storeId))
        m_names.append(QString::fromStdString(name));
    if (m_names.isEmpty())
        return Q_EMIT failed(
            tr("No operator's key for the fleet at %1 lies here, and over the network only operators may "
               "look. An approver enrols you: handresetctl operator enrol")
                .arg(m_address));
    Q_EMIT passphraseAsked();
}

void NetworkHost::tryPassphrase(const QString &name, const std::shared_ptr<trust::Passphrase> &passphrase)
{
    if (m_away)
        return;
    // On the host's time line, whatever this machine's wall clock says.
    const auto now = m_meeting.hostTime + (engine::SystemClock().now().steady - m_metAt);
    away(
        [storeId = m_meeting.storeId, name = name.toStdString(), passphrase, now]() -> Result<link::HeldPass> {
            const trust::Passphrase phrase = std::move(*passphrase); // wiped when this returns
            const auto key = trust::KeyFiles().open({storeId, name}, phrase);
            if (!key)
                return key.error();
            return link::beginShift(*key, storeId, name, now + link::kLongestShift);
        },
        [this](const Result<link::HeldPass> &pass) { begun(pass); });
}

void NetworkHost::begun(const Result<link::HeldPass> &pass)
{
    if (!pass)
        return Q_EMIT refused(text(pass.error()));
    if (m_renewed) {
        std::exchange(m_renewed, nullptr)->setPass(*pass);
        return Q_EMIT ready();
    }
    link::LinkedHostOptions options;
    options.address = m_address;
    options.fingerprint = m_meeting.fingerprint;
    options.pass = *pass;
    options.onChange = m_onChange;
    m_host = std::make_unique<link::LinkedHost>(std::move(options));
    away([host = m_host.get()] { return host->waitUntilUp(kWithin); },
         [this](const Result<void> &up) { connected(up); });
}

void NetworkHost::connected(const Result<void> &up)
{
    if (up)
        return Q_EMIT ready();
    m_host.reset();
    Q_EMIT failed(text(up.error()));
}

} // namespace handreset::desk
