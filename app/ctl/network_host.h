// A host on another machine, for one run of the command line: its certificate is compared with the one that was accepted,
// and the operator's key makes a pass for this run. Thread: the main thread's. Failure: an Error that names the
// fingerprint that was seen, for the person to compare.
#pragma once

#include "app/ctl/output.h"
#include "model/engine/host.h"

#include <memory>

namespace handreset::ctl {

/// The one that --connect names.
[[nodiscard]] rules::Result<std::unique_ptr<engine::Host>> hostOnNetwork(Context &context, const Arguments &arguments);

} // namespace handreset::ctl
