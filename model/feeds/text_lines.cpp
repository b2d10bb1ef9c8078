#include "model/feeds/text_lines.h"

#include <zlib.h>

#include <cerrno>
#include <cstring>
#include <fcntl.h>
#include <sys/stat.h>
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

/// zlib's own reader: it takes plain files as they are, checks gzip's sums and goes on over several gzip members.
struct TextLines::Stream {
    gzFile file = nullptr;
    double size = 0;

    Stream(gzFile opened, double bytes) : file(opened), size(bytes) {}
    ~Stream() { gzclose_r(file); }
    Stream(const Stream &) = delete;
    Stream &operator=(const Stream &) = delete;
};

TextLines::TextLines(std::string path, std::unique_ptr<Stream> stream)
    : m_path(std::move(path)),
      m_stream(std::move(stream)),
      m_buffer(new char[kCapacity + kLinePadding])
{
    std::memset(m_buffer.get(), 0, kCapacity + kLinePadding);
}

TextLines::~TextLines() = default;

Result<std::unique_ptr<TextLines>> TextLines::open(const std::string &path)
{
    const int descriptor = ::open(path.c_str(), O_RDONLY | O_CLOEXEC);
    if (descriptor < 0) {
        return Error{errno == ENOENT ? ErrorCode::NotFound : ErrorCode::BadInput,
                     "cannot be opened: " + systemWords(errno) + "; check the path and its permissions", path};
    }
    struct stat about {};
    if (::fstat(descriptor, &about) != 0 || S_ISDIR(about.st_mode)) {
        ::close(descriptor);
        return Error{ErrorCode::BadInput, "is a folder; name the files in it", path};
    }
    gzFile file = ::gzdopen(descriptor, "rb");
    if (file == nullptr) {
        ::close(descriptor);
        return Error{ErrorCode::Unavailable, "cannot be read: there is not enough memory", path};
    }
    gzbuffer(file, kChunk);
    auto stream = std::make_unique<Stream>(file, static_cast<double>(about.st_size));
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
    const int got = gzread(m_stream->file, m_buffer.get() + m_end, static_cast<unsigned>(kCapacity - m_end));
    int fault = Z_OK;
    const char *words = gzerror(m_stream->file, &fault);
    if (got < 0 || (fault != Z_OK && fault != Z_STREAM_END)) {
        if (fault == Z_ERRNO)
            return Error{ErrorCode::Unavailable, "cannot be read on: " + systemWords(errno), m_path};
        return errorAt("the gzip stream is damaged or cut off behind this line (" + std::string(words)
                       + "); fetch the file again");
    }
    m_end += static_cast<std::size_t>(got);
    return got > 0;
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
    const auto at = static_cast<double>(gzoffset(m_stream->file));
    return m_stream->size > 0 ? std::min(1.0, std::max(0.0, at / m_stream->size)) : 0.0;
}

} // namespace handreset::feeds
