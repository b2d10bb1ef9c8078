#include "model/engine/host_wait.h"

#include <future>
#include <optional>
#include <utility>

namespace handreset::engine {

namespace {

/// Takes the first snapshot that comes.
class OneSnapshot final : public Follower {
public:
    void snapshot(std::shared_ptr<const rules::Fleet> fleet) override
    {
        if (!std::exchange(m_isTaken, true))
            m_fleet.set_value(std::move(fleet));
    }
    void committed(std::shared_ptr<const Commit> /*commit*/) override {}
    void beat(const HostStatus & /*status*/) override {}
    [[nodiscard]] std::shared_ptr<const rules::Fleet> wait() { return m_fleet.get_future().get(); }

private:
    std::promise<std::shared_ptr<const rules::Fleet>> m_fleet;
    bool m_isTaken = false;
};

/// Calls `ask` with a callback, and waits for what it is called with.
template <class T, class Ask>
T waited(const Ask &ask)
{
    // Shared: the host's thread may still be inside set_value when get() returns.
    const auto answer = std::make_shared<std::promise<T>>();
    auto result = answer->get_future();
    ask([answer](T value) { answer->set_value(std::move(value)); });
    return result.get();
}

} // namespace

Reply submitAndWait(Host &host, rules::Command command)
{
    return waited<Reply>([&](auto done) { host.submit(std::move(command), std::move(done)); });
}

std::shared_ptr<const rules::Fleet> snapshotAndWait(Host &host)
{
    OneSnapshot follower;
    host.follow(&follower);
    auto fleet = follower.wait();
    host.unfollow(&follower);
    return fleet;
}

rules::Result<std::vector<rules::Event>> readEventsAndWait(Host &host, EventQuery query)
{
    using Answer = rules::Result<std::vector<rules::Event>>;
    return waited<Answer>([&](auto done) { host.readEvents(std::move(query), std::move(done)); });
}

rules::Result<std::shared_ptr<const rules::Fleet>> stateAtAndWait(Host &host, rules::Seq seq)
{
    using Answer = rules::Result<std::shared_ptr<const rules::Fleet>>;
    return waited<Answer>([&](auto done) { host.stateAt(seq, std::move(done)); });
}

rules::Result<rules::Seq> seqAtAndWait(Host &host, rules::Instant time)
{
    return waited<rules::Result<rules::Seq>>([&](auto done) { host.seqAt(time, std::move(done)); });
}

} // namespace handreset::engine
