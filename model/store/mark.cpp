#include "model/store/mark.h"

#include <array>
#include <cerrno>
#include <cstring>
#include <fcntl.h>
#include <optional>
#include <sstream>
#include <unistd.h>
#include <utility>

namespace handreset::store {

using rules::Result;

namespace {

constexpr std::size_t kSlotSize = 512;
constexpr std::size_t kChecked = 64 + 1; // the checksum's digits and the line's end
constexpr std::string_view kMagic = "handreset-mark-1";
constexpr auto kSyncEvery = std::chrono::seconds(1);

struct Slot {
    MarkState state;
    std::uint64_t counter = 0;
};

std::string slotText(const MarkState &state, std::uint64_t counter)
{
    std::string text(kMagic);
    for (const std::string &word : {std::to_string(counter), state.storeId, std::to_string(state.synced.seq.value),
                                    rules::toHex(state.synced.hash), std::to_string(state.latest.seq.value),
                                    rules::toHex(state.latest.hash), state.bootId.empty() ? "-" : state.bootId})
        text += ' ' + word;
    text.resize(kSlotSize - kChecked, ' ');
    return text + rules::toHex(rules::sha256(text)) + '\n';
}

std::optional<Slot> slotOf(std::string_view text)
{
    const auto body = text.substr(0, kSlotSize - kChecked);
    if (text.size() != kSlotSize || text.substr(body.size(), 64) != rules::toHex(rules::sha256(body)))
        return std::nullopt;
    std::istringstream in{std::string(body)};
    std::string magic;
    std::string syncedHash;
    std::string latestHash;
    Slot slot;
    in >> magic >> slot.counter >> slot.state.storeId >> slot.state.synced.seq.value >> syncedHash
        >> slot.state.latest.seq.value >> latestHash >> slot.state.bootId;
    const auto synced = rules::digestFromHex(syncedHash);
    const auto latest = rules::digestFromHex(latestHash);
    if (in.fail() || magic != kMagic || !synced || !latest)
        return std::nullopt;
    slot.state.synced.hash = *synced;
    slot.state.latest.hash = *latest;
    return slot;
}

QString markPath(const QString &storePath)
{
    return beside(storePath, u".mark");
}

/// The newer of the two slots that are whole.
Result<Slot> readSlots(int descriptor, const QString &path)
{
    std::array<char, 2 * kSlotSize> bytes{};
    const ssize_t got = pread(descriptor, bytes.data(), bytes.size(), 0);
    const std::string_view text(bytes.data(), got > 0 ? static_cast<std::size_t>(got) : 0);
    std::optional<Slot> newest;
    for (std::size_t at = 0; at + kSlotSize <= text.size(); at += kSlotSize) {
        auto slot = slotOf(text.substr(at, kSlotSize));
        if (slot && (!newest || slot->counter > newest->counter))
            newest = std::move(slot);
    }
    if (!newest)
        return unavailable("its high-water mark is damaged; if you know why: handresetctl accept-store --reason …",
                           path);
    return *newest;
}

} // namespace

std::string presentBootId()
{
    const File file(::open("/proc/sys/kernel/random/boot_id", O_RDONLY | O_CLOEXEC));
    std::array<char, 36> id{};
    if (!file.isOpen() || ::read(file.get(), id.data(), id.size()) != static_cast<ssize_t>(id.size()))
        return {};
    return {id.data(), id.size()};
}

Result<void> Mark::create(const QString &storePath, const MarkState &state)
{
    return createAt(markPath(storePath), state);
}

Result<void> Mark::createAt(const QString &path, const MarkState &state)
{
    Mark mark(::open(nativePath(path).c_str(), O_RDWR | O_CREAT | O_EXCL | O_NOFOLLOW | O_CLOEXEC, 0600), path);
    if (!mark.m_file.isOpen())
        return unavailable(std::string("its high-water mark cannot be made: ") + std::strerror(errno), path);
    mark.m_state = state;
    for (int slot = 0; slot < 2; ++slot) {
        if (auto written = mark.writeSlot(); !written)
            return written;
    }
    if (fsync(mark.m_file.get()) != 0)
        return unavailable(std::string("its high-water mark cannot be synced: ") + std::strerror(errno), path);
    return {};
}

Result<std::unique_ptr<Mark>> Mark::open(const QString &storePath)
{
    return openAt(markPath(storePath));
}

Result<std::unique_ptr<Mark>> Mark::openAt(const QString &path, bool *isMissing)
{
    std::unique_ptr<Mark> mark(new Mark(::open(nativePath(path).c_str(), O_RDWR | O_NOFOLLOW | O_CLOEXEC), path));
    if (isMissing != nullptr)
        *isMissing = !mark->m_file.isOpen() && errno == ENOENT;
    if (!mark->m_file.isOpen())
        return unavailable(
            "its high-water mark is missing, so nobody can tell whether an older copy was put back; if you "
            "know why: handresetctl accept-store --reason …",
            path);
    if (auto checked = checkOwnFile(mark->m_file.get(), path); !checked)
        return checked.error();
    auto slot = readSlots(mark->m_file.get(), path);
    if (!slot)
        return slot.error();
    mark->m_state = std::move(slot->state);
    mark->m_counter = slot->counter;
    return mark;
}

Result<MarkState> Mark::read(const QString &storePath)
{
    auto mark = open(storePath);
    if (!mark)
        return mark.error();
    return (*mark)->state();
}

Result<void> Mark::advance(const Place &place, bool isSynced)
{
    m_state.latest = place;
    if (isSynced)
        m_state.synced = place;
    m_state.bootId = m_bootId;
    if (auto written = writeSlot(); !written)
        return written;
    m_isDirty = true;
    if (isSynced && std::chrono::steady_clock::now() - m_syncedAt > kSyncEvery)
        sync();
    return {};
}

void Mark::sync()
{
    if (!m_isDirty)
        return;
    m_syncedAt = std::chrono::steady_clock::now();
    m_isDirty = fdatasync(m_file.get()) != 0; // a failure leaves the mark behind, which is allowed
}

Result<void> Mark::writeSlot()
{
    const std::string text = slotText(m_state, m_counter + 1);
    const auto at = static_cast<off_t>((m_counter + 1) % 2 * kSlotSize);
    if (pwrite(m_file.get(), text.data(), text.size(), at) != static_cast<ssize_t>(text.size()))
        return unavailable(std::string("its high-water mark cannot be written: ") + std::strerror(errno), m_path);
    ++m_counter;
    return {};
}

} // namespace handreset::store
