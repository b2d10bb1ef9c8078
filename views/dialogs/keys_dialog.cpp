#include "views/dialogs/keys_dialog.h"

#include "views/plain_label.h"

#include <QGridLayout>
#include <QPushButton>

namespace handreset::views {

namespace {

void addKeys(QGridLayout &grid, const QString &title, const QList<KeyHelp> &keys, QWidget *parent)
{
    auto *head = new PlainLabel(title, parent);
    head->setLook(TextSize::Text, QFont::DemiBold);
    grid.addWidget(head, grid.rowCount(), 0, 1, 2);
    for (const KeyHelp &key : keys) {
        auto *name = new PlainLabel(key.key, parent);
        name->setNumberLook(TextSize::Secondary);
        name->setMinimumWidth(140);
        auto *words = new PlainLabel(key.words, parent);
        words->setLook(TextSize::Secondary, QFont::Normal, Shade::Secondary);
        words->setMinimumWidth(300);
        const int row = grid.rowCount();
        grid.addWidget(name, row, 0);
        grid.addWidget(words, row, 1);
    }
}

} // namespace

KeysDialog::KeysDialog(const QString &pageTitle, const QList<KeyHelp> &ofPage, QWidget *parent) : QDialog(parent)
{
    setObjectName(QStringLiteral("keysDialog"));
    setWindowTitle(tr("Keys"));
    setAttribute(Qt::WA_DeleteOnClose);
    auto *grid = new QGridLayout(this);
    grid->setContentsMargins(24, 20, 24, 20);
    grid->setHorizontalSpacing(kGap);
    grid->setVerticalSpacing(6);
    if (!ofPage.isEmpty())
        addKeys(*grid, pageTitle, ofPage, this);
    addKeys(*grid, tr("Everywhere"),
            {{tr("Ctrl+1 … Ctrl+7"), tr("the pages")},
             {tr("Ctrl+K"), tr("open a page, an agent or a tool by a few letters; stop the fleet")},
             {tr("/"), tr("filter")},
             {tr("Esc"), tr("back")},
             {tr("Ctrl+Shift+X"), tr("stop the selected agent at once; the reason is asked afterwards")},
             {tr("F1"), tr("this list")}},
            this);
    auto *close = new QPushButton(tr("Close"), this);
    connect(close, &QPushButton::clicked, this, &QDialog::accept);
    grid->addWidget(close, grid->rowCount(), 1, Qt::AlignRight);
    close->setFocus();
}

} // namespace handreset::views
