// Writes one value in canonical form from its parts in the order of the text: a sink for json_walk.h. Private to
// canonical.cpp. Keeps its memory from value to value; belongs to one thread.
#pragma once

#include "model/rules/canonical.h"
#include "model/rules/json_walk.h"

#include <cstddef>
#include <deque>
#include <string>
#include <string_view>
#include <vector>

namespace handreset::rules::json_detail {

class CanonicalWriter {
public:
    /// Begins a value; all that follows is appended to `out`, which must outlive it.
    void start(std::string &out, CanonicalNumbers numbers);

    const char *null();
    const char *boolean(bool value);
    const char *number(std::string_view text, const NumberText &parts);
    const char *rawString(RawString raw);
    void string(std::string_view unescaped);
    void beginArray() { m_out->push_back('['); }
    void beginElement(bool isFirst)
    {
        if (!isFirst)
            m_out->push_back(',');
    }
    void endArray() { m_out->push_back(']'); }
    void beginObject();
    const char *rawKey(RawString raw, bool isFirst);
    /// `unescaped` must live until the object's end.
    const char *key(std::string_view unescaped);
    const char *endObject();

private:
    struct Member {
        std::string_view key;
        std::size_t start; ///< of `"key":value` in the output
        std::size_t end;
    };
    struct Object {
        std::size_t firstMember;
        bool isSorted;
    };

    const char *openMember(std::string_view key);
    void closeMember();
    bool unescapeTo(std::string &text, RawString raw);
    const char *sortMembers(std::size_t firstMember);
    void appendDecimal(const NumberText &parts);
    const char *appendAnyNumber(std::string_view text, const NumberText &parts);

    std::string *m_out = nullptr;
    CanonicalNumbers m_numbers = CanonicalNumbers::Rfc8785;
    std::vector<Member> m_members; ///< of all open objects, the innermost last
    std::vector<Object> m_objects;
    std::deque<std::string> m_keys; ///< of those keys that had escapes
    std::string m_unescaped;
    std::string m_sorted;
};

} // namespace handreset::rules::json_detail
