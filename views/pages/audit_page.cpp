#include "views/pages/audit_page.h"

#include "model/live/desk_session.h"
#include "views/desk_table.h"
#include "views/empty_state.h"
#include "views/page_header.h"
#include "views/plain_text.h"

#include <QComboBox>
#include <QHBoxLayout>
#include <QSignalBlocker>

#include <algorithm>

namespace handreset::views {

AuditPage::AuditPage(live::DeskSession &session, QWidget *parent)
    : ListPage(
        session, session.audit(), tr("Audit"), tr("Filter: person, act, agent, machine, re:…   /"),
        new EmptyState(tr("No operator has acted yet"),
                       tr("Every act of a person is here, what was refused too: who, from which machine, what came "
                          "of it, and whether the signature under it was verified. The whole log, held against "
                          "every signature:"),
                       QStringLiteral("handresetctl verify")),
        parent),
      m_person(new QComboBox(this))
{
    table().setObjectName(QStringLiteral("auditTable"));
    table().setAccessibleName(tr("operators' acts"));
    using Model = live::AuditModel;
    table().setWidths({70, 124, 90, 140, 100, 0, 110, 80, 150});
    table().setSpareColumns({Model::SeqColumn, Model::AgentColumn, Model::MachineColumn, Model::ResultColumn});
    m_person->setObjectName(QStringLiteral("personCombo"));
    m_person->setAccessibleName(tr("whose acts"));
    m_person->addItem(tr("everybody's"));
    m_person->setMinimumWidth(130);
    header().line()->insertWidget(2, m_person);
    connect(m_person, &QComboBox::activated, this, &AuditPage::chosen);
    showSelection();
}

QList<KeyHelp> AuditPage::keys() const
{
    return {{tr("Up, Down"), tr("choose an act")},
            {tr("Esc"), tr("show everybody's acts again")},
            {tr("Ctrl+C"), tr("copy the row")}};
}

QString AuditPage::words() const
{
    return session().operators().isSigned
        ? tr("%1 acts at hand; older ones: handresetctl events").arg(session().audit().allRows())
        : tr("%1 acts at hand, unsigned: anybody could have used any name").arg(session().audit().allRows());
}

void AuditPage::chosen(int index)
{
    if (index <= 0) {
        leave();
        return;
    }
    const QString name = m_person->itemData(index).toString();
    session().audit().narrow([name](const live::EventRow &row) { return row.by == name; });
    narrowed(name);
}

/// The list of persons follows the acts; what was chosen stays chosen while the table is narrowed to it.
void AuditPage::showPersons()
{
    const QStringList persons = session().audit().persons();
    const QSignalBlocker quiet(m_person);
    if (m_person->count() != persons.size() + 1) {
        const QString chosen = m_person->currentData().toString();
        while (m_person->count() > 1)
            m_person->removeItem(1);
        for (const QString &person : persons)
            m_person->addItem(visibleText(person, 60), person);
        m_person->setCurrentIndex(std::max(0, m_person->findData(chosen)));
    }
    if (!session().audit().isNarrowed())
        m_person->setCurrentIndex(0);
}

void AuditPage::showSelection()
{
    showPersons();
}

} // namespace handreset::views
