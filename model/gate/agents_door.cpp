#include "model/gate/agents_door.h"

#include "model/gate/agent_rates.h"
#include "model/gate/answers.h"
#include "model/gate/ask_bodies.h"
#include "model/gate/metrics.h"
#include "model/gate/name_budget.h"
#include "model/gate/refused_ids.h"
#include "model/gate/routes.h"
#include "model/gate/token_book.h"
#include "model/rules/command.h"

#include <algorithm>
#include <chrono>
#include <future>
#include <map>
#include <mutex>
#include <optional>
#include <string>
#include <utility>
#include <variant>
#include <vector>

namespace handreset::gate {

namespace {

using Time = std::chrono::steady_clock::time_point;

constexpr const char *kOtherAsk = "was given to another ask of this agent, whose task has not ended";
constexpr std::chrono::seconds kFiguresLast{1};
constexpr double kBytesOfARequest = 4096; ///< of a body: a longer one counts as several requests
constexpr double kNewNamesASecond = 20;
constexpr double kNewNamesAtOnce = 5'000;
constexpr std::uint64_t kMostWaiting = 20'000;   ///< commands at the host; more are turned away for a while
constexpr std::size_t kMostKindsTurnedAway = 32; ///< told apart between two looks

Answer answerOf(const Fault &fault)
{
    Answer answer;
    answer.status = fault.status;
    answer.body = bodyOf(fault);
    return answer;
}

Answer answerOf(int status, std::string body = {})
{
    Answer answer;
    answer.status = status;
    answer.body = std::move(body);
    return answer;
}

/// The store fails: nothing can be decided or looked at.
Answer unavailable()
{
    return answerOf(faultOf(rules::Error{rules::ErrorCode::Unavailable, {}, {}}));
}

/// For Prometheus.
Answer textOf(std::string text)
{
    auto answer = answerOf(200, std::move(text));
    answer.contentType = "text/plain; version=0.0.4; charset=utf-8";
    return answer;
}

std::chrono::microseconds since(Time start)
{
    return std::chrono::duration_cast<std::chrono::microseconds>(std::chrono::steady_clock::now() - start);
}

} // namespace

/// What stands behind the door: outlives the server, and every answer that is still on its way from the host.
class AgentsDoor::Desk : public std::enable_shared_from_this<AgentsDoor::Desk> {
public:
    Desk(engine::EmbeddedHost &host, const AgentsDoorOptions &options)
        : m_host(host),
          m_options(options),
          m_rates(options.requestsPerSecond, options.burst),
          m_names(options.requestsPerSecond > 0 ? kNewNamesASecond : 0, kNewNamesAtOnce)
    {}

    /// Returns when it knows the tokens.
    void open()
    {
        m_host.follow(&m_tokens);
        std::promise<void> known;
        m_host.look([&known](const rules::Fleet &, rules::Now) { known.set_value(); });
        known.get_future().wait();
    }
    void close()
    {
        handOn(); // the server's thread is gone by now
        m_host.unfollow(&m_tokens);
    }
    void setServer(const HttpServer *server) { m_server = server; }
    void take(Request request, Responder respond);
    /// Hands on what was gathered. On the server's thread, after each lot of requests.
    void handOn();
    void look();

private:
    /// One request that is being answered.
    struct Turn {
        Request request;
        Responder respond;
        Route route;
        Bearer bearer;
        std::optional<RefusedIds::Ask> asked; ///< an ask that brings an id of its own
        std::string tool;     ///< of a call
        Time start = std::chrono::steady_clock::now();
    };
    using TurnPointer = std::shared_ptr<Turn>;

    void finish(Turn &turn, Answer answer);
    void turnAway(Turn &turn, Fault fault, const std::string &agent);
    [[nodiscard]] bool admit(Turn &turn);
    [[nodiscard]] bool isOwn(Turn &turn, const std::string &agent);

    [[nodiscard]] bool takeNames(const Turn &turn, const rules::AskStep &ask);
    [[nodiscard]] bool takeNames(const Turn &turn, const rules::AskCall &ask);
    void dispatch(const TurnPointer &turn);
    template <class Ask>
    void ask(const TurnPointer &turn, Read<Ask> read, AskKind kind);
    void answerAsk(Turn &turn, const engine::Reply &reply, AskKind kind);
    template <class Result>
    void result(const TurnPointer &turn, Read<Result> read);
    template <class Word>
    void word(const TurnPointer &turn, Read<Word> read);
    void submitForNothing(const TurnPointer &turn, rules::Command command);
    void agent(const TurnPointer &turn);
    void ready(Turn &turn);
    void metrics(const TurnPointer &turn);
    [[nodiscard]] std::string ownMetrics() const;

