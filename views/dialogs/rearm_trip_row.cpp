#include "views/dialogs/rearm_trip_row.h"

#include "views/amount_text.h"
#include "views/evidence_view.h"
#include "views/live_tones.h"
#include "views/mark_label.h"
#include "views/plain_label.h"
#include "views/plain_text.h"

#include <QCheckBox>
#include <QGridLayout>
#include <QLineEdit>
#include <QPainter>
#include <QPlainTextEdit>
#include <QPushButton>

#include <algorithm>

namespace handreset::views {

using live::GrantKind;

namespace {

constexpr qsizetype kMostOfALine = 4'096; ///< arguments are 2 KiB at most
constexpr int kMostLinesShown = 8;        ///< more are scrolled to
constexpr int kNameWidth = 205;           ///< of "degraded, task invoice-2231 alone"

} // namespace

RearmTripRow::RearmTripRow(const live::TripDetail &trip, QWidget *parent)
    : QFrame(parent),
      m_trip(trip),
      m_tick(new QCheckBox(this)),
      m_order(new OrderLabel(trip.trip.order, 18, this)),
      m_title(new PlainLabel(this)),
      m_rung(new PlainLabel(this)),
      m_measured(new PlainLabel(this)),
      m_after(new PlainLabel(this)),
      m_newWord(new PlainLabel(tr("new"), this)),
      m_grant(new QLineEdit(this)),
      m_more(new QPushButton(tr("Evidence"), this)),
      m_details(new QPlainTextEdit(this))
{
    m_tick->setObjectName(QStringLiteral("tick_%1").arg(trip.trip.id.value));
    m_grant->setObjectName(QStringLiteral("grant_%1").arg(trip.trip.id.value));
    m_grant->setFixedWidth(150);
    m_more->setObjectName(QStringLiteral("evidence_%1").arg(trip.trip.id.value));
    m_more->setCheckable(true);
    m_more->setAutoDefault(false);
    m_details->setObjectName(QStringLiteral("evidenceText_%1").arg(trip.trip.id.value));
    m_details->setReadOnly(true);
    m_details->setTextInteractionFlags(Qt::TextSelectableByMouse | Qt::TextSelectableByKeyboard);
    m_details->setTabChangesFocus(true);
    m_details->setAccessibleName(tr("evidence, whole"));
    m_details->hide();
    m_title->setLook(TextSize::Text, QFont::DemiBold);
    m_title->setSizePolicy(QSizePolicy::Ignored, QSizePolicy::Fixed);
    m_measured->setLook(TextSize::Secondary);
    m_after->setLook(TextSize::Secondary, QFont::Normal, Shade::Secondary);
    m_newWord->setLook(TextSize::Secondary, QFont::Bold, Shade::Operator);
    m_newWord->setSizePolicy(QSizePolicy::Fixed, QSizePolicy::Fixed);
    auto *grid = new QGridLayout(this);
    grid->setContentsMargins(kGap, 8, 12, 8);
    grid->setHorizontalSpacing(10);
    grid->setVerticalSpacing(2);
    grid->addWidget(m_tick, 0, 0, 2, 1);
    grid->addWidget(m_order, 0, 1);
    grid->addWidget(m_title, 0, 2);
    grid->addWidget(m_rung, 1, 2);
    grid->addWidget(m_measured, 0, 3);
    grid->addWidget(m_after, 1, 3);
    grid->addWidget(m_newWord, 0, 4, 2, 1);
    grid->addWidget(m_grant, 0, 5, 2, 1);
    grid->addWidget(m_more, 0, 6, 2, 1);
    grid->addWidget(m_details, 2, 1, 1, 6);
    for (PlainLabel *label : {m_title, m_rung}) // what is measured stands in one line under another, whatever the names
        label->setSizePolicy(QSizePolicy::Ignored, QSizePolicy::Fixed);
    grid->setColumnMinimumWidth(2, kNameWidth);
    grid->setColumnStretch(3, 5);
    connect(m_tick, &QCheckBox::toggled, this, [this] {
        showTrip();
        Q_EMIT changed();
    });
    connect(m_grant, &QLineEdit::textChanged, this, &RearmTripRow::changed);
    connect(m_more, &QPushButton::toggled, this, &RearmTripRow::showDetails);
    setNew(false);
    showTrip();
}

void RearmTripRow::setTrip(const live::TripDetail &trip)
{
    if (trip == m_trip)
        return;
    m_trip = trip;
    showTrip();
}

bool RearmTripRow::isTicked() const
{
    return m_tick->isChecked();
}

void RearmTripRow::setTicked(bool ticked)
{
    m_tick->setChecked(ticked);
}

void RearmTripRow::setRest(const QString &rest)
{
    if (rest == m_rest)
        return;
    m_rest = rest;
    showTrip();
}

void RearmTripRow::setElsewhere(const QString &why)
{
    m_elsewhere = why;
    m_tick->setEnabled(false);
    showTrip();
}

std::vector<QWidget *> RearmTripRow::tabStops() const
{
    return {m_tick, m_grant, m_more, m_details};
}

void RearmTripRow::setNew(bool isNew)
{
    m_new = isNew;
    m_newWord->setVisible(isNew);
    update();
}

std::optional<rules::Grant> RearmTripRow::grant() const
{
    return grantFrom(m_trip.grant, m_grant->text());
}

void RearmTripRow::showTrip()
{
    const rules::Rung rung = m_trip.trip.rung;
    m_tick->setAccessibleName(tr("lift %1").arg(visibleText(m_trip.title)));
    m_order->setOrder(m_trip.trip.order);
    m_title->setPlain(m_trip.title);
    m_rung->setPlain(QString::fromUtf8(rules::toWord(rung).data())
                     + (m_trip.ofTask ? tr(", task %1 alone").arg(m_trip.task) : QString()));
    m_rung->setLook(TextSize::Secondary, QFont::DemiBold, rung == rules::Rung::Open ? Shade::Open : Shade::Degraded);
    QString measured = m_trip.measured;
    if (!m_trip.tool.isEmpty())
        measured = m_trip.tool + QLatin1Char(' ') + QString::fromStdString(m_trip.trip.evidence.arguments) + QStringLiteral(": ") + measured;
    m_measured->setPlain(measured);
    QStringList after;
    if (!m_trip.trip.acknowledgedBy)
        after.append(tr("not acknowledged"));
    if (m_trip.trip.evidence.resultsChanged)
        after.append(*m_trip.trip.evidence.resultsChanged ? tr("results were changing") : tr("results did not change"));
    after.append(m_elsewhere.isEmpty() ? afterRearmWords(m_trip, m_rest) : m_elsewhere);
    m_after->setPlain(after.join(QStringLiteral("; ")));
    showDetails();
    QSizePolicy stays = m_grant->sizePolicy();
    stays.setRetainSizeWhenHidden(m_trip.grant != GrantKind::None); // a tick moves nothing
    m_grant->setSizePolicy(stays);
    m_grant->setVisible(m_trip.grant != GrantKind::None && isTicked());
    m_grant->setPlaceholderText(tr("how many more %1").arg(m_trip.grantUnit));
    m_grant->setAccessibleName(m_grant->placeholderText());
    update();
}

/// The evidence whole, in lines that are read without a mouse.
QStringList RearmTripRow::detailLines() const
{
    const rules::Evidence &evidence = m_trip.trip.evidence;
    QStringList lines{tr("measured: %1").arg(m_trip.measured)};
    if (!evidence.detail.empty())
        lines.append(tr("in words: %1").arg(QString::fromStdString(evidence.detail)));
    if (!m_trip.tool.isEmpty())
        lines.append(tr("tool: %1 (%2)").arg(m_trip.tool, m_trip.access));
    if (!evidence.arguments.empty())
        lines.append(tr("arguments: %1").arg(QString::fromStdString(evidence.arguments)));
    if (!evidence.destination.empty())
        lines.append(tr("destination: %1").arg(QString::fromStdString(evidence.destination)));
    for (const QString &call : m_trip.lastCalls)
        lines.append(tr("last call: %1").arg(call));
    return lines;
}

void RearmTripRow::showDetails()
{
    m_details->setVisible(m_more->isChecked());
    m_more->setAccessibleName(tr("evidence of %1").arg(visibleText(m_trip.title)));
    QStringList lines;
    for (const QString &line : detailLines())
        lines.append(visibleText(line, kMostOfALine));
    const QString text = lines.join(QLatin1Char('\n'));
    if (m_details->toPlainText() == text)
        return; // the cursor of who reads it stays
    m_details->setPlainText(text);
    const int shown = std::clamp(static_cast<int>(lines.size()) + 1, 3, kMostLinesShown);
    m_details->setFixedHeight(shown * m_details->fontMetrics().lineSpacing() + 12);
}

void RearmTripRow::paintEvent(QPaintEvent *)
{
    const Colours &colours = coloursOf(*this);
    QPainter painter(this);
    painter.setRenderHint(QPainter::Antialiasing);
    painter.setPen(QPen(m_new ? colours.operatorAct : colours.line, 1));
    painter.setBrush(colours.raised);
    painter.drawRoundedRect(QRectF(rect()).adjusted(0.5, 0.5, -0.5, -0.5), kSmallRadius, kSmallRadius);
    painter.fillRect(QRectF(0, 4, 3, height() - 8), toneColour(colours, toneOfRung(m_trip.trip.rung)));
}

} // namespace handreset::views
