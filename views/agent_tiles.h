// The board's agents as tiles: a large one for each that is not normal, small quiet ones for the rest, dense where there
// are many. Paints only what is on the screen, so that 10,000 agents cost no more than 50. GUI thread; owned by its Qt
// parent; the model outlives it.
#pragma once

#include "model/live/agent_model.h"
#include "views/painted_items.h"

namespace handreset::views {

class AgentTiles : public PaintedItems {
    Q_OBJECT

public:
    explicit AgentTiles(live::AgentModel &model, QWidget *parent = nullptr);

    /// Everything hatched: it is old by this many milliseconds.
    void setStale(bool stale, qint64 ageMs);
    /// The agent with the ring: what the keys act on. None while none has it, nor while a filter hides it.
    [[nodiscard]] rules::AgentId current() const;
    void setCurrent(rules::AgentId agent);
    [[nodiscard]] int wholeHeight(int width) const;

    /// Items are the model's rows.
    [[nodiscard]] int itemCount() const override;
    [[nodiscard]] QRectF itemRect(int item) const override;
    [[nodiscard]] QString itemName(int item) const override;
    [[nodiscard]] QStringList itemDetails(int item) const override;
    [[nodiscard]] bool isItemActivatable(int) const override { return true; }
    [[nodiscard]] int itemAt(const QPointF &point) const override;

    [[nodiscard]] QSize sizeHint() const override;
    [[nodiscard]] QSize minimumSizeHint() const override { return {240, 48}; }
    [[nodiscard]] bool hasHeightForWidth() const override { return true; }
    [[nodiscard]] int heightForWidth(int width) const override { return wholeHeight(width); }

Q_SIGNALS:
    void agentActivated(handreset::rules::AgentId agent);
    void currentMoved();
    /// Tiles came, went or changed their size: the height is another.
    void heightMoved();

protected:
    void itemActivated(int item) override;
    void paintEvent(QPaintEvent *event) override;
    void resizeEvent(QResizeEvent *event) override;
    void enterEvent(QEnterEvent *event) override;
    void leaveEvent(QEvent *event) override;
    /// Tab leaves the tiles at once; arrows walk them.
    bool focusNextPrevChild(bool next) override;

private:
    /// Sizes for the present width and number of agents.
    struct Grid {
        int columns = 1;
        double width = 0;
        double height = 0;
        double gap = 0;
    };

    [[nodiscard]] Grid bigGrid(int width) const;
    [[nodiscard]] Grid smallGrid(int width) const;
    [[nodiscard]] bool isDense() const;
    void countAbnormal();
    void rowsMoved();
    void paintBig(QPainter &painter, int item) const;
    void paintSmall(QPainter &painter, int item) const;
    void paintTrips(QPainter &painter, const QRectF &box, const live::AgentRow &row) const;

    live::AgentModel &m_model;
    int m_abnormal = 0; ///< the first rows, in the model's natural order
    rules::AgentId m_current; ///< whose ring it is; kept while a filter hides it, so that it comes back
    bool m_stale = false;
    qint64 m_ageMs = 0;
};

} // namespace handreset::views
