#include "app/ctl/time_argument.h"

#include "app/ctl/arguments.h"
#include "model/rules/calendar.h"

#include <string>

namespace handreset::ctl {

rules::Result<LogPoint> parsePoint(std::string_view text)
{
    if (const auto number = wholeNumber(text); number && *number >= 0)
        return LogPoint(rules::Seq{static_cast<std::uint64_t>(*number)});
    std::string spelled(text);
    if (spelled.ends_with(" UTC"))
        spelled.replace(spelled.size() - 4, 4, "Z");
    if (const auto time = rules::fromIso8601(spelled))
        return LogPoint(*time);
    return rules::Error{rules::ErrorCode::BadInput,
                        '"' + std::string(text)
                            + "\" is neither a sequence number (4711) nor a time with its zone (2026-11-30T02:14:07Z, "
                              "2026-11-30T02:14:07+01:00)",
                        {}};
}

} // namespace handreset::ctl
