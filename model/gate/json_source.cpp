#include "model/gate/json_source.h"

#include "model/rules/json_text.h"

namespace handreset::gate {

using rules::JsonKind;
using rules::JsonValue;

namespace {

void appendChildren(std::string &out, JsonValue value, bool isObject)
{
    bool isFirst = true;
    for (const JsonValue child : value.children()) {
        if (!isFirst)
            out += ',';
        isFirst = false;
        if (isObject) {
            rules::appendJsonString(out, child.name());
            out += ':';
        }
        appendJson(out, child);
    }
}

} // namespace

void appendJson(std::string &out, JsonValue value)
{
    switch (value.kind()) {
    case JsonKind::Null:
        out += "null";
        break;
    case JsonKind::Bool:
        out += value.boolean() ? "true" : "false";
        break;
    case JsonKind::Number:
        out += value.text();
        break;
    case JsonKind::String:
        rules::appendJsonString(out, value.text());
        break;
    case JsonKind::Array:
        out += '[';
        appendChildren(out, value, false);
        out += ']';
        break;
    case JsonKind::Object:
        out += '{';
        appendChildren(out, value, true);
        out += '}';
        break;
    }
}

} // namespace handreset::gate
