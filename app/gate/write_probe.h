// Proves that the disk of a store still takes writes: a block of its own is written beside the store, synced, and gone
// again. Thread: any; may wait for the disk. Leaves nothing behind.
#pragma once

#include <QString>

#include <string>

namespace handreset::gate {

/// What is wrong with the disk that this store lies on; empty: a write went through.
[[nodiscard]] std::string writeTrouble(const QString &storePath);

} // namespace handreset::gate
