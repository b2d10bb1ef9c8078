// Ctrl+K: everything that can be opened, and the one act on all of it, found by a few letters. GUI thread; owned by its
// Qt parent; the session outlives it.
#pragma once

#include "model/live/subject_detail.h"

#include <QDialog>
#include <QStringList>

#include <vector>

class QLineEdit;
class QListWidget;

namespace handreset::live {
class DeskSession;
}

namespace handreset::views {

class PaletteDialog : public QDialog {
    Q_OBJECT

public:
    PaletteDialog(const live::DeskSession &session, const QStringList &pages, QWidget *parent = nullptr);

Q_SIGNALS:
    void pageChosen(int page);
    /// It is asked for once more before anything stops.
    void stopFleetChosen();
    void subjectChosen(const handreset::live::Focus &focus);

protected:
    bool eventFilter(QObject *object, QEvent *event) override;

private:
    /// One thing that can be opened: a page, or a subject.
    struct Entry {
        QString text;
        int page = -1;
        live::Focus focus;
        bool stopsFleet = false;
    };

    void showMatching(const QString &typed);
    void openChosen();

    std::vector<Entry> m_entries;
    std::vector<std::size_t> m_shown; ///< by row of the list
    QLineEdit *m_edit;
    QListWidget *m_list;
};

} // namespace handreset::views
