#include "views/age_words.h"

#include <algorithm>

#include <QCoreApplication>
#include <QLocale>

namespace handreset::views {

namespace {

QString words(const char *text, qint64 first, qint64 second = 0)
{
    QString out = QCoreApplication::translate("Age", text);
    out.replace(QStringLiteral("%1"), QString::number(first));
    return out.replace(QStringLiteral("%2"), QString::number(second));
}

} // namespace

QString ageWords(qint64 milliseconds)
{
    const qint64 ms = std::max<qint64>(milliseconds, 0);
    const qint64 seconds = ms / 1'000;
    const qint64 minutes = seconds / 60;
    const qint64 hours = minutes / 60;
    if (seconds < 10) {
        const QString number = QLocale().toString(static_cast<double>(ms / 100) / 10.0, 'f', 1);
        return QCoreApplication::translate("Age", "%1 s").arg(number);
    }
    if (minutes < 1)
        return words(QT_TRANSLATE_NOOP("Age", "%1 s"), seconds);
    if (minutes < 10)
        return words(QT_TRANSLATE_NOOP("Age", "%1 min %2 s"), minutes, seconds % 60);
    if (hours < 1)
        return words(QT_TRANSLATE_NOOP("Age", "%1 min"), minutes);
    if (hours < 48)
        return words(QT_TRANSLATE_NOOP("Age", "%1 h %2 min"), hours, minutes % 60);
    return QCoreApplication::translate("Age", "%n days", nullptr, static_cast<int>(hours / 24));
}

QString briefAgeWords(qint64 milliseconds)
{
    const qint64 minutes = std::max<qint64>(milliseconds, 0) / 60'000;
    if (minutes < 1)
        return ageWords(milliseconds);
    if (minutes < 60)
        return words(QT_TRANSLATE_NOOP("Age", "%1 min"), minutes);
    if (minutes < 48 * 60)
        return words(QT_TRANSLATE_NOOP("Age", "%1 h"), minutes / 60);
    return ageWords(milliseconds);
}

QString agoWords(qint64 milliseconds)
{
    return QCoreApplication::translate("Age", "%1 ago").arg(ageWords(milliseconds));
}

QString countWords(qint64 count)
{
    const auto scaled = [](double value, const char *unit) {
        return QLocale().toString(value, 'f', 1) + QLatin1String(unit);
    };
    if (count < 10'000)
        return QLocale().toString(count);
    if (count < 1'000'000)
        return scaled(static_cast<double>(count / 100) / 10.0, "k");
    return scaled(static_cast<double>(count / 100'000) / 10.0, "M");
}

} // namespace handreset::views
