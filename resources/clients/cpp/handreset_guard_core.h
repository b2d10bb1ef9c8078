// What a guard and the scopes that it hands out share: the asking, the telling, and what waits.
#pragma once

#include "handreset_guard.h"
#include "handreset_http.h"
#include "handreset_outbox.h"
#include "handreset_reach.h"

#include <memory>
#include <optional>
#include <string>
#include <string_view>

namespace handreset::client {

/// Writes one JSON object, field by field.
class Fields {
public:
    /// A text; left out where it is empty.
    Fields &text(std::string_view name, std::string_view value);
    /// Anything whose JSON is known already; left out where it is empty.
    Fields &raw(std::string_view name, std::string_view json);
    [[nodiscard]] std::string done() const { return m_json + '}'; }

private:
    std::string m_json = "{";
};

/// An ask that was allowed.
struct Allowed {
    Decision decision;
    std::shared_ptr<const LateAsk> late; ///< it was on a lease; null: the gate itself allowed it
};

class GuardCore {
public:
    /// Which of the gate's two kinds of asks.
    enum class Door { Steps, Calls };

    explicit GuardCore(Options options);

    /// One ask, up to its decision, which is an allow. Throws Denied or WrongRequest.
    Allowed ask(Door door, const Subject &subject, Fields fields);
    /// Tells what came of a call, now or when the gate is back. What the gate calls wrong is only warned of, because
    /// the call has been made already.
    void tellResult(Door door, const Allowed &allowed, const Fields &fields);
    /// Tells of the task itself, now or when the gate is back. True: it has heard. Throws WrongRequest where the gate
    /// calls it wrong. A task that the gate does not know, because nothing of it was ever let through: false.
    bool tellOfTask(std::string_view verb, const Fields &fields);
    /// Tells what waits, oldest first, for one timeout's length at most, so that an ask behind it is not held up. How
    /// the gate was missed, or none where it was not.
    std::optional<std::string> flush(int tries);
    std::string look();

    [[nodiscard]] const Options &options() const noexcept { return m_options; }
    [[nodiscard]] const OfflineRules &rules() const noexcept { return m_rules; }
    [[nodiscard]] const Outbox &outbox() const noexcept { return m_outbox; }
    void hangUp() { m_lines.closeAll(); }

private:
    enum class Told { In, Wrong, Refused, NotNow, Away };
    struct Telling {
        Told told = Told::Away;
        std::string why;                   ///< in words; empty where it is in
        std::optional<WrongRequest> error; ///< Wrong
    };

    [[nodiscard]] std::string wire(std::string_view method, std::string_view path, std::string_view body) const;
    /// The decision that an answer brings; none where it is no answer to an ask. Throws WrongRequest.
    std::optional<Decision> judge(const Answer &answer, const std::string &id, const Subject &subject,
                                  OfflineRules::Time askedAt);
    /// One exchange, tried again while the gate is missed.
    Reply exchange(const std::string &request, int tries);
    /// Tells one thing, its late ask before it; forgets the late ask once that is in.
    Telling tellOnce(Post &post, int tries);
    /// Asks for a call that was made on a lease, so that the gate counts it. In: its result may go.
    Telling countLate(Post &post, int tries);
    static Telling notTaken(const Answer &answer);
    void keepForLater(Post post);
    void warn(const std::string &text) const;
    /// The gate will never take it, and why.
    void complain(const Post &post, const Telling &telling);
    void takeBack(Door door, const std::string &id);
    [[noreturn]] static void throwNoLook(const Answer &answer);

    Options m_options;
    OfflineRules m_rules;
    Lines m_lines;
    Outbox m_outbox;
    Reach m_reach;
    std::string m_head; ///< the header lines that every request has
};

} // namespace handreset::client
