#include "model/link/known_hosts.h"

#include "model/link/link_address.h"

#include <QDir>
#include <QFile>
#include <QFileInfo>
#include <QSaveFile>
#include <QStandardPaths>
#include <QStringList>

#include <unistd.h>

namespace handreset::link {

namespace {

rules::Error unavailable(const QString &file, const QString &why)
{
    return {rules::ErrorCode::Unavailable, "the list of known hosts cannot be used: " + why.toStdString(),
            file.toStdString()};
}

/// "address fingerprint", one a line; a missing file is an empty list.
rules::Result<QStringList> linesOf(const QString &file)
{
    QFile in(file);
    if (!in.exists())
        return QStringList();
    const QFileInfo status(file);
    if (status.ownerId() != ::geteuid() || (status.permissions() & (QFile::WriteGroup | QFile::WriteOther)) != 0)
        return unavailable(file, QStringLiteral("others may write it, so it vouches for nobody; look at it, then: chmod 600"));
    if (!in.open(QIODevice::ReadOnly))
        return unavailable(file, in.errorString());
    constexpr qint64 kMost = 1024 * 1024;
    return QString::fromUtf8(in.read(kMost)).split(QLatin1Char('\n'), Qt::SkipEmptyParts);
}

QString headOf(const QString &address)
{
    return address.trimmed().toLower() + QLatin1Char(' ');
}

} // namespace

QString knownHostsFile()
{
    const QString chosen = qEnvironmentVariable("HANDRESET_KNOWN_HOSTS");
    return !chosen.isEmpty() ? chosen
                             : QStandardPaths::writableLocation(QStandardPaths::GenericDataLocation)
            + QStringLiteral("/handreset/known_hosts");
}

rules::Result<std::optional<QString>> acceptedFingerprint(const QString &file, const QString &address)
{
    const auto lines = linesOf(file);
    if (!lines)
        return lines.error();
    for (const QString &line : *lines) {
        if (!line.startsWith(headOf(address)))
            continue;
        const QString text = line.mid(headOf(address).size()).trimmed();
        if (!fingerprintIn(text))
            return unavailable(file, QStringLiteral("the line of %1 has no fingerprint").arg(address));
        return std::optional(text);
    }
    return std::optional<QString>();
}

rules::Result<void> acceptFingerprint(const QString &file, const QString &address, const QString &fingerprint)
{
    auto lines = linesOf(file);
    if (!lines)
        return lines.error();
    lines->removeIf([&](const QString &line) { return line.startsWith(headOf(address)); });
    lines->append(headOf(address) + fingerprint);
    QDir().mkpath(QFileInfo(file).absolutePath());
    QSaveFile out(file);
    if (!out.open(QIODevice::WriteOnly) || !out.setPermissions(QFile::ReadOwner | QFile::WriteOwner)
        || out.write((lines->join(QLatin1Char('\n')) + QLatin1Char('\n')).toUtf8()) < 0 || !out.commit())
        return unavailable(file, out.errorString());
    return {};
}

} // namespace handreset::link
