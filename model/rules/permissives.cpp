#include "model/rules/permissives.h"

#include "model/rules/words_of_time.h"

#include <algorithm>

namespace handreset::rules {

namespace {

[[nodiscard]] Met yesOrNo(bool yes)
{
    return yes ? Met::Yes : Met::No;
}

[[nodiscard]] Permissive acknowledgement(const RearmFacts &facts)
{
    Permissive p{.name = "acknowledged", .value = {}, .limit = {}, .age = {}};
    if (facts.tripsChosen == 0) {
        p.met = Met::No;
        p.value = "no trip is ticked";
        return p;
    }
    p.met = yesOrNo(facts.unacknowledged.empty());
    if (!facts.unacknowledged.empty()) {
        p.value = "not yet: ";
        for (std::size_t i = 0; i < facts.unacknowledged.size(); ++i)
            p.value += (i == 0 ? "" : ", ") + facts.unacknowledged[i];
    } else if (facts.acknowledged) {
        p.value = facts.acknowledged->who + ", " + utcClock(facts.acknowledged->at);
    }
    return p;
}

[[nodiscard]] Permissive nothingNewer(const RearmFacts &facts)
{
    const bool same = facts.seen == facts.present;
    return {.name = "nothing newer than what you see",
            .met = yesOrNo(same),
            .value = same ? "revision " + std::to_string(facts.seen.value)
                          : "revision " + std::to_string(facts.present.value) + ", you see "
                    + std::to_string(facts.seen.value),
            .limit = {},
            .age = {}};
}

[[nodiscard]] Permissive gateAnswers(const RearmFacts &facts)
{
    Permissive p{.name = "the host answers", .value = "no beat yet", .limit = "at most 5 s", .age = facts.beatAge};
    if (facts.beatAge) {
        p.met = yesOrNo(*facts.beatAge < kBeatDue);
        p.value = lengthWords(*facts.beatAge) + " ago";
    }
    return p;
}

[[nodiscard]] Permissive storeWritable(const RearmFacts &facts)
{
    Permissive p{.name = "the store can be written", .value = "not known", .limit = {}, .age = {}};
    if (facts.writable) {
        p.met = yesOrNo(*facts.writable);
        p.value = !*facts.writable ? facts.storeTrouble
            : facts.lastCommit     ? "last commit " + utcClock(*facts.lastCommit)
                                   : "no commit yet";
    }
    return p;
}

[[nodiscard]] Permissive queueDecided(const RearmFacts &facts)
{
    const std::int64_t open = facts.queuedTasks - facts.decidedTasks;
    std::string value = "none waits";
    if (facts.queuedTasks > 0)
        value = open <= 0 ? std::to_string(facts.queuedTasks) + " decided"
                          : std::to_string(open) + " to decide: resume, abandon or stay";
    return {.name = "queued tasks", .met = yesOrNo(open <= 0), .value = std::move(value), .limit = {}, .age = {}};
}

[[nodiscard]] Permissive mayAct(const RearmFacts &facts)
{
    return {.name = "you may",
            .met = yesOrNo(!facts.operatorName.empty()),
            .value = facts.operatorName.empty() ? "no operator is known" : facts.operatorName,
            .limit = {},
            .age = {}};
}

[[nodiscard]] Permissive secondPerson(const RearmFacts &facts)
{
    return {.name = "second person",
            .met = yesOrNo(facts.isUnsigned),
            .value = facts.isUnsigned ? "not asked: the store is unsigned" : "any approver but you",
            .limit = {},
            .age = {}};
}

} // namespace

std::vector<Permissive> permissivesOf(const RearmFacts &facts)
{
    std::vector<Permissive> all{acknowledgement(facts), nothingNewer(facts), gateAnswers(facts), storeWritable(facts),
                                queueDecided(facts),    mayAct(facts)};
    if (facts.grantMissing)
        all.push_back({.name = "how many more", .met = Met::No, .value = "a human decides how many more", .limit = {}, .age = {}});
    if (facts.approvalAsked)
        all.push_back(secondPerson(facts));
    all.push_back({.name = "this is live",
                   .met = yesOrNo(facts.live),
                   .value = facts.live ? "live" : "the past, or a copy",
                   .limit = {},
                   .age = {}});
    return all;
}

bool allMet(const std::vector<Permissive> &permissives)
{
    return !permissives.empty()
        && std::all_of(permissives.begin(), permissives.end(), [](const Permissive &p) { return p.met == Met::Yes; });
}

} // namespace handreset::rules
