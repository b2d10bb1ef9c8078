#include "model/link/linked_host.h"

#include "model/link/link_client.h"
#include "model/link/packed_fleet.h"

#include <algorithm>
#include <iterator>
#include <string>
#include <type_traits>
#include <utility>
#include <variant>

namespace handreset::link {

using rules::Error;
using rules::ErrorCode;
using rules::Result;

namespace {

constexpr std::size_t kPage = 10'000; ///< events in one answer of the host

Error closed()
{
    return {ErrorCode::Unavailable, "The link to the host is being closed. Nothing was done.", {}};
}

/// The answer that was asked for, or the Error in its place.
template <class Answer>
Result<Answer> expected(Result<ToClient> answer)
{
    if (!answer)
        return answer.error();
    return std::visit(
        [](auto &one) -> Result<Answer> {
            using Given = std::remove_cvref_t<decltype(one)>;
            if constexpr (requires { one.error; }) {
                if (one.error)
                    return fromWire(std::move(*one.error));
            }
            if constexpr (std::is_same_v<Given, Answer>)
                return std::move(one);
            else
                return Error{ErrorCode::Unavailable, "the host answered another question than was asked", {}};
        },
        *answer);
}

/// The act of a command; none where it is no operator's act.
std::optional<rules::Act> actIn(rules::Command &command)
{
    return std::visit(
        [](auto &one) -> std::optional<rules::Act> {
            if constexpr (std::is_constructible_v<rules::Act, std::in_place_type_t<std::remove_cvref_t<decltype(one)>>>)
                return rules::Act(std::move(one));
            else
                return std::nullopt;
        },
        command);
}

using EventsDone = std::function<void(Result<std::vector<rules::Event>>)>;

/// Reads page after page: a host answers no more than so many rows at once.
void readPages(LinkClient &client, engine::EventQuery query, std::vector<rules::Event> found, EventsDone done)
{
    AskEvents question;
    question.first = query.first;
    question.last = query.last;
    question.agent = query.agent;
    question.task = query.task;
    question.subject = query.subject;
    question.kinds = query.kinds;
    question.row = query.row;
    question.newestFirst = query.newestFirst;
    question.limit = std::min(query.limit, kPage);
    client.ask(Questions::Kind::Read, std::move(question),
               [&client, query = std::move(query), found = std::move(found), done = std::move(done)](auto raw) mutable {
                   auto answer = expected<EventsAnswer>(std::move(raw));
                   if (!answer)
                       return done(answer.error());
                   const std::size_t got = answer->events.size();
                   const bool isAll = !answer->isCut && (got < kPage || query.limit <= kPage);
                   std::ranges::move(fromWire(std::move(answer->events)), std::back_inserter(found));
                   if (isAll || got == 0)
                       return done(std::move(found));
                   query.limit -= got;
                   if (query.newestFirst)
                       query.last.value = found.back().seq.value - 1;
                   else
                       query.first = found.back().seq.next();
                   readPages(client, std::move(query), std::move(found), std::move(done));
               });
}

} // namespace

LinkedHost::LinkedHost(LinkedHostOptions options)
    : m_options(std::move(options)),
      m_client(
          new LinkClient(m_options, m_followers, m_status, [this](const LinkState &state) { stateChanged(state); })),
      m_mailbox(m_client->mailbox())
{
    m_thread.setObjectName(QStringLiteral("link to the host"));
    m_client->moveToThread(&m_thread);
    QObject::connect(&m_thread, &QThread::finished, m_client, &QObject::deleteLater);
    m_thread.start();
    m_mailbox->post([client = m_client] { client->begin(); });
}

LinkedHost::~LinkedHost()
{
    QMetaObject::invokeMethod(
        m_client, [client = m_client] { client->close(); }, Qt::BlockingQueuedConnection);
    m_thread.quit();
    m_thread.wait();
}

Result<void> LinkedHost::waitUntilUp(std::chrono::milliseconds within)
{
    std::unique_lock lock(m_mutex);
    m_changed.wait_for(lock, within, [this] { return m_state.isUp || m_state.isRefused; });
    if (m_state.isUp)
        return {};
    const std::string why = m_state.trouble.empty() ? std::string("it does not answer") : m_state.trouble;
    return Error{
        m_state.isRefused ? ErrorCode::Refused : ErrorCode::Unavailable, "the host cannot be reached: " + why, {}};
}

LinkState LinkedHost::state() const
{
    const std::lock_guard lock(m_mutex);
    return m_state;
}

void LinkedHost::setPass(HeldPass pass)
{
    {
        const std::lock_guard lock(m_mutex);
        m_state.isRefused = false; // whoever waits from now on waits for this pass
    }
    m_mailbox->post([client = m_client, pass = std::move(pass)]() mutable { client->setPass(std::move(pass)); });
}

void LinkedHost::stateChanged(const LinkState &state)
{
    {
        const std::lock_guard lock(m_mutex);
        m_state = state;
    }
    m_changed.notify_all();
    if (m_options.onChange)
        m_options.onChange(state);
}

void LinkedHost::submit(rules::Command command, std::function<void(const engine::Reply &)> done)
{
    Questions::Answered answered = [done = std::move(done)](Result<ToClient> raw) {
        auto answer = expected<ActAnswer>(std::move(raw));
        engine::Reply reply;
        if (answer)
            reply = fromWire(std::move(answer).value());
        else
            reply.outcome = answer.error();
        if (done)
            done(reply);
    };
    std::function<void()> job;
    if (auto *under = std::get_if<rules::Signed>(&command)) {
        job = [client = m_client, answered, question = SubmitSigned{0, std::move(under->act)}]() mutable {
            client->ask(Questions::Kind::Act, std::move(question), std::move(answered));
        };
    } else if (const auto act = actIn(command)) {
        job = [client = m_client, answered, question = SubmitAct{0, rules::encodeAct(*act)}]() mutable {
            client->ask(Questions::Kind::Act, std::move(question), std::move(answered));
        };
    } else {
        job = [answered] {
            answered(Error{
                ErrorCode::Refused, "Over the operators' link only operators' acts are taken. Nothing was done.", {}});
        };
    }
    if (!m_mailbox->post(std::move(job)))
        answered(closed());
}

void LinkedHost::follow(engine::Follower *follower)
{
    m_followers.add(follower);
    m_mailbox->post([client = m_client] { client->welcome(); });
}

void LinkedHost::unfollow(engine::Follower *follower)
{
    m_followers.remove(follower);
}

engine::HostStatus LinkedHost::status() const
{
    engine::HostStatus status = m_status.read();
    const LinkState link = state();
    if (!link.isUp) {
        status.trouble = "The host cannot be reached: "
            + (link.trouble.empty() ? std::string("it has not answered yet") : link.trouble) + ".";
    }
    return status;
}

void LinkedHost::readEvents(engine::EventQuery query, EventsDone done)
{
    const bool isPosted = m_mailbox->post([client = m_client, query = std::move(query), done]() mutable {
        readPages(*client, std::move(query), {}, std::move(done));
    });
    if (!isPosted)
        done(closed());
}

void LinkedHost::stateAt(rules::Seq seq, std::function<void(Result<std::shared_ptr<const rules::Fleet>>)> done)
{
    const bool isPosted = m_mailbox->post([client = m_client, seq, done] {
        client->ask(Questions::Kind::Read, AskState{0, seq}, [done](Result<ToClient> raw) {
            const auto answer = expected<StateAnswer>(std::move(raw));
            if (!answer)
                return done(answer.error());
            auto fleet = unpackFleet(answer->packed);
            if (!fleet)
                return done(fleet.error());
            done(std::make_shared<const rules::Fleet>(std::move(fleet).value()));
        });
    });
    if (!isPosted)
        done(closed());
}

void LinkedHost::seqAt(rules::Instant time, std::function<void(Result<rules::Seq>)> done)
{
    const bool isPosted = m_mailbox->post([client = m_client, time, done] {
        client->ask(Questions::Kind::Read, AskSeq{0, time}, [done](Result<ToClient> raw) {
            const auto answer = expected<SeqAnswer>(std::move(raw));
            done(answer ? Result<rules::Seq>(answer->seq) : Result<rules::Seq>(answer.error()));
        });
    });
    if (!isPosted)
        done(closed());
}

} // namespace handreset::link
