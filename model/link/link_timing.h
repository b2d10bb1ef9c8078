// The times of the link. Tests make them short; nothing else should. Pure value.
#pragma once

#include <chrono>

namespace handreset::link {

struct LinkTiming {
    std::chrono::milliseconds aliveEvery{1'000};     ///< signs of life, both ways
    std::chrono::milliseconds silentFor{5'000};      ///< without any: the link is cut
    std::chrono::milliseconds greetingWithin{5'000}; ///< from the connection to the admission
    std::chrono::milliseconds answerWithin{10'000};  ///< of an act or a question
    std::chrono::milliseconds retryFirst{100};       ///< after a cut
    std::chrono::milliseconds retryMost{5'000};      ///< twice as long each time, up to this
    std::chrono::milliseconds lookEvery{100};        ///< how late each of these may be noticed
};

} // namespace handreset::link
