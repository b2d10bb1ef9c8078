// A page that is one live table: header with filter, buttons, the table, and what stands there while it is empty.
// GUI thread; owned by its Qt parent.
#pragma once

#include "views/page.h"

class QHBoxLayout;
class QPushButton;
class QStackedLayout;

namespace handreset::live {
class DeskSession;
class KeyedTableModel;
}

namespace handreset::views {

class DeskTable;
class EmptyState;
class PageHeader;

class ListPage : public Page {
    Q_OBJECT

public:
    ListPage(live::DeskSession &session, live::KeyedTableModel &model, const QString &title, const QString &filterHint,
             EmptyState *empty, QWidget *parent);

    void enter() override;
    void focusFilter() override;
    bool leave() override;

protected:
    [[nodiscard]] live::DeskSession &session() { return m_session; }
    [[nodiscard]] const live::DeskSession &session() const { return m_session; }
    [[nodiscard]] DeskTable &table() { return *m_table; }
    [[nodiscard]] const DeskTable &table() const { return *m_table; }
    /// To the right of the table.
    [[nodiscard]] QHBoxLayout *besideTable() { return m_middle; }
    [[nodiscard]] PageHeader &header() { return *m_header; }
    /// The words beside the title, after each update.
    [[nodiscard]] virtual QString words() const = 0;
    /// Which buttons can act now.
    virtual void showSelection() {}
    /// "12 of 400 match the filter"; empty while all are shown.
    [[nodiscard]] QString shownWords() const;
    /// The model is narrowed: a chip says to what, and Esc or a click on it shows all again.
    void narrowed(const QString &what);

private:
    void showUpdate();
    void showFreshness();
    bool showAll();

    live::DeskSession &m_session;
    live::KeyedTableModel &m_model;
    QHBoxLayout *m_middle;
    QStackedLayout *m_stack;
    PageHeader *m_header;
    DeskTable *m_table;
    EmptyState *m_empty;
    QPushButton *m_chip;
    bool m_hadRows = false;
};

} // namespace handreset::views
