// What the host's tests share: a store in a temporary folder, a clock moved by hand, a store that fails when told to,
// short names for asks and acts, and a follower that keeps what it hears.
#pragma once

#include "model/engine/embedded_host.h"
#include "model/engine/host_wait.h"
#include "model/rules/policy_text.h"

#include <QTemporaryDir>
#include <QtTest>

#include <atomic>
#include <memory>
#include <mutex>
#include <string>
#include <string_view>
#include <utility>
#include <variant>
#include <vector>

namespace handreset::test {

/// Noon of a Monday, UTC: no window ends within a test's hour.
inline constexpr rules::Instant kNoon{1'796'040'000'000'000};

/// What a test wants of the store, and what the store has seen. Any thread.
struct StoreScript {
    std::atomic<int> appends{0};
    std::atomic<int> failFrom{0}; ///< the appends from this number on fail; 0: none
    std::atomic<bool> failLoad{false};
    std::atomic<bool> isUnclean{false}; ///< verify finds something
    std::atomic<std::uint64_t> committed{0};
};

/// A real store that can be made to fail before it writes.
class ScriptedStore final : public store::Store {
public:
    ScriptedStore(std::unique_ptr<Store> real, std::shared_ptr<StoreScript> script)
        : m_real(std::move(real)), m_script(std::move(script))
    {}
    [[nodiscard]] bool isReadOnly() const override { return m_real->isReadOnly(); }
    [[nodiscard]] QString path() const override { return m_real->path(); }
    [[nodiscard]] rules::Result<bool> useWitness(const QString &file) override { return m_real->useWitness(file); }
    [[nodiscard]] rules::Result<void> makeWitness(const QString &file) override { return m_real->makeWitness(file); }
    [[nodiscard]] rules::Result<rules::Fleet> load() override
    {
        if (m_script->failLoad)
            return rules::Error{rules::ErrorCode::Unavailable, "the test made reading fail", {}};
        return m_real->load();
    }
    [[nodiscard]] rules::Result<void> append(std::span<const rules::Event> events, const rules::Fleet &after,
                                             const rules::Touched &touched, store::Durability durability) override
    {
        const int number = ++m_script->appends;
        if (m_script->failFrom != 0 && number >= m_script->failFrom)
            return rules::Error{rules::ErrorCode::Unavailable, "the test filled the disk", {}};
        auto done = m_real->append(events, after, touched, durability);
        if (done)
            m_script->committed = m_real->lastSeq().value;
        return done;
    }
    [[nodiscard]] rules::Result<void> read(rules::Seq first, rules::Seq last, bool withArguments,
                                           const std::function<bool(const rules::Event &)> &each) override
    {
        return m_real->read(first, last, withArguments, each);
    }
    [[nodiscard]] rules::Result<std::string> argumentsOf(rules::Seq ask) override { return m_real->argumentsOf(ask); }
    [[nodiscard]] rules::Result<std::vector<rules::Event>> find(const Filter &filter) override
    {
        return m_real->find(filter);
    }
    [[nodiscard]] rules::Seq lastSeq() const override { return m_real->lastSeq(); }
    [[nodiscard]] rules::Result<rules::Seq> seqAt(rules::Instant time) override { return m_real->seqAt(time); }
    [[nodiscard]] rules::Result<rules::Fleet> asOf(rules::Seq seq) override { return m_real->asOf(seq); }
    [[nodiscard]] rules::Result<store::Verification> verify(const store::Progress &progress) override
    {
        auto found = m_real->verify(progress);
        if (found && m_script->isUnclean)
            found->findings.emplace_back("the test found something");
        return found;
    }
    [[nodiscard]] rules::Result<void> backup(const QString &target, const store::Progress &progress) override
    {
        return m_real->backup(target, progress);
    }
    void beginBulk() override { m_real->beginBulk(); }
    void writeAhead(std::vector<rules::Event> events) override { m_real->writeAhead(std::move(events)); }
    [[nodiscard]] rules::Result<void> endBulk(const rules::Fleet &fleet) override { return m_real->endBulk(fleet); }
    void checkpoint() override { m_real->checkpoint(); }

private:
    std::unique_ptr<Store> m_real;
    std::shared_ptr<StoreScript> m_script;
};

/// Keeps all that the host says, in order. Read it after the host has stopped or `unfollow` returned.
class Listener final : public engine::Follower {
public:
    void snapshot(std::shared_ptr<const rules::Fleet> fleet) override
    {
        const std::lock_guard lock(m_mutex);
        m_fleet = *fleet;
        ++m_snapshots;
    }
    void committed(std::shared_ptr<const engine::Commit> commit) override
    {
        const std::lock_guard lock(m_mutex);
        ++m_commits;
        for (const rules::Event &event : commit->events) {
            if (auto done = rules::apply(m_fleet, event); !done)
                m_faults.push_back(done.error().message); // a gap, or an order that is not the log's
            m_events.push_back(event);
        }
    }
    void beat(const engine::HostStatus &status) override
    {
        const std::lock_guard lock(m_mutex);
        m_beats.push_back(status);
    }

    [[nodiscard]] rules::Fleet fleet() const { return locked(m_fleet); }
    [[nodiscard]] int snapshots() const { return locked(m_snapshots); }
    [[nodiscard]] int commits() const { return locked(m_commits); }
    [[nodiscard]] std::vector<rules::Event> events() const { return locked(m_events); }
    [[nodiscard]] std::vector<std::string> faults() const { return locked(m_faults); }
    [[nodiscard]] std::vector<engine::HostStatus> beats() const { return locked(m_beats); }

private:
    template <class T>
    [[nodiscard]] T locked(const T &value) const
    {
        const std::lock_guard lock(m_mutex);
        return value;
    }
    mutable std::mutex m_mutex;
    rules::Fleet m_fleet;
    int m_snapshots = 0;
    int m_commits = 0;
    std::vector<rules::Event> m_events;
    std::vector<std::string> m_faults;
    std::vector<engine::HostStatus> m_beats;
};

/// A policy that does not bite: a test sets the limits that it is about.
inline std::string policyText(std::string_view defaults = {}, std::string_view tools = {})
{
    return "schema = 1\nundeclared = \"write\"\n[defaults]\n"
        + std::string(defaults.empty() ? "steps = { limit = 25 }" : defaults) + "\n" + std::string(tools);
}

/// A store, its clock and its host; started and stopped as a test likes.
class HostFixture {
public:
    HostFixture()
    {
        const auto made = store::Store::init(path(), {}, clock.now());
        if (!made)
            qFatal("%s", made.error().message.c_str());
    }

    [[nodiscard]] QString path() const { return m_folder.filePath(QStringLiteral("fleet.db")); }
    [[nodiscard]] rules::Result<void> tryStart()
    {
        engine::EmbeddedHostOptions options;
        options.storePath = path();
        options.version = "test";
        options.operatorName = "ana";
        options.clock = &clock;
        options.pinFolder = m_folder.filePath(QStringLiteral("pins"));
        options.open = [script = script](const QString &where, store::Sentinel sentinel)
            -> rules::Result<std::unique_ptr<store::Store>> {
            auto real = store::Store::open(where, sentinel);
            if (!real)
                return real.error();
            return std::unique_ptr<store::Store>(std::make_unique<ScriptedStore>(std::move(real).value(), script));
        };
        auto started = engine::EmbeddedHost::start(std::move(options));
        if (!started)
            return started.error();
        m_host = std::move(started).value();
        return {};
    }
    void start()
    {
        if (const auto started = tryStart(); !started)
            qFatal("%s", started.error().message.c_str());
    }
    void stop() { m_host.reset(); }
    void restart()
    {
        stop();
        start();
    }
    [[nodiscard]] engine::EmbeddedHost &host() { return *m_host; }

    engine::Reply send(rules::Command command) { return engine::submitAndWait(*m_host, std::move(command)); }
    void usePolicy(const std::string &text)
    {
        rules::ApplyPolicy apply;
        apply.text = text;
        apply.file = "test.toml";
        auto reading = rules::readPolicy(text, apply.file);
        if (!reading.accepted())
            qFatal("%s", reading.problems.front().toString().c_str());
        apply.policy = std::make_shared<const rules::Policy>(*std::move(reading.policy));
        apply.by = "ana";
        apply.reason = "the limits of this test";
        const auto reply = send(std::move(apply));
        if (const auto *error = std::get_if<rules::Error>(&reply.outcome))
            qFatal("%s", error->message.c_str());
    }
    rules::Decision step(const std::string &task = "t1", const std::string &agent = "a1")
    {
        return decisionOf(send(askStep(task, agent)));
    }
    rules::Decision call(const std::string &tool, const std::string &arguments, const std::string &task = "t1",
                         const std::string &agent = "a1")
    {
        rules::AskCall ask;
        ask.agent = agent;
        ask.task = task;
        ask.tool = tool;
        ask.arguments = arguments;
        return decisionOf(send(std::move(ask)));
    }
    void finishCall(rules::AskId id, rules::CallOutcome outcome, const std::string &agent = "a1")
    {
        rules::FinishCall finish;
        finish.ask = id;
        finish.agent = agent;
        finish.outcome = outcome;
        send(std::move(finish));
    }
    void tick() { send(rules::Tick{}); }
    /// In steps of a second, as life would.
    void pass(rules::Duration time)
    {
        for (rules::Duration left = time; left.micros > 0; left = left - rules::seconds(1)) {
            clock.advance(std::min(left, rules::seconds(1)));
            tick();
        }
    }
    [[nodiscard]] std::shared_ptr<const rules::Fleet> fleet() { return engine::snapshotAndWait(*m_host); }
    /// The whole log, oldest first.
    [[nodiscard]] std::vector<rules::Event> log()
    {
        engine::EventQuery query;
        query.newestFirst = false;
        query.limit = 1'000'000;
        auto events = engine::readEventsAndWait(*m_host, query);
        return events ? std::move(events).value() : std::vector<rules::Event>();
    }
    template <class P>
    [[nodiscard]] std::size_t count()
    {
        const auto events = log();
        return static_cast<std::size_t>(std::ranges::count_if(
            events, [](const rules::Event &event) { return std::holds_alternative<P>(event.payload); }));
    }
    /// What verify finds in the store, host stopped. Empty: clean.
    [[nodiscard]] std::string verifyStopped()
    {
        stop();
        auto opened = store::Store::open(path());
        if (!opened)
            return opened.error().message;
        const auto verified = (*opened)->verify([](double) { return true; });
        if (!verified)
            return verified.error().message;
        return verified->clean() ? std::string() : verified->findings.front();
    }

    static rules::AskStep askStep(const std::string &task = "t1", const std::string &agent = "a1")
    {
        rules::AskStep ask;
        ask.agent = agent;
        ask.task = task;
        ask.model = "large-model";
        return ask;
    }
    static rules::Decision decisionOf(const engine::Reply &reply)
    {
        if (const auto *error = std::get_if<rules::Error>(&reply.outcome))
            qFatal("%s", error->message.c_str());
        return std::get<rules::Decision>(reply.outcome);
    }
    static std::string errorOf(const engine::Reply &reply)
    {
        const auto *error = std::get_if<rules::Error>(&reply.outcome);
        return error == nullptr ? std::string() : error->message;
    }

    engine::FakeClock clock{kNoon};
    std::shared_ptr<StoreScript> script = std::make_shared<StoreScript>();

private:
    QTemporaryDir m_folder;
    std::unique_ptr<engine::EmbeddedHost> m_host;
};

} // namespace handreset::test
