// Every act of an operator, the newest first: whose, from which machine, what came of it, and what proves it. GUI
// thread; owned by its Qt parent.
#pragma once

#include "views/pages/list_page.h"

class QComboBox;

namespace handreset::views {

class AuditPage : public ListPage {
    Q_OBJECT

public:
    explicit AuditPage(live::DeskSession &session, QWidget *parent = nullptr);

    [[nodiscard]] QString title() const override { return tr("Audit"); }
    [[nodiscard]] QList<KeyHelp> keys() const override;

protected:
    [[nodiscard]] QString words() const override;
    void showSelection() override;

private:
    void chosen(int index);
    void showPersons();

    QComboBox *m_person;
};

} // namespace handreset::views
