// One trip in the re-arm dialogue: its evidence in two lines and, asked for, whole, a tick for what this act lifts, and
// how many more where that must be said. GUI thread; owned by its Qt parent.
#pragma once

#include "model/live/subject_detail.h"
#include "model/rules/event.h"

#include <QFrame>

#include <optional>
#include <vector>

class QCheckBox;
class QLineEdit;
class QPlainTextEdit;
class QPushButton;

namespace handreset::views {

class OrderLabel;
class PlainLabel;

class RearmTripRow : public QFrame {
    Q_OBJECT

public:
    explicit RearmTripRow(const live::TripDetail &trip, QWidget *parent = nullptr);

    void setTrip(const live::TripDetail &trip);
    [[nodiscard]] rules::TripId id() const { return m_trip.trip.id; }
    [[nodiscard]] bool isTicked() const;
    void setTicked(bool ticked);
    /// What will hold once it is lifted with the others that are ticked; empty: nothing.
    void setRest(const QString &rest);
    /// It is not lifted here; `why` stands in its line.
    void setElsewhere(const QString &why);
    /// In the order of Tab.
    [[nodiscard]] std::vector<QWidget *> tabStops() const;
    /// It came, or changed, since the person looked.
    void setNew(bool isNew);
    /// What is to be granted; none while it must be said and is not, or is no number.
    [[nodiscard]] std::optional<rules::Grant> grant() const;

Q_SIGNALS:
    void changed();

protected:
    void paintEvent(QPaintEvent *event) override;

private:
    void showTrip();
    void showDetails();
    [[nodiscard]] QStringList detailLines() const;

    live::TripDetail m_trip;
    QString m_rest;
    QString m_elsewhere;
    bool m_new = false;
    QCheckBox *m_tick;
    OrderLabel *m_order;
    PlainLabel *m_title;
    PlainLabel *m_rung;
    PlainLabel *m_measured;
    PlainLabel *m_after;
    PlainLabel *m_newWord;
    QLineEdit *m_grant;
    QPushButton *m_more;
    QPlainTextEdit *m_details; ///< the evidence whole: arguments, last calls
};

} // namespace handreset::views
