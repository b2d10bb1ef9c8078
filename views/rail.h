// The rail at the left: the pages, their counts, and the keys that open them. GUI thread; owned by its Qt parent.
#pragma once

#include <QString>
#include <QWidget>

#include <vector>

class QButtonGroup;
class QVBoxLayout;

namespace handreset::views {

class RailButton;

struct RailItem {
    QString title;
    int count = 0; ///< shown as a pill above 0
};

class Rail : public QWidget {
    Q_OBJECT

public:
    explicit Rail(QWidget *parent = nullptr);

    /// The pages from top to bottom; the first nine get Ctrl+1 to Ctrl+9 within this window.
    void setItems(const std::vector<RailItem> &items);
    void setCount(int page, int count);
    void setCurrent(int page);
    /// -1 while there is none.
    [[nodiscard]] int current() const;
    [[nodiscard]] QSize sizeHint() const override { return {168, 400}; }

Q_SIGNALS:
    /// The operator chose a page. `setCurrent` does not emit it.
    void pageActivated(int page);

protected:
    void paintEvent(QPaintEvent *event) override;

private:
    QVBoxLayout *m_list;
    QButtonGroup *m_group;
    std::vector<RailButton *> m_buttons;
};

} // namespace handreset::views
