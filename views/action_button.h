// A push button with the key that does the same written at its right end. GUI thread; owned by its Qt parent.
#pragma once

#include "views/desk_style.h"

#include <QPushButton>

namespace handreset::views {

class ActionButton : public QPushButton {
    Q_OBJECT

public:
    /// `key` is shown only ("R"); the page makes the shortcut. Empty: none.
    explicit ActionButton(const QString &text, const QString &key = {}, ButtonRole role = ButtonRole::Plain,
                          QWidget *parent = nullptr);

    [[nodiscard]] QSize sizeHint() const override;
    [[nodiscard]] QSize minimumSizeHint() const override { return sizeHint(); }

protected:
    void paintEvent(QPaintEvent *event) override;

private:
    QString m_key;
};

} // namespace handreset::views
