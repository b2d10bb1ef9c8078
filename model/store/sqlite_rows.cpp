#include "model/store/sqlite_rows.h"

#include "model/store/event_rows.h"
#include "model/store/packing.h"
#include "model/store/statement.h"

#include <exception>
#include <limits>
#include <string>
#include <utility>

namespace handreset::store {

using rules::Error;
using rules::ErrorCode;
using rules::Result;
using rules::Seq;

namespace {

constexpr std::int64_t kMost32 = std::numeric_limits<std::uint32_t>::max();
/// No kind of this program has the last bit, and SQLite's shift repeats it: kinds that only a newer program knows pass,
/// and whoever decodes them says what is wrong.
constexpr KindSet kUnknownKinds = KindSet{1} << 63U;
static_assert(rules::kEventKinds < 63);

/// Takes the rows as a function of the statement's condition. To fetch them with a step each, and every column with a
/// call of its own, costs twice the time.
class RowTaker final : public LogArguments {
public:
    RowTaker(sqlite3 *handle, const EachRow &each, Statement arguments)
        : m_handle(handle), m_each(each), m_arguments(std::move(arguments))
    {}
    ~RowTaker() override
    {
        sqlite3_create_function_v2(m_handle, kName, kColumns, kFlags, nullptr, nullptr, nullptr, nullptr, nullptr);
    }
    RowTaker(const RowTaker &) = delete;
    RowTaker &operator=(const RowTaker &) = delete;

    [[nodiscard]] bool isRegistered()
    {
        return sqlite3_create_function_v2(m_handle, kName, kColumns, kFlags, this, &RowTaker::called, nullptr, nullptr,
                                          nullptr)
            == SQLITE_OK;
    }
    [[nodiscard]] const Result<bool> &last() const noexcept { return m_last; }

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

    static constexpr const char *kName = "handreset_row";

private:
    static constexpr int kColumns = 6;
    static constexpr int kFlags = SQLITE_UTF8 | SQLITE_DIRECTONLY;

    static void called(sqlite3_context *context, int, sqlite3_value **columns) noexcept
    {
        auto &self = *static_cast<RowTaker *>(sqlite3_user_data(context));
        try {
            self.m_last = self.take(columns);
        } catch (const std::exception &fault) { // SQLite is C: nothing may be thrown through it
            self.m_last = Error{ErrorCode::Unavailable, std::string("reading the log failed: ") + fault.what(), "log"};
        }
        sqlite3_result_int(context, self.m_last && *self.m_last ? 0 : 1);
    }
    Result<bool> take(sqlite3_value **columns)
    {
        const auto kind = sqlite3_value_int64(columns[1]);
        const auto agent = sqlite3_value_int64(columns[3]);
        const auto task = sqlite3_value_int64(columns[4]);
        m_row.seq = Seq{static_cast<std::uint64_t>(sqlite3_value_int64(columns[0]))};
        if (kind < 0 || kind > 255 || agent < 0 || agent > kMost32 || task < 0 || task > kMost32) {
            return Error{ErrorCode::Unavailable, "the log is damaged: a column is out of its range; run verify",
                         "event " + std::to_string(m_row.seq.value)};
        }
        m_row.kind = static_cast<std::uint8_t>(kind);
        m_row.at.reset();
        if (sqlite3_value_type(columns[2]) != SQLITE_NULL)
            m_row.at = rules::Instant{sqlite3_value_int64(columns[2])};
        m_row.agent = {static_cast<std::uint32_t>(agent)};
        m_row.task = {static_cast<std::uint32_t>(task)};
        const auto *const payload = static_cast<const char *>(sqlite3_value_blob(columns[5]));
        m_row.payload = {payload, payload != nullptr ? static_cast<std::size_t>(sqlite3_value_bytes(columns[5])) : 0};
        return m_each(m_row, *this);
    }

    sqlite3 *m_handle;
    const EachRow &m_each;
    Statement m_arguments;
    Packer m_packer;
    LogRow m_row;
    Result<bool> m_last{true};
};

} // namespace

Result<void> eachRow(Database &database, bool recorded, Seq first, Seq last, KindSet kinds, const EachRow &each)
{
    auto arguments = database.prepare("SELECT form, body FROM main.argument WHERE seq = ?1");
    if (!arguments)
        return arguments.error();
    RowTaker taker(database.handle(), each, std::move(*arguments));
    if (!taker.isRegistered())
        return sqliteError(database.handle(), "reading the log");
    // Rows come in the order of seq, for that is how the table is walked; a row is given out only to stop.
    auto events = database.prepare(
        std::string("SELECT 1 FROM main.event WHERE seq BETWEEN ?1 AND ?2 AND CASE WHEN (?3 >> kind) & 1 THEN ")
        + RowTaker::kName + "(seq, kind, " + (recorded ? "source_time" : "rule_time")
        + ", agent, task, payload) ELSE 0 END ORDER BY seq");
    if (!events)
        return events.error();
    events->bind(columnOf(first), columnOf(last), static_cast<std::int64_t>(kinds | kUnknownKinds));
    if (const auto ended = events->step(); !ended)
        return ended.error();
    if (!taker.last())
        return taker.last().error();
    return {};
}

} // namespace handreset::store
