#include "model/store/verify.h"

#include "model/store/log_check.h"
#include "model/store/table_comparison.h"

namespace handreset::store {

using rules::Error;
using rules::ErrorCode;
using rules::Result;

namespace {

const std::string kSchema = "again";

/// An empty set of projection tables beside the real ones; gone with it. One transaction, so that the log stands still.
class SecondSchema {
public:
    explicit SecondSchema(Database &database) : m_database(database) {}
    ~SecondSchema()
    {
        if (sqlite3_get_autocommit(m_database.handle()) == 0)
            static_cast<void>(m_database.execute("ROLLBACK"));
        static_cast<void>(m_database.execute("DETACH again"));
        if (m_wasReadOnly)
            static_cast<void>(m_database.execute("PRAGMA query_only=ON"));
    }
    SecondSchema(const SecondSchema &) = delete;
    SecondSchema &operator=(const SecondSchema &) = delete;

    [[nodiscard]] Result<void> make()
    {
        m_wasReadOnly = m_database.number("PRAGMA query_only").ok() && *m_database.number("PRAGMA query_only") != 0;
        if (auto attached = m_database.execute("PRAGMA query_only=OFF; ATTACH '' AS again; BEGIN"); !attached)
            return attached;
        for (const auto *table : kProjectionTables) {
            if (auto made = m_database.execute(createSql(*table, kSchema)); !made)
                return made;
        }
        return m_database.execute("CREATE INDEX again.trip_incident ON trip (incident)");
    }

private:
    Database &m_database;
    bool m_wasReadOnly = false;
};

Result<void> checkPages(Database &database, Findings &findings)
{
    for (const std::string_view sql : {"PRAGMA main.integrity_check(20)", "PRAGMA main.foreign_key_check"}) {
        auto statement = database.prepare(sql);
        if (!statement)
            return statement.error();
        for (;;) {
            const auto isThere = statement->step();
            if (!isThere)
                return isThere.error();
            if (!*isThere)
                break;
            if (statement->bytes(0) == "ok")
                continue;
            const bool isReference = sql.ends_with("foreign_key_check");
            findings.add(isReference ? statement->text(0) + ", row " + std::to_string(statement->integer(1))
                                 + ": what it refers to is missing"
                                     : "the file: " + statement->text(0));
        }
    }
    return {};
}

Result<void> checkTables(Database &database, const Progress &progress, Findings &findings, Verification &out)
{
    double share = 0.9;
    for (const auto *table : kProjectionTables) {
        if (progress && !progress(share))
            return Error{ErrorCode::Cancelled, "verify was stopped", ""};
        const auto rows = compareTable(database, *table, kSchema, findings);
        if (!rows)
            return rows.error();
        out.rows += *rows;
        share += 0.1 / kProjectionTables.size();
    }
    return {};
}

} // namespace

Result<Verification> verifyStore(Database &database, const MarkState *mark, const LogEnd &end, const QString &path,
                                 const Progress &progress)
{
    Verification out;
    Findings findings;
    if (auto checked = checkPages(database, findings); !checked)
        return checked.error();
    if (mark != nullptr) {
        if (auto judged = judgeMark(database, *mark, end, path); !judged)
            findings.add("the high-water mark: " + judged.error().message);
    }
    SecondSchema second(database);
    if (auto made = second.make(); !made)
        return made.error();
    LogCheck log(database, findings);
    if (auto walked = log.run(kSchema, progress, out); !walked)
        return walked.error();
    if (log.isFolded()) {
        if (auto compared = checkTables(database, progress, findings, out); !compared)
            return compared.error();
    } else {
        findings.add("the tables were not compared, for the log cannot be folded");
    }
    if (progress)
        static_cast<void>(progress(1.0));
    out.findings = findings.take();
    return out;
}

} // namespace handreset::store
