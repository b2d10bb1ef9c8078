#include "handreset_guard_core.h"

#include "handreset_json.h"

#include <algorithm>
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

Options completed(Options options)
{
    if (orFromEnvironment(options.agent, "HANDRESET_AGENT").empty())
        throw std::invalid_argument("an agent's name is needed, or HANDRESET_AGENT");
    const auto &token = orFromEnvironment(options.token, "HANDRESET_TOKEN");
    const bool isVisible = std::all_of(token.begin(), token.end(), [](char c) { return c > 0x20 && c < 0x7F; });
    if (token.empty() || token.size() > 4096 || !isVisible)
        throw std::invalid_argument("a token is needed, or HANDRESET_TOKEN: visible ASCII, without spaces");
    orFromEnvironment(options.address, "HANDRESET_GATE");
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
      m_lines(Address::parse(m_options.address), m_options.timeout)
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

std::string GuardCore::taskPath(std::string_view verb) const
{
    return "/v1/tasks/" + escaped(m_options.task) + '/' + std::string(verb);
}

Decision GuardCore::ask(Door door, const Subject &subject, Fields fields)
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
    const auto request = wire("POST", "/v1/" + std::string(nameOf(door)), body);
    auto why = flush();
    bool mayHaveArrived = false;
    std::optional<Decision> decision;
    for (int tried = 0; !why && !decision && tried < m_options.tries; ++tried) {
        const auto askedAt = now();
        auto reply = m_lines.exchange(request);
        const bool isLast = tried + 1 == m_options.tries;
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
        if (!decision && isLast)
            why = reply.why;
    }
    if (!decision) {
        decision = m_rules.decide(subject, id, now(), why.value_or(std::string()));
        // The call is not made, and the gate may think that it is: that would hold a breaker's probe, or money.
        if (mayHaveArrived && !decision->allowed)
            takeBack(door, id);
    }
    if (!decision->allowed)
        throw Denied(*std::move(decision));
    return *std::move(decision);
}

std::optional<Decision> GuardCore::judge(const Answer &answer, const std::string &id, const Subject &subject,
                                         OfflineRules::Time askedAt)
{
    if (answer.status == 200) {
        auto decision = readDecision(answer.body, id);
        if (decision)
            m_rules.heard(subject, *decision, askedAt, now());
        return decision;
    }
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
    m_outbox.add({resultPath(door, id), fields.done(), true});
}

void GuardCore::tellResult(Door door, const Decision &decision, const Fields &fields)
{
    tell({resultPath(door, decision.id), fields.done(), decision.offline}, false);
}

bool GuardCore::tell(Post post, bool isStrict)
{
    checkSize(post.body);
    if (m_outbox.size() > 0) { // in order: first what waits
        m_outbox.add(std::move(post));
        flush();
        return m_outbox.size() == 0;
    }
    auto telling = tellOnce(post);
    if (telling.told == Told::Wrong) {
        if (isStrict)
            throw *std::move(telling.error);
        complain(post, *telling.error);
    }
    if (telling.told == Told::NotNow || telling.told == Told::Away) {
        m_outbox.add(std::move(post));
        return false;
    }
    return telling.told == Told::In;
}

void GuardCore::complain(const Post &post, const WrongRequest &error) const
{
    const bool isNothing = post.isDoubtful && error.status() == 404;
    if (m_options.warn && !isNothing)
        m_options.warn("the gate did not take what was told at " + post.path + ": " + error.what());
}

GuardCore::Telling GuardCore::tellOnce(const Post &post)
{
    const auto request = wire("POST", post.path, post.body);
    Telling telling;
    for (int tried = 0; tried < m_options.tries; ++tried) {
        const auto reply = m_lines.exchange(request);
        if (!reply.answer) {
            telling.why = reply.why;
            continue;
        }
        const int status = reply.answer->status;
        if ((status >= 200 && status < 300) || status == 409) { // 409: it is in already
            telling.told = Told::In;
        } else if (status >= 400 && status < 500 && status != 408 && status != 429) {
            telling.told = Told::Wrong;
            telling.error = wrong(*reply.answer);
        } else {
            telling.told = Told::NotNow;
        }
        break;
    }
    return telling;
}

std::optional<std::string> GuardCore::flush()
{
    if (!m_outbox.takeTurn())
        return std::nullopt;
    struct Turn {
        Outbox &outbox;
        ~Turn() { outbox.endTurn(); }
    } turn{m_outbox};
    const auto until = std::chrono::steady_clock::now() + m_options.timeout;
    while (const auto post = m_outbox.first()) {
        const auto telling = tellOnce(*post);
        if (telling.told == Told::Away)
            return telling.why;
        if (telling.told == Told::NotNow && m_outbox.mayWait())
            return std::nullopt;
        if (telling.told == Told::NotNow)
            complain(*post, WrongRequest(503, {"given_up", "the gate never could", {}, -1}));
        else if (telling.told == Told::Wrong)
            complain(*post, *telling.error);
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
        if (reply.answer && reply.answer->status != 200)
            throw wrong(*reply.answer);
        const auto object = reply.answer ? readJson(reply.answer->body) : std::nullopt;
        if (object && object->is(JsonValue::Kind::Object)) {
            const auto *word = object->field("rung");
            if (const auto rung = word != nullptr ? readRung(word->text) : std::nullopt)
                m_rules.heardRung(*rung, now());
            return std::move(reply.answer->body);
        }
        why = reply.answer ? "malformed answer" : reply.why;
    }
    throw Unreached("the gate was not reached: " + why);
}

} // namespace handreset::client
