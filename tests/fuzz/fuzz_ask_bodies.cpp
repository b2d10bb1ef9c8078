// Bodies from the agents' door, read as every call's. Whatever is taken must be within its bounds, whatever is not must
// say where it is wrong; arguments come out as JSON that reads the same again.
#include "model/gate/ask_bodies.h"
#include "model/gate/json_source.h"

#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <string>

using namespace handreset;

namespace {

void must(bool holds, const char *what)
{
    if (holds)
        return;
    std::fprintf(stderr, "does not hold: %s\n", what);
    std::abort();
}

void checkFault(const gate::Fault &fault)
{
    must(fault.status == 400 || fault.status == 422, "a wrong body is 400 or 422");
    must(!fault.message.empty(), "a fault has words");
    rules::JsonDocument document;
    must(document.parse(gate::bodyOf(fault)).ok(), "an error's body is JSON");
}

template <class T>
const T *taken(const gate::Read<T> &read)
{
    if (const auto *fault = std::get_if<gate::Fault>(&read))
        checkFault(*fault);
    return std::get_if<T>(&read);
}

void checkName(const std::string &name)
{
    must(name.size() <= 512 && name.find('\0') == std::string::npos, "a name is bounded text");
}

} // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t *data, std::size_t size)
{
    static gate::AskBodies bodies;
    const std::string body(reinterpret_cast<const char *>(data), size);
    if (const auto read = bodies.step(body); const auto *step = taken(read)) {
        checkName(step->agent);
        checkName(step->task);
        must(!step->estimate || !step->estimate->amount.isNegative(), "no estimate is below 0");
    }
    if (const auto read = bodies.call(body); const auto *call = taken(read)) {
        checkName(call->tool);
        rules::JsonDocument document;
        must(document.parse(call->arguments).ok(), "arguments are JSON");
        std::string again;
        gate::appendJson(again, document.root());
        must(again == call->arguments, "arguments that were written are written the same again");
    }
    if (const auto read = bodies.stepResult(body); const auto *result = taken(read))
        must(!result->report.cost || !result->report.cost->amount.isNegative(), "no cost is below 0");
    static_cast<void>(taken(bodies.callResult(body)));
    static_cast<void>(taken(bodies.note(body)));
    static_cast<void>(taken(bodies.end(body)));
    return 0;
}
