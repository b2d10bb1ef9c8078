// Ask Handreset before each model call and each tool call.
//
//     handreset::client::Options options;           // gate, token, agent and task come from the environment
//     options.tools["get_quote"] = handreset::client::Access::Read;
//     handreset::client::Guard guard(options);
//     try {
//         {
//             auto step = guard.step({"eu", "large-model", ""});
//             const auto answer = askTheModel(step.model());
//             handreset::client::StepResult result;
//             result.tokensIn = answer.tokensIn;
//             step.result(result);
//         }
//         // An amount under a value cap is a number: a text counts as outside the cap.
//         auto call = guard.call("send_pix", R"({"amount": 12.50})");
//         sendPix("12.50");
//     } catch (const handreset::client::Denied &refusal) {
//         std::cerr << refusal.what() << '\n';      // who refused, why, and what ends it
//     }
//
// The gate decides and counts; this library asks, obeys and reports. It never works out by itself that a switch is
// closed: what the gate has not allowed is refused, and while the gate cannot be reached OfflineRules hold.
//
// C++17, standard library and POSIX sockets. It needs nothing else of Handreset.
#pragma once

#include "handreset_decision.h"
#include "handreset_offline.h"

#include <chrono>
#include <exception>
#include <functional>
#include <map>
#include <memory>
#include <optional>
#include <stdexcept>
#include <string>
#include <string_view>
#include <type_traits>
#include <vector>

namespace handreset::client {

struct Options {
    std::string agent;                      ///< empty: HANDRESET_AGENT
    std::string task;                       ///< empty: HANDRESET_TASK, else a new name is made for one
    std::string session;                    ///< empty: none
    std::string parent;                     ///< the parent task; empty: none
    std::string address;                    ///< "unix:/path" or "http://127.0.0.1:8480"; empty: HANDRESET_GATE
    std::string tokenFile;                  ///< a plain file with the token alone, read once; empty: `token`
    std::string token;                      ///< empty too: HANDRESET_TOKEN_FILE, else HANDRESET_TOKEN
    std::chrono::milliseconds timeout{250}; ///< for one exchange, from connecting to the last byte
    int tries = 2;                          ///< exchanges before the offline rules hold
    // For when the gate is away, see OfflineRules.
    Offline offline = Offline::Refuse;
    std::chrono::milliseconds lease{30000};
    std::map<std::string, Access> tools; ///< what is not named here counts as a write
    /// Hears of results that the gate did not take and of calls on a lease that it did not count, in words; may be
    /// called from any thread that uses the guard.
    std::function<void(const std::string &)> warn;
};

/// Every error of this library. A call that met one must not be made.
class GuardError : public std::runtime_error {
public:
    explicit GuardError(const std::string &text);

private:
    std::shared_ptr<const unsigned long> m_underWay; ///< tells the scopes that it flies through what it is
};

/// The call is refused and must not be made. Nothing is reported for it: a refusal is no failure of the tool.
class Denied : public GuardError {
public:
    explicit Denied(Decision decision);
    [[nodiscard]] const Decision &decision() const noexcept { return *m_decision; }

private:
    std::shared_ptr<const Decision> m_decision; // shared, so that copies of the exception cannot throw
};

/// The gate calls the request wrong: a mistake in the agent's program or in its token, not a decision.
class WrongRequest : public GuardError {
public:
    WrongRequest(int status, ErrorText error);
    [[nodiscard]] int status() const noexcept { return m_status; } ///< the HTTP status
    [[nodiscard]] const ErrorText &error() const noexcept { return *m_error; }

private:
    int m_status;
    std::shared_ptr<const ErrorText> m_error;
};

/// The gate was not reached or could not answer, and what was wanted of it cannot wait (`look`).
class Unreached : public GuardError {
public:
    explicit Unreached(const std::string &text, std::optional<double> retryAfter = {})
        : GuardError(text), m_retryAfter(retryAfter)
    {}
    /// Seconds after which asking again makes sense; none: the gate did not say.
    [[nodiscard]] std::optional<double> retryAfter() const noexcept { return m_retryAfter; }

private:
    std::optional<double> m_retryAfter;
};

/// The gate is there, but this agent has asked too much of it (429): no mistake, ask again after `retryAfter`.
class TooMany : public Unreached {
public:
    using Unreached::Unreached;
};

class GuardCore;
struct Allowed;
struct LateAsk;

struct StepAsk {
    std::string endpoint;      ///< empty: none
    std::string model;         ///< empty: while degraded the gate tells the one to use; with another it refuses
    std::string estimatedCost; ///< "0.05 USD"; empty: the policy's estimate
};

/// What came of a model call. What is not known stays empty: 0 tokens are told as 0.
struct StepResult {
    bool ok = true;
    std::optional<int> status; ///< the provider's HTTP status
    std::string error;         ///< written to the log: no secrets
    std::string model;
    std::string cost;     ///< "0.05 USD", or a decimal number together with `currency`
    std::string currency; ///< "USD"
    std::optional<long long> tokensIn;
    std::optional<long long> tokensOut;
    std::optional<long long> retryAfter; ///< the provider's Retry-After, in seconds
};

/// One model call that was allowed. When it goes, it tells what came of it, unless `result` did: a failure while an
/// exception flies, else ok. A refusal of ours that flies through it is no failure of the provider.
class StepScope {
public:
    StepScope(StepScope &&other) noexcept;
    StepScope &operator=(StepScope &&) = delete;
    ~StepScope();

