#include "views/header_strip.h"

#include "views/age_words.h"
#include "views/header_count_button.h"
#include "views/pill.h"
#include "views/plain_label.h"
#include "views/plain_text.h"
#include "views/plural.h"

#include <array>

#include <QHBoxLayout>
#include <QPainter>

namespace handreset::views {

namespace {

constexpr int kAllClosed = 9; ///< the place after the counts
constexpr std::array<qsizetype, 4> kNoticeLetters{60, 40, 26, 16};

PlainLabel *label(HeaderStrip *strip, Shade shade, QFont::Weight weight = QFont::Normal)
{
    auto *made = new PlainLabel(strip);
    made->setLook(TextSize::Text, weight, shade);
    made->setSizePolicy(QSizePolicy::Maximum, QSizePolicy::Fixed);
    return made;
}

} // namespace

HeaderStrip::HeaderStrip(QWidget *parent)
    : QWidget(parent),
      m_product(label(this, Shade::Text, QFont::Bold)),
      m_fleet(label(this, Shade::Secondary)),
      m_store(label(this, Shade::Faint)),
      m_notice(new Pill(Pill::Kind::Note, {}, this)),
      m_standing(new Pill(Pill::Kind::Note, {}, this)),
      m_live(new Pill(Pill::Kind::Live, {}, this)),
      m_age(label(this, Shade::Secondary)),
      m_clock(label(this, Shade::Text)),
      m_operator(label(this, Shade::Secondary)),
      m_link(new Pill(Pill::Kind::Live, {}, this)),
      m_key(new HeaderCountButton(this)),
      m_sound(new HeaderCountButton(this))
{
    m_product->setFont(textFont(TextSize::Text, QFont::Bold));
    m_product->setPlain(QStringLiteral("Handreset"));
    m_clock->setNumberLook(TextSize::Text);
    setFixedHeight(44);
    auto *line = new QHBoxLayout(this);
    line->setContentsMargins(20, 0, kGap, 0);
    line->setSpacing(10);
    for (PlainLabel *first : {m_product, m_fleet, m_store})
        line->addWidget(first);
    line->addSpacing(kGap);
    for (int i = 0; i <= kAllClosed; ++i) {
        auto *button = new HeaderCountButton(this);
        line->addWidget(button);
        m_counts.push_back(button);
        if (i < kAllClosed)
            connect(button, &QAbstractButton::clicked, this, [this, i] { Q_EMIT countActivated(static_cast<Count>(i)); });
    }
    m_counts.back()->setFocusPolicy(Qt::NoFocus);
    m_link->setObjectName(QStringLiteral("linkPill"));
    m_operator->setObjectName(QStringLiteral("operatorWords"));
    m_key->setObjectName(QStringLiteral("keyButton"));
    connect(m_key, &QAbstractButton::clicked, this, &HeaderStrip::keyActivated);
    connect(m_sound, &QAbstractButton::clicked, this, &HeaderStrip::soundActivated);
    line->addStretch(1);
    for (QWidget *last : std::initializer_list<QWidget *>{m_notice, m_standing, m_link, m_live, m_age, m_clock,
                                                          m_operator, m_key, m_sound})
        line->addWidget(last);
    setState({});
}

void HeaderStrip::setState(const HeaderState &state)
{
    m_state = state;
    m_fleet->setPlain(state.fleet);
    m_store->setPlain(state.store);
    m_clock->setPlain(state.clock);
    const QString separator = state.operatorName.isEmpty() || state.role.isEmpty() ? QString() : QStringLiteral(" · ");
    m_operator->setPlain(state.operatorName + separator + state.role);
    static_cast<HeaderCountButton *>(m_sound)->setContent({}, visibleText(state.sound, 40), false);
    m_notice->setToolTip(plainTooltip(state.notice));
    m_notice->setAccessibleDescription(visibleText(state.notice));
    m_standing->setToolTip(plainTooltip(state.standing));
    m_key->setToolTip(plainTooltip(state.keyHelp));
    m_link->setToolTip(plainTooltip(state.linkHelp));
    showLiveness();
    fit();
}

/// The source text itself has both English numbers, so that no catalogue is needed for it.
QString HeaderStrip::breakerWords(int count, bool compact)
{
    if (compact)
        return count == 1 ? tr("%n breaker", nullptr, count) : tr("%n breakers", nullptr, count);
    return count == 1 ? tr("%n breaker tripped", nullptr, count) : tr("%n breakers tripped", nullptr, count);
}

void HeaderStrip::showCounts(bool compact)
{
    struct Shown {
        int count;
        std::optional<Mark> mark;
        QString words;
        bool strong;
    };
    const HeaderState &s = m_state;
    const bool fleetHeld = s.fleetRung != rules::Rung::Closed;
    const bool fleetOpen = s.fleetRung == rules::Rung::Open;
    const Shown shown[] = {
        {fleetHeld ? 1 : 0, fleetOpen ? Mark::Open : Mark::Degraded,
         fleetOpen ? tr("FLEET STOPPED") : tr("FLEET DEGRADED"), true},
        {s.openAgents, Mark::Open, tr("%n open", nullptr, s.openAgents), true},
        {s.degradedAgents, Mark::Degraded, tr("%n degraded", nullptr, s.degradedAgents), true},
        {s.stoppedTasks, s.tasksOpen ? Mark::Open : Mark::Degraded,
         s.tasksOpen ? counted(s.stoppedTasks, tr("task stopped"), tr("tasks stopped"))
                     : counted(s.stoppedTasks, tr("task degraded"), tr("tasks degraded")),
         true},
        {s.trippedBreakers, Mark::Open, breakerWords(s.trippedBreakers, compact), true},
        {s.unacknowledged,
         {},
         compact ? tr("%n to ack", nullptr, s.unacknowledged) : tr("%n to acknowledge", nullptr, s.unacknowledged),
         true},
        {s.queued, {}, compact ? tr("%n queued", nullptr, s.queued) : tr("%n in queue", nullptr, s.queued), false},
        {s.requests,
         {},
         compact ? counted(s.requests, tr("request"), tr("requests"))
                 : counted(s.requests, tr("request for you"), tr("requests for you")),
         true},
        {s.reviews, Mark::Open, tr("GLASS BROKEN"), true},
    };
    for (std::size_t i = 0; i < std::size(shown); ++i) {
        m_counts[i]->setContent(shown[i].mark, shown[i].words, shown[i].strong);
        m_counts[i]->setVisible(shown[i].count > 0);
    }
    const bool quiet
        = !fleetHeld && s.stoppedTasks == 0 && s.openAgents == 0 && s.degradedAgents == 0 && s.trippedBreakers == 0;
    const bool known = s.dataAgeMs >= 0;
    const bool current = s.liveness != HeaderState::Liveness::Stale && !s.troubled;
    HeaderCountButton *last = m_counts[kAllClosed];
    if (!known)
        last->setContent(Mark::NoData, tr("no data yet"), false);
    else if (!s.anySeen && !current)
        last->setContent(Mark::NoData, tr("no data"), false);
    else if (!s.anySeen)
        last->setContent(Mark::NoData, tr("no agent yet"), false);
    else
        last->setContent(Mark::Closed, current ? tr("all closed") : tr("all closed when last heard"), false);
    last->setVisible(quiet);
}

void HeaderStrip::showLiveness()
{
    const bool known = m_state.dataAgeMs >= 0;
    const bool recorded = m_state.liveness == HeaderState::Liveness::Recorded;
    m_age->setPlain(recorded    ? tr("until %1").arg(m_state.recordedUntil)
                        : known ? tr("data %1 old").arg(ageWords(m_state.dataAgeMs))
                                : QString());
    switch (m_state.liveness) {
    case HeaderState::Liveness::Live:
        m_live->setContent(Pill::Kind::Live, tr("LIVE"));
        break;
    case HeaderState::Liveness::Stale:
        m_live->setContent(Pill::Kind::Stale, known ? tr("STALE") : tr("NO DATA"));
        break;
    case HeaderState::Liveness::Recorded:
        m_live->setContent(Pill::Kind::Count, tr("RECORDED"));
        break;
    case HeaderState::Liveness::Replay:
        m_live->setContent(Pill::Kind::Replay, tr("%1, NOT LIVE").arg(visibleText(m_state.replayAt, 40)));
        break;
    }
    m_age->setShade(m_state.liveness == HeaderState::Liveness::Stale ? Shade::Degraded : Shade::Secondary);
}

void HeaderStrip::showNotice(qsizetype longest)
{
    // Its head says what is wrong; the tooltip has the rest.
    const QString whole = visibleText(m_state.notice);
    m_notice->setContent(Pill::Kind::Note,
                         whole.size() > longest ? whole.left(longest).trimmed() + QStringLiteral("…") : whole);
    m_notice->setVisible(!whole.isEmpty());
}

void HeaderStrip::showKey(bool compact)
{
    const QString words = compact && !m_state.keyShort.isEmpty() ? m_state.keyShort : m_state.key;
    m_key->setContent({}, visibleText(words, 40), m_state.keyUnlocked);
    m_key->setAccessibleName(visibleText(m_state.key));
    m_key->setVisible(!words.isEmpty());
}

void HeaderStrip::showLink(bool compact)
{
    const QString words = compact && !m_state.linkShort.isEmpty() ? m_state.linkShort : m_state.link;
    m_link->setContent(m_state.linkCut ? Pill::Kind::Stale : Pill::Kind::Live, visibleText(words, 60));
    m_link->setVisible(!words.isEmpty());
}

/// What matters least gives way first; counts, liveness, age, clock and the notices never do, though they grow shorter.
void HeaderStrip::fit()
{
    showCounts(false);
    showNotice(kNoticeLetters.front());
    showKey(false);
    showLink(false);
    m_standing->setContent(Pill::Kind::Note, visibleText(m_state.standing, 60));
    m_standing->setVisible(!m_standing->text().isEmpty());
    m_sound->setVisible(!m_sound->text().isEmpty());
    for (PlainLabel *each : {m_product, m_fleet, m_store, m_age, m_clock, m_operator})
        each->setVisible(!each->plain().isEmpty());
    const auto tooWide = [this] {
        layout()->invalidate();
        int width = 0;
        for (int i = 0; i < layout()->count(); ++i) {
            const QLayoutItem *item = layout()->itemAt(i);
            if (item->widget() == nullptr)
                width += item->sizeHint().width();
            else if (!item->widget()->isHidden())
                width += item->widget()->sizeHint().width() + layout()->spacing();
        }
        return width + 36 > this->width();
    };
    for (QWidget *each : std::initializer_list<QWidget *>{m_store, m_sound}) {
        if (tooWide())
            each->hide();
    }
    if (tooWide())
        showLink(true);
    for (QWidget *each : std::initializer_list<QWidget *>{m_product, m_operator}) {
        if (tooWide())
            each->hide();
    }
    if (tooWide())
        showCounts(true);
    if (tooWide())
        showKey(true);
    if (tooWide() && !m_state.standingShort.isEmpty())
        m_standing->setContent(Pill::Kind::Note, visibleText(m_state.standingShort, 60));
    for (const qsizetype letters : kNoticeLetters) {
        if (tooWide())
            showNotice(letters);
    }
    for (QWidget *each : std::initializer_list<QWidget *>{m_fleet, m_counts[static_cast<std::size_t>(Count::Queued)]}) {
        if (tooWide())
            each->hide();
    }
    layout()->activate(); // at once: a strip that is first seen at its final size must not be seen half laid out
}

void HeaderStrip::paintEvent(QPaintEvent *)
{
    QPainter painter(this);
    const Colours &colours = coloursOf(*this);
    painter.fillRect(rect(), colours.rail);
    painter.fillRect(QRect(0, height() - 1, width(), 1), colours.line);
}

void HeaderStrip::resizeEvent(QResizeEvent *event)
{
    QWidget::resizeEvent(event);
    fit();
}

} // namespace handreset::views
