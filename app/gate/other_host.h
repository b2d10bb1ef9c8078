// Whether another process hosts a store: then it is waited for; everything else that keeps a store shut is told at
// once. Thread: any, but never while this process has the store open: closing the file here would end SQLite's locks.
#pragma once

#include <QString>

namespace handreset::gate {

/// True when somebody else holds a lock on the store's file.
[[nodiscard]] bool isHostedByAnother(const QString &storePath);

} // namespace handreset::gate
