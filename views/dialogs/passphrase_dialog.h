// Asks for the passphrase of an operator's key: whose key it is, and what was wrong with the last try. Enter tries it,
// Esc leaves. GUI thread; owned by its Qt parent. Failure: a wrong passphrase is said in place. The passphrase goes on
// by `tried` alone and is wiped here.
#pragma once

#include "model/trust/passphrase.h"

#include <QDialog>
#include <QStringList>

#include <memory>

class QComboBox;
class QLineEdit;
class QPushButton;
class QVBoxLayout;

namespace handreset::views {

class PlainLabel;

class PassphraseDialog : public QDialog {
    Q_OBJECT

public:
    /// `names`: whose keys lie here; `chosen`: who is chosen first.
    PassphraseDialog(const QString &title, const QString &verb, const QStringList &names, const QString &chosen,
                     QWidget *parent);

    /// Where more words can stand, above the fields.
    [[nodiscard]] QVBoxLayout *body() { return m_body; }
    void addWords(const QString &untrusted);
    /// The try was in vain: another one may be made.
    void refused(const QString &why);

Q_SIGNALS:
    /// The passphrase can be taken once.
    void tried(const QString &name, const std::shared_ptr<handreset::trust::Passphrase> &passphrase);

private:
    void tryIt();
    void say(const QString &words, bool loud);
    void setTrying(bool isTrying);

    QVBoxLayout *m_body;
    QComboBox *m_operator;
    QLineEdit *m_passphrase;
    PlainLabel *m_words;
    QPushButton *m_do;
};

} // namespace handreset::views
