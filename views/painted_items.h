// A painted widget whose parts can be pointed at, focused by key, activated, and read by a screen reader. The derived
// widget paints and says what its items are; this one does the rest. GUI thread; owned by its Qt parent.
#pragma once

#include <QStringList>
#include <QWidget>

namespace handreset::views {

class PaintedItems : public QWidget {
    Q_OBJECT

public:
    explicit PaintedItems(QWidget *parent = nullptr);

    /// Items count from 0, in the order in which Tab visits them.
    [[nodiscard]] virtual int itemCount() const = 0;
    /// Where the item is, in the widget's coordinates.
    [[nodiscard]] virtual QRectF itemRect(int item) const = 0;
    /// One line that says all that the item shows, for screen readers.
    [[nodiscard]] virtual QString itemName(int item) const = 0;
    /// The tooltip's lines; they may hold untrusted text.
    [[nodiscard]] virtual QStringList itemDetails(int item) const = 0;
    [[nodiscard]] virtual bool isItemActivatable(int item) const = 0;
    /// The topmost item at this point; -1 for none. By rectangle, unless the derived widget knows better.
    [[nodiscard]] virtual int itemAt(const QPointF &point) const;

    /// -1 while none is focused.
    [[nodiscard]] int focusedItem() const { return m_focused; }
    [[nodiscard]] int hoveredItem() const { return m_hovered; }
    void setFocusedItem(int item);
    /// As a click or Enter on it.
    void activate(int item);

Q_SIGNALS:
    void itemFocused(int item);

protected:
    /// Called for activatable items only.
    virtual void itemActivated(int item) = 0;
    /// Where the focus begins when it comes in from before.
    [[nodiscard]] virtual int firstItem() const { return 0; }
    /// To be called when the number or the order of the items changed. The focus stays at its place, or goes to the
    /// last.
    void itemsChanged();
    /// The same where the focus follows its subject: `focused` is where that stands now, -1 for nowhere.
    void itemsChanged(int focused);
    /// The ring of keyboard focus around an item; thin where the keyboard is elsewhere and only the choice stays.
    void paintFocusRing(QPainter &painter, const QRectF &box, double radius, bool thin = false) const;

    bool event(QEvent *event) override;
    bool focusNextPrevChild(bool next) override;
    void keyPressEvent(QKeyEvent *event) override;
    void focusInEvent(QFocusEvent *event) override;
    void focusOutEvent(QFocusEvent *event) override;
    void mouseMoveEvent(QMouseEvent *event) override;
    void mousePressEvent(QMouseEvent *event) override;
    void mouseReleaseEvent(QMouseEvent *event) override;
    void leaveEvent(QEvent *event) override;

private:
    void setHovered(int item);
    [[nodiscard]] int neighbour(int key) const;

    int m_focused = -1;
    int m_hovered = -1;
    int m_pressed = -1;
};

} // namespace handreset::views
