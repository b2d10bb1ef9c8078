#include "model/history/label_groups.h"

#include <simdjson.h>

#include <algorithm>
#include <optional>

namespace handreset::history {

using rules::Error;
using rules::ErrorCode;
using rules::Result;

namespace {

std::string_view trimmed(std::string_view text)
{
    const auto first = text.find_first_not_of(" \t");
    if (first == std::string_view::npos)
        return {};
    return text.substr(first, text.find_last_not_of(" \t") - first + 1);
}

std::vector<std::string_view> split(std::string_view text, char at)
{
    std::vector<std::string_view> parts;
    for (;;) {
        const auto end = text.find(at);
        parts.push_back(trimmed(text.substr(0, end)));
        if (end == std::string_view::npos)
            return parts;
        text.remove_prefix(end + 1);
    }
}

std::optional<LabelTest> parseTest(std::string_view text)
{
    const auto equals = text.find('=');
    if (equals == std::string_view::npos || equals == 0)
        return std::nullopt;
    LabelTest test;
    std::string_view field = text.substr(0, equals);
    if (field.back() == '!' || field.back() == '^') {
        test.op = field.back() == '!' ? LabelTest::Operator::IsNot : LabelTest::Operator::BeginsWith;
        field.remove_suffix(1);
    }
    test.field = trimmed(field);
    constexpr std::string_view kNoOperators = "=!^~<>*$|"; // "attack==x", "score>=1": no operators of ours
    if (test.field.find_first_of(kNoOperators) != std::string::npos || text.substr(equals + 1).starts_with('='))
        return std::nullopt;
    for (const auto value : split(text.substr(equals + 1), '|'))
        test.values.emplace_back(value);
    return test.field.empty() ? std::nullopt : std::optional(std::move(test));
}

/// A label's value as its conditions spell it: a text without quotes, all else as JSON has it.
std::optional<std::string> labelIn(const std::string &object, const std::string &field)
{
    simdjson::dom::parser parser;
    simdjson::dom::element value;
    if (parser.parse(object).at_key(field).get(value))
        return std::nullopt;
    std::string_view text;
    if (!value.get(text))
        return std::string(text);
    return simdjson::minify(value);
}

bool holds(const LabelTest &test, const std::string &value)
{
    const auto matches = [&](const std::string &wanted) {
        return test.op == LabelTest::Operator::BeginsWith ? value.starts_with(wanted) : value == wanted;
    };
    const bool any = std::any_of(test.values.begin(), test.values.end(), matches);
    return test.op == LabelTest::Operator::IsNot ? !any : any;
}

} // namespace

Result<LabelGroup> parseLabelGroup(std::string_view text)
{
    const auto wrong = [&](std::string_view what) {
        return Error{ErrorCode::BadInput,
                     std::string(what) + "; write, for example, \"harmless: attack=null, user_task^=user_task\"",
                     "group \"" + std::string(text) + "\""};
    };
    LabelGroup group;
    const auto colon = text.find(':');
    if (colon == std::string_view::npos || trimmed(text.substr(0, colon)).empty())
        return wrong("a group needs a name and a colon before its conditions");
    group.name = trimmed(text.substr(0, colon));
    for (const auto part : split(text.substr(colon + 1), ',')) {
        auto test = parseTest(part);
        if (!test)
            return wrong("a condition is FIELD=VALUE, FIELD!=VALUE or FIELD^=BEGINNING");
        group.tests.push_back(std::move(*test));
    }
    return group;
}

bool belongsTo(const LabelGroup &group, const std::vector<std::string> &labels)
{
    return std::all_of(group.tests.begin(), group.tests.end(), [&](const LabelTest &test) {
        std::string value = "null";
        for (const auto &object : labels) {
            if (auto found = labelIn(object, test.field))
                value = std::move(*found);
        }
        return holds(test, value);
    });
}

} // namespace handreset::history
