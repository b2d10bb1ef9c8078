#include "model/store/sqlite_rows.h"

#include "model/store/event_rows.h"

#include <limits>
#include <utility>

namespace handreset::store {

using rules::Error;
using rules::ErrorCode;
using rules::Result;
using rules::Seq;

namespace {

constexpr std::int64_t kMost32 = std::numeric_limits<std::uint32_t>::max();

class SqliteRows final : public LogRows {
public:
    SqliteRows(Statement events, Statement arguments) : m_events(std::move(events)), m_arguments(std::move(arguments))
    {}

    Result<bool> next(LogRow &row) override
    {
        auto isThere = m_events.step();
        if (!isThere || !*isThere)
            return isThere;
        const auto kind = m_events.integer(1);
        const auto agent = m_events.integer(4);
        const auto task = m_events.integer(5);
        row.seq = Seq{static_cast<std::uint64_t>(m_events.integer(0))};
        if (kind < 0 || kind > 255 || agent < 0 || agent > kMost32 || task < 0 || task > kMost32) {
            return Error{ErrorCode::Unavailable, "the log is damaged: a column is out of its range; run verify",
                         "event " + std::to_string(row.seq.value)};
        }
        row.kind = static_cast<std::uint8_t>(kind);
        row.ruleTime = {m_events.integer(2)};
        const auto sourceTime = m_events.integer(3); // 0 where there is none: only then the column's type is asked
        row.sourceTime = sourceTime == 0 && m_events.isNull(3) ? std::nullopt : std::optional(rules::Instant{sourceTime});
        row.agent = {static_cast<std::uint32_t>(agent)};
        row.task = {static_cast<std::uint32_t>(task)};
        row.payload = m_events.bytes(6);
        return isThere;
    }
    Result<std::string> argumentsAt(Seq seq) override
    {
        m_arguments.bind(columnOf(seq));
        const auto isThere = m_arguments.step();
        if (!isThere)
            return isThere.error();
        if (!*isThere)
            return std::string();
        auto text = argumentText(m_packer, m_arguments.integer(0), m_arguments.bytes(1));
        m_arguments.reset();
        return text;
    }

private:
    Statement m_events;
    Statement m_arguments;
    Packer m_packer;
};

} // namespace

Result<std::unique_ptr<LogRows>> openRows(Database &database, Seq first, Seq last, KindSet kinds)
{
    // A kind that this program does not know has no bit; it passes, and whoever decodes it says what is wrong.
    auto events = database.prepare("SELECT seq, kind, rule_time, source_time, agent, task, payload FROM main.event "
                                   "WHERE seq BETWEEN ?1 AND ?2 AND (kind > 63 OR (?3 >> kind) & 1) ORDER BY seq");
    if (!events)
        return events.error();
    auto arguments = database.prepare("SELECT form, body FROM main.argument WHERE seq = ?1");
    if (!arguments)
        return arguments.error();
    events->bind(columnOf(first), columnOf(last), static_cast<std::int64_t>(kinds));
    return std::unique_ptr<LogRows>(std::make_unique<SqliteRows>(std::move(*events), std::move(*arguments)));
}

} // namespace handreset::store
