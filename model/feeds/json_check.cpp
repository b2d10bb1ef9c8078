#include "model/feeds/json_check.h"

#include "model/rules/number_text.h"

#include <algorithm>
#include <cctype>

namespace handreset::feeds {

namespace ondemand = simdjson::ondemand;

namespace {

std::string_view trimmed(std::string_view text)
{
    while (!text.empty() && (text.back() == ' ' || text.back() == '\t' || text.back() == '\r' || text.back() == '\n'))
        text.remove_suffix(1);
    return text;
}

bool isString(std::string_view token)
{
    return token.size() >= 2 && token.front() == '"' && token.back() == '"' && escapesAreWhole(token);
}

bool checkObject(ondemand::object object, int depth)
{
    for (auto field : object) {
        ondemand::value value;
        ondemand::raw_json_string key;
        if (field.key().get(key) || field.value().get(value))
            return false;
        const char *const from = key.raw();
        const char *end = from;
        while (*end != '"')
            end += *end == '\\' ? 2 : 1; // stage 1 has made sure that the string ends within the line
        if (!escapesAreWhole({from, static_cast<std::size_t>(end - from)}))
            return false;
        std::string_view inner;
        if (!takeWhole(value, inner, depth + 1))
            return false;
    }
    return true;
}

bool checkArray(ondemand::array array, int depth)
{
    for (auto element : array) {
        ondemand::value value;
        std::string_view inner;
        if (element.get(value) || !takeWhole(value, inner, depth + 1))
            return false;
    }
    return true;
}

} // namespace

bool escapesAreWhole(std::string_view token)
{
    auto place = token.find('\\');
    while (place != std::string_view::npos) {
        if (place + 1 >= token.size())
            return false;
        const char escaped = token[place + 1];
        place += 2;
        if (escaped == 'u') {
            if (place + 4 > token.size())
                return false;
            const auto digits = token.substr(place, 4);
            const auto isHex = [](char c) { return std::isxdigit(static_cast<unsigned char>(c)) != 0; };
            if (!std::all_of(digits.begin(), digits.end(), isHex))
                return false;
            place += 4;
        } else if (std::string_view("\"\\/bfnrt").find(escaped) == std::string_view::npos) {
            return false;
        }
        place = token.find('\\', place);
    }
    return true;
}

bool takeWhole(ondemand::value value, std::string_view &text, int depth)
{
    if (depth > kDeepestValue)
        return false;
    ondemand::json_type type{};
    if (value.type().get(type))
        return false;
    const auto token = trimmed(value.raw_json_token());
    text = token;
    switch (type) {
    case ondemand::json_type::object: {
        ondemand::object object;
        const bool isWhole = !value.get_object().get(object) && checkObject(object, depth) && !object.reset().error()
            && !object.raw_json().get(text);
        text = trimmed(text);
        return isWhole;
    }
    case ondemand::json_type::array: {
        ondemand::array array;
        const bool isWhole = !value.get_array().get(array) && checkArray(array, depth) && !array.reset().error()
            && !array.raw_json().get(text);
        text = trimmed(text);
        return isWhole;
    }
    case ondemand::json_type::string:
        return isString(token);
    case ondemand::json_type::number:
        return rules::NumberText::split(token).has_value();
    case ondemand::json_type::boolean:
        return token == "true" || token == "false";
    case ondemand::json_type::null:
        return token == "null";
    }
    return false;
}

} // namespace handreset::feeds
