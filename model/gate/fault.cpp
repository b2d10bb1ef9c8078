#include "model/gate/fault.h"

#include "model/rules/json_text.h"

namespace handreset::gate {

std::string bodyOf(const Fault &fault)
{
    std::string out = R"({"error":{"code":)";
    rules::appendJsonString(out, fault.code);
    out += R"(,"message":)";
    rules::appendJsonString(out, fault.message);
    if (!fault.field.empty()) {
        out += R"(,"field":)";
        rules::appendJsonString(out, fault.field);
    }
    if (fault.offset)
        out += R"(,"offset":)" + std::to_string(*fault.offset);
    out += "}}";
    return out;
}

Fault faultOf(const rules::Error &error)
{
    switch (error.code) {
    case rules::ErrorCode::BadInput:
        return {422, "bad_field", error.message, error.context, {}};
    case rules::ErrorCode::NotFound:
        return {404, "not_found", error.message, error.context, {}};
    case rules::ErrorCode::Conflict:
        return {409, "conflict", error.message, error.context, {}};
    case rules::ErrorCode::Refused:
        return {403, "refused", error.message, error.context, {}};
    case rules::ErrorCode::Unavailable:
    case rules::ErrorCode::Found:
    case rules::ErrorCode::Cancelled:
        break;
    }
    return {503,
            "store_unavailable",
            "the gate's store cannot be written; everything is denied until a person has looked",
            {},
            {}};
}

} // namespace handreset::gate
