// The high-water mark beside a store: how far its log had come, so that an older copy put back is noticed (spec 4).
// Internal to model/store. Thread: the store's. Ownership: the file stays open while the store is.
//
// Two slots of fixed size, made in advance and written in turn, each with a checksum: a write that is cut short leaves
// the other. A mark may lag behind the log, which costs nothing but strength; it may never run ahead of what a power
// cut leaves. So it names two places: `synced`, which is on disk, and `latest`, which holds only while the machine has
// not been started anew (its boot id tells).
#pragma once

#include "model/rules/ids.h"
#include "model/rules/result.h"
#include "model/rules/sha256.h"
#include "model/store/file_checks.h"

#include <QString>

#include <chrono>
#include <cstdint>
#include <memory>
#include <string>

namespace handreset::store {

/// A place in the log and the chain's link there (that of the transaction that ends with it).
struct Place {
    rules::Seq seq;
    rules::Digest hash{};
    bool operator==(const Place &) const = default;
};

struct MarkState {
    std::string storeId; ///< 32 hexadecimal digits
    Place synced;
    Place latest;
    std::string bootId; ///< of the machine when `latest` was written
    bool operator==(const MarkState &) const = default;
};

/// The machine's present boot id; it changes with each start. Empty where the system has none.
[[nodiscard]] std::string presentBootId();

class Mark {
public:
    /// Makes the file; refuses one that exists.
    [[nodiscard]] static rules::Result<void> create(const QString &storePath, const MarkState &state);
    /// Opens it for writing; refuses a missing or damaged one.
    [[nodiscard]] static rules::Result<std::unique_ptr<Mark>> open(const QString &storePath);
    /// The same for a mark that does not stand beside its store. `isMissing`, where given, tells a missing file from one
    /// that cannot be used.
    [[nodiscard]] static rules::Result<void> createAt(const QString &file, const MarkState &state);
    [[nodiscard]] static rules::Result<std::unique_ptr<Mark>> openAt(const QString &file, bool *isMissing = nullptr);
    /// Reads it without opening it for good.
    [[nodiscard]] static rules::Result<MarkState> read(const QString &storePath);

    [[nodiscard]] const MarkState &state() const noexcept { return m_state; }
    /// The log has come to `place`; `isSynced` when it is on disk up to there. The mark itself is synced at most once a
    /// second, for it may lag.
    [[nodiscard]] rules::Result<void> advance(const Place &place, bool isSynced);
    /// Puts the mark on disk.
    void sync();

private:
    Mark(int descriptor, QString path) : m_file(descriptor), m_path(std::move(path)) {}
    [[nodiscard]] rules::Result<void> writeSlot();

    File m_file;
    QString m_path;
    MarkState m_state;
    std::string m_bootId = presentBootId();
    std::uint64_t m_counter = 0; ///< of the newest slot
    bool m_isDirty = false;
    std::chrono::steady_clock::time_point m_syncedAt;
};

} // namespace handreset::store
