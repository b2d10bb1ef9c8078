// Reads recorded runs: newline-delimited JSON, one event a line, plain or gzipped (spec 6, "Recorded runs").
// What real input looks like is taken as it is: calls without results, results without call ids, arguments of any
// JSON type, names that are sentences, tasks that interleave, times that are null. Everything else is strict: a line
// that is wrong is an Error that names file, line, field and remedy; it is never stepped over.
// Thread: one at a time. Ownership: a line's texts last until the next call of `next`.
#pragma once

#include "model/feeds/text_lines.h"
#include "model/feeds/unknown_fields.h"
#include "model/rules/recorded_line.h"
#include "model/rules/result.h"

#include <cstdint>
#include <memory>
#include <string>

namespace handreset::feeds {

class RecordedRuns {
public:
    /// `firstIndex` is the event index of the file's first line: the number of lines of the files before it.
    [[nodiscard]] static rules::Result<std::unique_ptr<RecordedRuns>>
    open(const std::string &path, std::uint64_t firstIndex = 0, Source source = Source::PlainFile, GoesOn goesOn = {});
    ~RecordedRuns();
    RecordedRuns(const RecordedRuns &) = delete;
    RecordedRuns &operator=(const RecordedRuns &) = delete;

    /// The next line; false at the end of the file. BadInput for a line that is not as the form says.
    [[nodiscard]] rules::Result<bool> next(rules::RecordedLine &line);
    /// How much of the file has been read, from 0 to 1.
    [[nodiscard]] double share() const;
    /// Fields that the form does not know: left out, and to be told.
    [[nodiscard]] const UnknownFields &unknownFields() const;

private:
    struct Parts;
    explicit RecordedRuns(std::unique_ptr<Parts> parts);
    std::unique_ptr<Parts> m_parts;
};

} // namespace handreset::feeds
