// F1: the keys of this page and those that hold everywhere. GUI thread; owned by its Qt parent.
#pragma once

#include "views/page.h"

#include <QDialog>

namespace handreset::views {

class KeysDialog : public QDialog {
    Q_OBJECT

public:
    KeysDialog(const QString &pageTitle, const QList<KeyHelp> &ofPage, QWidget *parent = nullptr);
};

} // namespace handreset::views
