#include "views/plain_text.h"

#include "model/rules/hidden_characters.h"

#include <algorithm>

#include <QCoreApplication>
#include <QFontMetricsF>
#include <QLocale>

namespace handreset::views {

namespace {

bool isInkless(char32_t point)
{
    switch (QChar::category(point)) {
    case QChar::Other_Control:
    case QChar::Other_Format:
    case QChar::Other_Surrogate:
    case QChar::Other_NotAssigned:
    case QChar::Separator_Line:
    case QChar::Separator_Paragraph:
        return true;
    default:
        break;
    }
    return rules::isHiddenCharacter(point); // what has no ink whatever its category, as the command line has it
}

bool isMark(char32_t point)
{
    const auto category = QChar::category(point);
    return category == QChar::Mark_NonSpacing || category == QChar::Mark_SpacingCombining
        || category == QChar::Mark_Enclosing;
}

QString symbolOf(char32_t point)
{
    if (point < 0x20)
        return QString(QChar(static_cast<char16_t>(0x2400 + point)));
    if (point == 0x7F)
        return QString(QChar(0x2421));
    return QStringLiteral("⟨U+%1⟩").arg(static_cast<uint>(point), 4, 16, QLatin1Char('0')).toUpper();
}

/// Cuts so that no surrogate pair is split.
qsizetype boundary(const QString &text, qsizetype at)
{
    return at > 0 && at < text.size() && text.at(at).isLowSurrogate() && text.at(at - 1).isHighSurrogate() ? at - 1 : at;
}

QString boundedRaw(const QString &text, qsizetype longest)
{
    if (text.size() <= longest)
        return text;
    const qsizetype head = boundary(text, longest * 2 / 3);
    const qsizetype tail = boundary(text, text.size() - longest / 3);
    const QString gap = QCoreApplication::translate("PlainText", " … %1 characters … ").arg(QLocale().toString(text.size()));
    return text.left(head) + gap + text.mid(tail);
}

void appendVisible(QString &out, const QString &text)
{
    int marks = rules::kMostMarks; // on the character before; at the beginning there is nothing to stand on
    for (qsizetype i = 0; i < text.size(); ++i) {
        char32_t point = text.at(i).unicode();
        const bool paired = text.at(i).isHighSurrogate() && i + 1 < text.size() && text.at(i + 1).isLowSurrogate();
        if (paired)
            point = QChar::surrogateToUcs4(text.at(i), text.at(i + 1));
        marks = isMark(point) ? marks + 1 : 0;
        if (isInkless(point) || marks > rules::kMostMarks)
            out += symbolOf(point);
        else
            out += QStringView(text).mid(i, paired ? 2 : 1);
        if (paired)
            ++i;
    }
}

/// Appends the text as lines of at most kTooltipLine units, escaped.
void appendTooltipLines(QStringList &lines, const QString &text)
{
    qsizetype at = 0;
    do {
        const qsizetype end = boundary(text, std::min(at + kTooltipLine, text.size()));
        lines += text.mid(at, end - at).toHtmlEscaped();
        at = end;
    } while (at < text.size());
}

} // namespace

QString visibleText(const QString &untrusted, qsizetype longest)
{
    const QString bounded = boundedRaw(untrusted, std::max<qsizetype>(longest, 8));
    QString out;
    out.reserve(bounded.size());
    appendVisible(out, bounded);
    return out;
}

QString elidedMiddle(const QString &text, const QFontMetricsF &metrics, double width)
{
    return metrics.elidedText(text, Qt::ElideMiddle, width);
}

QString plainTooltip(const QStringList &untrustedLines)
{
    QStringList lines;
    for (const QString &line : untrustedLines) {
        if (!line.isEmpty())
            appendTooltipLines(lines, visibleText(line, kTooltipLine * (kTooltipLines - 4)));
    }
    if (lines.isEmpty())
        return {};
    if (lines.size() > kTooltipLines) {
        lines.resize(kTooltipLines - 1);
        lines += QStringLiteral("…");
    }
    return QStringLiteral("<qt><p style=\"white-space:pre\">%1</p></qt>").arg(lines.join(QStringLiteral("<br/>")));
}

QString plainTooltip(const QString &untrusted)
{
    return plainTooltip(QStringList{untrusted});
}

} // namespace handreset::views
