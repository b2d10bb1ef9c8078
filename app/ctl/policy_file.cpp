#include "app/ctl/policy_file.h"

#include "app/ctl/store_access.h"
#include "app/ctl/table.h"
#include "model/engine/time_zone.h"

#include <algorithm>
#include <cstddef>
#include <span>
#include <utility>

namespace handreset::ctl {

namespace {

constexpr std::size_t kMostTold = 50; ///< a file that is no policy at all has a fault in each line

std::span<const rules::PolicyProblem> toldProblems(const PolicyFile &file)
{
    const std::span all(file.reading.problems);
    return all.first(std::min(all.size(), kMostTold));
}

} // namespace

rules::Result<PolicyFile> readPolicyFile(const std::string &path)
{
    auto text = readTextFile(path, rules::kMostPolicyBytes);
    if (!text)
        return text.error();
    PolicyFile file{path, std::move(*text), {}};
    file.reading = rules::readPolicy(file.text, path, &engine::zoneExists);
    return file;
}

void writeProblems(JsonWriter &json, const PolicyFile &file)
{
    json.beginArray("problems");
    for (const auto &problem : toldProblems(file)) {
        json.beginObject();
        json.text("file", problem.file);
        json.number("line", problem.line);
        json.number("column", problem.column);
        json.text("field", problem.field);
        json.text("severity", rules::toWord(problem.severity));
        json.text("message", problem.message);
        json.text("remedy", problem.remedy);
        json.end();
    }
    json.end();
}

std::string problemsText(const PolicyFile &file)
{
    std::string text;
    for (const auto &problem : toldProblems(file))
        text += visible(problem.toString(), 2000) + '\n';
    if (const auto all = file.reading.problems.size(); all > kMostTold)
        text += "and " + std::to_string(all - kMostTold) + " more\n";
    return text;
}

std::string verdictText(const PolicyFile &file)
{
    const auto errors = file.reading.errorCount();
    const auto warnings = file.reading.warningCount();
    auto text = visible(file.file, 400) + ": ";
    if (errors == 0 && warnings == 0)
        return text + "accepted\n";
    if (errors == 0)
        return text + "accepted, with " + counted(warnings, "warning", "warnings") + '\n';
    text += "refused, " + counted(errors, "error", "errors");
    if (warnings != 0)
        text += ", " + counted(warnings, "warning", "warnings");
    return text + '\n';
}

} // namespace handreset::ctl
