// How answers stand on the wire, and how refusals are spelled: {"error":{"code","message","field"?,"offset"?}}.
// Pure; any thread. Failure: none; an answer that cannot stand on the wire (a status out of range, a line break in a
// header) becomes a 500, or goes without that header.
#pragma once

#include "model/gate/http_message.h"

#include <cstddef>
#include <optional>
#include <string>
#include <string_view>

namespace handreset::gate {

/// What follows an answer on its connection.
enum class After : std::uint8_t {
    Keep,   ///< the next request, as is usual in HTTP/1.1: nothing is said
    Keep10, ///< the next request, said aloud to a client of HTTP/1.0
    Close,
};

/// Appends the answer. `isHead`: it answers a HEAD, so the body's length is told and the body left out.
void appendAnswer(std::string &out, const Answer &answer, bool isHead, After after);

/// A refusal. `field`: where in the body, as a JSON pointer or a name, empty: nowhere; `offset`: in bytes from its
/// start.
[[nodiscard]] Answer errorAnswer(int status, std::string_view code, std::string_view message,
                                 std::string_view field = {}, std::optional<std::size_t> offset = {});
/// What bytes get that are no request; closes.
[[nodiscard]] Answer answerTo(const Problem &problem);

/// "Not Found" for 404; empty where none is known.
[[nodiscard]] std::string_view reasonOf(int status) noexcept;

} // namespace handreset::gate
