#include "model/link/fleet_tail.h"

#include "model/link/frames.h"
#include "model/link/messages.h"
#include "model/link/packed_fleet.h"

#include <utility>

namespace handreset::link {

using rules::Error;
using rules::ErrorCode;
using rules::Result;

namespace {

constexpr std::size_t kMostInOne = std::size_t{4} * 1024 * 1024; ///< bytes of arguments in one message, about
constexpr std::size_t kMostEvents = 2'000;

} // namespace

std::vector<QByteArray> tailFrames(std::vector<rules::Event> events, rules::Now at)
{
    std::vector<QByteArray> frames;
    Tail tail;
    tail.at = at;
    std::size_t bytes = 0;
    for (rules::Event &event : events) {
        bytes += event.arguments.size();
        tail.events.push_back(toWire(std::move(event)));
        if (bytes < kMostInOne && tail.events.size() < kMostEvents)
            continue;
        frames.push_back(framed(encode(ToClient(std::exchange(tail, Tail{{}, at})))));
        bytes = 0;
    }
    if (!tail.events.empty())
        frames.push_back(framed(encode(ToClient(std::move(tail)))));
    return frames;
}

void FleetTail::take(std::shared_ptr<const rules::Fleet> snapshot)
{
    m_fleet = *snapshot;
    m_wholeState.clear();
}

Result<void> FleetTail::fold(const engine::Commit &commit)
{
    for (const rules::Event &event : commit.events) {
        if (auto applied = rules::apply(*m_fleet, event); !applied)
            return applied;
    }
    m_wholeState.clear();
    return {};
}

Result<std::vector<QByteArray>> FleetTail::take(const engine::Commit &commit)
{
    if (auto folded = fold(commit); !folded)
        return folded.error();
    return tailFrames(commit.events, commit.at);
}

void FleetTail::take(const engine::HostStatus &status)
{
    m_lastBeat = framed(encode(ToClient(toWire(status))));
}

void FleetTail::forget()
{
    m_fleet.reset();
    m_wholeState.clear();
}

Result<QByteArray> FleetTail::wholeState()
{
    if (!m_wholeState.isEmpty())
        return m_wholeState;
    if (!m_fleet)
        return Error{ErrorCode::Unavailable, "the host has no state to show yet; try again", {}};
    auto packed = packFleet(*m_fleet);
    if (!packed)
        return packed.error();
    m_wholeState = framed(encode(ToClient(WholeState{std::move(packed).value()})));
    return m_wholeState;
}

} // namespace handreset::link
