// A policy file from the command line: read, judged, and its faults told one a line. Thread: the main thread's.
#pragma once

#include "app/ctl/json_writer.h"
#include "model/rules/policy_text.h"
#include "model/rules/result.h"

#include <string>

namespace handreset::ctl {

struct PolicyFile {
    std::string file;
    std::string text;
    rules::PolicyReading reading;
};

/// BadInput where the file cannot be read; what is wrong inside stands in the reading.
[[nodiscard]] rules::Result<PolicyFile> readPolicyFile(const std::string &path);

/// The first 50 of them: "problems": [{file, line, column, field, severity, message, remedy}…] into the present object.
void writeProblems(JsonWriter &json, const PolicyFile &file);
/// The first 50 problems, each on a line of its own, then how many more; empty where there is none.
[[nodiscard]] std::string problemsText(const PolicyFile &file);
/// "billing.toml: 2 errors, 1 warning".
[[nodiscard]] std::string verdictText(const PolicyFile &file);

} // namespace handreset::ctl
