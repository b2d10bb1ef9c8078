#include "views/dialogs/palette_dialog.h"

#include "model/live/desk_session.h"
#include "views/agent_words.h"
#include "views/palette.h"
#include "views/plain_label.h"
#include "views/plain_text.h"

#include <QApplication>
#include <QKeyEvent>
#include <QLineEdit>
#include <QListWidget>
#include <QPainter>
#include <QStyledItemDelegate>
#include <QVBoxLayout>

namespace handreset::views {

namespace {

constexpr std::size_t kMostShown = 50; ///< more are found by more letters
constexpr int kRowHeight = 32;

/// One row with room around its words; the current one is filled and marked at its left, in every theme.
class PaletteRow : public QStyledItemDelegate {
public:
    using QStyledItemDelegate::QStyledItemDelegate;

    [[nodiscard]] QSize sizeHint(const QStyleOptionViewItem &, const QModelIndex &) const override
    {
        return {0, kRowHeight};
    }

    void paint(QPainter *painter, const QStyleOptionViewItem &option, const QModelIndex &index) const override
    {
        const Colours &colours = coloursOf(option.palette);
        painter->save();
        if (option.state & QStyle::State_Selected) {
            painter->fillRect(option.rect, option.palette.color(QPalette::Active, QPalette::Highlight));
            painter->fillRect(QRect(option.rect.left(), option.rect.top(), 3, option.rect.height()), colours.probing);
        }
        painter->setPen(colours.text);
        painter->setFont(textFont(TextSize::Text));
        const QRect words = option.rect.adjusted(14, 0, -12, 0);
        painter->drawText(words, Qt::AlignLeft | Qt::AlignVCenter,
                          elidedMiddle(index.data().toString(), QFontMetricsF(painter->font()), words.width()));
        painter->restore();
    }
};

} // namespace

PaletteDialog::PaletteDialog(const live::DeskSession &session, const QStringList &pages, QWidget *parent)
    : QDialog(parent), m_edit(new QLineEdit(this)), m_list(new QListWidget(this))
{
    setObjectName(QStringLiteral("paletteDialog"));
    setWindowTitle(tr("Open"));
    setAttribute(Qt::WA_DeleteOnClose);
    for (int page = 0; page < pages.size(); ++page)
        m_entries.push_back({.text = tr("page %1").arg(pages.at(page)), .page = page, .focus = {}});
    const live::AgentModel &agents = session.agents();
    for (int row = 0; row < agents.rowCount(); ++row) {
        const live::AgentRow &agent = agents.rowAt(row);
        m_entries.push_back({.text = tr("agent %1, %2").arg(agent.name, agentState(agent)),
                             .focus = {.agent = agent.id, .breaker = {}}});
    }
    const live::BreakerModel &breakers = session.breakers();
    for (int row = 0; row < breakers.rowCount(); ++row) {
        const live::BreakerRow &breaker = breakers.rowAt(row);
        m_entries.push_back({.text = tr("tool %1, %2").arg(breaker.tool, breaker.meaning),
                             .focus = {.agent = {}, .breaker = breaker.id}});
    }
    m_entries.push_back({.text = tr("stop the fleet…"), .focus = {}, .stopsFleet = true});
    m_edit->setObjectName(QStringLiteral("paletteEdit"));
    m_edit->setPlaceholderText(tr("a page, an agent, a tool, or: stop the fleet"));
    m_edit->installEventFilter(this);
    m_list->setObjectName(QStringLiteral("paletteList"));
    m_list->setAccessibleName(tr("what can be opened"));
    m_list->setFocusPolicy(Qt::NoFocus);
    m_list->setUniformItemSizes(true);
    m_list->setHorizontalScrollBarPolicy(Qt::ScrollBarAlwaysOff);
    m_list->setItemDelegate(new PaletteRow(m_list));
    auto *layout = new QVBoxLayout(this);
    layout->setContentsMargins(24, 20, 24, 20);
    layout->setSpacing(10);
    auto *head = new PlainLabel(tr("Open"), this);
    head->setLook(TextSize::Title, QFont::DemiBold);
    layout->addWidget(head);
    layout->addWidget(m_edit);
    layout->addWidget(m_list);
    auto *keys = new PlainLabel(tr("Up, Down choose; Enter opens; Esc leaves"), this);
    keys->setLook(TextSize::Caption, QFont::Normal, Shade::Secondary);
    layout->addWidget(keys);
    resize(600, 500);
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
    if (entry.stopsFleet)
        Q_EMIT stopFleetChosen();
    else if (entry.page >= 0)
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
