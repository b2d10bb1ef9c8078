#include "model/store/projection_tables.h"

#include "model/store/schema.h"

#include <vector>

namespace handreset::store {

namespace {

std::vector<std::string_view> columnsOf(const ProjectionTable &table)
{
    std::vector<std::string_view> columns;
    std::string_view rest = table.columns;
    while (!rest.empty()) {
        const std::size_t end = rest.find(", ");
        columns.push_back(rest.substr(0, end));
        rest = end == std::string_view::npos ? std::string_view() : rest.substr(end + 2);
    }
    return columns;
}

} // namespace

std::string_view keyColumns(const ProjectionTable &table) noexcept
{
    std::size_t end = 0;
    for (std::size_t key = 0; key < table.keys; ++key)
        end = table.columns.find(',', end + 1);
    return table.columns.substr(0, end);
}

std::string upsertSql(const ProjectionTable &table, std::string_view schema)
{
    const auto columns = columnsOf(table);
    std::string values;
    std::string sets;
    for (std::size_t i = 0; i < columns.size(); ++i) {
        values += (i == 0 ? "?" : ", ?") + std::to_string(i + 1);
        if (i < table.keys)
            continue;
        sets += (sets.empty() ? "" : ", ") + std::string(columns[i]) + " = excluded." + std::string(columns[i]);
    }
    std::string sql = "INSERT INTO " + std::string(schema) + '.' + std::string(table.name) + " (";
    sql += std::string(table.columns) + ") VALUES (" + values + ") ON CONFLICT (";
    return sql + std::string(keyColumns(table)) + ") DO UPDATE SET " + sets;
}

std::string createSql(const ProjectionTable &table, std::string_view schema)
{
    const std::string head = "CREATE TABLE " + std::string(table.name) + " (";
    const auto text = schemaText();
    const std::size_t at = text.find(head);
    const std::size_t end = text.find(';', at);
    std::string sql(text.substr(at, end - at));
    return sql.insert(std::string_view("CREATE TABLE ").size(), std::string(schema) + '.');
}

} // namespace handreset::store
