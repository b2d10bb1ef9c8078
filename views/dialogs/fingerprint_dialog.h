// A host that is not known here yet shows its certificate's fingerprint: a person compares it with what the host itself
// tells, and accepts it, or leaves. GUI thread; owned by its Qt parent.
#pragma once

#include <QDialog>

namespace handreset::views {

class FingerprintDialog : public QDialog {
    Q_OBJECT

public:
    FingerprintDialog(const QString &address, const QString &fingerprint, QWidget *parent = nullptr);
};

} // namespace handreset::views
