// Waiting for a host's answers. For command lines, the demo and tests; never on a GUI thread nor on the host's own.
#pragma once

#include "model/engine/host.h"

#include <memory>
#include <vector>

namespace handreset::engine {

/// The fleet as it is committed now.
[[nodiscard]] std::shared_ptr<const rules::Fleet> snapshotAndWait(Host &host);
[[nodiscard]] rules::Result<std::vector<rules::Event>> readEventsAndWait(Host &host, EventQuery query);
[[nodiscard]] rules::Result<std::shared_ptr<const rules::Fleet>> stateAtAndWait(Host &host, rules::Seq seq);
[[nodiscard]] rules::Result<rules::Seq> seqAtAndWait(Host &host, rules::Instant time);

} // namespace handreset::engine
