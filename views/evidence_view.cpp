#include "views/evidence_view.h"

#include "model/rules/words_of_time.h"
#include "views/plain_label.h"

#include <QGridLayout>
#include <QPushButton>

#include <algorithm>

namespace handreset::views {

using rules::Signal;

namespace {

constexpr qsizetype kArgumentsLine = 64;
constexpr qsizetype kArgumentsLines = 3;
constexpr int kGiveReasonRow = 1'000; ///< below all lines, however many there come to be

[[nodiscard]] QString text(const std::string &utf8)
{
    return QString::fromStdString(utf8);
}

} // namespace

EvidenceView::EvidenceView(QWidget *parent)
    : QWidget(parent), m_grid(new QGridLayout(this)), m_giveReason(new QPushButton(tr("Give the reason…"), this))
{
    setObjectName(QStringLiteral("evidence"));
    m_grid->setContentsMargins(0, 0, 0, 0);
    m_grid->setHorizontalSpacing(kGap);
    m_grid->setVerticalSpacing(3);
    m_grid->setColumnStretch(1, 1);
    m_giveReason->setObjectName(QStringLiteral("giveReasonButton"));
    m_giveReason->hide();
    m_grid->addWidget(m_giveReason, kGiveReasonRow, 1, Qt::AlignLeft);
    connect(m_giveReason, &QPushButton::clicked, this, [this] { Q_EMIT reasonRequested(m_trip); });
}

void EvidenceView::add(const QString &name, const QString &value, Look look)
{
    if (value.isEmpty())
        return;
    if (m_used == m_lines.size()) {
        const int row = static_cast<int>(m_used);
        m_lines.emplace_back(new PlainLabel(this), new PlainLabel(this));
        m_lines.back().first->setLook(TextSize::Secondary, QFont::Normal, Shade::Secondary);
        m_lines.back().first->setFixedWidth(78);
        m_grid->addWidget(m_lines.back().first, row, 0);
        m_grid->addWidget(m_lines.back().second, row, 1);
    }
    auto &[label, content] = m_lines[m_used++];
    label->setPlain(name);
    content->setPlain(value);
    if (look == Look::Words)
        content->setLook(TextSize::Secondary);
    else
        content->setNumberLook(TextSize::Secondary, QFont::Normal, look == Look::Loud ? Shade::Open : Shade::Text);
    label->show();
    content->show();
}

void EvidenceView::setTrip(const live::TripDetail &trip)
{
    m_used = 0;
    m_trip = trip.trip.id;
    const rules::Evidence &evidence = trip.trip.evidence;
    const bool isStop = trip.trip.subject.signal == Signal::Operator;
    addMaker(trip);
    addCall(trip);
    add(tr("measured"), isStop ? QString() : trip.measured,
        trip.trip.rung == rules::Rung::Open ? Look::Loud : Look::Number);
    add(tr("in words"), isStop ? QString() : text(evidence.detail), Look::Words);
    add(tr("destination"), text(evidence.destination), Look::Number);
    if (trip.trip.subject.signal == Signal::Repetition && evidence.resultsChanged)
        add(tr("results"), *evidence.resultsChanged ? tr("were changing") : tr("did not change"), Look::Words);
    if (!trip.task.isEmpty())
        add(tr("task"),
            tr("%1, step %2, %3")
                .arg(trip.task, QString::number(evidence.stepsUsed), text(rules::utcStamp(trip.trip.firedAt))),
            Look::Number);
    if (trip.trip.firings > 1)
        add(tr("fired"),
            tr("%1 times, last %2")
                .arg(QString::number(trip.trip.firings), text(rules::utcClock(trip.trip.lastFiredAt))),
            Look::Number);
    if (trip.trip.flapping)
        add(tr("flapping"), tr("it fired within the watch time after a person's re-arm"), Look::Words);
    add(tr("after re-arm"), afterRearmWords(trip, trip.heldBeside), Look::Words);
    const std::size_t calls = std::max<std::size_t>(m_used < m_room ? m_room - m_used : 0, 1);
    for (std::size_t i = 0; i < std::min(trip.lastCalls.size(), calls); ++i)
        add(i == 0 ? tr("last calls") : QStringLiteral(" "), trip.lastCalls[i], Look::Number);
    hideRest();
}

/// Of a stop or a probation: who made it, when and why. A stop may be without its reason, which anybody can give.
void EvidenceView::addMaker(const live::TripDetail &trip)
{
    const bool isStop = trip.trip.subject.signal == Signal::Operator;
    add(isStop ? tr("stopped by") : tr("put by"), trip.madeBy, Look::Words);
    if (isStop)
        add(tr("reason"), trip.trip.reason.empty() ? tr("not given yet") : text(trip.trip.reason), Look::Words);
    m_giveReason->setVisible(isStop && trip.trip.reason.empty());
}

void EvidenceView::addCall(const live::TripDetail &trip)
{
    if (trip.tool.isEmpty())
        return;
    add(tr("tool"), QStringLiteral("%1 (%2)").arg(trip.tool, trip.access), Look::Number);
    const QString arguments = text(trip.trip.evidence.arguments);
    for (qsizetype line = 0; line < kArgumentsLines && line * kArgumentsLine < arguments.size(); ++line) {
        const bool last = line + 1 == kArgumentsLines;
        add(line == 0 ? tr("arguments") : QStringLiteral(" "),
            last ? arguments.mid(line * kArgumentsLine) : arguments.mid(line * kArgumentsLine, kArgumentsLine), Look::Number);
    }
}

void EvidenceView::clear()
{
    m_used = 0;
    m_giveReason->hide();
    hideRest();
}

void EvidenceView::hideRest()
{
    for (std::size_t i = m_used; i < m_lines.size(); ++i) {
        m_lines[i].first->hide();
        m_lines[i].second->hide();
    }
}

QString afterRearmWords(const live::TripDetail &trip, const QString &rest)
{
    switch (trip.trip.subject.signal) {
    case Signal::Repetition:
        return EvidenceView::tr("repetition starts anew from here");
    case Signal::Steps:
        return EvidenceView::tr("the count goes on; you say how many more");
    case Signal::Envelope:
        return EvidenceView::tr("the call stays refused; it never left");
    case Signal::Spend:
        return trip.trip.endsAt ? EvidenceView::tr("back at %1; or say how much more")
                                      .arg(text(rules::utcClock(*trip.trip.endsAt)).remove(5, 3)) // windows end at full minutes
                                : EvidenceView::tr("say how much more until the window ends");
    case Signal::Provider:
        return trip.trip.latch == rules::LatchState::HeldByClock ? EvidenceView::tr("back by itself after the cooldown")
                                                                 : EvidenceView::tr("the endpoint is asked again");
    case Signal::Probation:
        return EvidenceView::tr("lifting it ends the probation: %1")
            .arg(rest.isEmpty() ? EvidenceView::tr("all calls pass again") : rest);
    case Signal::Operator:
        return rest.isEmpty() ? EvidenceView::tr("a person stopped it; lifting it lets its calls out again")
                              : EvidenceView::tr("a person stopped it; lifted, %1").arg(rest);
    case Signal::Tamper:
        break;
    }
    return {};
}

} // namespace handreset::views
