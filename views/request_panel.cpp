#include "views/request_panel.h"

#include "model/live/desk_session.h"
#include "model/rules/words_of_time.h"
#include "views/desk_style.h"
#include "views/hold_button.h"
#include "views/plain_label.h"
#include "views/plain_text.h"

#include <QHBoxLayout>
#include <QLineEdit>
#include <QPlainTextEdit>
#include <QPushButton>
#include <QSysInfo>
#include <QVBoxLayout>

namespace handreset::views {

using live::ActStage;
using live::RequestState;

namespace {

constexpr int kWidth = 360;
constexpr qsizetype kMostLine = 2'000; ///< characters of one line of what would change

[[nodiscard]] PlainLabel *line(QWidget *parent, const char *name, Shade shade = Shade::Text,
                               QFont::Weight weight = QFont::Normal)
{
    auto *label = new PlainLabel(parent);
    label->setObjectName(QString::fromLatin1(name));
    label->setLook(TextSize::Secondary, weight, shade);
    return label;
}

} // namespace

RequestPanel::RequestPanel(live::DeskSession &session, QWidget *parent)
    : QWidget(parent),
      m_session(session),
      m_title(new PlainLabel(this)),
      m_who(line(this, "requestWho", Shade::Secondary)),
      m_place(line(this, "requestPlace", Shade::Operator, QFont::DemiBold)),
      m_whyTwo(line(this, "requestWhyTwo")),
      m_reason(line(this, "requestReason")),
      m_state(line(this, "requestState", Shade::Operator, QFont::DemiBold)),
      m_changes(new QPlainTextEdit(this)),
      m_wordsHead(line(this, "requestWordsHead", Shade::Text, QFont::DemiBold)),
      m_words(new QLineEdit(this)),
      m_missing(line(this, "requestMissing", Shade::Secondary)),
      m_end(new QPushButton(this)),
      m_approve(new HoldButton(tr("Hold to approve"), this))
{
    setObjectName(QStringLiteral("requestPanel"));
    setFixedWidth(kWidth);
    auto *page = new QVBoxLayout(this);
    page->setContentsMargins(0, 0, 0, 0);
    page->setSpacing(6);
    m_title->setObjectName(QStringLiteral("requestTitle"));
    m_title->setLook(TextSize::Text, QFont::DemiBold);
    for (QWidget *each : std::initializer_list<QWidget *>{m_title, m_who, m_place, m_state, m_whyTwo, m_reason})
        page->addWidget(each);
    auto *head = line(this, "requestChangesHead", Shade::Text, QFont::DemiBold);
    head->setPlain(tr("What would change"));
    page->addWidget(head);
    m_changes->setObjectName(QStringLiteral("requestChanges"));
    m_changes->setAccessibleName(tr("what would change"));
    m_changes->setReadOnly(true);
    m_changes->setTabChangesFocus(true);
    page->addWidget(m_changes, 1);
    m_words->setObjectName(QStringLiteral("requestWordsEdit"));
    m_words->setAccessibleName(tr("your words"));
    m_end->setObjectName(QStringLiteral("endRequestButton"));
    m_approve->setObjectName(QStringLiteral("approveButton"));
    for (QWidget *each : std::initializer_list<QWidget *>{m_wordsHead, m_words, m_missing})
        page->addWidget(each);
    auto *foot = new QHBoxLayout;
    foot->addWidget(m_end);
    foot->addStretch(1);
    foot->addWidget(m_approve);
    page->addLayout(foot);
    connect(m_words, &QLineEdit::textChanged, this, &RequestPanel::showState);
    connect(m_end, &QPushButton::clicked, this, &RequestPanel::endIt);
    connect(m_approve, &HoldButton::confirmed, this, &RequestPanel::approve);
    connect(&session, &live::DeskSession::actMoved, this, &RequestPanel::showAct);
    connect(&session, &live::DeskSession::freshnessChanged, this, &RequestPanel::showState);
    show(nullptr);
}

void RequestPanel::show(const live::RequestRow *request)
{
    setVisible(request != nullptr);
    const bool isAnother = !request || !m_request || m_request->seq != request->seq;
    if (isAnother) {
        m_words->clear();
        m_act = 0;
    }
    if (!request) {
        m_request.reset();
        return;
    }
    const bool isSame = m_request && *m_request == *request;
    m_request = *request;
    if (!isSame) {
        m_title->setPlain(QStringLiteral("%1, %2").arg(request->act, request->about));
        m_who->setPlain(
            request->machine.isEmpty()
                ? tr("%1, %2 UTC").arg(request->by, QString::fromStdString(rules::utcClock(request->at)).left(8))
                : tr("%1 on %2, %3 UTC")
                      .arg(request->by, request->machine,
                           QString::fromStdString(rules::utcClock(request->at)).left(8)));
        m_place->setPlain(placeWords());
        m_place->setVisible(!m_place->plain().isEmpty());
        m_whyTwo->setPlain(tr("why two persons: %1").arg(request->why));
        m_reason->setPlain(request->reason.isEmpty() ? tr("no reason was given")
                                                     : tr("reason: %1").arg(request->reason));
        QStringList changes;
        for (const QString &change : request->changes)
            changes.append(visibleText(change, kMostLine));
        if (changes.isEmpty())
            changes.append(request->state == RequestState::OpenReview
                               ? tr("It is in force already: somebody acted alone. The log tells what was done.")
                               : tr("Nothing that this desk can show."));
        m_changes->setPlainText(changes.join(QLatin1Char('\n')));
    }
    showState();
}

/// Two words from one place are no proof of one person, but worth a look: said before, and in the log after.
QString RequestPanel::placeWords() const
{
    if (isOwn() || m_request->machine.isEmpty())
        return {};
    if (m_request->session == m_session.key().session())
        return tr("asked at this very desk: the log will say so");
    return m_request->machine == QSysInfo::machineHostName() ? tr("asked from this machine: the log will say so")
                                                             : QString();
}

bool RequestPanel::isOwn() const
{
    return m_request->by == m_session.operatorName();
}

/// Why the words cannot be sent as they are; empty where they can.
QString RequestPanel::why() const
{
    if (m_session.freshness().stale)
        return tr("what you see is not live: wait for the host");
    return m_request->isOpen() && !isOwn() ? m_session.whyNotApprove(*m_request) : QString();
}

void RequestPanel::showState()
{
    if (!m_request)
        return;
    const bool waits = m_request->state == RequestState::Waiting;
    const bool isReview = m_request->state == RequestState::OpenReview;
    QString state = live::stateWords(*m_request);
    if (waits && m_request->expires)
        state = tr("waits until %1 UTC").arg(QString::fromStdString(rules::utcClock(*m_request->expires)).left(8));
    m_state->setPlain(state);
    for (QWidget *each : std::initializer_list<QWidget *>{m_wordsHead, m_words, m_missing, m_end})
        each->setVisible(m_request->isOpen());
    m_approve->setVisible(waits && !isOwn());
    if (!m_request->isOpen())
        return;
    m_wordsHead->setPlain(isReview      ? tr("What you found")
                              : isOwn() ? tr("Why you withdraw it")
                                        : tr("Your words; to decline they are needed"));
    m_end->setText(isReview ? tr("Close the review") : isOwn() ? tr("Withdraw") : tr("Decline"));
    const QString wrong = why();
    const bool hasWords = !m_words->text().trimmed().isEmpty();
    const bool mayEnd = wrong.isEmpty() && m_act == 0 && !(isReview && isOwn());
    m_end->setEnabled(mayEnd && (hasWords || (isOwn() && waits)));
    m_approve->setEnabled(wrong.isEmpty() && m_act == 0);
    m_approve->setToolTip(plainTooltip(wrong));
    const bool ownWords = waits && isOwn();
    m_missing->setPlain(ownWords                  ? tr("you asked for it: the second person is another one")
                            : isReview && isOwn() ? m_session.whyNotApprove(*m_request)
                                                  : wrong);
}

void RequestPanel::approve()
{
    if (!m_request || m_request->state != RequestState::Waiting || !why().isEmpty())
        return;
    m_act = m_session.approve(*m_request, m_words->text().trimmed());
    showState();
}

void RequestPanel::endIt()
{
    if (!m_request || !m_request->isOpen())
        return;
    const QString words = m_words->text().trimmed();
    m_act = m_request->state == RequestState::OpenReview ? m_session.closeReview(*m_request, words)
                                                         : m_session.endRequest(*m_request, words);
    showState();
}

void RequestPanel::showAct(const live::ActState &act)
{
    if (act.number != m_act || m_act == 0 || act.stage == ActStage::Requested || act.stage == ActStage::NeedsKey)
        return;
    m_act = 0;
    if (act.stage != ActStage::Refused && act.stage != ActStage::Failed)
        m_words->clear();
    showState();
}

} // namespace handreset::views
