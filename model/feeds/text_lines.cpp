#include "model/feeds/text_lines.h"

#include <zlib.h>

#include <algorithm>
#include <cerrno>
#include <cstring>
#include <fcntl.h>
#include <sys/stat.h>
#include <system_error>
#include <unistd.h>
#include <utility>

namespace handreset::feeds {

using rules::Error;
using rules::ErrorCode;
using rules::Result;

namespace {

constexpr std::size_t kChunk = 256 * 1024;
constexpr std::size_t kCapacity = kLongestLine + kChunk;

std::string systemWords(int number)
{
    return std::generic_category().message(number);
}

} // namespace

namespace {

/// Bytes of an open file or pipe. Reading goes on after a signal unless the caller is asked to stop.
class Bytes {
public:
    Bytes(int descriptor, GoesOn goesOn) : m_descriptor(descriptor), m_goesOn(std::move(goesOn)) {}
    ~Bytes() { ::close(m_descriptor); }
    Bytes(const Bytes &) = delete;
    Bytes &operator=(const Bytes &) = delete;

    /// What there is, at most `most`; 0 at the end. An Error where the disk fails, and where the caller stops.
    Result<std::size_t> read(char *to, std::size_t most, const std::string &path)
    {
        for (;;) {
            const auto got = ::read(m_descriptor, to, most);
            if (got >= 0) {
                m_taken += static_cast<double>(got);
                return static_cast<std::size_t>(got);
            }
            if (errno != EINTR)
                return Error{ErrorCode::Unavailable, "cannot be read on: " + systemWords(errno), path};
            if (m_goesOn && !m_goesOn())
                return Error{ErrorCode::Cancelled, "stopped while it was read", path};
        }
    }
    [[nodiscard]] double taken() const noexcept { return m_taken; }

private:
    int m_descriptor;
    GoesOn m_goesOn;
    double m_taken = 0;
};

constexpr int kGzipOnly = 15 + 16; ///< the largest window, and a gzip head: zlib then refuses what is none

} // namespace

/// Plain bytes as they are, or gzip: one member behind the other to the file's very end, each with its sums checked.
/// (zlib's own gzread leaves out silently what stands behind a member and is none itself.)
struct TextLines::Stream {
    Bytes bytes;
    double size = 0;
    std::unique_ptr<char[]> packed{new char[kChunk]};
    std::size_t begin = 0; ///< of what is read and not used yet
    std::size_t end = 0;
    bool isAtEnd = false; ///< of the file
    bool isGzip = false;
    bool isInMember = false;
    z_stream inflater{};

    Stream(int descriptor, double bytesInAll, GoesOn goesOn) : bytes(descriptor, std::move(goesOn)), size(bytesInAll) {}
    ~Stream()
    {
        if (isGzip)
            inflateEnd(&inflater);
    }
    Stream(const Stream &) = delete;
    Stream &operator=(const Stream &) = delete;

