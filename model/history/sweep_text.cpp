// How a sweep is told, to machines and to people.
#include "model/history/table_text.h"
#include "model/history/what_if.h"
#include "model/rules/json_text.h"

namespace handreset::history {

std::string sweepJson(const std::vector<SweepRow> &rows, const std::vector<LabelGroup> &groups)
{
    std::string out = "{\"sweep\": [";
    for (const auto &row : rows) {
        if (out.back() != '[')
            out += ",\n";
        out += "{\"limit\": " + std::to_string(row.limit) + ", \"tasks\": " + std::to_string(row.tasks) + ", \"groups\": {";
        for (std::size_t i = 0; i < row.groups.size(); ++i) {
            if (i != 0)
                out += ", ";
            rules::appendJsonString(out, groups[i].name);
            out += ": " + std::to_string(row.groups[i]);
        }
        out += "}}";
    }
    return out + "]}\n";
}

std::string sweepText(const std::vector<SweepRow> &rows, const std::vector<LabelGroup> &groups)
{
    constexpr std::size_t kFirst = 20;
    std::string out = padRight("same call in a row", kFirst) + padLeft("tasks", columnWidth("tasks"));
    for (const auto &group : groups)
        out += padLeft(group.name, columnWidth(group.name));
    out += "\n";
    for (const auto &row : rows) {
        out += padRight("  " + std::to_string(row.limit), kFirst) + padLeft(grouped(row.tasks), columnWidth("tasks"));
        for (std::size_t i = 0; i < row.groups.size(); ++i)
            out += padLeft(grouped(row.groups[i]), columnWidth(groups[i].name));
        out += "\n";
    }
    return out;
}

} // namespace handreset::history
