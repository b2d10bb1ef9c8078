#include "app/ctl/output.h"

#include "app/ctl/table.h"

#include <cstdlib>
#include <pwd.h>
#include <unistd.h>
#include <vector>

namespace handreset::ctl {

using rules::ErrorCode;

namespace {

std::string_view wordOf(ErrorCode code)
{
    switch (code) {
    case ErrorCode::BadInput:
        return "bad_input";
    case ErrorCode::Refused:
        return "refused";
    case ErrorCode::Unavailable:
        return "unavailable";
    case ErrorCode::NotFound:
        return "not_found";
    case ErrorCode::Conflict:
        return "conflict";
    case ErrorCode::Found:
        return "found";
    case ErrorCode::Cancelled:
        return "cancelled";
    }
    return "bad_input";
}

} // namespace

ExitCode exitCodeOf(ErrorCode code) noexcept
{
    switch (code) {
    case ErrorCode::BadInput:
    case ErrorCode::NotFound:
    case ErrorCode::Conflict:
        return ExitCode::BadUse;
    case ErrorCode::Refused:
        return ExitCode::Refused;
    case ErrorCode::Unavailable:
        return ExitCode::Unreachable;
    case ErrorCode::Found:
    case ErrorCode::Cancelled:
        return ExitCode::Found;
    }
    return ExitCode::BadUse;
}

std::string presentOperator()
{
    // The user database first: the environment is whatever the caller likes.
    std::vector<char> space(16384);
    passwd entry{};
    passwd *found = nullptr;
    if (getpwuid_r(getuid(), &entry, space.data(), space.size(), &found) == 0 && found != nullptr
        && entry.pw_name[0] != '\0')
        return entry.pw_name;
    if (const char *user = std::getenv("USER"); user != nullptr && *user != '\0')
        return user;
    return "user " + std::to_string(getuid());
}

std::string errorJson(const rules::Error &error)
{
    JsonWriter json;
    json.beginObject("error");
    json.text("code", wordOf(error.code));
    json.text("message", error.message);
    json.text("context", error.context);
    return json.finish();
}

ExitCode fail(Context &context, const Arguments &arguments, const rules::Error &error)
{
    if (arguments.wantsJson())
        context.out << errorJson(error);
    context.err << "handresetctl: ";
    if (!error.context.empty())
        context.err << visible(error.context, 400) << ": ";
    context.err << visibleLines(error.message) << '\n';
    return exitCodeOf(error.code);
}

void answer(Context &context, const Arguments &arguments, JsonWriter &json, std::string_view text)
{
    if (arguments.wantsJson())
        context.out << json.finish();
    else
        context.out << text;
}

std::string counted(std::uint64_t count, std::string_view one, std::string_view many)
{
    return std::to_string(count) + ' ' + std::string(count == 1 ? one : many);
}

} // namespace handreset::ctl
