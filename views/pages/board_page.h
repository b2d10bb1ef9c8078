// The board: every agent as a tile, every tool's breaker as a row, the abnormal first. GUI thread; owned by its Qt
// parent; the session outlives it.
#pragma once

#include "views/page.h"

class QScrollArea;
class QStackedLayout;
class QVBoxLayout;

namespace handreset::live {
class DeskSession;
}

namespace handreset::views {

class AgentTiles;
class DeskTable;
class EmptyState;
class PageHeader;
class Pill;
class PlainLabel;

class BoardPage : public Page {
    Q_OBJECT

public:
    explicit BoardPage(live::DeskSession &session, QWidget *parent = nullptr);

    [[nodiscard]] QString title() const override { return tr("Board"); }
    [[nodiscard]] QList<KeyHelp> keys() const override;
    void enter() override;
    [[nodiscard]] std::optional<rules::AgentId> agent() const override;
    void acknowledge() override;
    void rearm() override;
    void focusFilter() override;
    bool leave() override;

protected:
    void resizeEvent(QResizeEvent *event) override;

private:
    [[nodiscard]] QWidget *makeContent();
    void showCounts();
    void showFreshness();
    void showTrouble();
    void shareHeight();
    void openBreaker(qulonglong key);

    live::DeskSession &m_session;
    QStackedLayout *m_stack;
    EmptyState *m_empty;
    PageHeader *m_header;
    AgentTiles *m_tiles;
    QScrollArea *m_scroll;
    DeskTable *m_tools;
    PlainLabel *m_agentsWords;
    Pill *m_held;
    PlainLabel *m_toolsWords;
    QWidget *m_agentsLine = nullptr;
    QWidget *m_toolsLine = nullptr;
    QVBoxLayout *m_layout = nullptr;
};

} // namespace handreset::views
