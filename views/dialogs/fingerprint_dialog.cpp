#include "views/dialogs/fingerprint_dialog.h"

#include "views/desk_style.h"
#include "views/plain_label.h"
#include "views/plain_text.h"

#include <QHBoxLayout>
#include <QPushButton>
#include <QVBoxLayout>

namespace handreset::views {

namespace {

constexpr int kBytesInALine = 16;

/// "AB:CD:…" in two lines, to be compared by eye.
[[nodiscard]] QString inLines(const QString &fingerprint)
{
    QString lines = fingerprint;
    const int at = kBytesInALine * 3 - 1;
    if (lines.size() > at)
        lines[at] = QLatin1Char('\n');
    return lines;
}

} // namespace

FingerprintDialog::FingerprintDialog(const QString &address, const QString &fingerprint, QWidget *parent)
    : QDialog(parent)
{
    setObjectName(QStringLiteral("fingerprintDialog"));
    setWindowTitle(tr("A host that is not known here"));
    setAttribute(Qt::WA_DeleteOnClose);
    auto *page = new QVBoxLayout(this);
    page->setContentsMargins(24, 20, 24, 16);
    page->setSpacing(12);
    auto *head = new PlainLabel(tr("Is this the right host?"), this);
    head->setLook(TextSize::Title, QFont::DemiBold);
    page->addWidget(head);
    auto *words = new QLabel(this);
    words->setTextFormat(Qt::PlainText);
    words->setWordWrap(true);
    words->setMinimumWidth(560);
    words->setText(
        tr("%1 answers with this certificate, which nobody here has accepted yet. Compare its fingerprint with "
           "what the host itself tells, in its log and by handresetctl status there. Whoever stands between "
           "you and the host would show another one.")
            .arg(visibleText(address, 200)));
    page->addWidget(words);
    auto *print = new QLabel(this);
    print->setObjectName(QStringLiteral("fingerprintWords"));
    print->setTextFormat(Qt::PlainText);
    print->setTextInteractionFlags(Qt::TextSelectableByMouse | Qt::TextSelectableByKeyboard);
    print->setFont(numberFont(TextSize::Text, QFont::DemiBold));
    print->setText(inLines(fingerprint));
    page->addWidget(print);
    auto *foot = new QHBoxLayout;
    auto *cancel = new QPushButton(tr("Cancel"), this);
    cancel->setObjectName(QStringLiteral("cancelButton"));
    cancel->setDefault(true);
    auto *accept = new QPushButton(tr("It is the same: accept it"), this);
    accept->setObjectName(QStringLiteral("acceptButton"));
    accept->setAutoDefault(false);
    setButtonRole(*accept, ButtonRole::Primary);
    foot->addWidget(cancel);
    foot->addStretch(1);
    foot->addWidget(accept);
    page->addLayout(foot);
    connect(cancel, &QPushButton::clicked, this, &QDialog::reject);
    connect(accept, &QPushButton::clicked, this, &QDialog::accept);
    cancel->setFocus(Qt::OtherFocusReason);
}

} // namespace handreset::views
