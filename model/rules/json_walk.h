// The one pass over untrusted JSON that the tree and the canonical form share. Private to json.cpp and canonical.cpp.
//
// simdjson checks UTF-8, finds the structure and walks it; what it leaves open is checked here: depth, the spelling of
// numbers, escapes and surrogates, literals, trailing bytes. A sink is told each part in turn; its functions return
// nullptr, or a literal that says what is wrong. Pure; any thread.
#pragma once

#include "model/rules/json.h"
#include "model/rules/number_text.h"
#include "model/rules/utf8.h"

#include <bit>
#include <cstdint>
#include <cstring>
#include <string>
#include <string_view>
#include <utility>

#include <simdjson.h>

namespace handreset::rules::json_detail {

constexpr std::size_t kPadding = simdjson::SIMDJSON_PADDING;

/// What stands between the quotes, as written.
struct RawString {
    std::string_view body;
    bool hasEscapes = false;
};

/// Writes what an escaped body means behind `out`, which has room for `body.size()` bytes; returns the end, or nullptr
/// where an escape is malformed or a surrogate stands alone.
[[nodiscard]] char *unescape(std::string_view body, char *out) noexcept;

/// From the byte after an opening quote to the closing one. The text is padded and known to have it.
[[nodiscard]] inline RawString scanString(const char *start) noexcept
{
    constexpr std::uint64_t ones = 0x0101010101010101ULL;
    constexpr std::uint64_t highs = 0x8080808080808080ULL;
    const auto hasZero = [](std::uint64_t word) { return (word - ones) & ~word & highs; };
    bool hasEscapes = false;
    const char *at = start;
    for (;;) {
        std::uint64_t word = 0;
        std::memcpy(&word, at, sizeof word);
        const std::uint64_t found = hasZero(word ^ (ones * '"')) | hasZero(word ^ (ones * '\\'));
        if (found == 0) {
            at += sizeof word;
            continue;
        }
        if constexpr (std::endian::native == std::endian::little) {
            at += std::countr_zero(found) / 8;
        } else {
            while (*at != '"' && *at != '\\')
                ++at;
        }
        if (*at == '"')
            return {std::string_view(start, static_cast<std::size_t>(at - start)), hasEscapes};
        hasEscapes = true;
        at += 2;
    }
}

/// The parser's tables. Each thread keeps one only to reuse its memory: nothing is carried from text to text.
[[nodiscard]] simdjson::ondemand::parser &threadParser();

template <class Sink>
class Walker {
public:
    explicit Walker(Sink &sink) : m_sink(sink) {}

    /// `bytes` has `size` bytes of text and kPadding more that may be read.
    [[nodiscard]] Result<void> walk(const char *bytes, std::size_t size)
    {
        m_bytes = bytes;
        std::string_view trimmed(bytes, size);
        const auto first = trimmed.find_first_not_of(kBlank);
        if (first == std::string_view::npos)
            return fault("There is no value", 0);
        trimmed = trimmed.substr(first, trimmed.find_last_not_of(kBlank) + 1 - first);
        simdjson::ondemand::document document;
        const auto error
            = threadParser().iterate(simdjson::padded_string_view(bytes, size, size + kPadding)).get(document);
        if (error != simdjson::SUCCESS)
            return fault(meaning(error), 0);
        const bool isHolder = trimmed.front() == '{' || trimmed.front() == '[';
        if (!(isHolder ? rootHolder(document, trimmed) : rootScalar(trimmed)))
            return fault(m_what, m_offset);
        return {};
    }

private:
    static constexpr std::string_view kBlank = " \t\n\r";

    static const char *meaning(simdjson::error_code error)
    {
        switch (error) {
        case simdjson::UTF8_ERROR:
            return "The text is not UTF-8";
        case simdjson::UNESCAPED_CHARS:
            return "A control character stands within a string";
        case simdjson::UNCLOSED_STRING:
            return "A string has no end";
        case simdjson::CAPACITY:
        case simdjson::MEMALLOC:
            return "The text is too long";
        default:
            return "The text is not JSON";
        }
    }
    [[nodiscard]] Error fault(const char *what, std::size_t offset) const
    {
        std::string context = "byte " + std::to_string(offset);
        if (!m_path.empty())
            context += " at " + m_path;
        return Error{ErrorCode::BadInput, std::string(what) + ".", context};
    }
    bool fail(const char *what, const char *at)
    {
        m_what = what;
        m_offset = static_cast<std::size_t>(at - m_bytes);
        return false;
    }
    bool check(const char *what, const char *at) { return what == nullptr || fail(what, at); }

