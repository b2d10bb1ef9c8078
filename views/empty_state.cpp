#include "views/empty_state.h"

#include "views/plain_label.h"

#include <QLabel>
#include <QVBoxLayout>

namespace handreset::views {

namespace {

constexpr int kTextWidth = 520;

} // namespace

EmptyState::EmptyState(const QString &title, const QString &words, const QString &command, QWidget *parent)
    : QWidget(parent)
{
    setObjectName(QStringLiteral("emptyState"));
    auto *layout = new QVBoxLayout(this);
    layout->setSpacing(kStep * 2);
    layout->addStretch(1);
    auto *head = new PlainLabel(title, this);
    head->setLook(TextSize::Title, QFont::DemiBold, Shade::Secondary);
    head->setAlignment(Qt::AlignCenter);
    layout->addWidget(head);
    auto *text = new QLabel(words, this); // our own words: they may break into lines
    text->setTextFormat(Qt::PlainText);
    text->setWordWrap(true);
    text->setAlignment(Qt::AlignCenter);
    text->setFixedWidth(kTextWidth); // a width that the layout chose would not be the one it took the height for
    text->setFont(textFont());
    text->setForegroundRole(QPalette::PlaceholderText);
    layout->addWidget(text, 0, Qt::AlignHCenter);
    if (!command.isEmpty()) {
        auto *how = new QLabel(command, this);
        how->setTextFormat(Qt::PlainText);
        how->setTextInteractionFlags(Qt::TextSelectableByMouse | Qt::TextSelectableByKeyboard);
        how->setAlignment(Qt::AlignCenter);
        how->setFont(numberFont());
        layout->addWidget(how);
    }
    layout->addStretch(2);
}

} // namespace handreset::views