    Result<void> begins(const std::string &path);
    Result<void> more(const std::string &path);
    Result<std::size_t> read(char *to, std::size_t most, const std::string &path, std::string &damage);
    Result<std::size_t> inflateInto(char *to, std::size_t most, const std::string &path, std::string &damage);
};

/// Reads on into `packed`, behind what is left there.
Result<void> TextLines::Stream::more(const std::string &path)
{
    if (begin == end)
        begin = end = 0;
    const auto got = bytes.read(packed.get() + end, kChunk - end, path);
    if (!got)
        return got.error();
    isAtEnd = *got == 0;
    end += *got;
    return {};
}

/// Looks at the first two bytes: gzip or plain.
Result<void> TextLines::Stream::begins(const std::string &path)
{
    while (end < 2 && !isAtEnd) {
        if (auto done = more(path); !done)
            return done;
    }
    if (end < 2 || packed[0] != '\x1f' || packed[1] != '\x8b')
        return {};
    if (inflateInit2(&inflater, kGzipOnly) != Z_OK)
        return Error{ErrorCode::Unavailable, "cannot be read: there is not enough memory", path};
    isGzip = isInMember = true;
    return {};
}

/// The next bytes of the text; 0 at its end. `damage` says what is wrong with the gzip stream behind them.
Result<std::size_t> TextLines::Stream::read(char *to, std::size_t most, const std::string &path, std::string &damage)
{
    if (isGzip)
        return inflateInto(to, most, path, damage);
    if (begin == end)
        return isAtEnd ? Result<std::size_t>(std::size_t{0}) : bytes.read(to, most, path);
    const auto count = std::min(most, end - begin); // what was read for the look at the head
    std::memcpy(to, packed.get() + begin, count);
    begin += count;
    return count;
}

Result<std::size_t> TextLines::Stream::inflateInto(char *to, std::size_t most, const std::string &path,
                                                   std::string &damage)
{
    inflater.next_out = reinterpret_cast<Bytef *>(to);
    inflater.avail_out = static_cast<uInt>(most);
    while (inflater.avail_out > 0) {
        if (begin == end) {
            if (inflater.avail_out < most)
                break; // a pipe's reader need not wait for more than there is
            if (auto done = more(path); !done)
                return done.error();
        }
        if (begin == end) {
            damage = isInMember ? "unexpected end of file" : "";
            break;
        }
        if (!isInMember) {
            inflateReset(&inflater);
            isInMember = true;
        }
        inflater.next_in = reinterpret_cast<Bytef *>(packed.get() + begin);
        inflater.avail_in = static_cast<uInt>(end - begin);
        const int told = inflate(&inflater, Z_NO_FLUSH);
        begin = end - inflater.avail_in;
        if (told == Z_STREAM_END) {
            isInMember = false;
        } else if (told != Z_OK && told != Z_BUF_ERROR) {
            damage = inflater.msg != nullptr ? inflater.msg : "not enough memory";
            break;
        }
    }
    return most - inflater.avail_out;
}

TextLines::TextLines(std::string path, std::unique_ptr<Stream> stream)
    : m_path(std::move(path)),
      m_stream(std::move(stream)),
      m_buffer(new char[kCapacity + kLinePadding])
{
    std::memset(m_buffer.get(), 0, kCapacity + kLinePadding);
}

TextLines::~TextLines() = default;

namespace {

/// An open descriptor of a plain file or, where that may be, of a pipe; -1 with `error` set.
Result<int> openFile(const std::string &path, Source source, const GoesOn &goesOn, double &size)
{
    const auto opened = [&](int flags) -> Result<int> {
        for (;;) {
            const int descriptor = ::open(path.c_str(), O_RDONLY | O_CLOEXEC | flags);
            if (descriptor >= 0)
                return descriptor;
            if (errno != EINTR)
                return Error{errno == ENOENT ? ErrorCode::NotFound : ErrorCode::BadInput,
                             "cannot be opened: " + systemWords(errno) + "; check the path and its permissions", path};
            if (goesOn && !goesOn())
                return Error{ErrorCode::Cancelled, "stopped while nobody wrote to it", path};
        }
    };
    struct stat about {};
    // A pipe is opened once, and waits for its writer: one that is opened a moment only to look would let a quick writer
    // pour all of it into that moment.
    if (source == Source::FileOrPipe && ::stat(path.c_str(), &about) == 0 && S_ISFIFO(about.st_mode))
        return opened(0);
    auto descriptor = opened(O_NONBLOCK); // what became a pipe since must not hold us before we know what it is
    if (!descriptor)
        return descriptor;
    const bool isKnown = ::fstat(*descriptor, &about) == 0;
    if (isKnown && S_ISREG(about.st_mode)) {
        size = static_cast<double>(about.st_size);
        return descriptor;
    }
    ::close(*descriptor);
    const bool isFolder = isKnown && S_ISDIR(about.st_mode);
    return Error{ErrorCode::BadInput,
                 isFolder ? "is a folder; name the files in it"
                     : source == Source::PlainFile
                     ? "is no plain file, and its lines are read twice: write what comes through it into a file first"
                     : "is neither a plain file nor a pipe",
                 path};
}

} // namespace

Result<std::unique_ptr<TextLines>> TextLines::open(const std::string &path, Source source, GoesOn goesOn)
{
    double size = 0;
    const auto descriptor = openFile(path, source, goesOn, size);
    if (!descriptor)
        return descriptor.error();
    auto stream = std::make_unique<Stream>(*descriptor, size, std::move(goesOn));
    if (auto begun = stream->begins(path); !begun)
        return begun.error();
    return std::unique_ptr<TextLines>(new TextLines(path, std::move(stream)));
}

Error TextLines::errorAt(std::string message) const
{
    return {ErrorCode::BadInput, std::move(message), m_path + ":" + std::to_string(m_line + 1)};
}

/// Reads on behind what is left of the last line; false at the end of the file.
Result<bool> TextLines::fill()
{
    if (m_begin > 0) {
        std::memmove(m_buffer.get(), m_buffer.get() + m_begin, m_end - m_begin);
        m_end -= m_begin;
        m_searched -= m_begin;
        m_begin = 0;
    }
    if (m_end > kLongestLine)
        return errorAt("the line is longer than 1 MiB; is this a file of recorded runs, one event a line?");
    if (!m_damage.empty())
        return errorAt("the gzip stream is damaged or cut off behind line " + std::to_string(m_line) + " (" + m_damage
                       + "); fetch the file again");
    const auto got = m_stream->read(m_buffer.get() + m_end, kCapacity - m_end, m_path, m_damage);
    if (!got)
        return got.error();
    m_end += *got;
    return *got > 0 || !m_damage.empty(); // the lines before the damage come first
}

Result<bool> TextLines::next(std::string_view &line)
{
    for (;;) {
        const char *const from = m_buffer.get() + m_searched;
        const auto *const found = static_cast<const char *>(std::memchr(from, '\n', m_end - m_searched));
        if (found != nullptr) {
            const auto end = static_cast<std::size_t>(found - m_buffer.get());
            line = {m_buffer.get() + m_begin, end - m_begin};
            m_begin = m_searched = end + 1;
            break;
        }
        m_searched = m_end;
        if (!m_atEnd) {
            const auto more = fill();
            if (!more)
                return more.error();
            m_atEnd = !more.value();
            continue;
        }
        if (m_begin == m_end)
            return false;
        line = {m_buffer.get() + m_begin, m_end - m_begin}; // the last line, without a line end
        m_begin = m_end;
        break;
    }
    if (line.size() > kLongestLine)
        return errorAt("the line is longer than 1 MiB; is this a file of recorded runs, one event a line?");
    ++m_line;
    return true;
}

double TextLines::share() const
{
    return m_stream->size > 0 ? std::min(1.0, m_stream->bytes.taken() / m_stream->size) : 0.0;
}

} // namespace handreset::feeds
