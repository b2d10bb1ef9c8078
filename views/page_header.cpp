#include "views/page_header.h"

#include "views/palette.h"
#include "views/plain_label.h"
#include "views/plain_text.h"

#include <QEvent>
#include <QHBoxLayout>
#include <QKeyEvent>
#include <QLineEdit>
#include <QVBoxLayout>

namespace handreset::views {

PageHeader::PageHeader(const QString &title, const QString &filterHint, QWidget *parent)
    : QWidget(parent),
      m_line(new QHBoxLayout),
      m_titled(new QHBoxLayout),
      m_words(new PlainLabel(this)),
      m_wrong(new PlainLabel(this))
{
    auto *rows = new QVBoxLayout(this);
    rows->setContentsMargins(0, 0, 0, 0);
    rows->setSpacing(kStep);
    rows->addLayout(m_line);
    m_wrong->setObjectName(QStringLiteral("filterTrouble"));
    m_wrong->setLook(TextSize::Secondary, QFont::Normal, Shade::Open);
    m_wrong->setAlignment(Qt::AlignRight);
    m_wrong->hide();
    rows->addWidget(m_wrong);
    m_line->setSpacing(kGap);
    auto *head = new PlainLabel(title, this);
    head->setLook(TextSize::Title, QFont::DemiBold);
    head->setSizePolicy(QSizePolicy::Fixed, QSizePolicy::Fixed);
    m_titled->setSpacing(kGap);
    m_titled->addWidget(head);
    m_line->addLayout(m_titled);
    m_words->setLook(TextSize::Text, QFont::Normal, Shade::Secondary);
    m_words->setSizePolicy(QSizePolicy::Ignored, QSizePolicy::Fixed);
    m_line->addWidget(m_words, 1);
    if (filterHint.isEmpty())
        return;
    m_filter = new QLineEdit(this);
    m_filter->setObjectName(QStringLiteral("filterEdit"));
    m_filter->setPlaceholderText(filterHint);
    m_filter->setAccessibleName(tr("filter"));
    m_filter->setClearButtonEnabled(true);
    m_filter->setMinimumWidth(180);
    m_filter->setMaximumWidth(300);
    m_filter->setFixedHeight(32);
    m_filter->installEventFilter(this);
    m_line->addWidget(m_filter, 1);
    connect(m_filter, &QLineEdit::textChanged, this, &PageHeader::typed);
}

void PageHeader::setWords(const QString &words)
{
    m_words->setPlain(words);
}

void PageHeader::focusFilter()
{
    if (!m_filter)
        return;
    m_filter->setFocus(Qt::ShortcutFocusReason);
    m_filter->selectAll();
}

void PageHeader::setFilterText(const QString &text)
{
    if (m_filter)
        m_filter->setText(text);
}

bool PageHeader::leaveFilter()
{
    if (!m_filter || (m_filter->text().isEmpty() && !m_filter->hasFocus()))
        return false;
    m_filter->clear();
    Q_EMIT filterLeft();
    return true;
}

bool PageHeader::eventFilter(QObject *object, QEvent *event)
{
    if (object == m_filter && event->type() == QEvent::KeyPress) {
        const int key = static_cast<QKeyEvent *>(event)->key();
        if (key == Qt::Key_Return || key == Qt::Key_Enter || key == Qt::Key_Down) {
            Q_EMIT filterLeft();
            return true;
        }
    }
    return QWidget::eventFilter(object, event);
}

void PageHeader::typed(const QString &text)
{
    const auto filter = live::TextFilter::parse(text);
    QPalette palette = m_filter->palette();
    palette.setColor(QPalette::Text, filter ? coloursOf(*this).text : coloursOf(*this).open);
    m_filter->setPalette(palette);
    if (filter) {
        say({});
        Q_EMIT filterChanged(*filter);
        return;
    }
    say(tr("not a regular expression: %1, at position %2. The last valid filter still holds.")
            .arg(QString::fromStdString(filter.error().message), QString::fromStdString(filter.error().context)));
}

void PageHeader::say(const QString &wrong)
{
    m_filter->setToolTip(plainTooltip(wrong));
    m_filter->setAccessibleDescription(wrong);
    m_wrong->setPlain(wrong);
    m_wrong->setVisible(!wrong.isEmpty());
}

} // namespace handreset::views
