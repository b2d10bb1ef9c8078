// Asks for a passphrase on the terminal, without showing it. Thread: the main thread's; blocks until the line is there.
// Failure: BadInput where there is no terminal, Cancelled at its end.
#pragma once

#include "model/trust/passphrase.h"

#include <string>

namespace handreset::ctl {

[[nodiscard]] rules::Result<trust::Passphrase> askOnTerminal(const std::string &prompt);

} // namespace handreset::ctl
