#include "views/empty_state.h"

#include "views/plain_label.h"

#include <QLabel>
#include <QVBoxLayout>

namespace handreset::views {

namespace {

constexpr int kTextWidth = 520;

} // namespace

EmptyState::EmptyState(const QString &title, const QString &words, const QString &command, QWidget *parent)
    : QWidget(parent),
      m_own{title, words, command},
      m_title(new PlainLabel(this)),
      m_words(new QLabel(this)),
      m_command(new QLabel(this))
{
    setObjectName(QStringLiteral("emptyState"));
    auto *layout = new QVBoxLayout(this);
    layout->setSpacing(kStep * 2);
    layout->addStretch(1);
    m_title->setLook(TextSize::Title, QFont::DemiBold, Shade::Secondary);
    m_title->setAlignment(Qt::AlignCenter);
    layout->addWidget(m_title);
    m_words->setTextFormat(Qt::PlainText); // whole sentences: they may break into lines
    m_words->setWordWrap(true);
    m_words->setAlignment(Qt::AlignCenter);
    m_words->setFixedWidth(kTextWidth); // a width that the layout chose would not be the one it took the height for
    m_words->setFont(textFont());
    m_words->setForegroundRole(QPalette::PlaceholderText);
    layout->addWidget(m_words, 0, Qt::AlignHCenter);
    m_command->setTextFormat(Qt::PlainText);
    m_command->setTextInteractionFlags(Qt::TextSelectableByMouse | Qt::TextSelectableByKeyboard);
    m_command->setAlignment(Qt::AlignCenter);
    m_command->setFont(numberFont());
    layout->addWidget(m_command);
    layout->addStretch(2);
    say(m_own);
}

void EmptyState::setTrouble(const std::optional<DataTrouble> &trouble)
{
    say(trouble.value_or(m_own));
}

void EmptyState::say(const DataTrouble &said)
{
    m_title->setPlain(said.title);
    m_words->setText(said.words);
    m_words->setFixedHeight(m_words->heightForWidth(kTextWidth)); // no layout asks again when the words change
    m_command->setText(said.command);
    m_command->setVisible(!said.command.isEmpty());
}

} // namespace handreset::views
