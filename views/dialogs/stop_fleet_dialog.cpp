#include "views/dialogs/stop_fleet_dialog.h"

#include "model/live/desk_session.h"
#include "views/desk_style.h"
#include "views/plain_label.h"
#include "views/plural.h"

#include <QHBoxLayout>
#include <QLineEdit>
#include <QPushButton>
#include <QVBoxLayout>

namespace handreset::views {

StopFleetDialog::StopFleetDialog(live::DeskSession &session, QWidget *parent)
    : QDialog(parent),
      m_session(session),
      m_word(new QLineEdit(this)),
      m_stop(new QPushButton(tr("Stop the fleet"), this))
{
    setObjectName(QStringLiteral("stopFleetDialog"));
    setWindowTitle(tr("Stop the fleet"));
    setAttribute(Qt::WA_DeleteOnClose);
    auto *page = new QVBoxLayout(this);
    page->setContentsMargins(24, 20, 24, 16);
    page->setSpacing(10);
    auto *head = new PlainLabel(tr("Stop the fleet"), this);
    head->setLook(TextSize::Title, QFont::DemiBold);
    page->addWidget(head);
    const auto agents = static_cast<qint64>(session.agents().allRows());
    for (const QString &words :
         {tr("It holds %1, and every agent that comes.").arg(counted(agents, tr("agent"), tr("agents"))),
          tr("No call goes out and tasks wait, until a person re-arms the fleet."),
          tr("What is in flight may still happen.")}) {
        auto *line = new PlainLabel(words, this);
        line->setLook(TextSize::Text);
        page->addWidget(line);
    }
    m_word->setObjectName(QStringLiteral("stopWordEdit"));
    m_word->setPlaceholderText(tr("type: stop"));
    m_word->setAccessibleName(tr("type: stop, to stop the whole fleet"));
    page->addWidget(m_word);
    auto *foot = new QHBoxLayout;
    auto *cancel = new QPushButton(tr("Cancel"), this);
    cancel->setObjectName(QStringLiteral("cancelButton"));
    cancel->setAutoDefault(false);
    m_stop->setObjectName(QStringLiteral("stopFleetButton"));
    m_stop->setEnabled(false);
    m_stop->setDefault(true); // Enter stops once the word stands there
    setButtonRole(*m_stop, ButtonRole::Stop);
    foot->addWidget(cancel);
    foot->addStretch(1);
    foot->addWidget(m_stop);
    page->addLayout(foot);
    setMinimumWidth(520);
    connect(cancel, &QPushButton::clicked, this, &QDialog::reject);
    connect(m_stop, &QPushButton::clicked, this, &StopFleetDialog::stop);
    connect(m_word, &QLineEdit::textChanged, this, [this] { m_stop->setEnabled(isTyped()); });
    m_word->setFocus();
}

bool StopFleetDialog::isTyped() const
{
    return m_word->text().trimmed().compare(tr("stop"), Qt::CaseInsensitive) == 0;
}

void StopFleetDialog::stop()
{
    if (!isTyped())
        return;
    m_session.stopFleet(); // the line at the window's foot says what became of it
    accept();
}

} // namespace handreset::views