    /// Tells at once; once. Throws std::logic_error the second time.
    void result(const StepResult &result);
    /// The model to use: the one that the gate told, else the one that was asked for.
    [[nodiscard]] const std::string &model() const noexcept { return m_model; }
    [[nodiscard]] const Decision &decision() const noexcept { return m_decision; }

private:
    friend class Guard;
    StepScope(std::shared_ptr<GuardCore> core, Allowed allowed, std::string asked);

    std::shared_ptr<GuardCore> m_core; ///< null once it is told
    Decision m_decision;
    std::shared_ptr<const LateAsk> m_late; ///< what the gate is to be asked once it is back; null: it was
    std::string m_model;
    int m_flying;               ///< exceptions that flew already when it began
    unsigned long m_knownError; ///< the error of ours that was handled then
};

/// One tool call that was allowed. When it goes, it tells what came of it: a failure while an exception flies, neutral
/// where `neutral` was called or a refusal of ours flies through it, else a success.
class CallScope {
public:
    CallScope(CallScope &&other) noexcept;
    CallScope &operator=(CallScope &&) = delete;
    ~CallScope();

    /// This call says nothing about the tool's health: our own mistake, or it never left.
    void neutral(std::string error = {});
    /// The tool failed, though nothing was thrown. The text is written to the log: no secrets.
    void failure(std::string error = {});
    /// Whether the answer differs from the last one: evidence when the agent repeats itself.
    void setChanged(bool changed) { m_changed = changed; }
    [[nodiscard]] const Decision &decision() const noexcept { return m_decision; }

private:
    friend class Guard;
    CallScope(std::shared_ptr<GuardCore> core, Allowed allowed);

    std::shared_ptr<GuardCore> m_core;
    Decision m_decision;
    std::shared_ptr<const LateAsk> m_late; ///< as in StepScope
    std::string m_outcome;
    std::string m_error;
    std::optional<bool> m_changed;
    int m_flying;               ///< exceptions that flew already when it began
    unsigned long m_knownError; ///< the error of ours that was handled then
};

/// How often a failing tool is tried within one call of the breaker.
struct RetryPlan {
    using Judge = std::function<bool(const std::exception &)>;

