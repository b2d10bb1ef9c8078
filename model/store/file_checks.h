// What is looked at before SQLite may touch a store's file (spec 4, "Opening is checking"). Internal to model/store.
// Any thread. Never creates, changes or follows anything.
#pragma once

#include "model/rules/result.h"

#include <QString>

#include <cstdint>

namespace handreset::store {

/// What the first 100 bytes of the file say.
struct FileHead {
    std::int32_t applicationId = 0;
    std::int32_t userVersion = 0;
};

/// The store's file and its folder: there, plain, ours alone, on a disk of this machine, whole.
[[nodiscard]] rules::Result<FileHead> checkFiles(const QString &path);
/// An open file that nobody else may write or reach by another name.
[[nodiscard]] rules::Result<void> checkOwnFile(int descriptor, const QString &path);
/// For a copy of a foreign file: a plain file with the head of a store, not truncated.
[[nodiscard]] rules::Result<FileHead> checkForeignFile(const QString &path);
/// The folder of a new store; made, for its user alone, where it is missing.
[[nodiscard]] rules::Result<void> prepareFolder(const QString &path);
/// True when something of any kind stands there, even a broken link.
[[nodiscard]] bool exists(const QString &path);
/// True for a file system (statfs f_type) on which locks or syncs cannot be trusted, because a network is behind it.
[[nodiscard]] bool isNetworkFileSystem(std::int64_t type) noexcept;
/// "fleet.db-wal", "fleet.db.mark" …: files beside the store.
[[nodiscard]] QString beside(const QString &path, QStringView suffix);
/// As the file system wants it.
[[nodiscard]] std::string nativePath(const QString &path);
/// An open file that is closed when it goes; -1: none.
class File {
public:
    explicit File(int descriptor) noexcept : m_descriptor(descriptor) {}
    ~File();
    File(const File &) = delete;
    File &operator=(const File &) = delete;
    [[nodiscard]] int get() const noexcept { return m_descriptor; }
    [[nodiscard]] bool isOpen() const noexcept { return m_descriptor >= 0; }

private:
    int m_descriptor;
};

[[nodiscard]] rules::Error unavailable(std::string message, const QString &path);
/// Says that there is no store, and why its mark may be there all the same.
[[nodiscard]] rules::Error missing(const QString &path);

} // namespace handreset::store
