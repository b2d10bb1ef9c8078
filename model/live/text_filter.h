// What a person types to narrow a table: plain words, or after "re:" a pattern. Pure value; any thread.
#pragma once

#include "model/rules/result.h"

#include <QRegularExpression>
#include <QString>
#include <QStringList>

namespace handreset::live {

class TextFilter {
public:
    /// Lets everything pass.
    TextFilter() = default;
    /// Words must all be found, in any order, whatever their case; after "re:" one regular expression (PCRE2). A wrong
    /// pattern is an Error whose context is the position (from 0) in the typed text.
    [[nodiscard]] static rules::Result<TextFilter> parse(const QString &typed);

    [[nodiscard]] bool isEmpty() const { return m_words.isEmpty() && m_pattern.pattern().isEmpty(); }
    [[nodiscard]] bool accepts(const QString &text) const;
    [[nodiscard]] QString typed() const { return m_typed; }

private:
    QString m_typed;
    QStringList m_words;
    QRegularExpression m_pattern;
};

} // namespace handreset::live
