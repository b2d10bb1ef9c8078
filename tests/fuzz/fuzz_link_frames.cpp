// Bytes at the operators' link, as frames and as the messages in them, in both directions. However the bytes are cut, the
// same messages come out; what is read as a message is written and read the same again.
#include "model/link/frames.h"
#include "model/link/messages.h"

#include <QByteArray>

#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <string>
#include <vector>

using namespace handreset;

namespace {

void must(bool holds, const char *what)
{
    if (holds)
        return;
    std::fprintf(stderr, "does not hold: %s\n", what);
    std::abort();
}

std::vector<std::string> framesIn(std::string_view bytes, std::size_t step)
{
    link::FrameReader reader(link::kMostFromStranger);
    std::vector<std::string> messages;
    std::string message;
    for (std::size_t at = 0; at < bytes.size(); at += step) {
        reader.feed(bytes.substr(at, step));
        while (reader.next(message))
            messages.push_back(message);
    }
    return messages;
}

template <class Message>
void checkMessage(const rules::Result<Message> &read, rules::Result<Message> (*decode)(std::string_view))
{
    if (!read)
        return;
    const std::string bytes = link::encode(*read);
    const auto again = decode(bytes);
    must(again.ok(), "what was read can be written and read");
    must(link::encode(*again) == bytes, "and is written the same");
}

} // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t *data, std::size_t size)
{
    const std::string bytes(reinterpret_cast<const char *>(data), size);
    const auto whole = framesIn(bytes, bytes.size() + 1);
    must(framesIn(bytes, 1) == whole, "byte by byte the same messages come");
    must(framesIn(bytes, 7) == whole, "in pieces too");
    for (const std::string &message : whole) {
        must(!message.empty() && message.size() <= link::kMostFromStranger, "a message is bounded");
        checkMessage(link::decodeToHost(message), &link::decodeToHost);
    }
    checkMessage(link::decodeToHost(bytes), &link::decodeToHost);
    checkMessage(link::decodeToClient(bytes), &link::decodeToClient);
    return 0;
}
