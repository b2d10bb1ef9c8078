// One command on its way to becoming events: emits each event and folds it at once, so that what follows is decided
// on the state that it leaves. Internal to model/rules. Pure; any thread.
#pragma once

#include "model/rules/command.h"
#include "model/rules/judge.h"

#include <optional>
#include <string>
#include <string_view>

namespace handreset::rules {

/// A reason must have this many characters (spec 3.4).
inline constexpr std::size_t kShortestReason = 10;
/// Longest text of an operator or a note that is kept, in bytes.
inline constexpr std::size_t kLongestText = 4096;
/// Longest arguments kept beside an ask, and in a trip's evidence.
inline constexpr std::size_t kLongestArguments = 64 * 1024;
inline constexpr std::size_t kLongestEvidence = 2048;

class Draft {
public:
    Draft(Fleet &fleet, const Moment &moment, Step &step, Touched *touched);

    [[nodiscard]] const Fleet &fleet() const noexcept { return m_fleet; }
    [[nodiscard]] const Moment &moment() const noexcept { return m_moment; }
    /// The times that events get now: a live store's wall time is held where it would go back.
    [[nodiscard]] Now time() const;
    /// The time that windows are judged on; none where a recorded task has no dated event.
    [[nodiscard]] std::optional<Instant> windowTime() const;
    [[nodiscard]] bool observes() const noexcept { return m_fleet.recorded; }

    /// Appends the event and folds it. Returns its sequence number.
    Seq emit(AgentId agent, TaskId task, std::uint8_t row, Payload payload, std::string arguments = {});
    /// The number that the next event will get.
    [[nodiscard]] Seq next() const noexcept { return m_fleet.seq.next(); }

    // Names: found, or named by an event. The text has been checked before.
    AgentId agent(std::string_view text);
    TaskId task(AgentId owner, std::string_view text);
    SessionId session(AgentId owner, std::string_view text);
    ToolId tool(std::string_view text);
    KeyId key(std::string_view text);
    EndpointId endpoint(std::string_view text);
    ModelId model(std::string_view text);
    OperatorId operatorNamed(std::string_view text);

    void answer(Outcome outcome) { m_step.outcome = std::move(outcome); }
    [[nodiscard]] const Outcome &outcome() const noexcept { return m_step.outcome; }
    void answerUncounted(UncountedRefusal refusal) { m_step.uncounted = std::move(refusal); }
    /// The refusal of an act: an event that says who wanted what and why not, and the Error for the asker.
    void refuseAct(std::string_view act, TripId trip, std::string_view by, std::string_view reason, Revision seen,
                   std::string why, AgentId agent = {});
    [[nodiscard]] bool failed() const noexcept { return m_failed; }

private:
    std::uint32_t name(NameKind kind, std::string_view text, AgentId owner);

    Fleet &m_fleet;
    const Moment &m_moment;
    Step &m_step;
    Touched *m_touched;
    bool m_failed = false;
};

/// Nothing when the text can be a name; else what is wrong with it.
[[nodiscard]] std::optional<Error> checkName(std::string_view field, std::string_view text, bool mayBeEmpty = false);
/// At most `most` bytes of the text, cut at a character's border; what is no UTF-8 is replaced.
[[nodiscard]] std::string bounded(std::string_view text, std::size_t most);

// What the commands do, one function a command; in decide_asks, decide_results, decide_acts, decide_due.
void decide(Draft &draft, const Tick &command);
void decide(Draft &draft, const AskStep &command);
void decide(Draft &draft, const AskCall &command);
void decide(Draft &draft, const FinishStep &command);
void decide(Draft &draft, const FinishCall &command);
void decide(Draft &draft, const NoteTask &command);
void decide(Draft &draft, const LabelTask &command);
void decide(Draft &draft, const EndTask &command);
void decide(Draft &draft, const Acknowledge &command);
void decide(Draft &draft, const Rearm &command);
void decide(Draft &draft, const StopAgent &command);
void decide(Draft &draft, const GiveReason &command);
void decide(Draft &draft, const ActOnBreaker &command);
void decide(Draft &draft, const ActOnQueue &command);
void decide(Draft &draft, const GrantMore &command);
void decide(Draft &draft, const ApplyPolicy &command);
void decide(Draft &draft, const ConfirmTime &command);
void decide(Draft &draft, const TrustStore &command);
void decide(Draft &draft, const EnrolOperator &command);
void decide(Draft &draft, const RetireOperator &command);
void decide(Draft &draft, const RotateKey &command);
void decide(Draft &draft, const GivePass &command);
void decide(Draft &draft, const Approve &command);
void decide(Draft &draft, const EndRequest &command);
void decide(Draft &draft, const CloseReview &command);
void decide(Draft &draft, const AddToken &command);
void decide(Draft &draft, const RevokeToken &command);
void decide(Draft &draft, const Signed &command);
void decide(Draft &draft, const CreateStore &command);
void decide(Draft &draft, const StartHost &command);
void decide(Draft &draft, const CountRefusals &command);
void decide(Draft &draft, const NoteRefused &command);

/// What the clock brings: jumps, leases, ended cooldowns and windows. Before every command of a live store.
void decideDue(Draft &draft);

/// Latches what fired, or adds it to the active trip as evidence. Returns the trip.
struct FiringContext {
    AgentId agent; ///< who asked
    TaskId task;
    TaskId root;
    SessionId session;
    KeyId key;
    EndpointId endpoint;
    ToolId tool;
    AskId ask;
    std::optional<Digest> refusedCall;
    std::string arguments;   ///< for evidence: redacted, bounded
    std::string destination;
    std::int64_t retryAfterSeconds = 0; ///< provider: what the answer asked for
    std::optional<Instant> at; ///< spend: the time whose window is full
};
TripId fire(Draft &draft, const Firing &firing, const FiringContext &context);
/// Notes each limit whose `watch` value was reached.
void noteWatched(Draft &draft, const std::vector<Firing> &watched, const FiringContext &context);
/// The trip's subject for a firing.
[[nodiscard]] TripSubject subjectOf(const Fleet &fleet, const Firing &firing, const FiringContext &context);
/// "envelope: value 900.00 BRL over 500.00 BRL": what fired, in words.
[[nodiscard]] std::string wordsOf(const Fleet &fleet, const Firing &firing, const FiringContext &context);

/// What an ask is told of its task after it was judged: rung, writes, model.
[[nodiscard]] Decision decisionFor(const Fleet &fleet, AgentId agent, TaskId task);

} // namespace handreset::rules
