#include "model/engine/root_guard.h"

#include "model/rules/sha256.h"
#include "model/trust/private_folder.h"
#include "model/trust/root_pin.h"

#include <QFile>
#include <QFileInfo>

namespace handreset::engine {

namespace {

using rules::Error;
using rules::ErrorCode;

constexpr const char *kAccept = " If you know why and it is right: handresetctl accept-store --reason \"…\".";

Error unavailable(const std::string &what)
{
    return {ErrorCode::Unavailable, what + kAccept, {}};
}

/// A witness belongs to a place, so that another store put there is noticed.
QString witnessFile(const QString &folder, const QString &storePath)
{
    const QFileInfo file(storePath); // by whatever links its folder is reached
    const QString folderPath = QFileInfo(file.absolutePath()).canonicalFilePath();
    const QString path = folderPath.isEmpty() ? file.absoluteFilePath() : folderPath + QLatin1Char('/') + file.fileName();
    const auto digest = rules::toHex(rules::sha256(path.toStdString()));
    return folder + QLatin1Char('/') + QString::fromStdString(digest.substr(0, 32)) + QStringLiteral(".witness");
}

} // namespace

RootGuard::RootGuard(const QString &storePath, QString folder)
    : m_folder(folder.isEmpty() ? trust::pinFolder() : std::move(folder)), m_witness(witnessFile(m_folder, storePath))
{}

rules::Result<void> RootGuard::witness(store::Store &store)
{
    if (store.isReadOnly())
        return {};
    const auto used = store.useWitness(m_witness);
    if (!used)
        return used.error();
    m_hasWitness = *used;
    return {};
}

rules::Result<void> RootGuard::judge(const rules::Fleet &fleet) const
{
    const auto pin = trust::readPin(m_folder, fleet.storeId);
    return pin ? judgeBy(*pin, fleet) : rules::Result<void>(pin.error());
}

rules::Result<void> RootGuard::judgeBy(const std::optional<trust::RootPin> &pin, const rules::Fleet &fleet) const
{
    if (!fleet.rootKey && (pin.has_value() || m_hasWitness))
        return unavailable(
            "this host knows the store as a signed one, and the file says that it is not: somebody put another "
            "file in its place.");
    if (fleet.rootKey && (fleet.isUnsigned || fleet.operators.empty()))
        return unavailable("it says that it is signed and names no operators: somebody forged its state.");
    if (fleet.rootKey && pin.has_value() && pin->root != *fleet.rootKey)
        return unavailable("its first operator's key is " + rules::fingerprintOf(*fleet.rootKey)
                           + ", and this host has pinned " + rules::fingerprintOf(pin->root)
                           + ": somebody made themselves its root.");
    return {};
}

rules::Result<void> RootGuard::judgeToHost(const rules::Fleet &fleet)
{
    m_isPinned = false;
    const auto pin = trust::readPin(m_folder, fleet.storeId);
    if (!pin)
        return pin.error();
    if (auto judged = judgeBy(*pin, fleet); !judged || !fleet.rootKey)
        return judged;
    if (!pin->has_value())
        return unavailable("this host has never seen this signed store; its first operator's key is "
                           + rules::fingerprintOf(*fleet.rootKey) + '.');
    if (!m_hasWitness)
        return unavailable(
            "what this host kept of how far its log had come is missing, so nobody can tell whether an older "
            "copy was put back.");
    m_isPinned = true;
    return {};
}

rules::Result<void> RootGuard::pin(store::Store &store, const rules::Fleet &fleet, bool replace)
{
    if (!fleet.rootKey || store.isReadOnly())
        return {};
    const auto written = trust::writePin(m_folder, {fleet.storeId, *fleet.rootKey},
                                         replace ? trust::Replace::Yes : trust::Replace::No);
    if (!written)
        return written;
    if (auto made = store.makeWitness(m_witness); !made)
        return made;
    m_hasWitness = m_isPinned = true;
    return {};
}

void RootGuard::forget() const
{
    QFile::remove(m_witness);
}

} // namespace handreset::engine
