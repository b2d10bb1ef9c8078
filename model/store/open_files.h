// Which files this process has open as stores. Needed because of POSIX: closing any descriptor of a file gives up all
// locks that the process has on it, so a second look at a store's file, however harmless, would unlock the first.
// Any thread.
#pragma once

#include "model/rules/result.h"

#include <QString>

#include <sys/types.h>

namespace handreset::store {

/// Holds a file for one Store, until it goes.
class OpenFile {
public:
    /// An Error when a Store of this process has the same file, by whatever path.
    [[nodiscard]] static rules::Result<OpenFile> claim(const QString &path);
    ~OpenFile();
    OpenFile(OpenFile &&other) noexcept;
    OpenFile &operator=(OpenFile &&) = delete;

private:
    OpenFile(dev_t device, ino_t inode) : m_device(device), m_inode(inode) {}

    dev_t m_device;
    ino_t m_inode;
    bool m_holds = true;
};

} // namespace handreset::store
