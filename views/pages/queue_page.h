// The human queue: tasks that trips took from their agents, to take, return, resume or abandon. GUI thread; owned by its
// Qt parent.
#pragma once

#include "model/rules/event.h"
#include "views/pages/list_page.h"

namespace handreset::live {
struct QueueRow;
}

namespace handreset::views {

class ActionButton;
class ReasonLine;

class QueuePage : public ListPage {
    Q_OBJECT

public:
    explicit QueuePage(live::DeskSession &session, QWidget *parent = nullptr);

    [[nodiscard]] QString title() const override { return tr("Queue"); }
    [[nodiscard]] QList<KeyHelp> keys() const override;
    [[nodiscard]] std::optional<rules::AgentId> agent() const override;
    void rearm() override;
    bool leave() override;

protected:
    [[nodiscard]] QString words() const override;
    void showSelection() override;

private:
    [[nodiscard]] const live::QueueRow *selected() const;
    void addVerb(rules::QueueVerb verb, const QString &text, const QString &key, const QString &objectName);
    void act(rules::QueueVerb verb);
    void sendReasoned(const QString &reason);
    void backToTable();
    /// An empty name: nobody's.
    void showOnlyOf(const QString &owner, const QString &words);

    std::vector<std::pair<rules::QueueVerb, ActionButton *>> m_verbs;
    ReasonLine *m_reason;
    rules::QueueVerb m_asked = rules::QueueVerb::Resume;
    qulonglong m_askedFor = 0;
};

} // namespace handreset::views
