#include "model/rules/field_path.h"

#include <algorithm>

namespace handreset::rules {

std::string joinPath(std::string_view path, std::string_view name)
{
    const bool isBare = !name.empty() && std::all_of(name.begin(), name.end(), [](char c) {
        return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') || c == '_' || c == '-';
    });
    std::string out(path);
    if (!out.empty())
        out += '.';
    return isBare ? out.append(name) : out.append("\"").append(name).append("\"");
}

} // namespace handreset::rules
