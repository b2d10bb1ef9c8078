// The evidence of one trip, field by field: what was measured, the call whole, the task, whether results were changing.
// GUI thread; owned by its Qt parent.
#pragma once

#include "model/live/subject_detail.h"

#include <QWidget>

class QGridLayout;
class QPushButton;

namespace handreset::views {

class PlainLabel;

class EvidenceView : public QWidget {
    Q_OBJECT

public:
    explicit EvidenceView(QWidget *parent = nullptr);

    void setTrip(const live::TripDetail &trip);
    void clear();
    /// How many lines there is room for: what the last calls may fill. One call is always shown.
    void setRoom(std::size_t lines) { m_room = lines; }

Q_SIGNALS:
    /// The stop on show has no reason yet, and somebody wants to give it.
    void reasonRequested(handreset::rules::TripId stop);

private:
    enum class Look { Words, Number, Loud };

    void add(const QString &name, const QString &value, Look look);
    void addCall(const live::TripDetail &trip);
    void addMaker(const live::TripDetail &trip);
    void hideRest();

    QGridLayout *m_grid;
    std::vector<std::pair<PlainLabel *, PlainLabel *>> m_lines;
    QPushButton *m_giveReason;
    rules::TripId m_trip;
    std::size_t m_used = 0;
    std::size_t m_room = 0;
};

/// What lifting this trip does not do, and what it restarts: "the refused call stays refused". `rest`: what will hold
/// then, "still open, spend, 24h holds it"; empty: nothing does.
[[nodiscard]] QString afterRearmWords(const live::TripDetail &trip, const QString &rest);

} // namespace handreset::views