    int tries = 3;
    /// Pauses between tries; the last serves for all that follow.
    std::vector<std::chrono::milliseconds> backoff{std::chrono::milliseconds(100), std::chrono::milliseconds(200),
                                                   std::chrono::milliseconds(400)};
    Judge isWorthATry;                                    ///< none: every std::exception is
    Judge isOurMistake;                                   ///< neutral, and not tried again; none: nothing is
    std::function<void(std::chrono::milliseconds)> sleep; ///< none: this thread sleeps

    /// The pause before the next try, `made` tries having failed; none: the error stands.
    [[nodiscard]] std::optional<std::chrono::milliseconds> pauseAfter(int made, const std::exception &error) const;
    void pause(std::chrono::milliseconds length) const;
};

/// Stands between one agent's task and its calls. Threads may share it; a forked child opens connections of its own.
/// What it hands out may outlive it. Going, it tells what waits, once more; it does not end the task.
class Guard {
public:
    /// Throws std::invalid_argument for what cannot be right.
    explicit Guard(Options options = {});
    ~Guard();
    Guard(const Guard &) = delete;
    Guard &operator=(const Guard &) = delete;

    /// Asks before a model call. Throws Denied or WrongRequest.
    [[nodiscard]] StepScope step(const StepAsk &ask = {});
    /// Asks before a tool call; `arguments` is any JSON value. Throws Denied or WrongRequest, and std::invalid_argument
    /// for what is no JSON.
    [[nodiscard]] CallScope call(const std::string &tool, std::string_view arguments = "{}");

    /// Calls the function, again after a pause while it throws, all inside one call of the breaker: the gate hears of
    /// one failure, when the tries are used up. Throws what the last try threw, Denied or WrongRequest.
    template <class Function>
    std::invoke_result_t<Function &> run(const std::string &tool, std::string_view arguments, Function function,
                                         const RetryPlan &plan = {})
    {
        auto scope = call(tool, arguments);
        for (int made = 1;; ++made) {
            std::chrono::milliseconds pause{0};
            try {
                return function();
            } catch (const GuardError &) {
                throw; // a refusal within: the scope knows that the tool is not to blame
            } catch (const std::exception &error) {
                if (plan.isOurMistake && plan.isOurMistake(error))
                    scope.neutral(kindOf(error));
                const auto next = plan.pauseAfter(made, error);
                if (!next) {
                    if (!plan.isOurMistake || !plan.isOurMistake(error))
                        scope.failure(kindOf(error));
                    throw;
                }
                pause = *next;
            }
            plan.pause(pause);
        }
    }

    /// A diagnosis for the human who takes over. True: the gate has it. False: it will be told when the gate is back,
    /// or the gate does not know the task, because it never let anything of it through. Throws WrongRequest.
    bool note(std::string_view text);
    /// Ends the task: "success", "failure" or "neutral". A task that has ended is never used again. As note.
    bool end(std::string_view outcome = "success");
    /// The agent's rung, active trips, limits and what is left of each, as the gate's JSON. Looking moves nothing.
    /// Throws Unreached (as TooMany where this agent asks too often), or WrongRequest.
    [[nodiscard]] std::string look();
    /// Tells what waits, as far as one timeout's length goes; it tries also a gate that was just missed. True: nothing
    /// waits any more.
    bool flush();

    [[nodiscard]] const std::string &task() const noexcept;
    [[nodiscard]] std::optional<Rung> rung() const; ///< the last that the gate told; none: it never did
    [[nodiscard]] std::size_t unsent() const;       ///< results that wait for the gate to come back
    [[nodiscard]] std::size_t lost() const;         ///< results that were given up
    /// Calls that were made on a lease and that the gate, once it was back, did not count: their limit was reached
    /// meanwhile, or it could not take them. `Options::warn` hears of each.
    [[nodiscard]] std::size_t uncounted() const;

private:
    /// Only the kind of an error is told, because its text may hold what must not stand in a log.
    static std::string kindOf(const std::exception &error);

    std::shared_ptr<GuardCore> m_core;
};

} // namespace handreset::client
