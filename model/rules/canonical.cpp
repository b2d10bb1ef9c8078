#include "model/rules/canonical.h"

#include "model/rules/canonical_writer.h"

#include <algorithm>
#include <memory>
#include <vector>

namespace handreset::rules {

namespace {

using json_detail::CanonicalWriter;

/// Memory that is reused from text to text; no more than this is kept after a large one.
constexpr std::size_t kKeptBytes = std::size_t{1} << 20;

struct Scratch {
    std::unique_ptr<char[]> bytes;
    std::size_t capacity = 0;
    CanonicalWriter writer;

    const char *padded(std::string_view text)
    {
        const std::size_t needed = text.size() + json_detail::kPadding;
        if (needed > capacity) {
            bytes = std::make_unique_for_overwrite<char[]>(needed);
            capacity = needed;
        }
        text.copy(bytes.get(), text.size());
        std::memset(bytes.get() + text.size(), ' ', json_detail::kPadding);
        return bytes.get();
    }
    void trim()
    {
        if (capacity > kKeptBytes)
            *this = Scratch{};
    }
};

Scratch &threadScratch()
{
    thread_local Scratch scratch; // only reused memory
    return scratch;
}

/// Tells the writer a tree's parts, less what is hidden.
class TreeTeller {
public:
    TreeTeller(CanonicalWriter &writer, std::vector<JsonValue> hidden, Hidden how)
        : m_writer(writer), m_hidden(std::move(hidden)), m_how(how)
    {
        std::sort(m_hidden.begin(), m_hidden.end());
    }

    void tell(JsonValue value)
    {
        if (isHidden(value)) {
            if (m_how == Hidden::Redacted)
                m_writer.string(kRedacted);
            else
                m_writer.null();
            return;
        }
        switch (value.kind()) {
        case JsonKind::Null:
            m_writer.null();
            return;
        case JsonKind::Bool:
            m_writer.boolean(value.boolean());
            return;
        case JsonKind::Number:
            if (const auto parts = NumberText::split(value.text()))
                m_writer.number(value.text(), *parts);
            return;
        case JsonKind::String:
            m_writer.string(value.text());
            return;
        case JsonKind::Array:
            tellArray(value);
            return;
        case JsonKind::Object:
            tellObject(value);
        }
    }

private:
    [[nodiscard]] bool isHidden(JsonValue value) const
    {
        return !m_hidden.empty() && std::binary_search(m_hidden.begin(), m_hidden.end(), value);
    }
    [[nodiscard]] bool isLeftOut(JsonValue value) const { return m_how == Hidden::LeftOut && isHidden(value); }

    void tellArray(JsonValue array)
    {
        m_writer.beginArray();
        bool isFirst = true;
        for (const JsonValue element : array.children()) {
            if (isLeftOut(element))
                continue;
            m_writer.beginElement(isFirst);
            isFirst = false;
            tell(element);
        }
        m_writer.endArray();
    }
    void tellObject(JsonValue object)
    {
        m_writer.beginObject();
        for (const JsonValue member : object.children()) {
            if (isLeftOut(member))
                continue;
            m_writer.key(member.name());
            tell(member);
        }
        m_writer.endObject();
    }

    CanonicalWriter &m_writer;
    std::vector<JsonValue> m_hidden;
    Hidden m_how;
};

} // namespace

Result<void> appendCanonicalJson(std::string &out, std::string_view text, CanonicalNumbers numbers)
{
    if (text.size() > kMaxJsonBytes)
        return Error{ErrorCode::BadInput, "The text is too long.", "byte " + std::to_string(kMaxJsonBytes)};
    const std::size_t before = out.size();
    Scratch &scratch = threadScratch();
    scratch.writer.start(out, numbers);
    json_detail::Walker walker(scratch.writer);
    auto result = walker.walk(scratch.padded(text), text.size());
    if (!result)
        out.resize(before);
    scratch.trim();
    return result;
}

Result<std::string> canonicalJson(std::string_view text, CanonicalNumbers numbers)
{
    std::string out;
    out.reserve(text.size());
    if (auto result = appendCanonicalJson(out, text, numbers); !result)
        return result.error();
    return out;
}

void appendCanonicalJson(std::string &out, JsonValue value, std::span<const JsonValue> hidden, Hidden how)
{
    CanonicalWriter &writer = threadScratch().writer;
    writer.start(out, CanonicalNumbers::Exact);
    TreeTeller(writer, {hidden.begin(), hidden.end()}, how).tell(value);
}

int compareUtf16(std::string_view a, std::string_view b) noexcept
{
    const std::size_t size = std::min(a.size(), b.size());
    std::size_t differing = 0;
    while (differing < size && a[differing] == b[differing])
        ++differing;
    if (differing == size)
        return a.size() < b.size() ? -1 : a.size() > b.size() ? 1 : 0;
    // UTF-8 orders as code points do. UTF-16 differs only where surrogates (first byte F0 and up in UTF-8) meet
    // U+E000 to U+FFFF (first byte EE or EF): there the surrogates come first.
    const auto byteOfA = static_cast<unsigned char>(a[differing]);
    const auto byteOfB = static_cast<unsigned char>(b[differing]);
    const bool isTurned = byteOfA >= 0xEE && byteOfB >= 0xEE && (byteOfA >= 0xF0) != (byteOfB >= 0xF0);
    return (byteOfA < byteOfB) != isTurned ? -1 : 1;
}

} // namespace handreset::rules
