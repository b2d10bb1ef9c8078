#include "model/gate/routes.h"

#include "model/rules/utf8.h"

#include <algorithm>
#include <array>

namespace handreset::gate {

namespace {

struct Pattern {
    std::string_view head; ///< before the name
    std::string_view tail; ///< behind it
    std::string_view method;
    Route::What what;
    bool hasName;
};

using What = Route::What;
constexpr std::array kPatterns{
    Pattern{"/v1/steps", "", "POST", What::Step, false},
    Pattern{"/v1/calls", "", "POST", What::Call, false},
    Pattern{"/healthz", "", "GET", What::Health, false},
    Pattern{"/readyz", "", "GET", What::Ready, false},
    Pattern{"/metrics", "", "GET", What::Metrics, false},
    Pattern{"/v1/steps/", "/result", "POST", What::StepResult, true},
    Pattern{"/v1/calls/", "/result", "POST", What::CallResult, true},
    Pattern{"/v1/tasks/", "/note", "POST", What::Note, true},
    Pattern{"/v1/tasks/", "/end", "POST", What::End, true},
    Pattern{"/v1/agents/", "", "GET", What::Agent, true},
};

int hexDigit(char c)
{
    if (c >= '0' && c <= '9')
        return c - '0';
    if (c >= 'a' && c <= 'f')
        return c - 'a' + 10;
    return c >= 'A' && c <= 'F' ? c - 'A' + 10 : -1;
}

/// RFC 3986's escapes undone; nothing for a broken one, for what is no UTF-8, and for U+0000.
std::optional<std::string> unescaped(std::string_view text)
{
    std::string out;
    for (std::size_t at = 0; at < text.size(); ++at) {
        if (text[at] != '%') {
            out += text[at];
            continue;
        }
        const int high = at + 2 < text.size() ? hexDigit(text[at + 1]) : -1;
        const int low = high >= 0 ? hexDigit(text[at + 2]) : -1;
        if (low < 0)
            return std::nullopt;
        out += static_cast<char>(high * 16 + low);
        at += 2;
    }
    if (!rules::isUtf8(out) || out.find('\0') != std::string::npos)
        return std::nullopt;
    return out;
}

/// The name in the path where it has this pattern; nothing where it has not.
std::optional<std::string_view> nameIn(const Pattern &pattern, std::string_view path)
{
    if (!pattern.hasName)
        return path == pattern.head ? std::optional<std::string_view>("") : std::nullopt;
    if (!path.starts_with(pattern.head) || !path.ends_with(pattern.tail)
        || path.size() <= pattern.head.size() + pattern.tail.size())
        return std::nullopt;
    const auto name = path.substr(pattern.head.size(), path.size() - pattern.head.size() - pattern.tail.size());
    return name.find('/') == std::string_view::npos ? std::optional(name) : std::nullopt;
}

bool isJson(std::string_view type)
{
    type = type.substr(0, type.find(';'));
    while (type.ends_with(' ') || type.ends_with('\t'))
        type.remove_suffix(1);
    constexpr std::string_view kJson = "application/json";
    return std::equal(type.begin(), type.end(), kJson.begin(), kJson.end(),
                      [](char a, char b) { return (a >= 'A' && a <= 'Z' ? a - 'A' + 'a' : a) == b; });
}

} // namespace

std::variant<Route, RouteFault> routeOf(std::string_view method, std::string_view target)
{
    const auto path = target.substr(0, target.find('?'));
    std::string allow;
    for (const Pattern &pattern : kPatterns) {
        const auto name = nameIn(pattern, path);
        if (!name)
            continue;
        const bool fits = method == pattern.method || (method == "HEAD" && pattern.method == "GET");
        if (!fits) {
            allow = pattern.method == "GET" ? "GET, HEAD" : "POST";
            continue;
        }
        auto plain = unescaped(*name);
        if (!plain)
            return RouteFault{{400, "bad_path", "the path holds a broken escape, or one that is no text", {}, {}}, {}};
        return Route{pattern.what, *std::move(plain)};
    }
    if (!allow.empty())
        return RouteFault{{405, "wrong_method", "this path takes " + allow, {}, {}}, allow};
    return RouteFault{{404, "no_such_path", "there is no such call; see the README", {}, {}}, {}};
}

bool isOpenToAll(Route::What what) noexcept
{
    return what == What::Health || what == What::Ready || what == What::Metrics;
}

std::optional<Fault> faultOfMedia(std::string_view contentType, std::string_view contentEncoding, Route::What what)
{
    if (what == What::Agent || isOpenToAll(what))
        return std::nullopt;
    if (!contentEncoding.empty() && contentEncoding != "identity")
        return Fault{415, "encoded_body", "bodies are taken as they are, without compression", {}, {}};
    if (!isJson(contentType))
        return Fault{415, "not_json", "send Content-Type: application/json", {}, {}};
    return std::nullopt;
}

} // namespace handreset::gate
