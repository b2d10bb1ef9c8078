// A folder that its user alone may enter, with small files that their user alone may read: what is looked at is what is
// used, for the folder is held open and no link is followed. Thread: one object belongs to one thread at a time.
// Failure: Unavailable with what is wrong and what sets it right; NotFound where the thing is not there.
#pragma once

#include "model/rules/result.h"

#include <QString>

#include <cstddef>
#include <string>
#include <string_view>
#include <vector>

namespace handreset::trust {

class PrivateFolder {
public:
    enum class Replace { No, Yes };

    /// NotFound where there is none. `what` is said of files in it: "key", "pin".
    [[nodiscard]] static rules::Result<PrivateFolder> open(const QString &path, std::string what);
    /// Makes it, and what is missing above it, for the user alone.
    [[nodiscard]] static rules::Result<PrivateFolder> make(const QString &path, std::string what);
    PrivateFolder(PrivateFolder &&other) noexcept;
    PrivateFolder &operator=(PrivateFolder &&) = delete;
    ~PrivateFolder();

    /// A whole file of `most` bytes at most: plain, of this user, with no rights for others and no further links.
    [[nodiscard]] rules::Result<std::string> read(const std::string &name, std::size_t most) const;
    /// Puts the whole text there in one step, on the disk when it returns. Refused where the file exists, unless it may
    /// be replaced.
    [[nodiscard]] rules::Result<void> write(const std::string &name, std::string_view text, Replace replace) const;
    /// Puts the file in the other one's place, in one step.
    [[nodiscard]] rules::Result<void> rename(const std::string &from, const std::string &to) const;
    /// Names of what is in it, in order.
    [[nodiscard]] std::vector<std::string> names() const;
    /// Where the file is, for words.
    [[nodiscard]] std::string pathOf(const std::string &name) const;

private:
    PrivateFolder(int descriptor, QString path, std::string what);
    [[nodiscard]] rules::Error refused(std::string why, const std::string &name) const;
    [[nodiscard]] rules::Result<void> writeNew(const std::string &name, std::string_view text) const;
    [[nodiscard]] rules::Result<void> place(const std::string &made, const std::string &name, Replace replace) const;
    [[nodiscard]] rules::Result<void> sync() const;

    int m_descriptor;
    QString m_path;
    std::string m_what;
};

} // namespace handreset::trust
