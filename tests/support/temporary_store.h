// For tests: a store in a folder of its own that goes with it, and a fleet that lives over it by commands.
// Thread: the test's. Failure: qFatal, for a test without its store has nothing to say.
#pragma once

#include "model/rules/command.h"
#include "model/store/store.h"

#include <QString>
#include <QTemporaryDir>

#include <memory>
#include <string>
#include <utility>
#include <variant>
#include <vector>

namespace handreset::tests {

/// 2026-03-01T12:00:00Z and a machine that was started a minute ago.
inline constexpr rules::Now kStart{{1'772'366'400'000'000}, {60'000'000}};

class TemporaryStore {
public:
    explicit TemporaryStore(store::InitOptions options = {}) : m_path(m_folder.filePath(QStringLiteral("fleet.db")))
    {
        if (const auto made = store::Store::init(m_path, options, kStart); !made)
            qFatal("init: %s (%s)", made.error().message.c_str(), made.error().context.c_str());
    }
    [[nodiscard]] const QString &path() const { return m_path; }
    [[nodiscard]] QString folder() const { return m_folder.path(); }
    [[nodiscard]] QString file(const QString &name) const { return m_folder.filePath(name); }
    /// Closes what was open before.
    store::Store &open()
    {
        m_store.reset();
        auto opened = store::Store::open(m_path);
        if (!opened)
            qFatal("open: %s (%s)", opened.error().message.c_str(), opened.error().context.c_str());
        m_store = std::move(*opened);
        return *m_store;
    }
    void close() { m_store.reset(); }
    [[nodiscard]] store::Store &store() { return *m_store; }

private:
    QTemporaryDir m_folder;
    QString m_path;
    std::unique_ptr<store::Store> m_store;
};

/// Runs commands on a fleet and writes what they did, one transaction each or many.
class Life {
public:
    explicit Life(store::Store &store) : m_store(&store)
    {
        auto loaded = store.load();
        if (!loaded)
            qFatal("load: %s (%s)", loaded.error().message.c_str(), loaded.error().context.c_str());
        m_fleet = std::move(*loaded);
        m_now = {m_fleet.ruleTime, m_fleet.steady};
    }

    [[nodiscard]] const rules::Fleet &fleet() const { return m_fleet; }
    [[nodiscard]] rules::Now now() const { return m_now; }
    void pass(rules::Duration time) { m_now = {m_now.wall + time, m_now.steady + time}; }

    /// Decides and keeps the events for `write`.
    rules::Outcome decide(const rules::Command &command)
    {
        rules::Moment moment;
        moment.now = m_now;
        rules::run(m_fleet, command, moment, m_step, &m_touched);
        m_waiting.insert(m_waiting.end(), m_step.events.begin(), m_step.events.end());
        return m_step.outcome;
    }
    [[nodiscard]] std::size_t waiting() const { return m_waiting.size(); }
    /// One transaction of all that was decided since the last one.
    rules::Result<void> write(store::Durability durability = store::Durability::Ordered)
    {
        auto written = m_store->append(m_waiting, m_fleet, m_touched, durability);
        if (written) {
            m_all.insert(m_all.end(), m_waiting.begin(), m_waiting.end());
            m_waiting.clear();
            m_touched.clear();
        }
        return written;
    }
    /// Decides and writes; the store must take it.
    rules::Outcome act(const rules::Command &command, store::Durability durability = store::Durability::Ordered)
    {
        auto outcome = decide(command);
        if (const auto written = write(durability); !written)
            qFatal("append: %s (%s)", written.error().message.c_str(), written.error().context.c_str());
        return outcome;
    }
    /// All events that this life wrote, in order.
    [[nodiscard]] const std::vector<rules::Event> &written() const { return m_all; }

private:
    store::Store *m_store;
    rules::Fleet m_fleet;
    rules::Now m_now;
    rules::Step m_step;
    rules::Touched m_touched;
    std::vector<rules::Event> m_waiting;
    std::vector<rules::Event> m_all;
};

/// The id of an ask that was allowed; none for every other outcome.
[[nodiscard]] inline rules::AskId allowed(const rules::Outcome &outcome)
{
    const auto *const decision = std::get_if<rules::Decision>(&outcome);
    return decision != nullptr && decision->allow ? decision->id : rules::AskId{};
}

} // namespace handreset::tests
