#include "model/live/operator_key.h"

#include <utility>

namespace handreset::live {

using rules::Duration;
using rules::Result;

namespace {

/// Where the policy says "for one act": from the passphrase to that act's signature.
constexpr Duration kOneAct = rules::minutes(1);

[[nodiscard]] QString fromUtf8(const std::string &text)
{
    return QString::fromUtf8(text.data(), static_cast<qsizetype>(text.size()));
}

} // namespace

OperatorKey::OperatorKey(const engine::Clock &clock, trust::KeyFiles files, QObject *parent)
    : QObject(parent), m_clock(clock), m_files(std::move(files)), m_session(trust::SignerSeat::here({}, {}).session)
{}

OperatorKey::~OperatorKey()
{
    if (m_opening)
        m_opening->wait();
}

void OperatorKey::setStore(const QString &storeId, const QString &preferred)
{
    if (storeId == m_storeId)
        return;
    m_storeId = storeId;
    m_name.clear();
    m_key.reset();
    lookAgain();
    if (m_names.contains(preferred))
        m_name = preferred;
    Q_EMIT changed();
}

void OperatorKey::lookAgain()
{
    m_names.clear();
    if (!m_storeId.isEmpty()) {
        for (const std::string &name : m_files.operatorsOf(m_storeId.toStdString()))
            m_names.append(fromUtf8(name));
    }
    if (state() != State::Unlocked && !m_names.contains(m_name))
        m_name = m_names.isEmpty() ? QString() : m_names.front();
}

OperatorKey::State OperatorKey::state() const
{
    if (m_opening)
        return State::Opening;
    if (left() > Duration{})
        return State::Unlocked;
    return m_names.isEmpty() ? State::None : State::Locked;
}

Duration OperatorKey::left() const
{
    const rules::Steady now = m_clock.now().steady;
    return m_key && !m_key->isLocked() && now < m_until ? m_until - now : Duration{};
}

void OperatorKey::unlock(const QString &name, trust::Passphrase passphrase)
{
    if (m_opening || m_storeId.isEmpty())
        return;
    lock();
    auto result = std::make_shared<Opened>();
    auto held = std::make_shared<trust::Passphrase>(std::move(passphrase));
    const trust::KeyOwner owner{m_storeId.toStdString(), name.toStdString()};
    m_opening.reset(QThread::create([files = m_files, owner, held, result] {
        const trust::Passphrase phrase = std::move(*held); // wiped when this returns
        result->emplace(files.open(owner, phrase));
    }));
    connect(m_opening.get(), &QThread::finished, this,
            [this, name, result] { opened(name, std::exchange(*result, std::nullopt)); });
    m_opening->start();
    Q_EMIT changed();
}

void OperatorKey::opened(const QString &name, Opened result)
{
    m_opening->wait();
    m_opening.release()->deleteLater(); // this is called by its own signal
    const bool isWanted = !std::exchange(m_isAbandoned, false);
    if (!isWanted || !result || !*result) {
        Q_EMIT changed();
        if (!isWanted)
            return;
        Q_EMIT failed(result ? fromUtf8(result->error().message) : tr("the key could not be opened"));
        return;
    }
    m_name = name;
    m_isForOneAct = m_length <= Duration{};
    m_until = m_clock.now().steady + (m_isForOneAct ? kOneAct : m_length);
    trust::SignerSeat seat = trust::SignerSeat::here(m_storeId.toStdString(), name.toStdString());
    seat.session = m_session;
    m_key.emplace(trust::Signer(std::move(**result), std::move(seat)), m_until);
    Q_EMIT changed();
    Q_EMIT unlocked();
}

Result<rules::Signed> OperatorKey::sign(rules::Act act, rules::Instant hostTime, const std::string &fleet)
{
    if (!m_key)
        return rules::Error{rules::ErrorCode::Refused, "the key is locked; unlock it with its passphrase", {}};
    m_key->signFor(fleet);
    auto made = m_key->sign(std::move(act), m_clock.now().steady, hostTime);
    if (m_isForOneAct)
        lock();
    return made;
}

void OperatorKey::lock()
{
    if (!m_key)
        return;
    m_key.reset(); // wiped with it
    Q_EMIT changed();
}

void OperatorKey::tick()
{
    if (m_key && m_key->remaining(m_clock.now().steady) == Duration{})
        lock();
}

} // namespace handreset::live
