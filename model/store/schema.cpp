#include "model/store/schema.h"

#include "schema_text.h"

#include <map>
#include <string>

namespace handreset::store {

using rules::Error;
using rules::ErrorCode;
using rules::Result;

namespace {

using Objects = std::map<std::string, std::string>; ///< "table event" → its SQL

Result<Objects> objectsOf(sqlite3 *handle)
{
    auto statement = Statement::prepare(handle,
                                        "SELECT type || ' ' || name, coalesce(sql, '') FROM main.sqlite_schema WHERE "
                                        "name NOT LIKE 'sqlite\\_autoindex\\_%' ESCAPE '\\'");
    if (!statement)
        return statement.error();
    Objects objects;
    for (;;) {
        const auto row = statement->step();
        if (!row)
            return row.error();
        if (!*row)
            return objects;
        objects.emplace(statement->text(0), statement->text(1));
    }
}

Result<Objects> expectedObjects()
{
    sqlite3 *handle = nullptr;
    sqlite3_open_v2(":memory:", &handle, SQLITE_OPEN_READWRITE | SQLITE_OPEN_CREATE, nullptr);
    auto objects = sqlite3_exec(handle, std::string(kSchemaText).c_str(), nullptr, nullptr, nullptr) == SQLITE_OK
        ? objectsOf(handle)
        : Result<Objects>(sqliteError(handle, "making the schema to compare with"));
    sqlite3_close(handle);
    return objects;
}

Error notOurs(const std::string &what)
{
    return {ErrorCode::Unavailable,
            "the file is not a store as this version makes it: " + what
                + "; it was left as it is: put a backup in its place",
            ""};
}

} // namespace

std::string_view schemaText()
{
    return kSchemaText;
}

Result<void> createSchema(Database &database)
{
    Transaction transaction(database);
    if (auto begun = transaction.begun(); !begun)
        return begun;
    const std::string head = "PRAGMA application_id=" + std::to_string(kApplicationId)
        + "; PRAGMA user_version=" + std::to_string(kSchemaVersion) + ";\n";
    if (auto made = database.execute(head + std::string(kSchemaText)); !made)
        return made;
    return transaction.commit();
}

Result<void> checkSchema(Database &database)
{
    const auto expected = expectedObjects();
    if (!expected)
        return expected.error();
    const auto found = objectsOf(database.handle());
    if (!found)
        return found.error();
    for (const auto &[name, sql] : *expected) {
        const auto at = found->find(name);
        if (at == found->end())
            return notOurs("the " + name + " is missing");
        if (at->second != sql)
            return notOurs("the " + name + " is another");
    }
    for (const auto &[name, sql] : *found) {
        if (!expected->contains(name))
            return notOurs("the " + name + " does not belong there");
    }
    return {};
}

} // namespace handreset::store
