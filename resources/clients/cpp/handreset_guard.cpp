#include "handreset_guard.h"

#include "handreset_guard_core.h"
#include "handreset_json.h"

#include <algorithm>
#include <cstdlib>
#include <cxxabi.h>
#include <memory>
#include <thread>
#include <typeinfo>
#include <utility>

namespace handreset::client {

namespace {

using Door = GuardCore::Door;

constexpr std::size_t kLongestError = 512;

/// The last error of ours in this thread, for as long as it lives. A scope's destructor cannot ask which exception
/// flies through it, but a refusal is no failure of the tool, so it must know whether it is one of these.
thread_local std::weak_ptr<const unsigned long> t_underWay;
thread_local unsigned long t_thrown = 0; ///< how many there were, so that each has a number

/// The number of the error of ours that is alive in this thread; 0: none.
unsigned long errorUnderWay()
{
    const auto number = t_underWay.lock();
    return number ? *number : 0;
}

std::string describe(int status, const ErrorText &error)
{
    auto text = std::to_string(status) + ' ' + error.code + ": " + error.message;
    if (!error.field.empty())
        text += ", field " + error.field;
    if (error.offset >= 0)
        text += ", byte " + std::to_string(error.offset);
    return text;
}

/// Cut between characters of UTF-8.
std::string_view bounded(std::string_view text)
{
    if (text.size() <= kLongestError)
        return text;
    auto end = kLongestError;
    while (end > 0 && (static_cast<unsigned char>(text[end]) & 0xC0U) == 0x80U)
        --end;
    return text.substr(0, end);
}

std::string numberOf(const std::optional<long long> &number)
{
    return number ? std::to_string(*number) : std::string();
}

/// Destructors tell, and must not throw: what cannot even be kept for later is lost.
template <class Telling>
void quietly(const Telling &telling) noexcept
{
    const auto underWay = t_underWay; // errors that are met here must not hide the one that flies
    try {
        telling();
    } catch (...) { // NOLINT(bugprone-empty-catch): nobody is left to be told
    }
    t_underWay = underWay;
}

} // namespace

GuardError::GuardError(const std::string &text)
    : std::runtime_error(text), m_underWay(std::make_shared<const unsigned long>(++t_thrown))
{
    t_underWay = m_underWay;
}

Denied::Denied(Decision decision)
    : GuardError(inWords(decision)), m_decision(std::make_shared<const Decision>(std::move(decision)))
{}

WrongRequest::WrongRequest(int status, ErrorText error)
    : GuardError(describe(status, error)),
      m_status(status),
      m_error(std::make_shared<const ErrorText>(std::move(error)))
{}

StepScope::StepScope(std::shared_ptr<GuardCore> core, Allowed allowed, std::string asked)
    : m_core(std::move(core)),
      m_decision(std::move(allowed.decision)),
      m_late(std::move(allowed.late)),
      m_model(m_decision.model.empty() ? std::move(asked) : m_decision.model),
      m_flying(std::uncaught_exceptions()),
      m_knownError(errorUnderWay())
{}

StepScope::StepScope(StepScope &&other) noexcept = default;

StepScope::~StepScope()
{
    if (!m_core)
        return;
    StepResult told;
    if (std::uncaught_exceptions() > m_flying && errorUnderWay() == m_knownError) {
        told.ok = false;
        quietly([&] { told.error = "exception"; });
    }
    quietly([&] { result(told); });
}

void StepScope::result(const StepResult &result)
{
    const auto core = std::move(m_core);
    if (!core)
        throw std::logic_error("the result of this step has been told already");
    auto wait = result.retryAfter;
    if (wait) // the gate refuses what is longer than a day, and with it the whole result
        wait = std::clamp(*wait, 0LL, 86400LL);
    Fields fields;
    fields.raw("ok", result.ok ? "true" : "false");
    fields.raw("status", result.status ? std::to_string(*result.status) : std::string());
    fields.text("error", bounded(result.error)).text("model", result.model);
    fields.text("cost", result.cost).text("currency", result.currency);
    fields.raw("tokens_in", numberOf(result.tokensIn)).raw("tokens_out", numberOf(result.tokensOut));
    fields.raw("retry_after", numberOf(wait));
    core->tellResult(Door::Steps, {m_decision, m_late}, fields);
}

CallScope::CallScope(std::shared_ptr<GuardCore> core, Allowed allowed)
    : m_core(std::move(core)),
      m_decision(std::move(allowed.decision)),
      m_late(std::move(allowed.late)),
      m_flying(std::uncaught_exceptions()),
      m_knownError(errorUnderWay())
{}

CallScope::CallScope(CallScope &&other) noexcept = default;

CallScope::~CallScope()
{
    if (!m_core)
        return;
    quietly([this] {
        if (m_outcome.empty()) {
            const bool isFlying = std::uncaught_exceptions() > m_flying;
            m_outcome = !isFlying ? "success" : errorUnderWay() == m_knownError ? "failure" : "neutral";
            m_error = isFlying ? "exception" : "";
        }
        Fields fields;
        fields.text("outcome", m_outcome).text("error", bounded(m_error));
        if (m_changed)
            fields.raw("changed", *m_changed ? "true" : "false");
        m_core->tellResult(Door::Calls, {m_decision, m_late}, fields);
    });
}

void CallScope::neutral(std::string error)
{
    m_outcome = "neutral";
    m_error = std::move(error);
}

void CallScope::failure(std::string error)
{
    m_outcome = "failure";
    m_error = std::move(error);
}

std::optional<std::chrono::milliseconds> RetryPlan::pauseAfter(int made, const std::exception &error) const
{
    if (made >= tries || (isOurMistake && isOurMistake(error)) || (isWorthATry && !isWorthATry(error)))
        return std::nullopt;
    if (backoff.empty())
        return std::chrono::milliseconds(0);
    return backoff[std::min(static_cast<std::size_t>(made), backoff.size()) - 1];
}

void RetryPlan::pause(std::chrono::milliseconds length) const
{
    if (sleep)
        sleep(length);
    else
        std::this_thread::sleep_for(length);
}

Guard::Guard(Options options) : m_core(std::make_shared<GuardCore>(std::move(options))) {}

Guard::~Guard()
{
    quietly([this] { flush(); });
    m_core->hangUp();
}

StepScope Guard::step(const StepAsk &ask)
{
    Fields fields;
    fields.text("endpoint", ask.endpoint).text("model", ask.model).text("estimated_cost", ask.estimatedCost);
    return {m_core, m_core->ask(Door::Steps, {true, ask.endpoint, ask.model}, fields), ask.model};
}

CallScope Guard::call(const std::string &tool, std::string_view arguments)
{
    if (!readJson(arguments))
        throw std::invalid_argument("the arguments of " + tool + " are no JSON value");
    Fields fields;
    fields.text("tool", tool).raw("arguments", arguments);
    return {m_core, m_core->ask(Door::Calls, {false, tool, {}}, fields)};
}

bool Guard::note(std::string_view text)
{
    return m_core->tellOfTask("note", Fields().text("agent", m_core->options().agent).text("text", text));
}

bool Guard::end(std::string_view outcome)
{
    return m_core->tellOfTask("end", Fields().text("agent", m_core->options().agent).text("outcome", outcome));
}

std::string Guard::look()
{
    return m_core->look();
}

bool Guard::flush()
{
    m_core->flush(m_core->options().tries);
    return unsent() == 0;
}

const std::string &Guard::task() const noexcept
{
    return m_core->options().task;
}

std::optional<Rung> Guard::rung() const
{
    return m_core->rules().rung();
}

std::size_t Guard::unsent() const
{
    return m_core->outbox().size();
}

std::size_t Guard::lost() const
{
    return m_core->outbox().lost();
}

std::size_t Guard::uncounted() const
{
    return m_core->outbox().uncounted();
}

std::string Guard::kindOf(const std::exception &error)
{
    int status = 0;
    const std::unique_ptr<char, void (*)(void *)> name(
        abi::__cxa_demangle(typeid(error).name(), nullptr, nullptr, &status), &std::free);
    return status == 0 && name ? name.get() : "exception";
}

} // namespace handreset::client
