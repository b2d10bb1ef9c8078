// A page's first line: title, a few words beside it, and the filter at its end. GUI thread; owned by its Qt parent.
#pragma once

#include "model/live/text_filter.h"

#include <QWidget>

class QHBoxLayout;
class QLineEdit;

namespace handreset::views {

class PlainLabel;

class PageHeader : public QWidget {
    Q_OBJECT

public:
    /// Without a hint there is no filter.
    explicit PageHeader(const QString &title, const QString &filterHint = {}, QWidget *parent = nullptr);

    void setWords(const QString &words);
    /// Puts the keyboard into the filter.
    void focusFilter();
    /// As if it had been typed.
    void setFilterText(const QString &text);
    /// True when there was something to clear or to leave.
    bool leaveFilter();
    /// For chips directly after the title.
    [[nodiscard]] QHBoxLayout *besideTitle() const { return m_titled; }
    /// For buttons before the filter.
    [[nodiscard]] QHBoxLayout *line() const { return m_line; }

Q_SIGNALS:
    /// A valid filter. A wrong one is shown in red with the reason below, and the last valid one stays in force.
    void filterChanged(const handreset::live::TextFilter &filter);
    /// Enter or Down in the filter: on to the list.
    void filterLeft();

protected:
    bool eventFilter(QObject *object, QEvent *event) override;

private:
    void typed(const QString &text);

    void say(const QString &wrong);

    QHBoxLayout *m_line;
    QHBoxLayout *m_titled;
    PlainLabel *m_words;
    PlainLabel *m_wrong; ///< why what was typed is no filter
    QLineEdit *m_filter = nullptr;
};

} // namespace handreset::views
