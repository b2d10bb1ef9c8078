#include "views/dialogs/rearm_trip_row.h"

#include "views/evidence_view.h"
#include "views/live_tones.h"
#include "views/mark_label.h"
#include "views/plain_label.h"
#include "views/plain_text.h"

#include <QCheckBox>
#include <QGridLayout>
#include <QLineEdit>
#include <QPainter>

namespace handreset::views {

using live::GrantKind;

namespace {

/// A whole number above zero; none for anything else.
[[nodiscard]] std::optional<std::int64_t> wholeAboveZero(const QString &text)
{
    bool ok = false;
    const qlonglong number = text.trimmed().toLongLong(&ok);
    return ok && number > 0 ? std::optional<std::int64_t>(number) : std::nullopt;
}

[[nodiscard]] std::optional<rules::Decimal> amountAboveZero(const QString &text)
{
    const auto amount = rules::Decimal::parse(text.trimmed().toStdString());
    return amount && !amount->isNegative() && !amount->isZero() ? amount : std::nullopt;
}

} // namespace

RearmTripRow::RearmTripRow(const live::TripDetail &trip, QWidget *parent)
    : QFrame(parent), m_trip(trip), m_tick(new QCheckBox(this)), m_order(new OrderLabel(trip.trip.order, 18, this)),
      m_title(new PlainLabel(this)), m_rung(new PlainLabel(this)), m_measured(new PlainLabel(this)),
      m_after(new PlainLabel(this)), m_newWord(new PlainLabel(tr("new"), this)), m_grant(new QLineEdit(this))
{
    m_tick->setObjectName(QStringLiteral("tick_%1").arg(trip.trip.id.value));
    m_grant->setObjectName(QStringLiteral("grant_%1").arg(trip.trip.id.value));
    m_grant->setFixedWidth(150);
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
    grid->setColumnStretch(2, 2);
    grid->setColumnStretch(3, 5);
    connect(m_tick, &QCheckBox::toggled, this, [this] {
        showTrip();
        Q_EMIT changed();
    });
    connect(m_grant, &QLineEdit::textChanged, this, &RearmTripRow::changed);
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

void RearmTripRow::setNew(bool isNew)
{
    m_new = isNew;
    m_newWord->setVisible(isNew);
    update();
}

std::optional<rules::Grant> RearmTripRow::grant() const
{
    rules::Grant grant;
    const auto number = wholeAboveZero(m_grant->text());
    const auto amount = amountAboveZero(m_grant->text());
    switch (m_trip.grant) {
    case GrantKind::None:
        return grant;
    case GrantKind::Steps:
        grant.steps = number.value_or(0);
        return number ? std::optional(grant) : std::nullopt;
    case GrantKind::VolumeCalls:
        grant.volumeCalls = number.value_or(0);
        return number ? std::optional(grant) : std::nullopt;
    case GrantKind::Spend:
        grant.spend = amount.value_or(rules::Decimal());
        return amount ? std::optional(grant) : std::nullopt;
    case GrantKind::VolumeValue:
        grant.volumeValue = amount.value_or(rules::Decimal());
        return amount ? std::optional(grant) : std::nullopt;
    }
    return std::nullopt;
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
    QStringList details{measured, QString::fromStdString(m_trip.trip.evidence.detail)};
    for (const QString &call : m_trip.lastCalls)
        details.append(call);
    m_measured->setDetails(details);
    QString after = afterRearmWords(m_trip);
    if (!m_trip.trip.acknowledgedBy)
        after = tr("not acknowledged; ") + after;
    else if (m_trip.trip.evidence.resultsChanged)
        after = (*m_trip.trip.evidence.resultsChanged ? tr("results were changing; ") : tr("results did not change; ")) + after;
    m_after->setPlain(after);
    m_grant->setVisible(m_trip.grant != GrantKind::None && isTicked());
    m_grant->setPlaceholderText(tr("how many more %1").arg(m_trip.grantUnit));
    m_grant->setAccessibleName(m_grant->placeholderText());
    update();
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
