// One count of the header strip: a mark and a few words, flat, to be clicked. GUI thread; owned by its Qt parent.
#pragma once

#include "views/marks.h"

#include <optional>

#include <QAbstractButton>

namespace handreset::views {

class HeaderCountButton : public QAbstractButton {
    Q_OBJECT

public:
    explicit HeaderCountButton(QWidget *parent = nullptr);

    /// `strong`: something to look at; else it is quiet.
    void setContent(std::optional<Mark> mark, const QString &words, bool strong);
    [[nodiscard]] QSize sizeHint() const override;
    [[nodiscard]] QSize minimumSizeHint() const override { return sizeHint(); }

protected:
    void paintEvent(QPaintEvent *event) override;

private:
    [[nodiscard]] QFont face() const;

    std::optional<Mark> m_mark;
    bool m_strong = false;
};

} // namespace handreset::views