    engine::EmbeddedHost &m_host;
    const AgentsDoorOptions m_options;
    TokenBook m_tokens;
    AgentRates m_rates;
    NameBudget m_names;
    RefusedIds m_refused;
    Metrics m_metrics;
    AskBodies m_bodies;                            ///< the server's thread only, as what was gathered
    std::vector<engine::QueuedCommand> m_gathered; ///< for the host, which is woken once for all of them
    std::atomic<const HttpServer *> m_server{nullptr};

    std::mutex m_figuresLock;
    std::string m_figures; ///< the fleet's part of the metrics, as of then
    Time m_figuresAt;

    std::mutex m_turnedAwayLock;
    std::map<std::pair<std::string, std::string>, std::uint64_t>
        m_turnedAway; ///< by agent and why, since the last look
};

// ---- Coming in -----------------------------------------------------------------------------------------------------

void AgentsDoor::Desk::take(Request request, Responder respond)
{
    auto turn = std::make_shared<Turn>(Turn{std::move(request), std::move(respond), {}, {}, {}, {}});
    auto route = routeOf(turn->request.method, turn->request.target);
    if (const auto *fault = std::get_if<RouteFault>(&route)) {
        auto answer = answerOf(fault->fault);
        answer.allow = fault->allow;
        return finish(*turn, std::move(answer));
    }
    turn->route = std::move(std::get<Route>(route));
    if (!isOpenToAll(turn->route.what) && !admit(*turn))
        return;
    if (m_host.status().queued > kMostWaiting && !isOpenToAll(turn->route.what))
        return finish(*turn, answerOf(Fault{503, "busy", "too much waits for its decision; ask again", {}, {}}));
    if (const auto fault = faultOfMedia(turn->request.contentType, turn->request.contentEncoding, turn->route.what))
        return finish(*turn, answerOf(*fault));
    dispatch(turn);
}

void AgentsDoor::Desk::finish(Turn &turn, Answer answer)
{
    m_metrics.answered(answer.status);
    turn.respond(std::move(answer));
}

void AgentsDoor::Desk::turnAway(Turn &turn, Fault fault, const std::string &agent)
{
    m_metrics.turnedAway();
    {
        const std::lock_guard lock(m_turnedAwayLock);
        if (m_turnedAway.size() < kMostKindsTurnedAway || m_turnedAway.contains({agent, fault.message}))
            ++m_turnedAway[{agent, fault.message}];
        else
            ++m_turnedAway[{std::string(), "for several reasons"}];
    }
    finish(turn, answerOf(fault));
}

bool AgentsDoor::Desk::admit(Turn &turn)
{
    constexpr std::string_view kScheme = "bearer "; // whose letters' case does not matter (RFC 9110, 11.1)
    std::string_view credential = turn.request.authorization;
    const bool isBearer = credential.size() > kScheme.size()
        && std::equal(kScheme.begin(), kScheme.end(), credential.begin(),
                      [](char a, char b) { return a == (b >= 'A' && b <= 'Z' ? static_cast<char>(b - 'A' + 'a') : b); });
    if (isBearer)
        credential.remove_prefix(kScheme.size());
    const auto bearer = isBearer ? m_tokens.bearerOf(credential) : std::nullopt;
    if (!bearer) {
        const auto *why = turn.request.authorization.empty() ? "a token is missing: Authorization: Bearer hrt_…"
                                                             : "the token is unknown or revoked";
        turnAway(turn, {401, "no_token", why, {}, {}}, {});
        return false;
    }
    turn.bearer = *bearer;
    if (!bearer->feed.empty()) {
        turnAway(turn, {403, "wrong_token", "a feed's token cannot ask or report for agents", {}, {}}, {});
        return false;
    }
    const double cost = 1 + static_cast<double>(turn.request.body.size()) / kBytesOfARequest;
    if (const auto wait = m_rates.wait(bearer->agent, turn.start, cost)) {
        auto answer = answerOf(Fault{429, "too_many", "this agent asks too often, or too much at once; wait", {}, {}});
        answer.retryAfter = wait;
        finish(turn, std::move(answer));
        return false;
    }
    return true;
}

bool AgentsDoor::Desk::isOwn(Turn &turn, const std::string &agent)
{
    if (agent == turn.bearer.agent)
        return true;
    turnAway(turn, {403, "wrong_agent", "the token is of another agent than the one that is named", "agent", {}},
             turn.bearer.agent);
    return false;
}

void AgentsDoor::Desk::dispatch(const TurnPointer &turn)
{
    const std::string &body = turn->request.body;
    switch (turn->route.what) {
    case Route::What::Step:
        return ask(turn, m_bodies.step(body), AskKind::Step);
    case Route::What::Call:
        return ask(turn, m_bodies.call(body), AskKind::Call);
    case Route::What::StepResult:
        return result(turn, m_bodies.stepResult(body));
    case Route::What::CallResult:
        return result(turn, m_bodies.callResult(body));
    case Route::What::Note:
        return word(turn, m_bodies.note(body));
    case Route::What::End:
        return word(turn, m_bodies.end(body));
    case Route::What::Agent:
        return agent(turn);
    case Route::What::Health:
        return finish(*turn, answerOf(200, R"({"alive":true})"));
    case Route::What::Ready:
        return ready(*turn);
    case Route::What::Metrics:
        return metrics(turn);
    }
}

// ---- Asks and reports ----------------------------------------------------------------------------------------------

bool AgentsDoor::Desk::takeNames(const Turn &turn, const rules::AskStep &ask)
{
    return m_names.take(ask.agent, {ask.task, ask.session, ask.endpoint, ask.model}, turn.start);
}

bool AgentsDoor::Desk::takeNames(const Turn &turn, const rules::AskCall &ask)
{
    return m_names.take(ask.agent, {ask.task, ask.session, ask.tool}, turn.start);
}

template <class Ask>
void AgentsDoor::Desk::ask(const TurnPointer &turn, Read<Ask> read, AskKind kind)
{
    if (const auto *fault = std::get_if<Fault>(&read))
        return finish(*turn, answerOf(*fault));
    auto &command = std::get<Ask>(read);
    if (!isOwn(*turn, command.agent))
        return;
    if (!takeNames(*turn, command)) {
        auto answer = answerOf(Fault{429, "too_many_names", "this agent brings too many new names; wait", {}, {}});
        answer.retryAfter = 1;
        return finish(*turn, std::move(answer));
    }
    if (command.client) {
        turn->asked = {command.agent, command.task, *command.client, kind == AskKind::Call};
        if (const auto known = m_refused.find(*turn->asked)) {
            if (!known->isSame)
                return finish(*turn, answerOf(Fault{409, "conflict", kOtherAsk, "id", {}}));
            m_metrics.servedAgain();
            return finish(*turn, answerOf(200, known->answer));
        }
    }
    if constexpr (std::is_same_v<Ask, rules::AskCall>)
        turn->tool = command.tool;
    turn->request.body = {}; // it was read: what waits for the commit is small
    m_gathered.push_back({std::move(command), [self = shared_from_this(), turn, kind](const engine::Reply &reply) {
                              self->answerAsk(*turn, reply, kind);
                          }});
}

void AgentsDoor::Desk::handOn()
{
    if (!m_gathered.empty())
        m_host.submitAll(std::exchange(m_gathered, {}));
}

void AgentsDoor::Desk::answerAsk(Turn &turn, const engine::Reply &reply, AskKind kind)
{
    if (const auto *error = std::get_if<rules::Error>(&reply.outcome))
        return finish(turn, answerOf(faultOf(*error)));
    const auto *decision = std::get_if<rules::Decision>(&reply.outcome);
    const bool isOfStore = decision != nullptr && !decision->allow
        && decision->reason.source == rules::RefusalSource::None; // it fails: everything is denied
    if (decision != nullptr)
        m_metrics.decided(kind, *decision, since(turn.start));
    if (decision == nullptr || isOfStore)
        return finish(turn, unavailable());
    auto body = decisionJson(*decision, turn.asked ? turn.asked->client.id : std::string(), turn.tool);
    if (turn.asked && !decision->allow && !decision->id.isSet())
        m_refused.add(*turn.asked, body);
    finish(turn, answerOf(200, std::move(body)));
}

template <class Result>
void AgentsDoor::Desk::result(const TurnPointer &turn, Read<Result> read)
{
    if (const auto *fault = std::get_if<Fault>(&read))
        return finish(*turn, answerOf(*fault));
    auto &command = std::get<Result>(read);
    auto named = askNamed(turn->route.name);
    command.agent = turn->bearer.agent;
    command.ask = named.ask;
    command.clientId = std::move(named.clientId);
    turn->request.body = {};
    submitForNothing(turn, std::move(command));
}

template <class Word>
void AgentsDoor::Desk::word(const TurnPointer &turn, Read<Word> read)
{
    if (const auto *fault = std::get_if<Fault>(&read))
        return finish(*turn, answerOf(*fault));
    auto &command = std::get<Word>(read);
    if (!isOwn(*turn, command.agent))
        return;
    command.task = turn->route.name;
    turn->request.body = {};
    submitForNothing(turn, std::move(command));
}

void AgentsDoor::Desk::submitForNothing(const TurnPointer &turn, rules::Command command)
{
    const bool isEnd = std::holds_alternative<rules::EndTask>(command);
    m_gathered.push_back({std::move(command), [self = shared_from_this(), turn, isEnd](const engine::Reply &reply) {
                              const auto *error = std::get_if<rules::Error>(&reply.outcome);
                              if (isEnd)
                                  self->m_refused.ended(turn->bearer.agent, turn->route.name);
                              if (error == nullptr)
                                  return self->finish(*turn, answerOf(204));
                              if (error->code == rules::ErrorCode::Refused) // another agent's ask
                                  return self->turnAway(*turn, faultOf(*error), turn->bearer.agent);
                              self->finish(*turn, answerOf(faultOf(*error)));
                          }});
}

// ---- Looking -------------------------------------------------------------------------------------------------------

void AgentsDoor::Desk::agent(const TurnPointer &turn)
{
    if (!isOwn(*turn, turn->route.name))
        return;
    if (m_host.status().health != engine::StoreHealth::Writable) // what it was last is not what it is
        return finish(*turn, unavailable());
    m_host.look([self = shared_from_this(), turn](const rules::Fleet &fleet, rules::Now now) {
        self->finish(*turn, answerOf(200, agentJson(fleet, turn->route.name, now)));
    });
}

void AgentsDoor::Desk::ready(Turn &turn)
{
    const auto status = m_host.status();
    if (status.health == engine::StoreHealth::Writable)
        return finish(turn, answerOf(200, R"({"ready":true})"));
    finish(turn, unavailable());
}

std::string AgentsDoor::Desk::ownMetrics() const
{
    std::string out;
    m_metrics.write(out);
    writeCommits(out, m_host.commits());
    const auto status = m_host.status();
    writeMetric(out, "handreset_store_writable", "gauge", "1 while the store is written; 0: everything is denied.",
                status.health == engine::StoreHealth::Writable ? 1 : 0);
    writeMetric(out, "handreset_commands_waiting", "gauge", "Commands that wait for their decision.", status.queued);
    if (m_options.logBytes)
        writeMetric(out, "handreset_store_bytes", "gauge", "The store's files.", m_options.logBytes());
    if (m_options.linkClients)
        writeMetric(out, "handreset_link_clients", "gauge", "Operators' desks and command lines that are connected.",
                    m_options.linkClients());
    if (const auto *server = m_server.load())
        writeMetric(out, "handreset_http_connections", "gauge", "Open connections at the agents' door.",
                    server->stats().open);
    return out;
}

void AgentsDoor::Desk::metrics(const TurnPointer &turn)
{
    {
        const std::lock_guard lock(m_figuresLock);
        if (!m_figures.empty() && turn->start - m_figuresAt < kFiguresLast)
            return finish(*turn, textOf(ownMetrics() + m_figures)); // whoever asks more often costs the host nothing
    }
    m_host.look([self = shared_from_this(), turn, own = ownMetrics()](const rules::Fleet &fleet, rules::Now) {
        std::string figures;
        write(figures, figuresOf(fleet));
        {
            const std::lock_guard lock(self->m_figuresLock);
            self->m_figures = figures;
            self->m_figuresAt = std::chrono::steady_clock::now();
        }
        self->finish(*turn, textOf(own + figures));
    });
}

void AgentsDoor::Desk::look()
{
    std::map<std::pair<std::string, std::string>, std::uint64_t> turnedAway;
    {
        const std::lock_guard lock(m_turnedAwayLock);
        turnedAway.swap(m_turnedAway);
    }
    for (const auto &[what, count] : turnedAway)
        m_host.submit(
            rules::NoteRefused{"agents' door", what.first,
                               std::to_string(count) + (count == 1 ? " request: " : " requests: ") + what.second},
            {});
}

// ---- The door ------------------------------------------------------------------------------------------------------

rules::Result<std::unique_ptr<AgentsDoor>> AgentsDoor::start(engine::EmbeddedHost &host, AgentsDoorOptions options)
{
    auto serverOptions = options.server;
    auto desk = std::make_shared<Desk>(host, options);
    desk->open();
    auto server = HttpServer::start(
        std::move(serverOptions),
        [desk](Request request, Responder respond) { desk->take(std::move(request), std::move(respond)); },
        [desk] { desk->handOn(); });
    if (!server) {
        desk->close();
        return server.error();
    }
    std::unique_ptr<AgentsDoor> door(new AgentsDoor(std::move(desk)));
    door->m_server = std::move(server).value();
    door->m_desk->setServer(door->m_server.get());
    return door;
}

AgentsDoor::AgentsDoor(std::shared_ptr<Desk> desk) : m_desk(std::move(desk)) {}

AgentsDoor::~AgentsDoor()
{
    if (m_server)
        m_server->close();
    m_desk->setServer(nullptr);
    m_desk->look();
    m_desk->close();
}

std::uint16_t AgentsDoor::port() const
{
    return m_server->port();
}

Stats AgentsDoor::stats() const
{
    return m_server->stats();
}

void AgentsDoor::look()
{
    m_desk->look();
}

} // namespace handreset::gate
