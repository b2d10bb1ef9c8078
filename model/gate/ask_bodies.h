// The bodies of what agents ask and report, as commands (spec 5's table). Pure; a reader belongs to one thread.
// Failure: a Fault that names the field, or the byte.
#pragma once

#include "model/gate/fault.h"
#include "model/rules/command.h"
#include "model/rules/json.h"

#include <string_view>

namespace handreset::gate {

class AskBodies {
public:
    [[nodiscard]] Read<rules::AskStep> step(std::string_view body);
    [[nodiscard]] Read<rules::AskCall> call(std::string_view body);
    /// Whose agent is not in the body: the token says it. `agent` and `task` of notes and ends are in it.
    [[nodiscard]] Read<rules::FinishStep> stepResult(std::string_view body);
    [[nodiscard]] Read<rules::FinishCall> callResult(std::string_view body);
    [[nodiscard]] Read<rules::NoteTask> note(std::string_view body);
    [[nodiscard]] Read<rules::EndTask> end(std::string_view body);

private:
    rules::JsonDocument m_document; ///< its memory is used again
};

} // namespace handreset::gate
