// For tests: a disk that fails. A layer under SQLite, made the default, that counts what is written, synced, cut and
// grown, and fails one of them. Thread: one. Ownership: unregisters when it goes; no store may be open then.
#pragma once

#include <sqlite3.h>

#include <memory>

namespace handreset::tests {

class FailingVfs {
public:
    enum class How {
        Once,    ///< the n-th change fails, later ones succeed
        ForGood, ///< the n-th and all later ones fail
    };

    FailingVfs();
    ~FailingVfs();
    FailingVfs(const FailingVfs &) = delete;
    FailingVfs &operator=(const FailingVfs &) = delete;

    /// The n-th change from now fails with this result: SQLITE_FULL, SQLITE_IOERR_WRITE, SQLITE_IOERR_FSYNC …
    void failAt(int n, int result, How how = How::Once);
    /// No change fails any more.
    void heal();
    /// Whether a change has failed since `failAt`.
    [[nodiscard]] bool hasFailed() const;

    struct State;

private:
    std::unique_ptr<State> m_state;
};

} // namespace handreset::tests
