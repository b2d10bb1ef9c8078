// Helpers for the columns of the live tables. Pure; any thread.
#pragma once

#include "model/live/row_model.h"
#include "model/rules/words_of_time.h"

#include <QString>

#include <compare>
#include <functional>
#include <type_traits>
#include <utility>

namespace handreset::live {

/// Orders texts as people expect: "agent 9" stands before "agent 10", whatever the case.
[[nodiscard]] std::weak_ordering compareTexts(const QString &a, const QString &b);

[[nodiscard]] inline QString words(const std::string &utf8)
{
    return QString::fromStdString(utf8);
}

/// Compares two rows by what `get` gives of them.
template <class Row, class Get>
[[nodiscard]] std::function<std::weak_ordering(const Row &, const Row &)> by(Get get)
{
    return [get](const Row &a, const Row &b) -> std::weak_ordering {
        using Value = std::decay_t<decltype(get(a))>;
        if constexpr (std::is_same_v<Value, QString>)
            return compareTexts(get(a), get(b));
        else if constexpr (std::is_floating_point_v<Value>)
            return get(a) < get(b) ? std::weak_ordering::less
                : get(b) < get(a)  ? std::weak_ordering::greater
                                   : std::weak_ordering::equivalent;
        else
            return get(a) <=> get(b);
    };
}

/// A column of text that sorts by its text.
template <class Row, class Get>
[[nodiscard]] Column<Row> textColumn(QString title, Get get)
{
    return {.title = std::move(title),
            .text = [get](const Row &row, rules::Instant) { return QString(get(row)); },
            .compare = by<Row>([get](const Row &row) { return QString(get(row)); })};
}

/// A column of a count.
template <class Row, class Get>
[[nodiscard]] Column<Row> countColumn(QString title, Get get)
{
    return {.title = std::move(title),
            .number = true,
            .text = [get](const Row &row, rules::Instant) { return QString::number(get(row)); },
            .compare = by<Row>(get)};
}

/// A column of "how long ago"; sorts by the time.
template <class Row, class Get>
[[nodiscard]] Column<Row> ageColumn(QString title, Get get)
{
    return {.title = std::move(title),
            .number = true,
            .ages = true,
            .text =
                [get](const Row &row, rules::Instant now) {
                    const rules::Instant at = get(row);
                    return at.micros == 0 ? QString() : words(rules::shortLength(now - at));
                },
            .compare = by<Row>(get)};
}

} // namespace handreset::live
