// The values of a policy's fields: numbers, times, money, pointers, words. Each fault is told where it stands.
#include "model/rules/currency.h"
#include "model/rules/policy_reader.h"
#include "model/rules/policy_wording.h"

#include <algorithm>
#include <array>
#include <cmath>

namespace handreset::rules::policytext {
namespace {

constexpr std::size_t kMostTextBytes = 1000;
constexpr std::size_t kMostEntryBytes = 4096;

bool isPlainDecimal(std::string_view text)
{
    const std::size_t point = text.find('.');
    const std::string_view whole = text.substr(0, point);
    const auto digits = [](std::string_view part) {
        return !part.empty() && part.find_first_not_of("0123456789") == std::string_view::npos;
    };
    return digits(whole) && (whole.size() == 1 || whole[0] != '0')
        && (point == std::string_view::npos || digits(text.substr(point + 1)));
}

/// What is wrong with an amount's text, or nothing. `out` is set where nothing is.
std::string amountFault(std::string_view text, bool zeroAllowed, Decimal &out)
{
    if (text.starts_with('-') && isPlainDecimal(text.substr(1)))
        return "must not be negative";
    if (!isPlainDecimal(text))
        return "has no exact amount: " + shortened(text);
    const auto value = Decimal::parse(text);
    if (!value)
        return "has more than nine places after the point, or is too large";
    if (value->isZero() && !zeroAllowed)
        return "must be above 0";
    out = *value;
    return {};
}

std::string floatFault(double value)
{
    if (std::isnan(value))
        return "is NaN, which is no number";
    if (std::isinf(value))
        return "is infinite";
    return {};
}

} // namespace

std::optional<std::int64_t> Fields::whole(std::string_view name, std::int64_t least, std::int64_t most)
{
    const toml::node *node = find(name);
    if (node == nullptr)
        return std::nullopt;
    const std::string range
        = "Write a whole number from " + std::to_string(least) + " to " + std::to_string(most) + ".";
    if (const auto *number = node->as_floating_point()) {
        std::string fault = floatFault(number->get());
        error(name, fault.empty() ? "must be a whole number, without a fraction" : fault, range);
        return std::nullopt;
    }
    const auto *number = node->as_integer();
    if (number == nullptr) {
        error(name, "must be a whole number, not " + std::string(typeName(*node)), range);
        return std::nullopt;
    }
    const std::int64_t value = number->get();
    if (value >= least && value <= most)
        return value;
    error(name,
          value < least ? "must be at least " + std::to_string(least) + ", not " + std::to_string(value)
                        : "must be at most " + std::to_string(most) + ", not " + std::to_string(value),
          range);
    return std::nullopt;
}

std::optional<bool> Fields::flag(std::string_view name)
{
    const toml::node *node = find(name);
    if (node == nullptr)
        return std::nullopt;
    if (const auto *value = node->as_boolean())
        return value->get();
    wrongType(name, *node, "true or false", "true");
    return std::nullopt;
}

std::optional<std::string> Fields::text(std::string_view name)
{
    const toml::node *node = find(name);
    if (node == nullptr)
        return std::nullopt;
    const auto *value = node->as_string();
    if (value == nullptr) {
        wrongType(name, *node, "a text in quotes", "\"…\"");
        return std::nullopt;
    }
    const std::string &text = value->get();
    const bool control = std::any_of(text.begin(), text.end(),
                                     [](char c) { return static_cast<unsigned char>(c) < 0x20 || c == 0x7f; });
    if (!text.empty() && text.size() <= kMostTextBytes && !control)
        return text;
    error(name,
          text.empty()  ? "must not be empty"
              : control ? "must be one line without control characters"
                        : "must not be longer than " + std::to_string(kMostTextBytes) + " bytes",
          text.empty() ? "Write the text, or leave the field out." : "Shorten it to one line.");
    return std::nullopt;
}

std::optional<Duration> Fields::duration(std::string_view name, bool zeroAllowed)
{
    constexpr std::string_view kRemedy = "Write a whole number and a unit: \"30s\", \"5m\", \"1h\" or \"30d\".";
    const toml::node *node = find(name);
    if (node == nullptr)
        return std::nullopt;
    const auto *value = node->as_string();
    if (value == nullptr) {
        error(name, "must be a length of time in quotes, not " + std::string(typeName(*node)), std::string(kRemedy));
        return std::nullopt;
    }
    const std::string &text = value->get();
    constexpr std::string_view kUnits = "smhd";
    constexpr std::array<std::int64_t, 4> kUnitSeconds{1, 60, 3600, 86'400};
    const std::size_t unit = text.empty() ? std::string_view::npos : kUnits.find(text.back());
    const std::string_view digits = std::string_view(text).substr(0, text.empty() ? 0 : text.size() - 1);
    if (unit == std::string_view::npos || digits.empty()
        || digits.find_first_not_of("0123456789") != std::string_view::npos) {
        error(name, "is no length of time: " + shortened(text), std::string(kRemedy));
        return std::nullopt;
    }
    std::int64_t number = digits.size() > 9 ? kMostSeconds + 1 : std::stoll(std::string(digits));
    number *= kUnitSeconds[unit];
    if (number >= (zeroAllowed ? 0 : 1) && number <= kMostSeconds)
        return seconds(number);
    error(name, number < 1 ? "must be above 0" : "must not be longer than ten years", std::string(kRemedy));
    return std::nullopt;
}

std::optional<WindowKind> Fields::window(std::string_view name)
{
    constexpr std::string_view kRemedy
        = "Write one of \"1h\", \"2h\", \"3h\", \"4h\", \"6h\", \"8h\", \"12h\", \"24h\", \"7d\", \"30d\".";
    const toml::node *node = find(name);
    if (node == nullptr)
        return std::nullopt;
    const auto *value = node->as_string();
    if (value == nullptr) {
        error(name, "must be a window in quotes, not " + std::string(typeName(*node)), std::string(kRemedy));
        return std::nullopt;
    }
    const auto window = WindowKind::parse(value->get());
    if (!window)
        error(name, "is no window that is counted: " + shortened(value->get()), std::string(kRemedy));
    return window;
}

std::optional<Money> Fields::money(std::string_view name, bool zeroAllowed)
{
    constexpr std::string_view kRemedy = "Write the amount and its currency in quotes, like \"10.00 USD\".";
    const toml::node *node = find(name);
    if (node == nullptr)
        return std::nullopt;
    if (const auto *number = node->as_floating_point(); number != nullptr && !floatFault(number->get()).empty()) {
        error(name, floatFault(number->get()), std::string(kRemedy));
        return std::nullopt;
    }
    const auto *value = node->as_string();
    if (value == nullptr) {
        error(name,
              node->is_number() ? "is money without a currency" : "must be money, not " + std::string(typeName(*node)),
              std::string(kRemedy));
        return std::nullopt;
    }
    const std::string &text = value->get();
    const std::size_t space = text.find(' ');
    Money money;
    std::string fault = amountFault(std::string_view(text).substr(0, space), zeroAllowed, money.amount);
    if (fault.empty() && space == std::string::npos)
        fault = "is money without a currency";
    if (fault.empty()) {
        money.currency = text.substr(space + 1);
        if (isCurrency(money.currency))
            return money;
        fault = "has no ISO 4217 currency code: " + shortened(money.currency);
    }
    error(name, std::move(fault), std::string(kRemedy));
    return std::nullopt;
}

std::optional<Decimal> Fields::amount(std::string_view name)
{
    constexpr std::string_view kRemedy
        = "Write the amount in quotes, like \"500.00\"; its currency stands in `value.currency`.";
    const toml::node *node = find(name);
    if (node == nullptr)
        return std::nullopt;
    Decimal amount;
    std::string fault;
    if (const auto *value = node->as_string())
        fault = amountFault(value->get(), false, amount);
    else if (const auto *whole = node->as_integer())
        fault = amountFault(std::to_string(whole->get()), false, amount);
    else if (const auto *number = node->as_floating_point())
        fault = floatFault(number->get()).empty() ? "is not exact without quotes" : floatFault(number->get());
    else
        fault = "must be an amount, not " + std::string(typeName(*node));
    if (fault.empty())
        return amount;
    error(name, std::move(fault), std::string(kRemedy));
    return std::nullopt;
}

std::optional<std::string> Fields::currency(std::string_view name)
{
    const auto code = text(name);
    if (!code || isCurrency(*code))
        return code;
    error(name, "is no ISO 4217 currency code: " + shortened(*code), "Write three capital letters, like \"BRL\".");
    return std::nullopt;
}

std::optional<std::string> Fields::checkedPointer(const Entry &entry)
{
    constexpr std::ptrdiff_t kMostParts = 32;
    const std::string &text = entry.text;
    std::string fault;
    if (!text.starts_with('/'))
        fault = "is no JSON pointer, because it does not begin with a slash: " + shortened(text);
    else if (text.size() > kMostTextBytes || std::count(text.begin(), text.end(), '/') > kMostParts)
        fault = "is a JSON pointer that is too long or too deep";
    for (std::size_t i = text.find('~'); fault.empty() && i != std::string::npos; i = text.find('~', i + 1)) {
        if (i + 1 == text.size() || (text[i + 1] != '0' && text[i + 1] != '1'))
            fault = "is no JSON pointer, because ~ stands alone: " + shortened(text);
    }
    if (fault.empty())
        return text;
    m_report->error(entry.spot, entry.field, std::move(fault),
                    "Write a pointer (RFC 6901) like \"/amount\"; * stands for every element of a list, ~0 for ~ and "
                    "~1 for a slash in a name.");
    return std::nullopt;
}

std::optional<std::string> Fields::pointer(std::string_view name)
{
    const toml::node *node = find(name);
    if (node == nullptr)
        return std::nullopt;
    if (const auto *value = node->as_string())
        return checkedPointer({value->get(), spot(name), path(name)});
    wrongType(name, *node, "a JSON pointer in quotes", "\"/amount\"");
    return std::nullopt;
}

std::optional<std::vector<Fields::Entry>> Fields::entries(std::string_view name)
{
    const toml::node *node = find(name);
    if (node == nullptr)
        return std::nullopt;
    const auto *list = node->as_array();
    if (list == nullptr) {
        wrongType(name, *node, "a list of texts", "[\"…\"]");
        return std::nullopt;
    }
    if (!m_report->spend(list->size(), spot(name), path(name)))
        return std::nullopt;
    std::vector<Entry> out;
    for (std::size_t i = 0; i < list->size(); ++i) {
        const toml::node &item = (*list)[i];
        Entry entry{{}, spotOf(item), path(name) + "[" + std::to_string(i) + "]"};
        const auto *value = item.as_string();
        if (value == nullptr) {
            m_report->error(entry.spot, entry.field, "must be a text in quotes, not " + std::string(typeName(item)),
                            "Put it in quotes.");
        } else if (value->get().empty() || value->get().size() > kMostEntryBytes) {
            m_report->error(entry.spot, entry.field, value->get().empty() ? "must not be empty" : "is too long",
                            "Write a text of 1 to " + std::to_string(kMostEntryBytes) + " bytes, or take it out.");
        } else {
            entry.text = value->get();
            out.push_back(std::move(entry));
        }
    }
    return out;
}

std::optional<std::vector<std::string>> Fields::texts(std::string_view name)
{
    const auto list = entries(name);
    if (!list)
        return std::nullopt;
    std::vector<std::string> out;
    for (const Entry &entry : *list)
        out.push_back(entry.text);
    return out;
}

std::optional<std::vector<std::string>> Fields::pointers(std::string_view name)
{
    const auto list = entries(name);
    if (!list)
        return std::nullopt;
    std::vector<std::string> out;
    for (const Entry &entry : *list) {
        if (auto pointer = checkedPointer(entry))
            out.push_back(std::move(*pointer));
    }
    return out;
}

std::optional<std::size_t> Fields::word(std::string_view name, std::span<const std::string_view> words)
{
    const toml::node *node = find(name);
    if (node == nullptr)
        return std::nullopt;
    const std::string remedy = "Write one of " + listWords(words, "\"") + ".";
    const auto *value = node->as_string();
    if (value == nullptr) {
        error(name, "must be a word in quotes, not " + std::string(typeName(*node)), remedy);
        return std::nullopt;
    }
    const auto it = std::find(words.begin(), words.end(), value->get());
    if (it != words.end())
        return static_cast<std::size_t>(it - words.begin());
    const std::string meant = nearestWord(value->get(), words);
    error(name, "does not know the word " + shortened(value->get()),
          meant.empty() ? remedy : "Did you mean \"" + meant + "\"? " + remedy);
    return std::nullopt;
}

} // namespace handreset::rules::policytext
