#include "model/gate/http_answer.h"

#include "model/gate/http_characters.h"
#include "model/rules/json_text.h"

#include <algorithm>
#include <array>
#include <charconv>

namespace handreset::gate {

namespace {

void appendNumber(std::string &out, std::size_t number)
{
    std::array<char, 20> digits{};
    const auto end = std::to_chars(digits.data(), digits.data() + digits.size(), number).ptr;
    out.append(digits.data(), end);
}

void appendHeader(std::string &out, std::string_view name, std::string_view value)
{
    if (value.empty() || std::any_of(value.begin(), value.end(), isControl))
        return;
    out.append("\r\n").append(name).append(": ").append(value);
}

bool hasNoBody(int status)
{
    return status == 204 || status == 304;
}

} // namespace

std::string_view reasonOf(int status) noexcept
{
    switch (status) {
    case 200:
        return "OK";
    case 201:
        return "Created";
    case 202:
        return "Accepted";
    case 204:
        return "No Content";
    case 304:
        return "Not Modified";
    case 400:
        return "Bad Request";
    case 401:
        return "Unauthorized";
    case 403:
        return "Forbidden";
    case 404:
        return "Not Found";
    case 405:
        return "Method Not Allowed";
    case 406:
        return "Not Acceptable";
    case 408:
        return "Request Timeout";
    case 409:
        return "Conflict";
    case 411:
        return "Length Required";
    case 413:
        return "Content Too Large";
    case 414:
        return "URI Too Long";
    case 415:
        return "Unsupported Media Type";
    case 417:
        return "Expectation Failed";
    case 422:
        return "Unprocessable Content";
    case 429:
        return "Too Many Requests";
    case 431:
        return "Request Header Fields Too Large";
    case 500:
        return "Internal Server Error";
    case 501:
        return "Not Implemented";
    case 503:
        return "Service Unavailable";
    case 505:
        return "HTTP Version Not Supported";
    default:
        return {};
    }
}

void appendAnswer(std::string &out, const Answer &answer, bool isHead, After after)
{
    if (answer.status < 200 || answer.status > 599) {
        appendAnswer(out, errorAnswer(500, "internal", "The answer had no valid status."), isHead, after);
        return;
    }
    out.append("HTTP/1.1 ");
    appendNumber(out, static_cast<std::size_t>(answer.status));
    out.append(" ").append(reasonOf(answer.status));
    if (!hasNoBody(answer.status)) {
        appendHeader(out, "Content-Type", answer.contentType);
        out.append("\r\nContent-Length: ");
        appendNumber(out, answer.body.size());
    }
    if (answer.status == 401) // RFC 9110, 11.6.1: a 401 says how
        appendHeader(out, "WWW-Authenticate", "Bearer");
    appendHeader(out, "Allow", answer.allow);
    if (answer.retryAfter) {
        out.append("\r\nRetry-After: ");
        appendNumber(out, static_cast<std::size_t>(std::max(*answer.retryAfter, 0)));
    }
    if (after != After::Keep)
        appendHeader(out, "Connection", after == After::Close ? "close" : "keep-alive");
    out.append("\r\n\r\n");
    if (!isHead && !hasNoBody(answer.status))
        out.append(answer.body);
}

Answer errorAnswer(int status, std::string_view code, std::string_view message, std::string_view field,
                   std::optional<std::size_t> offset)
{
    Answer answer;
    answer.status = status;
    answer.body = R"({"error":{"code":)";
    rules::appendJsonString(answer.body, code);
    answer.body += R"(,"message":)";
    rules::appendJsonString(answer.body, message);
    if (!field.empty()) {
        answer.body += R"(,"field":)";
        rules::appendJsonString(answer.body, field);
    }
    if (offset) {
        answer.body += R"(,"offset":)";
        appendNumber(answer.body, *offset);
    }
    answer.body += "}}";
    return answer;
}

Answer answerTo(const Problem &problem)
{
    Answer answer = errorAnswer(problem.status, problem.code, problem.text);
    answer.close = true;
    return answer;
}

} // namespace handreset::gate
