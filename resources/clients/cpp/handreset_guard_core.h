// What a guard and the scopes that it hands out share: the asking, the telling, and what waits.
#pragma once

#include "handreset_guard.h"
#include "handreset_http.h"
#include "handreset_outbox.h"

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

class GuardCore {
public:
    /// Which of the gate's two kinds of asks.
    enum class Door { Steps, Calls };

    explicit GuardCore(Options options);

    /// One ask, up to its decision, which is an allow. Throws Denied or WrongRequest.
    Decision ask(Door door, const Subject &subject, Fields fields);
    void tellResult(Door door, const Decision &decision, const Fields &fields);
    /// Tells the gate, now or when it is back. True: it has heard. `isStrict`: throws WrongRequest where the gate calls
    /// it wrong; else that is left, because the call that it is about has been made already.
    bool tell(Post post, bool isStrict);
    /// Tells what waits, oldest first, for one timeout's length at most, so that an ask behind it is not held up. How
    /// the gate was missed, or none where it was not.
    std::optional<std::string> flush();
    std::string look();

    [[nodiscard]] std::string taskPath(std::string_view verb) const;
    [[nodiscard]] const Options &options() const noexcept { return m_options; }
    [[nodiscard]] const OfflineRules &rules() const noexcept { return m_rules; }
    [[nodiscard]] const Outbox &outbox() const noexcept { return m_outbox; }
    void hangUp() { m_lines.closeAll(); }

private:
    enum class Told { In, Wrong, NotNow, Away };
    struct Telling {
        Told told = Told::Away;
        std::string why;                   ///< Away
        std::optional<WrongRequest> error; ///< Wrong
    };

    [[nodiscard]] std::string wire(std::string_view method, std::string_view path, std::string_view body) const;
    /// The decision that an answer brings; none where it is no answer to an ask. Throws WrongRequest.
    std::optional<Decision> judge(const Answer &answer, const std::string &id, const Subject &subject,
                                  OfflineRules::Time askedAt);
    Telling tellOnce(const Post &post);
    void complain(const Post &post, const WrongRequest &error) const;
    void takeBack(Door door, const std::string &id);

    Options m_options;
    OfflineRules m_rules;
    Lines m_lines;
    Outbox m_outbox;
    std::string m_head; ///< the header lines that every request has
};

} // namespace handreset::client
