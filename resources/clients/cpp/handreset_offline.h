// What holds while the gate cannot be reached. Pure: it knows nothing of sockets, and is told the time.
#pragma once

#include "handreset_decision.h"

#include <chrono>
#include <map>
#include <mutex>
#include <string>
#include <tuple>

namespace handreset::client {

enum class Access { Read, Write };
enum class Offline { Refuse, Lease };

/// What an ask is about: a tool, or a model at an endpoint. An allow speaks only of what was asked.
struct Subject {
    bool isStep = false;
    std::string name;  ///< the tool, or the endpoint
    std::string model; ///< of a step

    friend bool operator<(const Subject &a, const Subject &b)
    {
        return std::tie(a.isStep, a.name, a.model) < std::tie(b.isStep, b.name, b.model);
    }
};

/// - A write tool is refused. A tool that was not declared counts as a write.
/// - The last known rung open: everything is refused for as long as the gate is away.
/// - Never contacted: refused.
/// - Reads and model calls: refused, or, with Offline::Lease, allowed where the gate's last word on this tool or model
/// was an
///   allow, for the lease's length from the moment when that was asked.
///
/// A lease dies early when the gate refuses or cannot say, and when the rung changes. A refusal that is about the whole
/// task (rung, queue, task_ended) ends all of them. An allow as a probe gives none: a probe is one call. Threads may
/// share it.
class OfflineRules {
public:
    /// Of one clock that never goes back and goes on while the machine sleeps.
    using Time = std::chrono::nanoseconds;

    OfflineRules(Offline offline, std::chrono::milliseconds lease, std::map<std::string, Access> tools);

    /// The gate's decision came; it was asked for at `askedAt`.
    void heard(const Subject &subject, const Decision &decision, Time askedAt, Time now);
    /// A look told the agent's rung. The task's own may be worse, so only bad news is taken.
    void heardRung(Rung rung, Time now);
    /// The gate answered, but with no decision: the last known word is no longer an allow.
    void heardTrouble(Time now);
    /// What holds for this ask; `why` says how the gate was missed.
    [[nodiscard]] Decision decide(const Subject &subject, const std::string &id, Time now,
                                  const std::string &why) const;
    /// The last rung that the gate told; none: it never did.
    [[nodiscard]] std::optional<Rung> rung() const;

private:
    struct Allow {
        Time askedAt;
        std::string model;
    };

    [[nodiscard]] bool isWrite(const Subject &subject) const;
    void forgetOldest();

    const Offline m_offline;
    const std::chrono::milliseconds m_lease;
    const std::map<std::string, Access> m_tools;
    mutable std::mutex m_mutex;
    std::optional<Rung> m_rung;
    /// Answers overtake each other between threads. What was asked before the last bad news tells nothing newer.
    Time m_badNewsAt = Time::min();
    std::map<Subject, Allow> m_allows;
};

} // namespace handreset::client
