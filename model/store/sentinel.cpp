// The sentinel's file: its size never changes, so that setting it needs no room on the disk.
#include "model/store/file_checks.h"
#include "model/store/store.h"

#include <algorithm>
#include <array>
#include <cerrno>
#include <cstring>
#include <fcntl.h>
#include <unistd.h>

namespace handreset::store {

using rules::Result;

namespace {

constexpr std::size_t kSize = 4096;
constexpr std::string_view kClear = "handreset-sentinel clear\n";
constexpr std::string_view kSet = "handreset-sentinel set\n";

QString sentinelPath(const QString &storePath)
{
    return beside(storePath, u".sentinel");
}

Result<void> writeAll(const QString &storePath, std::string text, int flags)
{
    const QString path = sentinelPath(storePath);
    const File file(::open(nativePath(path).c_str(), O_RDWR | O_NOFOLLOW | O_CLOEXEC | flags, 0600));
    if (!file.isOpen())
        return unavailable(std::string("its sentinel cannot be opened: ") + std::strerror(errno), path);
    text.resize(kSize, '\n');
    if (pwrite(file.get(), text.data(), text.size(), 0) != static_cast<ssize_t>(text.size())
        || fdatasync(file.get()) != 0)
        return unavailable(std::string("its sentinel cannot be written: ") + std::strerror(errno), path);
    return {};
}

} // namespace

Result<void> setSentinel(const QString &storePath, std::string_view why)
{
    std::string text(kSet);
    text += why.substr(0, kSize - kSet.size() - 1);
    std::replace(text.begin() + static_cast<std::ptrdiff_t>(kSet.size()), text.end(), '\n', ' ');
    return writeAll(storePath, std::move(text), O_CREAT);
}

bool sentinelIsSet(const QString &storePath, std::string *why)
{
    const auto tell = [why](std::string text) {
        if (why != nullptr)
            *why = std::move(text);
        return true;
    };
    const File file(::open(nativePath(sentinelPath(storePath)).c_str(), O_RDONLY | O_NOFOLLOW | O_CLOEXEC));
    if (!file.isOpen())
        return tell("the sentinel's file is missing, so nobody can tell whether it was set");
    std::array<char, kSize> bytes{};
    const ssize_t got = pread(file.get(), bytes.data(), bytes.size(), 0);
    const std::string_view text(bytes.data(), got > 0 ? static_cast<std::size_t>(got) : 0);
    if (text.starts_with(kClear))
        return false;
    if (!text.starts_with(kSet))
        return tell("the sentinel's file is damaged, so nobody can tell whether it was set");
    const auto reason = text.substr(kSet.size());
    return tell(std::string(reason.substr(0, reason.find_last_not_of(std::string_view("\n\0", 2)) + 1)));
}

Result<void> clearSentinel(const QString &storePath)
{
    return writeAll(storePath, std::string(kClear), O_CREAT);
}

} // namespace handreset::store
