// A mark, or a trip's number, as a small widget with a name for screen readers. GUI thread; owned by its Qt parent.
#pragma once

#include "views/marks.h"

#include <QWidget>

namespace handreset::views {

class MarkLabel : public QWidget {
    Q_OBJECT

public:
    /// `side` in device-independent pixels: 14 in rows, 18 in tiles, 20 beside a title.
    explicit MarkLabel(Mark mark = Mark::Closed, int side = 14, QWidget *parent = nullptr);

    void setMark(Mark mark);
    [[nodiscard]] Mark mark() const { return m_mark; }
    [[nodiscard]] QSize sizeHint() const override { return {m_side, m_side}; }

protected:
    void paintEvent(QPaintEvent *event) override;

private:
    Mark m_mark;
    int m_side;
};

class OrderLabel : public QWidget {
    Q_OBJECT

public:
    explicit OrderLabel(int order = 0, int side = 16, QWidget *parent = nullptr);

    /// The place of a trip in time, from 1; nothing is painted for 0.
    void setOrder(int order);
    /// True: full strength; false: secondary.
    void setStrong(bool strong);
    [[nodiscard]] int order() const { return m_order; }
    [[nodiscard]] QSize sizeHint() const override { return {m_side, m_side}; }

protected:
    void paintEvent(QPaintEvent *event) override;

private:
    int m_order = 0;
    int m_side;
    bool m_strong = true;
};

} // namespace handreset::views
