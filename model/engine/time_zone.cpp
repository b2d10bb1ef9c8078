#include "model/engine/time_zone.h"

#include <string>

#include <QByteArray>
#include <QDateTime>
#include <QTimeZone>

namespace handreset::engine {

namespace {

QByteArray bytes(std::string_view text)
{
    return {text.data(), static_cast<qsizetype>(text.size())};
}

} // namespace

bool zoneExists(std::string_view ianaName)
{
    return QTimeZone::isTimeZoneIdAvailable(bytes(ianaName));
}

rules::Result<rules::Zone> zoneNamed(std::string_view ianaName)
{
    const QTimeZone known(bytes(ianaName));
    if (!known.isValid() || !zoneExists(ianaName)) {
        return rules::Error{rules::ErrorCode::BadInput,
                            "this machine knows no time zone '" + std::string(ianaName)
                                + "': write an IANA name such as America/Sao_Paulo, or install tzdata",
                            {}};
    }
    const QDateTime from(QDate(2000, 1, 1), QTime(0, 0), Qt::UTC);
    const QDateTime to(QDate(2100, 1, 1), QTime(0, 0), Qt::UTC);
    rules::Zone zone;
    zone.name = ianaName;
    zone.firstOffsetSeconds = known.offsetFromUtc(from);
    const auto transitions = known.transitions(from, to);
    for (const QTimeZone::OffsetData &change : transitions) {
        const std::int32_t before
            = zone.transitions.empty() ? zone.firstOffsetSeconds : zone.transitions.back().offsetSeconds;
        if (change.offsetFromUtc != before) // others only rename the zone
            zone.transitions.push_back({{change.atUtc.toMSecsSinceEpoch() * 1'000}, change.offsetFromUtc});
    }
    return zone;
}

} // namespace handreset::engine
