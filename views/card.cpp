#include "views/card.h"

#include "views/mark_label.h"
#include "views/marks.h"
#include "views/plain_label.h"
#include "views/typography.h"

#include <QHBoxLayout>
#include <QPainter>
#include <QVBoxLayout>

namespace handreset::views {

Card::Card(const QString &title, QWidget *parent)
    : QFrame(parent)
    , m_titleLine(new QHBoxLayout)
    , m_body(new QVBoxLayout)
    , m_title(new PlainLabel(this))
    , m_order(new OrderLabel(0, 16, this))
    , m_orderWord(new PlainLabel(this))
    , m_caption(new PlainLabel(this))
{
    auto *outer = new QVBoxLayout(this);
    outer->setContentsMargins(kGap, kGap - kStep, kGap, kGap - kStep);
    outer->setSpacing(2 * kStep);
    m_titleLine->setSpacing(2 * kStep);
    m_body->setSpacing(2 * kStep);
    m_title->setLook(TextSize::Text, QFont::DemiBold);
    m_orderWord->setLook(TextSize::Text, QFont::DemiBold, Shade::Secondary);
    m_caption->setLook(TextSize::Secondary, QFont::Normal, Shade::Secondary);
    m_caption->setAlignment(Qt::AlignRight | Qt::AlignVCenter);
    m_titleLine->addWidget(m_title);
    m_titleLine->addWidget(m_order);
    m_titleLine->addWidget(m_orderWord);
    m_titleLine->addStretch(1);
    m_titleLine->addWidget(m_caption);
    outer->addLayout(m_titleLine);
    outer->addLayout(m_body, 1);
    setTitle(title);
}

void Card::setTitle(const QString &title)
{
    m_title->setPlain(title);
    setAccessibleName(m_title->plain());
    showTitleLine();
}

void Card::setCaption(const QString &caption)
{
    m_caption->setPlain(caption);
    showTitleLine();
}

void Card::setOrder(int order, const QString &word)
{
    m_order->setOrder(order);
    m_orderWord->setPlain(word);
    showTitleLine();
}

void Card::setTone(Tone tone)
{
    m_tone = tone;
    update();
}

void Card::setStale(bool stale)
{
    m_stale = stale;
    update();
}

void Card::showTitleLine()
{
    m_title->setVisible(!m_title->plain().isEmpty());
    m_order->setVisible(m_order->order() > 0);
    m_orderWord->setVisible(!m_orderWord->plain().isEmpty());
    m_caption->setVisible(!m_caption->plain().isEmpty());
}

void Card::paintEvent(QPaintEvent *)
{
    QPainter painter(this);
    painter.setRenderHint(QPainter::Antialiasing);
    const Colours &colours = coloursOf(*this);
    const double width = m_tone == Tone::Normal ? 1 : 2;
    const QRectF box = QRectF(rect()).adjusted(width / 2, width / 2, -width / 2, -width / 2);
    painter.setPen(Qt::NoPen);
    painter.setBrush(colours.card);
    painter.drawRoundedRect(box, kRadius, kRadius);
    if (m_stale)
        paintStaleHatch(painter, box, kRadius, colours);
    painter.setPen(QPen(m_tone == Tone::Normal ? colours.line : toneColour(colours, m_tone), width));
    painter.setBrush(Qt::NoBrush);
    painter.drawRoundedRect(box, kRadius, kRadius);
}

} // namespace handreset::views
