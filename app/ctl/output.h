// What every verb is given, and how it answers: texts and tables for people, one JSON object for machines, exit codes
// as spec 8. Thread: the main thread's. Ownership: the streams and the clock are the caller's and outlive the verb.
#pragma once

#include "app/ctl/arguments.h"
#include "app/ctl/json_writer.h"
#include "model/engine/host_clock.h"
#include "model/rules/result.h"
#include "model/trust/sealed_key.h"
#include "model/trust/signer.h"

#include <QString>

#include <functional>
#include <memory>
#include <ostream>
#include <string>
#include <string_view>

namespace handreset::ctl {

enum class ExitCode : int {
    Done = 0,
    Found = 1,       ///< the check found something; also: stopped by the person who asked
    BadUse = 2,      ///< wrong use or bad input
    Unreachable = 3, ///< the store or the gate cannot be reached
    Refused = 4,     ///< refused by a rule
};

[[nodiscard]] ExitCode exitCodeOf(rules::ErrorCode code) noexcept;

struct Context {
    std::ostream &out;
    std::ostream &err;
    bool showsProgress = false; ///< `err` is a terminal
    std::string operatorName;   ///< the person who runs it; after a signature the operator who signed
    const engine::Clock *clock = nullptr;
    /// Asks on the terminal; none: there is none.
    std::function<rules::Result<trust::Passphrase>(const std::string &prompt)> askPassphrase = {};
    QString keyFolder = {};                                 ///< empty: trust::KeyFiles::defaultFolder()
    trust::Hardness hardness = trust::Hardness::moderate(); ///< of new keys
    std::shared_ptr<trust::Signer> signer = {};             ///< unlocked in this run already
    unsigned callersMask = 022; ///< the umask of whoever started us, for the programs that we start
};

/// The name of the user who runs this process; a number where the machine has no name for it.
[[nodiscard]] std::string presentOperator();

/// `{"error": {code, message, context}}`, as --json prints it.
[[nodiscard]] std::string errorJson(const rules::Error &error);
/// Says what went wrong, and what to do: on `err` for people, with --json as `{"error": {…}}` on `out` too.
ExitCode fail(Context &context, const Arguments &arguments, const rules::Error &error);

/// Prints the object or the text, as --json says.
void answer(Context &context, const Arguments &arguments, JsonWriter &json, std::string_view text);

/// "3 trips", "1 trip".
[[nodiscard]] std::string counted(std::uint64_t count, std::string_view one, std::string_view many);

} // namespace handreset::ctl
