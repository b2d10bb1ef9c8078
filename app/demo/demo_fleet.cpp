#include "app/demo/demo_fleet.h"

#include "app/demo/agent_processes.h"
#include "app/demo/billing_agent.h"
#include "app/demo/booking_agent.h"
#include "app/demo/crawler_agent.h"
#include "app/demo/demo_stage.h"
#include "app/demo/research_agent.h"
#include "app/demo/support_agent.h"
#include "model/engine/host_wait.h"
#include "model/engine/time_zone.h"
#include "model/rules/policy_text.h"

#include <algorithm>
#include <array>
#include <chrono>
#include <cmath>
#include <string>
#include <string_view>
#include <utility>
#include <variant>

#include <QFile>

/// In the global namespace, as Qt asks: a static library's resources are not found without it.
static void initDemoResources()
{
    Q_INIT_RESOURCE(demo);
}

namespace handreset::demo {

namespace {

/// All the agents of one play on one stage.
class Cast {
public:
    Cast(engine::Host &host, const DemoOptions &options, const std::string &run)
        : m_stage(host, options.seed, run),
          m_support(m_stage),
          m_booking(m_stage),
          m_research(m_stage),
          m_billing(m_stage),
          m_crawler(m_stage)
    {
        for (DemoAgent *agent : std::array<DemoAgent *, 5>{&m_support, &m_booking, &m_research, &m_billing, &m_crawler})
            agent->start();
    }
    [[nodiscard]] Stage &stage() noexcept { return m_stage; }
    /// When the next act is due; nothing at the end.
    [[nodiscard]] std::optional<rules::Duration> next(const DemoOptions &options) const
    {
        const auto next = m_stage.next();
        return next && options.until && *next > *options.until ? std::nullopt : next;
    }

private:
    Stage m_stage;
    SupportAgent m_support;
    BookingAgent m_booking;
    ResearchAgent m_research;
    BillingAgent m_billing;
    CrawlerAgent m_crawler;
};

/// Cooldowns run on the machine's own time; a play that is hurried needs shorter ones, or its breakers never close.
std::string hurried(std::string text, double speed)
{
    constexpr std::string_view kField = "cooldown_seconds = ";
    for (auto at = text.find(kField); at != std::string::npos; at = text.find(kField, at + 1)) {
        const auto first = at + kField.size();
        const auto length = std::min(text.find_first_not_of("0123456789", first), text.size()) - first;
        if (length == 0)
            continue;
        const auto seconds = std::max(1L, std::lround(std::stod(text.substr(first, length)) / std::max(1.0, speed)));
        text.replace(first, length, std::to_string(seconds));
    }
    return text;
}

/// Empty where it is not in this program.
std::string demoPolicyText()
{
    initDemoResources();
    QFile file(QStringLiteral(":/handreset/demo/billing.toml"));
    return file.open(QIODevice::ReadOnly) ? file.readAll().toStdString() : std::string();
}

/// Whatever the speed of the play that it was applied for.
bool isDemoPolicy(const std::string &text)
{
    constexpr double kFastest = 1e9;
    return hurried(text, kFastest) == hurried(demoPolicyText(), kFastest);
}

rules::Result<void> applyDemoPolicy(engine::Host &host, const DemoOptions &options)
{
    rules::ApplyPolicy apply;
    apply.text = hurried(demoPolicyText(), options.speed);
    if (apply.text.empty())
        return rules::Error{rules::ErrorCode::Unavailable, "the demo's policy is not in this program", {}};
    apply.file = "billing.toml";
    auto reading = rules::readPolicy(apply.text, apply.file, engine::zoneExists);
    if (!reading.accepted())
        return rules::Error{rules::ErrorCode::BadInput, reading.problems.front().toString(), apply.file};
    auto zone = engine::zoneNamed(reading.policy->timezone);
    if (!zone)
        return zone.error();
    apply.policy = std::make_shared<const rules::Policy>(*std::move(reading.policy));
    apply.zone = std::move(zone).value();
    apply.by = options.operatorName;
    apply.reason = "the limits of the demo fleet";
    const engine::Reply reply = submitAndWait(host, std::move(apply));
    if (const auto *error = std::get_if<rules::Error>(&reply.outcome))
        return *error;
    return {};
}

/// Sees to the policy, and names this play: an earlier one in the same store has used its tasks' names.
rules::Result<std::string> prepare(engine::Host &host, const DemoOptions &options)
{
    const auto fleet = engine::snapshotAndWait(host);
    if (auto whyNot = whyNotHere(*fleet))
        return *whyNot;
    if (fleet->policyVersion == 0) {
        if (const auto applied = applyDemoPolicy(host, options); !applied)
            return applied.error();
    }
    const bool isFirst = fleet->names.find(rules::NameKind::Agent, "support") == 0;
    return isFirst ? std::string() : std::to_string(fleet->seq.value);
}

/// The agents that a play has.
constexpr std::array<std::string_view, 5> kAgents{"support", "booking", "research", "billing", "crawler"};

} // namespace

std::optional<rules::Error> whyNotHere(const rules::Fleet &fleet)
{
    std::string why;
    if (fleet.recorded)
        why = "it is for recorded runs";
    else if (fleet.policyVersion == 0 && !fleet.isUnsigned)
        why = "it is signed, and the demo brings its policy without a signature";
    else if (fleet.policyVersion != 0 && !isDemoPolicy(fleet.policyText))
        why = "its policy is not the demo's";
    else if (fleet.policyVersion == 0 && !fleet.agents.empty())
        why = "agents have asked here already";
    for (std::uint32_t id = 1; id <= fleet.agents.size() && why.empty(); ++id) {
        if (std::ranges::find(kAgents, fleet.names(rules::AgentId{id})) == kAgents.end())
            why = "it has agents that are not the demo's";
    }
    if (why.empty())
        return std::nullopt;
    return rules::Error{rules::ErrorCode::Refused,
                        "the demo does not play in this store: " + why
                            + "; make one for it with: handresetctl init --unsigned --fleet demo --store X",
                        {}};
}

DemoFleet::DemoFleet(engine::Host &host, DemoOptions options) : m_host(host), m_options(std::move(options)) {}

DemoFleet::~DemoFleet()
{
    stop();
}

rules::Result<void> DemoFleet::start(std::function<void()> finished)
{
    if (m_thread.joinable())
        return rules::Error{rules::ErrorCode::Refused, "the demo is running already", {}};
    if (!(m_options.speed > 0))
        return rules::Error{rules::ErrorCode::BadInput, "the demo's speed must be above zero", "speed"};
    auto run = prepare(m_host, m_options);
    if (!run)
        return run.error();
    m_run = std::move(run).value();
    m_finished = std::move(finished);
    m_isStopped = false;
    m_thread = std::thread([this] { play(); });
    return {};
}

void DemoFleet::stop()
{
    {
        const std::lock_guard lock(m_mutex);
        m_isStopped = true;
    }
    m_stopping.notify_all();
    if (m_thread.joinable())
        m_thread.join();
}

void DemoFleet::play()
{
    if (const auto played = playAsProcesses(); !played && pause({})) {
        tell(played.error().message + ": the demo's agents run inside this program");
        playInside();
    }
    if (m_finished)
        m_finished();
}

rules::Result<void> DemoFleet::playAsProcesses()
{
    const auto waits = [this](std::chrono::milliseconds length) { return pause(length); };
    auto processes = AgentProcesses::start(m_host, m_options, m_run, kAgents, waits);
    if (!processes)
        return processes.error();
    (*processes)->play(waits, [this](const std::string &text) { tell(text); });
    return {};
}

void DemoFleet::playInside()
{
    const auto began = std::chrono::steady_clock::now();
    const auto due = [this, began](rules::Duration playTime) {
        const std::chrono::duration<double, std::micro> life(static_cast<double>(playTime.micros) / m_options.speed);
        return began + std::chrono::duration_cast<std::chrono::steady_clock::duration>(life);
    };
    Cast cast(m_host, m_options, m_run);
    for (auto next = cast.next(m_options); next && waitUntil(due(*next)); next = cast.next(m_options))
        cast.stage().doNext();
}

void DemoFleet::tell(const std::string &text) const
{
    if (m_options.tell)
        m_options.tell(text);
}

bool DemoFleet::pause(std::chrono::steady_clock::duration length)
{
    return waitUntil(std::chrono::steady_clock::now() + length);
}

bool DemoFleet::waitUntil(std::chrono::steady_clock::time_point when)
{
    std::unique_lock lock(m_mutex);
    return !m_stopping.wait_until(lock, when, [this] { return m_isStopped; });
}

rules::Result<void> DemoFleet::runToEnd(engine::Host &host, engine::FakeClock &clock, const DemoOptions &options)
{
    auto run = prepare(host, options);
    if (!run)
        return run.error();
    Cast cast(host, options, *run);
    rules::Duration time;
    for (auto next = cast.next(options); next; next = cast.next(options)) {
        while (time < *next) {
            const rules::Duration step = std::min(rules::seconds(1), *next - time);
            clock.advance(step);
            time = time + step;
            static_cast<void>(submitAndWait(host, rules::Tick{}));
        }
        cast.stage().doNext();
    }
    return {};
}

} // namespace handreset::demo
