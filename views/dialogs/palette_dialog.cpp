#include "views/dialogs/palette_dialog.h"

#include "model/live/desk_session.h"
#include "views/agent_words.h"
#include "views/plain_text.h"

#include <QApplication>
#include <QKeyEvent>
#include <QLineEdit>
#include <QListWidget>
#include <QVBoxLayout>

namespace handreset::views {

namespace {

constexpr std::size_t kMostShown = 50; ///< more are found by more letters

} // namespace

PaletteDialog::PaletteDialog(const live::DeskSession &session, const QStringList &pages, QWidget *parent)
    : QDialog(parent), m_edit(new QLineEdit(this)), m_list(new QListWidget(this))
{
    setObjectName(QStringLiteral("paletteDialog"));
    setWindowTitle(tr("Open"));
    setAttribute(Qt::WA_DeleteOnClose);
    for (int page = 0; page < pages.size(); ++page)
        m_entries.push_back({tr("page %1").arg(pages.at(page)), page, {}});
    const live::AgentModel &agents = session.agents();
    for (int row = 0; row < agents.rowCount(); ++row) {
        const live::AgentRow &agent = agents.rowAt(row);
        m_entries.push_back({tr("agent %1, %2").arg(agent.name, agentState(agent)), -1, {.agent = agent.id, .breaker = {}}});
    }
    const live::BreakerModel &breakers = session.breakers();
    for (int row = 0; row < breakers.rowCount(); ++row) {
        const live::BreakerRow &breaker = breakers.rowAt(row);
        m_entries.push_back({tr("tool %1, %2").arg(breaker.tool, breaker.meaning), -1, {.agent = {}, .breaker = breaker.id}});
    }
    m_edit->setObjectName(QStringLiteral("paletteEdit"));
    m_edit->setPlaceholderText(tr("a page, an agent or a tool"));
    m_edit->installEventFilter(this);
    m_list->setFocusPolicy(Qt::NoFocus);
    m_list->setUniformItemSizes(true);
    auto *layout = new QVBoxLayout(this);
    layout->addWidget(m_edit);
    layout->addWidget(m_list);
    resize(520, 380);
    connect(m_edit, &QLineEdit::textChanged, this, &PaletteDialog::showMatching);
    connect(m_list, &QListWidget::itemClicked, this, &PaletteDialog::openChosen);
    showMatching({});
    m_edit->setFocus();
}

void PaletteDialog::showMatching(const QString &typed)
{
    const auto filter = live::TextFilter::parse(typed);
    if (!filter)
        return; // half a pattern: the last valid list stays
    m_list->clear();
    m_shown.clear();
    for (std::size_t i = 0; i < m_entries.size() && m_shown.size() < kMostShown; ++i) {
        if (!filter->accepts(m_entries[i].text))
            continue;
        m_shown.push_back(i);
        m_list->addItem(visibleText(m_entries[i].text));
    }
    m_list->setCurrentRow(0);
}

void PaletteDialog::openChosen()
{
    const int row = m_list->currentRow();
    if (row < 0)
        return;
    const Entry entry = m_entries[m_shown[static_cast<std::size_t>(row)]];
    accept();
    if (entry.page >= 0)
        Q_EMIT pageChosen(entry.page);
    else
        Q_EMIT subjectChosen(entry.focus);
}

bool PaletteDialog::eventFilter(QObject *object, QEvent *event)
{
    if (object != m_edit || event->type() != QEvent::KeyPress)
        return QDialog::eventFilter(object, event);
    const int key = static_cast<QKeyEvent *>(event)->key();
    if (key == Qt::Key_Return || key == Qt::Key_Enter) {
        openChosen();
        return true;
    }
    if (key == Qt::Key_Up || key == Qt::Key_Down || key == Qt::Key_PageUp || key == Qt::Key_PageDown) {
        QApplication::sendEvent(m_list, event); // the letters stay in the field, the arrows walk the list
        return true;
    }
    return QDialog::eventFilter(object, event);
}

} // namespace handreset::views
