#include "model/live/text_filter.h"

#include <algorithm>

namespace handreset::live {

rules::Result<TextFilter> TextFilter::parse(const QString &typed)
{
    TextFilter filter;
    filter.m_typed = typed;
    const QString prefix = QStringLiteral("re:");
    if (!typed.startsWith(prefix)) {
        filter.m_words = typed.split(QLatin1Char(' '), Qt::SkipEmptyParts);
        return filter;
    }
    filter.m_pattern =
        QRegularExpression(typed.mid(prefix.size()), QRegularExpression::CaseInsensitiveOption);
    if (!filter.m_pattern.isValid()) {
        const qsizetype position = filter.m_pattern.patternErrorOffset() + prefix.size();
        return rules::Error{rules::ErrorCode::BadInput, filter.m_pattern.errorString().toStdString(),
                            std::to_string(position)};
    }
    return filter;
}

bool TextFilter::accepts(const QString &text) const
{
    if (!m_pattern.pattern().isEmpty())
        return m_pattern.match(text).hasMatch();
    return std::all_of(m_words.begin(), m_words.end(),
                       [&text](const QString &word) { return text.contains(word, Qt::CaseInsensitive); });
}

} // namespace handreset::live
