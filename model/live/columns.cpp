#include "model/live/columns.h"

namespace handreset::live {

namespace {

/// The run of digits at `at`, without leading zeros.
[[nodiscard]] QStringView digitsAt(QStringView text, qsizetype at)
{
    qsizetype end = at;
    while (end < text.size() && text[end] >= QLatin1Char('0') && text[end] <= QLatin1Char('9'))
        ++end;
    while (at + 1 < end && text[at] == QLatin1Char('0'))
        ++at;
    return text.sliced(at, end - at);
}

[[nodiscard]] bool isDigit(QChar c)
{
    return c >= QLatin1Char('0') && c <= QLatin1Char('9');
}

} // namespace

std::weak_ordering compareTexts(const QString &a, const QString &b)
{
    qsizetype i = 0;
    qsizetype j = 0;
    while (i < a.size() && j < b.size()) {
        if (isDigit(a[i]) && isDigit(b[j])) {
            const QStringView x = digitsAt(a, i);
            const QStringView y = digitsAt(b, j);
            if (x.size() != y.size())
                return x.size() <=> y.size();
            if (const int order = x.compare(y); order != 0)
                return order <=> 0;
            i = x.data() - a.constData() + x.size();
            j = y.data() - b.constData() + y.size();
            continue;
        }
        const QChar x = a[i].toCaseFolded();
        const QChar y = b[j].toCaseFolded();
        if (x != y)
            return x.unicode() <=> y.unicode();
        ++i;
        ++j;
    }
    if (const auto order = (a.size() - i) <=> (b.size() - j); order != 0)
        return order;
    return a.compare(b) <=> 0; // names that differ in case alone are two names
}

} // namespace handreset::live
