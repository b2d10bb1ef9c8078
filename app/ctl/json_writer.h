// Writes one JSON object for machines: member names are stable, amounts are text, instants are ISO 8601 in UTC.
// Pure; one thread at a time.
#pragma once

#include "model/rules/instant.h"

#include <concepts>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace handreset::ctl {

/// JSON that says the same and cannot move a terminal's cursor or hide anything on it: what nobody can see is escaped.
[[nodiscard]] std::string safeJson(std::string_view json);

class JsonWriter {
public:
    JsonWriter() { open('{'); }

    void text(std::string_view name, std::string_view value);
    void flag(std::string_view name, bool value) { raw(name, value ? "true" : "false"); }
    template <std::integral N>
    void number(std::string_view name, N value)
    {
        raw(name, std::to_string(value));
    }
    /// null where there is none.
    void instant(std::string_view name, std::optional<rules::Instant> value);
    void null(std::string_view name) { raw(name, "null"); }
    /// `json` as it stands.
    void raw(std::string_view name, std::string_view json);

    void beginObject(std::string_view name = {}) { begin(name, '{'); }
    void beginArray(std::string_view name) { begin(name, '['); }
    void element(std::string_view text);
    void rawElement(std::string_view json) { raw({}, json); }
    /// Ends the object or array that was begun last.
    void end();

    /// Ends the whole; a line feed follows.
    [[nodiscard]] std::string finish();

private:
    void open(char bracket);
    void begin(std::string_view name, char bracket);
    void next(std::string_view name);

    std::string m_out;
    std::vector<char> m_ends;
    bool m_isFirst = true;
};

} // namespace handreset::ctl
