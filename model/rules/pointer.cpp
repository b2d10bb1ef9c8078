#include "model/rules/pointer.h"

#include "model/rules/utf8.h"

#include <algorithm>
#include <charconv>

namespace handreset::rules {

namespace {

Error badPointer(const char *what, std::string_view text)
{
    return Error{ErrorCode::BadInput, std::string("Not a JSON pointer: ") + what + ".", std::string(text)};
}

/// Turns ~1 into / and ~0 into ~; nothing for any other tilde.
std::optional<std::string> unescapeStep(std::string_view step)
{
    std::string name;
    for (std::size_t i = 0; i < step.size(); ++i) {
        if (step[i] != '~') {
            name.push_back(step[i]);
            continue;
        }
        ++i;
        if (i == step.size() || (step[i] != '0' && step[i] != '1'))
            return std::nullopt;
        name.push_back(step[i] == '0' ? '~' : '/');
    }
    return name;
}

std::optional<std::size_t> placeOf(std::string_view step)
{
    const bool isNumber
        = !step.empty() && std::all_of(step.begin(), step.end(), [](char c) { return c >= '0' && c <= '9'; });
    if (!isNumber || (step.size() > 1 && step.front() == '0'))
        return std::nullopt;
    std::size_t place = 0;
    const auto read = std::from_chars(step.data(), step.data() + step.size(), place);
    return read.ec == std::errc() ? std::optional(place) : std::nullopt;
}

} // namespace

Result<Pointer> Pointer::parse(std::string_view text)
{
    if (!isUtf8(text))
        return badPointer("it is not UTF-8", "");
    if (!text.empty() && text.front() != '/')
        return badPointer("it must be empty or begin with '/'", text);
    Pointer pointer;
    pointer.m_text = text;
    while (!text.empty()) {
        text.remove_prefix(1);
        const std::string_view step = text.substr(0, text.find('/'));
        text.remove_prefix(step.size());
        auto name = unescapeStep(step);
        if (!name)
            return badPointer("after '~' only 0 or 1 may stand ('~0' is '~', '~1' is '/')", pointer.m_text);
        if (pointer.m_steps.size() == kMaxSteps)
            return badPointer("it has more than 32 steps", pointer.m_text);
        pointer.m_steps.push_back({*std::move(name), placeOf(step), step == "*"});
    }
    return pointer;
}

bool Pointer::resolve(JsonValue root, std::vector<JsonValue> &values) const
{
    return resolveFrom(0, root, values);
}

bool Pointer::resolveFrom(std::size_t step, JsonValue value, std::vector<JsonValue> &values) const
{
    for (; step < m_steps.size(); ++step) {
        const Step &taken = m_steps[step];
        if (taken.isEvery && !value.is(JsonKind::Array))
            return false; // a member named "*" must not stand in for all the others
        if (taken.isEvery) {
            bool isComplete = true;
            for (const JsonValue element : value.children())
                isComplete = resolveFrom(step + 1, element, values) && isComplete;
            return isComplete;
        }
        const auto next = value.is(JsonKind::Array) ? (taken.place ? value.element(*taken.place) : std::nullopt)
                                                    : value.member(taken.name);
        if (!next)
            return false;
        value = *next;
    }
    values.push_back(value);
    return true;
}

} // namespace handreset::rules