    bool rootHolder(simdjson::ondemand::document &document, std::string_view trimmed)
    {
        simdjson::ondemand::value root;
        m_document = &document;
        bool isGood = false;
        if (trimmed.front() == '{') {
            simdjson::ondemand::object object;
            isGood = document.get_object().get(object) == simdjson::SUCCESS ? members(object, 1)
                                                                            : failHere("An object is malformed");
        } else {
            simdjson::ondemand::array array;
            isGood = document.get_array().get(array) == simdjson::SUCCESS ? elements(array, 1)
                                                                          : failHere("An array is malformed");
        }
        const char *rest = nullptr;
        if (isGood && document.current_location().get(rest) == simdjson::SUCCESS)
            return fail("Something follows the value", rest);
        return isGood;
    }
    bool rootScalar(std::string_view token)
    {
        if (token.front() != '"')
            return scalar(token);
        const RawString raw = scanString(token.data() + 1);
        if (raw.body.size() + 2 != token.size())
            return fail("Something follows the value", raw.body.data() + raw.body.size() + 1);
        return check(m_sink.rawString(raw), token.data());
    }
    bool failHere(const char *what)
    {
        const char *at = m_bytes;
        if (m_document->current_location().get(at) != simdjson::SUCCESS)
            at = m_bytes;
        return fail(what, at);
    }

    bool value(simdjson::ondemand::value value, int depth)
    {
        const std::string_view token = value.raw_json_token();
        switch (token.front()) {
        case '{': {
            if (depth > kMaxJsonDepth)
                return fail("Arrays and objects stand too deep within each other", token.data());
            simdjson::ondemand::object object;
            return value.get_object().get(object) == simdjson::SUCCESS ? members(object, depth)
                                                                       : failHere("An object is malformed");
        }
        case '[': {
            if (depth > kMaxJsonDepth)
                return fail("Arrays and objects stand too deep within each other", token.data());
            simdjson::ondemand::array array;
            return value.get_array().get(array) == simdjson::SUCCESS ? elements(array, depth)
                                                                     : failHere("An array is malformed");
        }
        case '"': {
            simdjson::ondemand::raw_json_string raw;
            if (value.get_raw_json_string().get(raw) != simdjson::SUCCESS)
                return fail("A string is malformed", token.data());
            return check(m_sink.rawString(scanString(raw.raw())), token.data());
        }
        default:
            return scalar(token.substr(0, token.find_last_not_of(kBlank) + 1));
        }
    }

    bool scalar(std::string_view token)
    {
        if (token == "null")
            return check(m_sink.null(), token.data());
        if (token == "true" || token == "false")
            return check(m_sink.boolean(token == "true"), token.data());
        const auto number = NumberText::split(token);
        if (!number)
            return fail("A value is neither a number nor a string, true, false, null, array or object", token.data());
        return check(m_sink.number(token, *number), token.data());
    }

    bool elements(simdjson::ondemand::array &array, int depth)
    {
        m_sink.beginArray();
        std::size_t place = 0;
        for (auto element : array) {
            simdjson::ondemand::value held;
            if (std::move(element).get(held) != simdjson::SUCCESS)
                return failHere("An array is malformed");
            m_sink.beginElement(place == 0);
            if (!value(held, depth + 1)) {
                m_path.insert(0, "/" + std::to_string(place));
                return false;
            }
            ++place;
        }
        m_sink.endArray();
        return true;
    }

    bool members(simdjson::ondemand::object &object, int depth)
    {
        m_sink.beginObject();
        bool isFirst = true;
        for (auto member : object) {
            simdjson::ondemand::field field;
            if (std::move(member).get(field) != simdjson::SUCCESS)
                return failHere("An object is malformed");
            const RawString key = scanString(field.key().raw());
            if (!check(m_sink.rawKey(key, isFirst), key.body.data()))
                return false;
            isFirst = false;
            if (!value(field.value(), depth + 1)) {
                m_path.insert(0, "/" + std::string(key.body));
                return false;
            }
        }
        const char *end = m_bytes;
        if (m_document->current_location().get(end) != simdjson::SUCCESS)
            end = m_bytes;
        return check(m_sink.endObject(), end);
    }

    Sink &m_sink;
    simdjson::ondemand::document *m_document = nullptr;
    const char *m_bytes = nullptr;
    const char *m_what = "";
    std::size_t m_offset = 0;
    std::string m_path;
};

} // namespace handreset::rules::json_detail
