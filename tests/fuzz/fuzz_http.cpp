// Bytes from the agents' door, read as heads and bodies. The first bytes of an input choose the door and where it is
// cut; the rest is what a client sends. However it is cut, the answers must be the same, and no bound may be passed.
#include "tests/gate/conversation_driver.h"

#include <cstdint>
#include <cstdio>
#include <cstdlib>

using namespace handreset;

namespace {

/// Small, so that short inputs reach them.
gate::Limits narrow()
{
    gate::Limits limits;
    limits.head = 512;
    limits.headers = 12;
    limits.target = 64;
    limits.body = 128;
    limits.chunkLine = 32;
    limits.chunkFraming = 96;
    return limits;
}

void must(bool holds, const char *what)
{
    if (holds)
        return;
    std::fprintf(stderr, "does not hold: %s\n", what);
    std::abort();
}

void checkRequests(const std::string &requests, std::size_t given)
{
    // Every request took at least its request line from the wire.
    must(static_cast<std::size_t>(std::count(requests.begin(), requests.end(), '\n')) <= given,
         "requests are not made up");
}

} // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t *data, std::size_t size)
{
    constexpr std::size_t kChoices = 4;
    if (size < kChoices)
        return 0;
    static const gate::Limits limits = narrow();
    static test::ConversationDriver driver(limits);
    const gate::Door door = (data[0] & 1U) != 0 ? gate::Door::Unix : gate::Door::Tcp;
    // A copy of exactly its size: the sanitizer sees the first byte that is read behind it.
    const std::vector<char> exact(data + kChoices, data + size);
    const std::string_view bytes(exact.data(), exact.size());
    const std::size_t first = bytes.empty() ? 0 : (data[1] | data[2] << 8U) % bytes.size();
    const std::size_t second = std::min(bytes.size(), first + data[3]);

    const test::Spoken whole = driver.speak(bytes, door, {});
    must(driver.speak(bytes, door, {first, second}) == whole, "three pieces give the same as one");
    std::vector<std::size_t> all(bytes.size());
    for (std::size_t i = 0; i < all.size(); ++i)
        all[i] = i;
    must(driver.speak(bytes, door, all) == whole, "single bytes give the same as all at once");
    checkRequests(whole.requests, bytes.size());

    // The parsers by themselves, on exactly these bytes.
    gate::HeadScanner scanner(limits);
    if (scanner.scan(bytes) == gate::HeadScanner::State::Whole) {
        gate::Head head;
        must(scanner.length() <= bytes.size() && scanner.length() - scanner.start() <= limits.head,
             "a head is bounded");
        const auto text = bytes.substr(scanner.start(), scanner.length() - scanner.start());
        const std::vector<char> copy(text.begin(), text.end());
        if (!gate::readHead({copy.data(), copy.size()}, door, limits, head))
            must(head.target.size() <= limits.target && !head.target.empty(), "a target is bounded");
    }
    gate::Head chunked;
    chunked.framing = gate::Framing::Chunked;
    gate::BodyReader reader(limits);
    std::string body;
    std::size_t used = 0;
    if (reader.start(chunked) == gate::BodyReader::State::More)
        (void)reader.read(bytes, used, body);
    must(used <= bytes.size() && body.size() <= limits.body, "a body is bounded");
    must(used <= limits.body + limits.chunkFraming, "what a body takes from the wire is bounded");
    return 0;
}
