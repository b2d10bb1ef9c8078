// Who may act, as the fleet knows it, for the desk. Plain values; any thread.
#pragma once

#include "model/rules/instant.h"
#include "model/rules/operator.h"

#include <QString>

#include <algorithm>
#include <string>
#include <vector>

namespace handreset::live {

struct OperatorRow {
    QString name;
    rules::Role role = rules::Role::Viewer;
    bool isActive = true; ///< false: retired
    bool operator==(const OperatorRow &) const = default;
};

struct OperatorsNow {
    bool isSigned = false;  ///< acts need an operator's signature
    std::string signedAs;   ///< what they sign for: Fleet::signedAs
    int approvers = 0;      ///< that are not retired
    rules::Duration unlock; ///< how long the policy lets a desk hold a key unlocked; 0: for one act
    std::vector<OperatorRow> operators;
    bool operator==(const OperatorsNow &) const = default;

    /// Null for a name that was never enrolled.
    [[nodiscard]] const OperatorRow *named(const QString &name) const
    {
        const auto found = std::ranges::find(operators, name, &OperatorRow::name);
        return found == operators.end() ? nullptr : &*found;
    }
};

} // namespace handreset::live
