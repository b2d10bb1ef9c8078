#include "model/link/link_address.h"

namespace handreset::link {

rules::Result<NetworkAddress> addressIn(const QString &text)
{
    const rules::Error wrong{rules::ErrorCode::BadInput,
                             "write address:port, such as 192.0.2.7:7431 or [2001:db8::7]:7431", text.toStdString()};
    const qsizetype colon = text.lastIndexOf(QLatin1Char(':'));
    bool isNumber = false;
    const unsigned port = text.mid(colon + 1).toUInt(&isNumber);
    if (colon < 1 || !isNumber || port > 0xFFFF)
        return wrong;
    QString host = text.left(colon);
    if (host.startsWith(QLatin1Char('[')) && host.endsWith(QLatin1Char(']')))
        host = host.mid(1, host.size() - 2);
    else if (host.contains(QLatin1Char(':')))
        return wrong;
    if (host.isEmpty())
        return wrong;
    return NetworkAddress{host, static_cast<std::uint16_t>(port)};
}

QString fingerprintText(const rules::Digest &fingerprint)
{
    const QString hex = QString::fromStdString(rules::toHex(fingerprint)).toUpper();
    QString text;
    for (qsizetype i = 0; i < hex.size(); i += 2)
        text += (i == 0 ? QString() : QStringLiteral(":")) + hex.mid(i, 2);
    return text;
}

std::optional<rules::Digest> fingerprintIn(const QString &text)
{
    QString hex = text.trimmed();
    hex.remove(QLatin1Char(':'));
    return rules::digestFromHex(hex.toStdString());
}

} // namespace handreset::link
