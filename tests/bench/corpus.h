// The recorded runs that a benchmark works on: the shared ones where they are, else made-up ones of the same shape.
// Benchmarks only; one thread.
#pragma once

#include "model/history/what_if.h"

#include <QTemporaryDir>

#include <cstdint>
#include <string>
#include <vector>

namespace handreset::bench {

struct Corpus {
    std::string file;   ///< .ndjson.gz
    std::string origin; ///< for the heading
    std::uint64_t lines = 0;
    std::vector<std::string> arguments; ///< of its tool calls
    history::TriedPolicy policy;
};

/// `tasks` 0: the shared runs, or as many made-up tasks as they have where they are not there.
[[nodiscard]] Corpus makeCorpus(const QTemporaryDir &folder, int tasks);

} // namespace handreset::bench
