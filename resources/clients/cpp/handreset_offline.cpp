#include "handreset_offline.h"

#include <algorithm>
#include <sstream>
#include <stdexcept>

namespace handreset::client {

namespace {

constexpr std::size_t kMostAllows = 1000;

/// Such a refusal says nothing of the one call: nothing of this task may go on.
bool isOfTheWholeTask(const Decision &refusal)
{
    return refusal.source == "rung" || refusal.source == "queue" || refusal.source == "task_ended";
}

} // namespace

OfflineRules::OfflineRules(Offline offline, std::chrono::milliseconds lease, std::map<std::string, Access> tools)
    : m_offline(offline), m_lease(lease), m_tools(std::move(tools))
{
    if (lease.count() <= 0)
        throw std::invalid_argument("the lease is longer than 0");
}

std::optional<Rung> OfflineRules::rung() const
{
    const std::lock_guard lock(m_mutex);
    return m_rung;
}

bool OfflineRules::isWrite(const Subject &subject) const
{
    if (subject.isStep)
        return false;
    const auto found = m_tools.find(subject.name);
    return found == m_tools.end() || found->second == Access::Write;
}

void OfflineRules::heard(const Subject &subject, const Decision &decision, Time askedAt, Time now)
{
    const std::lock_guard lock(m_mutex);
    const bool isStale = askedAt <= m_badNewsAt;
    if (m_rung && decision.rung != *m_rung) {
        if (isStale && decision.rung < *m_rung)
            return;
        m_allows.clear();
    }
    m_rung = decision.rung;
    if (!decision.allowed) {
        m_badNewsAt = now;
        if (isOfTheWholeTask(decision))
            m_allows.clear();
        m_allows.erase(subject);
        // Money and steps are one sum for all models, so a refused step speaks of every step.
        for (auto it = m_allows.begin(); it != m_allows.end();)
            it = subject.isStep && it->first.isStep ? m_allows.erase(it) : std::next(it);
    } else if (!isStale) {
        m_allows.erase(subject);
        if (!decision.probe)
            m_allows[subject] = {askedAt, decision.model};
        if (m_allows.size() > kMostAllows)
            forgetOldest();
    }
}

void OfflineRules::forgetOldest()
{
    m_allows.erase(std::min_element(m_allows.begin(), m_allows.end(),
                                    [](const auto &a, const auto &b) { return a.second.askedAt < b.second.askedAt; }));
}

void OfflineRules::heardRung(Rung rung, Time now)
{
    const std::lock_guard lock(m_mutex);
    if (!m_rung || rung <= *m_rung)
        return;
    m_rung = rung;
    m_badNewsAt = now;
    m_allows.clear();
}

void OfflineRules::heardTrouble(Time now)
{
    const std::lock_guard lock(m_mutex);
    m_badNewsAt = now;
    m_allows.clear();
}

Decision OfflineRules::decide(const Subject &subject, const std::string &id, Time now, const std::string &why) const
{
    const std::lock_guard lock(m_mutex);
    Decision decision;
    decision.offline = true;
    decision.rung = m_rung.value_or(Rung::Open);
    std::ostringstream text;
    text << "the gate was not reached (" << why << "), ";
    const auto allow = m_allows.find(subject);
    if (!m_rung) {
        text << "and has never answered this process: everything is refused";
    } else if (*m_rung == Rung::Open) {
        text << "and its last known state is open: everything is refused until it answers again";
    } else if (isWrite(subject)) {
        text << "so write tools are refused";
    } else if (m_offline == Offline::Refuse) {
        text << "so everything is refused";
    } else if (allow == m_allows.end()) {
        text << "and its last word on this was no allow";
    } else if (now < allow->second.askedAt || now - allow->second.askedAt > m_lease) {
        text << "and its last allow is older than its lease of " << std::chrono::duration<double>(m_lease).count()
             << " s";
    } else {
        decision.id = id;
        decision.allowed = true;
        decision.model = allow->second.model;
        return decision;
    }
    decision.source = "offline";
    decision.text = text.str();
    decision.retry = {Retry::Kind::AfterSeconds, 1};
    return decision;
}

} // namespace handreset::client
