// The lines of a file, plain or gzipped, one after the other in bounded memory.
// Thread: one at a time. Ownership: the file is open as long as the reader lives. Failure: as Error, with file and line.
#pragma once

#include "model/rules/result.h"

#include <cstddef>
#include <cstdint>
#include <functional>
#include <memory>
#include <string>
#include <string_view>

namespace handreset::feeds {

/// A longer line is refused: what a source says of one event never needs so much.
inline constexpr std::size_t kLongestLine = 1024 * 1024;
/// So many readable bytes stand behind each line, whatever they hold (a JSON parser looks ahead).
inline constexpr std::size_t kLinePadding = 64;

/// What a reader may read from: whoever reads twice cannot take a pipe.
enum class Source : unsigned char { PlainFile, FileOrPipe };
/// Asked when a signal came while the reader waited: false stops it.
using GoesOn = std::function<bool()>;

class TextLines {
public:
    /// NotFound where there is no such file; BadInput where it cannot be opened or is of another kind than `source`
    /// says. Opening a pipe waits for its writer.
    [[nodiscard]] static rules::Result<std::unique_ptr<TextLines>>
    open(const std::string &path, Source source = Source::PlainFile, GoesOn goesOn = {});
    ~TextLines();
    TextLines(const TextLines &) = delete;
    TextLines &operator=(const TextLines &) = delete;

    /// The next line without its end; false at the end of the file. It lasts until the next call. A line too long,
    /// a damaged or a truncated gzip stream, anything behind a gzip member that is none itself, and a failing disk
    /// are Errors.
    [[nodiscard]] rules::Result<bool> next(std::string_view &line);
    /// How much of the file has been read, from 0 to 1; of a pipe nobody knows: 0.
    [[nodiscard]] double share() const;
    [[nodiscard]] const std::string &path() const noexcept { return m_path; }

private:
    struct Stream;
    TextLines(std::string path, std::unique_ptr<Stream> stream);
    [[nodiscard]] rules::Result<bool> fill();
    [[nodiscard]] rules::Error errorAt(std::string message) const;

    std::string m_path;
    std::unique_ptr<Stream> m_stream;
    std::unique_ptr<char[]> m_buffer;
    std::size_t m_begin = 0; ///< of what is not handed out yet
    std::size_t m_end = 0;
    std::size_t m_searched = 0; ///< no line end stands before this
    bool m_atEnd = false;
    std::string m_damage;     ///< what is wrong with the gzip stream behind what stands in the buffer; empty: nothing
    std::uint64_t m_line = 0; ///< lines handed out
};

} // namespace handreset::feeds
