// What the live models hint at, in the palette's terms. Pure; GUI thread.
#pragma once

#include "model/live/keyed_table_model.h"
#include "model/rules/policy.h"
#include "views/marks.h"
#include "views/palette.h"

#include <QColor>
#include <QFont>

namespace handreset::views {

[[nodiscard]] inline Mark markOfHint(int hint)
{
    using Model = live::KeyedTableModel;
    switch (hint) {
    case Model::MarkDegraded:
        return Mark::Degraded;
    case Model::MarkOpen:
        return Mark::Open;
    case Model::MarkHalfOpen:
        return Mark::HalfOpen;
    case Model::MarkIsolated:
        return Mark::Isolated;
    case Model::MarkNoData:
        return Mark::NoData;
    default:
        return Mark::Closed;
    }
}

[[nodiscard]] inline QColor emphasisColour(const Colours &colours, live::Emphasis emphasis)
{
    switch (emphasis) {
    case live::Emphasis::Quiet:
        return colours.secondary;
    case live::Emphasis::Open:
        return colours.open;
    case live::Emphasis::Degraded:
        return colours.degraded;
    case live::Emphasis::Probing:
        return colours.probing;
    case live::Emphasis::Operator:
        return colours.operatorAct;
    case live::Emphasis::Normal:
    case live::Emphasis::Strong:
        break;
    }
    return colours.text;
}

/// Coloured and strong words are heavier, so that they differ without colour.
[[nodiscard]] inline QFont::Weight emphasisWeight(live::Emphasis emphasis)
{
    return emphasis == live::Emphasis::Normal || emphasis == live::Emphasis::Quiet ? QFont::Normal : QFont::DemiBold;
}

[[nodiscard]] inline Tone toneOfRung(rules::Rung rung)
{
    return rung == rules::Rung::Open ? Tone::Open : rung == rules::Rung::Degraded ? Tone::Degraded : Tone::Normal;
}

} // namespace handreset::views
