#include "handreset_guard_core.h"

#include "handreset_json.h"
#include "handreset_token.h"

#include <array>
#include <cstdlib>
#include <ctime>
#include <random>
#include <utility>

namespace handreset::client {

namespace {

const std::string &orFromEnvironment(std::string &value, const char *name)
{
    const char *found = value.empty() ? std::getenv(name) : nullptr;
    if (found != nullptr)
        value = found;
    return value;
}

/// A name that nobody else makes, for asks and tasks: 128 random bits.
std::string newName()
{
    static_assert(std::random_device::max() >= 0xFFFFFFFFU);
    constexpr std::string_view kDigits = "0123456789abcdef";
    std::random_device random;
    std::string name;
    for (int word = 0; word < 4; ++word) {
        auto bits = random();
        for (int digit = 0; digit < 8; ++digit, bits >>= 4U)
            name += kDigits[bits & 15U];
    }
    return name;
}

/// Takes the gate's address from the environment where it is not given; what is wrong with it names that.
void checkAddress(std::string &address)
{
    const bool isGiven = !address.empty();
    if (orFromEnvironment(address, "HANDRESET_GATE").empty())
        throw std::invalid_argument(
            "the gate's address is needed, or HANDRESET_GATE: unix:/path or http://127.0.0.1:PORT");
    try {
        (void)Address::parse(address);
    } catch (const std::invalid_argument &error) {
        if (isGiven)
            throw;
        throw std::invalid_argument(std::string("HANDRESET_GATE: ") + error.what());
    }
}

Options completed(Options options)
{
    if (orFromEnvironment(options.agent, "HANDRESET_AGENT").empty())
        throw std::invalid_argument("an agent's name is needed, or HANDRESET_AGENT");
    options.token = findToken(options.token, options.tokenFile);
    checkAddress(options.address);
    if (orFromEnvironment(options.task, "HANDRESET_TASK").empty())
        options.task = newName();
    if (options.timeout.count() <= 0 || options.timeout > std::chrono::hours(1) || options.tries < 1)
        throw std::invalid_argument("timeout is above 0, tries from 1");
    return options;
}

/// The clock of leases: it goes on while the machine sleeps.
OfflineRules::Time now()
{
    timespec time{};
#ifdef CLOCK_BOOTTIME
    ::clock_gettime(CLOCK_BOOTTIME, &time);
#else
    ::clock_gettime(CLOCK_MONOTONIC, &time);
#endif
    return std::chrono::seconds(time.tv_sec) + std::chrono::nanoseconds(time.tv_nsec);
}

std::string escaped(std::string_view segment)
{
    constexpr std::string_view kPlain = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789-._~";
    constexpr std::string_view kDigits = "0123456789ABCDEF";
    std::string out;
    for (const char c : segment) {
        const auto byte = static_cast<unsigned char>(c);
        if (kPlain.find(c) != std::string_view::npos)
            out += c;
        else
            out += {'%', kDigits[byte >> 4U], kDigits[byte & 15U]};
    }
    return out;
}

std::string_view nameOf(GuardCore::Door door)
{
    return door == GuardCore::Door::Steps ? "steps" : "calls";
}

std::string resultPath(GuardCore::Door door, const std::string &id)
{
    return "/v1/" + std::string(nameOf(door)) + '/' + id + "/result";
}

WrongRequest wrong(const Answer &answer)
{
    return {answer.status, readError(answer.body)};
}

/// Whether the gate itself says that it takes no ask, now or ever. Other answers are none of a gate.
bool isWord(int status)
{
    return status == 503 || (status >= 400 && status < 500 && status != 408);
}

void checkSize(std::string_view body)
{
    if (body.size() > kLargestBody)
        throw WrongRequest(413, {"too_large", "the request is larger than 256 KiB; it was not sent", {}, -1});
}

} // namespace

Fields &Fields::raw(std::string_view name, std::string_view json)
{
    if (json.empty())
        return *this;
    if (m_json.size() > 1)
        m_json += ',';
    m_json += quotedJson(name);
    m_json += ':';
    m_json += json;
    return *this;
}

Fields &Fields::text(std::string_view name, std::string_view value)
{
    return value.empty() ? *this : raw(name, quotedJson(value));
}

GuardCore::GuardCore(Options options)
    : m_options(completed(std::move(options))),
      m_rules(m_options.offline, m_options.lease, m_options.tools),
      m_lines(Address::parse(m_options.address), m_options.timeout),
      m_reach(m_options.tries, m_options.timeout)
{
    m_head = "Host: " + Address::parse(m_options.address).name + "\r\nAuthorization: Bearer " + m_options.token
        + "\r\nAccept: application/json\r\n";
    m_options.token.clear();
}

std::string GuardCore::wire(std::string_view method, std::string_view path, std::string_view body) const
{
    std::string text(method);
    text.append(" ").append(path).append(" HTTP/1.1\r\n").append(m_head);
    if (method != "GET")
        text.append("Content-Type: application/json\r\nContent-Length: ")
            .append(std::to_string(body.size()))
            .append("\r\n");
    return text.append("\r\n").append(body);
}

Allowed GuardCore::ask(Door door, const Subject &subject, Fields fields)
{
    // The second try carries the same id, so the gate counts the ask once even if the first answer was lost.
    const auto id = newName();
    const auto body = fields.text("agent", m_options.agent)
                          .text("task", m_options.task)
                          .text("session", m_options.session)
                          .text("parent", m_options.parent)
                          .text("id", id)
                          .done();
    checkSize(body);
    const auto path = "/v1/" + std::string(nameOf(door));
    const auto request = wire("POST", path, body);
    int tries = m_reach.tries(now());
    auto why = tries == 0 ? std::optional(m_reach.why()) : flush(tries);
    if (!m_reach.isAway()) // also where what waited has just found that the gate is back
        tries = m_options.tries;
    const auto begun = now();
    bool mayHaveArrived = false;
    std::optional<Decision> decision;
    for (int tried = 0; !why && !decision && tried < tries; ++tried) {
        const auto askedAt = now();
        auto reply = m_lines.exchange(request);
        const bool isLast = tried + 1 == tries;
        if (reply.answer) {
            try {
                decision = judge(*reply.answer, id, subject, askedAt);
            } catch (...) {
                if (mayHaveArrived)
                    takeBack(door, id);
                throw;
            }
            if (!decision)
                reply.why = "malformed answer, HTTP " + std::to_string(reply.answer->status);
            // Refused without being judged, the first try may still stand allowed at the gate.
            else if (mayHaveArrived && !decision->allowed && reply.answer->status != 200)
                takeBack(door, id);
        }
        mayHaveArrived = mayHaveArrived || reply.sent;
        if (!decision && isLast) {
            why = reply.why;
            m_reach.missed(reply.why, begun, now());
        }
    }
    if (!decision) {
        decision = m_rules.decide(subject, id, now(), why.value_or(std::string()));
        // The call is not made, and the gate may think that it is: that would hold a breaker's probe, or money.
        if (mayHaveArrived && !decision->allowed)
            takeBack(door, id);
    }
    if (!decision->allowed)
        throw Denied(*std::move(decision));
    Allowed allowed{*std::move(decision), nullptr};
    if (allowed.decision.offline)
        allowed.late = std::make_shared<const LateAsk>(LateAsk{id, subject, path, body});
    return allowed;
}

std::optional<Decision> GuardCore::judge(const Answer &answer, const std::string &id, const Subject &subject,
                                         OfflineRules::Time askedAt)
{
    if (answer.status == 200) {
        auto decision = readDecision(answer.body, id);
        if (decision) {
            m_reach.answered();
            m_rules.heard(subject, *decision, askedAt, now());
        }
        return decision;
    }
    if (isWord(answer.status))
        m_reach.answered();
    if (answer.status == 429 || answer.status == 503) {
        Decision refused;
        refused.source = "gate";
        refused.retry = {Retry::Kind::AfterSeconds, answer.retryAfter.value_or(1)};
        refused.text = readError(answer.body).message;
        if (answer.status == 503) {
            m_rules.heardTrouble(now());
            refused.text = "everything is denied: " + refused.text;
        } else {
            refused.rung = m_rules.rung().value_or(Rung::Open); // a flood says nothing of the rung
        }
        return refused;
    }
    if (answer.status >= 400 && answer.status < 500 && answer.status != 408) {
        m_rules.heardTrouble(now());
        throw wrong(answer);
    }
    return std::nullopt;
}

void GuardCore::takeBack(Door door, const std::string &id)
{
    Fields fields;
    // 499 is what servers write down for "the client went away": no fault of the provider's.
    if (door == Door::Steps)
        fields.raw("ok", "false").raw("status", "499").raw("tokens_in", "0").raw("tokens_out", "0");
    else
        fields.text("outcome", "neutral");
    fields.text("error", "never left: the gate's answer did not come");
    keepForLater({resultPath(door, id), fields.done(), true, nullptr});
}

void GuardCore::tellResult(Door door, const Allowed &allowed, const Fields &fields)
{
    Post post{resultPath(door, allowed.decision.id), fields.done(), false, allowed.late};
    checkSize(post.body);
    // A gate that was waited for in vain is not waited for again: the next ask finds out if it is back.
    const bool isAway = m_reach.isAway();
    if (isAway || m_outbox.size() > 0) { // in order: first what waits
        keepForLater(std::move(post));
        if (!isAway)
            flush(m_options.tries);
        return;
    }
    const auto telling = tellOnce(post, m_options.tries);
    if (telling.told == Told::NotNow || telling.told == Told::Away)
        keepForLater(std::move(post));
    else if (telling.told != Told::In)
        complain(post, telling);
}

bool GuardCore::tellOfTask(std::string_view verb, const Fields &fields)
{
    Post post{"/v1/tasks/" + escaped(m_options.task) + '/' + std::string(verb), fields.done(), true, nullptr};
    checkSize(post.body);
    const int tries = m_reach.tries(now());
    if (tries > 0 && m_outbox.size() > 0)
        flush(tries);
    if (tries == 0 || m_outbox.size() > 0) {
        keepForLater(std::move(post));
        return false;
    }
    auto telling = tellOnce(post, tries);
    if (telling.error && telling.error->status() != 404)
        throw *std::move(telling.error);
    if (telling.told == Told::NotNow || telling.told == Told::Away)
        keepForLater(std::move(post));
    return telling.told == Told::In;
}

void GuardCore::keepForLater(Post post)
{
    const auto dropped = m_outbox.add(std::move(post));
    if (dropped && dropped->late)
        warn("a call that was made on a lease is not counted by the gate (" + dropped->path + "): too many wait");
    else if (dropped)
        warn("what was told at " + dropped->path + " is given up: too many wait");
}

void GuardCore::warn(const std::string &text) const
{
    if (m_options.warn)
        m_options.warn(text);
}

void GuardCore::complain(const Post &post, const Telling &telling)
{
    const bool isGivenUp = telling.told == Told::NotNow;
    if (post.late || isGivenUp)
        m_outbox.giveUp(post);
    if (post.late)
        warn("a call that was made on a lease is not counted by the gate (" + post.path + "): " + telling.why);
    else if (isGivenUp)
        warn("what was told at " + post.path + " is given up, the gate never could take it: " + telling.why);
    else if (!post.isDoubtful || !telling.error || telling.error->status() != 404)
        warn("the gate did not take what was told at " + post.path + ": " + telling.why);
}

Reply GuardCore::exchange(const std::string &request, int tries)
{
    const auto begun = now();
    Reply reply;
    for (int tried = 0; tried < tries; ++tried) {
        reply = m_lines.exchange(request);
        if (reply.answer) {
            m_reach.answered();
            return reply;
        }
    }
    m_reach.missed(reply.why, begun, now());
    return reply;
}

GuardCore::Telling GuardCore::notTaken(const Answer &answer)
{
    const int status = answer.status;
    if (status < 400 || status >= 500 || status == 408 || status == 429)
        return {Told::NotNow, "HTTP " + std::to_string(status), {}};
    auto error = wrong(answer);
    const std::string words = error.what();
    return {Told::Wrong, words, std::move(error)};
}

GuardCore::Telling GuardCore::tellOnce(Post &post, int tries)
{
    if (post.late) {
        auto counting = countLate(post, tries);
        if (counting.told != Told::In)
            return counting;
    }
    const auto reply = exchange(wire("POST", post.path, post.body), tries);
    if (!reply.answer)
        return {Told::Away, reply.why, {}};
    const int status = reply.answer->status;
    if ((status >= 200 && status < 300) || status == 409) // 409: it is in already
        return {Told::In, {}, {}};
    return notTaken(*reply.answer);
}

GuardCore::Telling GuardCore::countLate(Post &post, int tries)
{
    const auto late = post.late;
    const auto askedAt = now();
    const auto reply = exchange(wire("POST", late->path, late->body), tries);
    if (!reply.answer)
        return {Told::Away, reply.why, {}};
    const int status = reply.answer->status;
    if (status == 409) // it is in with its result, whose answer was lost; if it is not, that one's 404 says so
        return {Told::In, {}, {}};
    if (status != 200) {
        if (isWord(status) && status != 429)
            m_rules.heardTrouble(now()); // as for any ask
        return notTaken(*reply.answer);
    }
    const auto decision = readDecision(reply.answer->body, late->id);
    if (!decision)
        return {Told::NotNow, "malformed answer", {}};
    m_rules.heard(late->subject, *decision, askedAt, now());
    if (!decision->allowed)
        return {Told::Refused, inWords(*decision), {}};
    post.late.reset();
    return {Told::In, {}, {}};
}

std::optional<std::string> GuardCore::flush(int tries)
{
    if (!m_outbox.takeTurn())
        return std::nullopt;
    struct Turn {
        Outbox &outbox;
        ~Turn() { outbox.endTurn(); }
    } turn{m_outbox};
    const auto until = std::chrono::steady_clock::now() + m_options.timeout;
    while (auto post = m_outbox.first()) {
        const bool wasLate = post->late != nullptr;
        const auto telling = tellOnce(*post, tries);
        if (wasLate && !post->late)
            m_outbox.firstIsCounted();
        if (telling.told == Told::Away)
            return telling.why;
        if (telling.told == Told::NotNow && m_outbox.mayWait())
            return std::nullopt;
        if (telling.told != Told::In)
            complain(*post, telling);
        m_outbox.dropFirst();
        if (std::chrono::steady_clock::now() >= until)
            break;
    }
    return std::nullopt;
}

std::string GuardCore::look()
{
    const auto request = wire("GET", "/v1/agents/" + escaped(m_options.agent), {});
    std::string why;
    for (int tried = 0; tried < m_options.tries; ++tried) {
        auto reply = m_lines.exchange(request);
        if (!reply.answer) {
            why = reply.why;
            continue;
        }
        if (reply.answer->status != 200) {
            m_reach.answered();
            throwNoLook(*reply.answer);
        }
        const auto object = readJson(reply.answer->body);
        if (object && object->is(JsonValue::Kind::Object)) {
            m_reach.answered();
            const auto *word = object->field("rung");
            if (const auto rung = word != nullptr ? readRung(word->text) : std::nullopt)
                m_rules.heardRung(*rung, now());
            return std::move(reply.answer->body);
        }
        why = "malformed answer";
    }
    throw Unreached("the gate was not reached: " + why);
}

void GuardCore::throwNoLook(const Answer &answer)
{
    const auto message = readError(answer.body).message;
    if (answer.status == 429)
        throw TooMany("asked too often: " + message, answer.retryAfter.value_or(1));
    if (answer.status == 408 || answer.status >= 500)
        throw Unreached("the gate cannot answer now: HTTP " + std::to_string(answer.status) + ", " + message,
                        answer.retryAfter);
    throw wrong(answer);
}

} // namespace handreset::client
