#include "model/rules/canonical_writer.h"

#include "model/rules/json_text.h"

#include <algorithm>
#include <charconv>
#include <system_error>

namespace handreset::rules::json_detail {

namespace {

constexpr const char *kNameTwice = "An object has the same name twice";
constexpr const char *kBadEscape = "A string has a malformed escape or half a surrogate pair";
constexpr const char *kNoDouble = "A number is too large for a double, which RFC 8785 needs";

/// Decimals of so many digits all are different doubles, so the shortest spelling of the double is the decimal itself.
constexpr std::size_t kSafeDigits = 15;

/// True where ECMAScript spells the number with its own digits: no power of ten, few digits, not below 0.000001.
bool isPlainDecimal(const NumberText &parts) noexcept
{
    if (parts.exponent != 0 || parts.whole.size() + parts.fraction.size() > kSafeDigits)
        return false;
    if (parts.whole != "0")
        return true;
    const auto firstDigit = parts.fraction.find_first_not_of('0');
    return firstDigit == std::string_view::npos || firstDigit < 6;
}

} // namespace

void CanonicalWriter::start(std::string &out, CanonicalNumbers numbers)
{
    m_out = &out;
    m_numbers = numbers;
    m_members.clear();
    m_objects.clear();
    m_keys.clear();
}

const char *CanonicalWriter::null()
{
    m_out->append("null");
    return nullptr;
}

const char *CanonicalWriter::boolean(bool value)
{
    m_out->append(value ? "true" : "false");
    return nullptr;
}

const char *CanonicalWriter::number(std::string_view text, const NumberText &parts)
{
    if (!isPlainDecimal(parts))
        return appendAnyNumber(text, parts);
    appendDecimal(parts);
    return nullptr;
}

void CanonicalWriter::appendDecimal(const NumberText &parts)
{
    const std::string_view fraction = parts.fraction.substr(0, parts.fraction.find_last_not_of('0') + 1);
    if (parts.isNegative && (parts.whole != "0" || !fraction.empty()))
        m_out->push_back('-');
    m_out->append(parts.whole);
    if (!fraction.empty()) {
        m_out->push_back('.');
        m_out->append(fraction);
    }
}

const char *CanonicalWriter::appendAnyNumber(std::string_view text, const NumberText &parts)
{
    double value = 0;
    const auto read = std::from_chars(text.data(), text.data() + text.size(), value);
    const bool isOutOfRange = read.ec == std::errc::result_out_of_range;
    const ExactNumber exact = ExactNumber::of(parts);
    const bool isTooLarge = isOutOfRange && exact.point > 0;
    if (m_numbers == CanonicalNumbers::Rfc8785) {
        if (isTooLarge)
            return kNoDouble;
        appendJsonNumber(*m_out, isOutOfRange ? 0 : value); // what is too small reads as zero
        return nullptr;
    }
    if (exact.digits.empty() || parts.isHeld()) {
        // An exponent of sixteen digits or more cannot be brought to one spelling, but its text is still its value.
        m_out->append(exact.digits.empty() ? "0" : text);
        return nullptr;
    }
    const std::size_t start = m_out->size();
    if (!isOutOfRange && appendJsonNumber(*m_out, value)) {
        const auto spelled = NumberText::split(std::string_view(*m_out).substr(start));
        if (spelled && ExactNumber::of(*spelled) == exact)
            return nullptr;
        m_out->resize(start);
    }
    exact.appendTo(*m_out);
    return nullptr;
}

bool CanonicalWriter::unescapeTo(std::string &text, RawString raw)
{
    text.resize(raw.body.size());
    const char *const end = unescape(raw.body, text.data());
    if (end == nullptr)
        return false;
    text.resize(static_cast<std::size_t>(end - text.data()));
    return true;
}

const char *CanonicalWriter::rawString(RawString raw)
{
    if (!raw.hasEscapes) { // without escapes there is nothing that needs one
        m_out->push_back('"');
        m_out->append(raw.body);
        m_out->push_back('"');
        return nullptr;
    }
    if (!unescapeTo(m_unescaped, raw))
        return kBadEscape;
    appendJsonString(*m_out, m_unescaped);
    return nullptr;
}

void CanonicalWriter::string(std::string_view unescaped)
{
    appendJsonString(*m_out, unescaped);
}

void CanonicalWriter::beginObject()
{
    m_out->push_back('{');
    m_objects.push_back({m_members.size(), true});
}

void CanonicalWriter::closeMember()
{
    if (m_members.size() > m_objects.back().firstMember)
        m_members.back().end = m_out->size();
}

const char *CanonicalWriter::openMember(std::string_view key)
{
    closeMember();
    Object &object = m_objects.back();
    if (m_members.size() > object.firstMember) {
        m_out->push_back(',');
        const int order = compareUtf16(m_members.back().key, key);
        if (order == 0)
            return kNameTwice;
        object.isSorted = object.isSorted && order < 0;
    }
    m_members.push_back({key, m_out->size(), 0});
    return nullptr;
}

const char *CanonicalWriter::rawKey(RawString raw, bool)
{
    if (raw.hasEscapes) {
        std::string &text = m_keys.emplace_back();
        return unescapeTo(text, raw) ? key(text) : kBadEscape;
    }
    if (const char *const fault = openMember(raw.body))
        return fault;
    m_out->push_back('"');
    m_out->append(raw.body);
    m_out->append("\":");
    return nullptr;
}

const char *CanonicalWriter::key(std::string_view unescaped)
{
    if (const char *const fault = openMember(unescaped))
        return fault;
    appendJsonString(*m_out, unescaped);
    m_out->push_back(':');
    return nullptr;
}

const char *CanonicalWriter::endObject()
{
    closeMember();
    const Object object = m_objects.back();
    m_objects.pop_back();
    const char *const fault = object.isSorted ? nullptr : sortMembers(object.firstMember);
    m_members.resize(object.firstMember, Member{{}, 0, 0});
    m_out->push_back('}');
    return fault;
}

const char *CanonicalWriter::sortMembers(std::size_t firstMember)
{
    const auto first = m_members.begin() + static_cast<std::ptrdiff_t>(firstMember);
    const std::size_t start = first->start;
    std::sort(first, m_members.end(), [](const Member &a, const Member &b) { return compareUtf16(a.key, b.key) < 0; });
    const auto twice
        = std::adjacent_find(first, m_members.end(), [](const Member &a, const Member &b) { return a.key == b.key; });
    if (twice != m_members.end())
        return kNameTwice;
    m_sorted.clear();
    for (auto member = first; member != m_members.end(); ++member) {
        if (member != first)
            m_sorted.push_back(',');
        m_sorted.append(*m_out, member->start, member->end - member->start);
    }
    m_out->replace(start, std::string::npos, m_sorted);
    return nullptr;
}

} // namespace handreset::rules::json_detail
