// Tokens of the agents' door: made and revoked by operators (spec 5, 8).
#include "model/rules/draft.h"

#include <algorithm>

namespace handreset::rules {

namespace {

constexpr std::size_t kMostTokens = 10'000;
constexpr std::size_t kLongestFeed = 64;

std::string faultOfToken(const Fleet &fleet, const AddToken &command)
{
    if (command.agent.empty() == command.feed.empty())
        return "a token is of one agent or of one feed";
    if (command.feed.size() > kLongestFeed)
        return "a feed's name has at most 64 bytes";
    if (fleet.tokens.size() >= kMostTokens)
        return "there are 10,000 tokens already; revoke some first";
    const auto isSame = [&command](const auto &entry) { return entry.second.hash == command.hash; };
    if (std::any_of(fleet.tokens.begin(), fleet.tokens.end(), isSame))
        return "this secret is a token already; make a new one";
    return {};
}

} // namespace

void decide(Draft &draft, const AddToken &command)
{
    if (auto wrong = checkName("operator", command.by))
        return draft.answer(*wrong);
    if (auto wrong = checkName("agent", command.agent, true))
        return draft.answer(*wrong);
    if (auto wrong = checkName("feed", command.feed, true))
        return draft.answer(*wrong);
    if (draft.observes())
        return draft.answer(Error{ErrorCode::Refused, "a store of recorded runs has no agents' door", "token add"});
    if (auto fault = faultOfToken(draft.fleet(), command); !fault.empty())
        return draft.refuseAct("token add", {}, command.by, command.reason, {}, std::move(fault));
    const auto by = draft.operatorNamed(command.by);
    const auto agent = command.agent.empty() ? AgentId{} : draft.agent(command.agent);
    const auto seq
        = draft.emit(agent, {}, 0, TokenAdded{command.feed, command.hash, by, bounded(command.reason, kLongestText)});
    draft.answer(ActDone{seq, {}, draft.fleet().revisionOf(agent)});
}

void decide(Draft &draft, const RevokeToken &command)
{
    const auto &fleet = draft.fleet();
    if (auto wrong = checkName("operator", command.by))
        return draft.answer(*wrong);
    const auto found = fleet.tokens.find(command.token);
    if (found == fleet.tokens.end())
        return draft.refuseAct("token revoke", {}, command.by, command.reason, {},
                               "there is no token " + std::to_string(command.token.value)
                                   + ", or it is revoked already; see `token list`");
    const auto agent = found->second.agent;
    const auto by = draft.operatorNamed(command.by);
    const auto seq = draft.emit(agent, {}, 0, TokenRevoked{command.token, by, bounded(command.reason, kLongestText)});
    draft.answer(ActDone{seq, {}, fleet.revisionOf(agent)});
}

} // namespace handreset::rules
