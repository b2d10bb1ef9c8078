#include "views/dialogs/grant_dialog.h"

#include "model/live/desk_session.h"
#include "model/rules/words_of_time.h"
#include "views/amount_text.h"
#include "views/plain_label.h"
#include "views/plain_text.h"

#include <QComboBox>
#include <QGridLayout>
#include <QLineEdit>
#include <QVBoxLayout>

#include <utility>

namespace handreset::views {

bool isOfLimit(const live::GrantOption &option, const rules::TripSubject &trip)
{
    const rules::TripSubject &of = option.subject;
    return of.signal == trip.signal && of.cap == trip.cap && of.root == trip.root && of.key == trip.key
        && of.tool == trip.tool && of.windowHours == trip.windowHours && of.session == trip.session;
}

GrantDialog::GrantDialog(live::DeskSession &session, std::shared_ptr<const live::SubjectDetail> detail,
                         rules::TripId trip, QWidget *parent)
    : ReasonDialog(session, tr("Grant %1 more").arg(detail->agent.name), tr("Grant"), parent),
      m_detail(std::move(detail)),
      m_limit(new QComboBox(this)),
      m_used(new PlainLabel(this)),
      m_amount(new QLineEdit(this)),
      m_unit(new PlainLabel(this))
{
    setObjectName(QStringLiteral("grantDialog"));
    m_limit->setObjectName(QStringLiteral("grantLimitCombo"));
    m_limit->setAccessibleName(tr("which limit"));
    m_amount->setObjectName(QStringLiteral("grantAmountEdit"));
    m_amount->setFixedWidth(150);
    m_used->setObjectName(QStringLiteral("grantUsedWords"));
    m_used->setLook(TextSize::Secondary, QFont::Normal, Shade::Secondary);
    int first = 0;
    for (const live::GrantOption &option : m_detail->grants) {
        for (const live::TripDetail &of : m_detail->trips) {
            if (trip && of.trip.id == trip && isOfLimit(option, of.trip.subject))
                first = m_limit->count();
        }
        m_limit->addItem(visibleText(option.tripped ? tr("%1 (tripped)").arg(option.title) : option.title));
    }
    m_limit->setCurrentIndex(first);
    auto *grid = new QGridLayout;
    grid->setHorizontalSpacing(12);
    grid->addWidget(new PlainLabel(tr("Limit"), this), 0, 0);
    grid->addWidget(m_limit, 0, 1, 1, 2);
    grid->addWidget(m_used, 1, 1, 1, 2);
    grid->addWidget(new PlainLabel(tr("How much more"), this), 2, 0);
    grid->addWidget(m_amount, 2, 1);
    grid->addWidget(m_unit, 2, 2);
    grid->setColumnStretch(2, 1);
    body()->addLayout(grid);
    connect(m_limit, &QComboBox::currentIndexChanged, this, &GrantDialog::showOption);
    connect(m_amount, &QLineEdit::textChanged, this, &GrantDialog::showState);
    showOption();
}

const live::GrantOption &GrantDialog::chosen() const
{
    return m_detail->grants[static_cast<std::size_t>(m_limit->currentIndex())];
}

void GrantDialog::showOption()
{
    const live::GrantOption &option = chosen();
    m_used->setPlain(
        option.tripped
            ? tr("used %1; it has tripped: a grant raises the limit, the trip is lifted by a re-arm").arg(option.used)
            : tr("used %1").arg(option.used));
    m_unit->setPlain(option.until ? tr("%1 until the window ends, %2")
                                        .arg(option.unit, QString::fromStdString(rules::utcStamp(*option.until)))
                                  : option.unit);
    m_amount->setAccessibleName(tr("how many more %1").arg(option.unit));
    showState();
}

std::optional<rules::Grant> GrantDialog::grant() const
{
    return grantFrom(chosen().kind, m_amount->text());
}

QString GrantDialog::problem() const
{
    if (grant())
        return {};
    const live::GrantKind kind = chosen().kind;
    const bool whole = kind == live::GrantKind::Steps || kind == live::GrantKind::VolumeCalls;
    return whole ? tr("how many more: a whole number above 0") : tr("how much more: an amount above 0, as 5 or 5.00");
}

quint64 GrantDialog::send(const QString &reason)
{
    return session().grant(chosen(), grant().value_or(rules::Grant{}), m_detail->agent.id, reason);
}

} // namespace handreset::views
