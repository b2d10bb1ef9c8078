// What every page of the desk is to the main window: a title, keys, and what the common keys mean on it. GUI thread.
#pragma once

#include "model/live/subject_detail.h"
#include "model/rules/ids.h"

#include <QList>
#include <QString>
#include <QWidget>

#include <optional>

namespace handreset::views {

/// One line of F1.
struct KeyHelp {
    QString key;
    QString words;
};

class Page : public QWidget {
    Q_OBJECT

public:
    using QWidget::QWidget;

    [[nodiscard]] virtual QString title() const = 0;
    /// The page's own keys; the common ones are the window's.
    [[nodiscard]] virtual QList<KeyHelp> keys() const { return {}; }
    /// The page came into view: the keyboard goes to its list.
    virtual void enter() = 0;
    /// The agent that A, R and Ctrl+Shift+X are about; none while none is selected.
    [[nodiscard]] virtual std::optional<rules::AgentId> agent() const { return std::nullopt; }
    /// A: acknowledges what is selected.
    virtual void acknowledge() {}
    /// R: asks for the re-arm of what is selected.
    virtual void rearm() {}
    /// G: asks for a grant for what is selected.
    virtual void grant() { Q_EMIT said(tr("No agent is selected: choose one to grant it more.")); }
    /// "/": into the filter.
    virtual void focusFilter() {}
    /// Esc: true when the page had something of its own to leave.
    virtual bool leave() { return false; }

Q_SIGNALS:
    void subjectRequested(const handreset::live::Focus &focus);
    /// The subject's page of the trip's agent (none: the fleet), with this trip's evidence.
    void tripRequested(handreset::rules::AgentId agent, handreset::rules::TripId trip);
    /// `ticked`: the trip whose row asked; none: all that a person may lift.
    void rearmRequested(handreset::rules::AgentId agent, handreset::rules::TripId ticked);
    /// `trip`: whose limit is chosen first; none: any.
    void grantRequested(handreset::rules::AgentId agent, handreset::rules::TripId trip);
    void stopRequested(handreset::rules::AgentId agent);
    /// Why a key did nothing, in one line at the foot of the window.
    void said(const QString &words);
};

} // namespace handreset::views
