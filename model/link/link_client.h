// Everything of a LinkedHost that runs on the link's own thread: the connection and its coming again, the fold, the
// followers, the open questions. Thread: made on any, then moved to the link's; all but the constructor on that one.
// Ownership: followers and status board are the LinkedHost's. Failure: every cut is followed by another try, later each
// time; what is wrong is told by `changed`.
#pragma once

#include "model/engine/follower_list.h"
#include "model/engine/status_board.h"
#include "model/link/linked_host.h"
#include "model/link/mailbox.h"
#include "model/link/messages.h"
#include "model/link/questions.h"
#include "model/link/wire.h"

#include <QObject>
#include <QTimer>

#include <chrono>
#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <vector>

namespace handreset::link {

class LinkClient : public QObject {
    Q_OBJECT

public:
    using Answered = Questions::Answered;
    using Changed = std::function<void(const LinkState &)>;

    LinkClient(const LinkedHostOptions &options, engine::FollowerList &followers, engine::StatusBoard &status,
               Changed changed);
    ~LinkClient() override;

    [[nodiscard]] const std::shared_ptr<Mailbox> &mailbox() const { return m_mailbox; }

    void begin();
    /// Answers what is open, hangs up, and lets nothing in any more.
    void close();
    void setPass(HeldPass pass);
    /// Gives whoever is new the present state.
    void welcome();
    /// `message` gets the question's number and goes out; an Error to `answered` where it cannot.
    template <class Message>
    void ask(Questions::Kind kind, Message message, Answered answered)
    {
        if (!m_isAdmitted)
            return answered(unreachable());
        message.number = m_questions.add(kind, dueTime(), std::move(answered));
        sendQuestion(message.number, ToHost(std::move(message)));
    }

private:
    // The connection
    void connectNow();
    void connectToSocket();
    void connectToNetwork();
    void adopt(std::unique_ptr<Wire> wire);
    void checkCertificate();
    void down(const QString &why, bool isRefused = false);
    void look();
    void send(const ToHost &message);
    void sendQuestion(std::uint64_t number, const ToHost &message);
    void tell(LinkState state);
    [[nodiscard]] rules::Error unreachable() const;
    [[nodiscard]] Questions::Time dueTime() const;

    // What the host says
    void arrived(const std::string &message);
    void dispatch(ToClient message);
    void take(const Greeting &greeting);
    void take(TurnedAway turnedAway);
    void take(const Admitted &admitted);
    void take(const Alive &) {}
    void take(const WholeState &whole);
    void take(Tail tail);
    void take(HostBeat beat);
    void take(ActAnswer answer);
    template <class Answer>
    requires requires(Answer answer) { answer.number; }
    void take(Answer answer) { m_questions.answer(answer.number, ToClient(std::move(answer))); }
    void fresh();
    /// Passes on the answers whose commits are in the fold, or all.
    void release(bool all = false);

    const LinkedHostOptions &m_options;
    engine::FollowerList &m_followers;
    engine::StatusBoard &m_status;
    Changed m_changed;
    std::shared_ptr<Mailbox> m_mailbox;
    std::optional<HeldPass> m_pass;
    std::unique_ptr<Wire> m_wire; ///< none between two tries
    QTimer m_retry;
    QTimer m_timer;
    std::chrono::milliseconds m_pause;
    Wire::Time m_since;
    Wire::Time m_lastAlive;
    Wire::Time m_lastLook;
    bool m_isAdmitted = false;
    bool m_isBeating = false; ///< the host was heard to beat since the connection stands
    bool m_isClosed = false;
    bool m_isRefused = false; ///< what `down` is about to tell
    std::string m_certificate; ///< as the host told when it admitted us
    LinkState m_state;
    std::optional<rules::Fleet> m_fleet; ///< none before the first state
    bool m_mustBegin = true;             ///< the fleet is not to be gone on from
    Questions m_questions;
    std::vector<ActAnswer> m_held; ///< answers that came before their commits
    Wire::Time m_heldSince;
};

} // namespace handreset::link
