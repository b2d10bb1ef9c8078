#include "views/matrix_view.h"

#include "model/rules/words_of_time.h"
#include "views/live_tones.h"
#include "views/plain_text.h"
#include "views/typography.h"
#include "views/usage_bar.h"

#include <QPainter>

#include <algorithm>

namespace handreset::views {

using rules::Coverage;
using rules::MatrixLine;

namespace {

constexpr double kHead = 24;
constexpr double kLeastLine = 32;
constexpr double kMostLine = 42;

[[nodiscard]] QString text(std::string_view utf8)
{
    return QString::fromUtf8(utf8.data(), static_cast<qsizetype>(utf8.size()));
}

void draw(QPainter &painter, const QRectF &box, const QFont &font, const QColor &ink, const QString &words,
          Qt::Alignment side = Qt::AlignLeft)
{
    painter.setFont(font);
    painter.setPen(ink);
    painter.drawText(box, static_cast<int>(side | Qt::AlignVCenter | Qt::TextSingleLine),
                     elidedMiddle(visibleText(words), QFontMetricsF(font), box.width()));
}

[[nodiscard]] bool hasNumbers(const MatrixLine &line)
{
    return line.coverage == Coverage::Enforced || line.coverage == Coverage::Observed;
}

} // namespace

/// Left edges of the columns.
struct MatrixView::Columns {
    double signal, bar, used, limit, action, rearm, seen, right;
};

MatrixView::MatrixView(QWidget *parent) : PaintedItems(parent)
{
    setObjectName(QStringLiteral("matrix"));
    setAccessibleName(tr("matrix of signals"));
    setSizePolicy(QSizePolicy::Expanding, QSizePolicy::Expanding);
}

void MatrixView::setLines(std::vector<MatrixLine> lines)
{
    if (lines == m_lines)
        return;
    const bool counted = lines.size() != m_lines.size();
    m_lines = std::move(lines);
    if (counted) {
        itemsChanged();
        updateGeometry();
    }
    update();
}

double MatrixView::lineHeight() const
{
    const double room = (height() - kHead) / std::max(1.0, static_cast<double>(m_lines.size()));
    return std::clamp(room, kLeastLine, kMostLine);
}

QRectF MatrixView::itemRect(int item) const
{
    return {0, kHead + item * lineHeight(), static_cast<double>(width()), lineHeight()};
}

QString MatrixView::itemName(int item) const
{
    return itemDetails(item).join(QStringLiteral(", "));
}

QStringList MatrixView::itemDetails(int item) const
{
    const MatrixLine &line = m_lines[static_cast<std::size_t>(item)];
    QStringList lines{text(rules::toWord(line.signal)) + QLatin1Char(' ') + text(line.where)};
    if (hasNumbers(line) && !line.limit.empty())
        lines.append(tr("%1 of %2 %3").arg(line.used.empty() ? tr("nothing yet") : text(line.used), text(line.limit), text(line.unit)));
    lines.append(tr("action: %1").arg(text(rules::toWord(line.action))));
    lines.append(line.rearm == rules::RearmBy::Human ? tr("re-armed by a person") : tr("re-armed by the clock"));
    QString coverage = tr("seen at the %1: %2").arg(text(line.seenAt), text(rules::toWord(line.coverage)));
    if (line.since)
        coverage += tr(" since %1").arg(text(rules::utcStamp(*line.since)));
    lines.append(coverage);
    if (!line.why.empty())
        lines.append(text(line.why));
    return lines;
}

bool MatrixView::isItemActivatable(int item) const
{
    return m_lines[static_cast<std::size_t>(item)].trip.isSet();
}

QSize MatrixView::sizeHint() const
{
    const auto lines = static_cast<double>(std::max<std::size_t>(m_lines.size(), 5));
    return {620, static_cast<int>(kHead + lines * kMostLine)};
}

QSize MatrixView::minimumSizeHint() const
{
    const auto lines = static_cast<double>(std::max<std::size_t>(m_lines.size(), 5));
    return {420, static_cast<int>(kHead + lines * kLeastLine)};
}

void MatrixView::itemActivated(int item)
{
    Q_EMIT tripActivated(m_lines[static_cast<std::size_t>(item)].trip);
}

MatrixView::Columns MatrixView::columns() const
{
    const double right = width();
    const double seen = right - 84;
    const double rearm = seen - 78;
    const double action = rearm - 76;
    const double limit = action - 148;
    const double used = limit - 76;
    return {0, 88, used, limit, action, rearm, seen, right};
}

void MatrixView::paintEvent(QPaintEvent *)
{
    QPainter painter(this);
    painter.setRenderHint(QPainter::Antialiasing);
    const Columns at = columns();
    paintHead(painter, at);
    for (int item = 0; item < itemCount(); ++item)
        paintLine(painter, at, item);
    if (hasFocus() && focusedItem() >= 0)
        paintFocusRing(painter, itemRect(focusedItem()).adjusted(-4, 2, 4, -1), 4);
}

void MatrixView::paintHead(QPainter &painter, const Columns &at) const
{
    const Colours &colours = coloursOf(*this);
    const QFont font = textFont(TextSize::Caption, QFont::DemiBold);
    const auto head = [&](double from, double to, const QString &words) {
        draw(painter, {from, 0, to - from, kHead - 6}, font, colours.secondary, words);
    };
    head(at.signal, at.bar, tr("signal"));
    head(at.bar, at.used, tr("used of limit"));
    head(at.action, at.rearm, tr("action"));
    head(at.rearm, at.seen, tr("re-armed by"));
    head(at.seen, at.right, tr("seen at"));
}

void MatrixView::paintLine(QPainter &painter, const Columns &at, int item) const
{
    const Colours &colours = coloursOf(*this);
    const MatrixLine &line = m_lines[static_cast<std::size_t>(item)];
    const QRectF box = itemRect(item);
    painter.setPen(QPen(colours.line, 1));
    painter.drawLine(QPointF(0, box.top() + 0.5), QPointF(width(), box.top() + 0.5));
    const auto cell = [&](double from, double to) { return QRectF(from, box.top(), to - from - 6, box.height()); };
    const bool again = item > 0 && m_lines[static_cast<std::size_t>(item - 1)].signal == line.signal;
    if (!again)
        draw(painter, cell(at.signal, at.bar), textFont(TextSize::Text, QFont::DemiBold), colours.text,
             text(rules::toWord(line.signal)));
    paintUsed(painter, at, box, line);
    if (line.coverage == Coverage::NoLimit)
        return;
    const Tone tone = toneOfRung(line.tripped);
    draw(painter, cell(at.action, at.rearm), textFont(TextSize::Secondary, tone == Tone::Normal ? QFont::Normal : QFont::DemiBold),
         tone == Tone::Normal ? colours.text : toneColour(colours, tone), text(rules::toWord(std::max(line.action, line.tripped))));
    const bool human = line.rearm == rules::RearmBy::Human;
    draw(painter, cell(at.rearm, at.seen), textFont(TextSize::Secondary, human ? QFont::DemiBold : QFont::Normal),
         human ? colours.text : colours.secondary, human ? tr("a person") : tr("clock"));
    const QString seen = line.coverage == Coverage::Enforced ? text(line.seenAt) : text(rules::toWord(line.coverage));
    draw(painter, cell(at.seen, at.right), textFont(TextSize::Secondary), colours.secondary, seen);
}

void MatrixView::paintUsed(QPainter &painter, const Columns &at, const QRectF &line, const MatrixLine &value) const
{
    const Colours &colours = coloursOf(*this);
    const QFont caption = textFont(TextSize::Caption);
    if (!hasNumbers(value)) {
        const QString words = text(rules::toWord(value.coverage)) + QStringLiteral(": ") + text(value.why);
        const double to = value.coverage == Coverage::NoLimit ? at.right : at.action;
        draw(painter, {at.bar, line.top(), to - at.bar - 8, line.height()}, textFont(TextSize::Secondary),
             colours.secondary, words);
        return;
    }
    const double middle = line.center().y();
    draw(painter, {at.bar, middle - 16, at.used - at.bar - 12, 15}, caption, colours.secondary, text(value.where));
    const std::optional<double> share = value.limit.empty() ? std::nullopt : std::optional(value.share);
    paintUsage(painter, {at.bar, middle + 3, at.used - at.bar - 16, 7}, share, toneOfRung(value.tripped), {}, colours);
    const Tone tone = toneOfRung(value.tripped);
    draw(painter, {at.used, line.top(), at.limit - at.used - 6, line.height()}, numberFont(TextSize::Secondary),
         tone == Tone::Normal ? colours.text : toneColour(colours, tone),
         value.used.empty() ? tr("none yet") : text(value.used), Qt::AlignRight);
    QString limit = value.limit.empty() ? QString() : QStringLiteral("/ ") + text(value.limit) + QLatin1Char(' ') + text(value.unit);
    draw(painter, {at.limit, line.top(), at.action - at.limit - 8, line.height()}, numberFont(TextSize::Secondary),
         colours.secondary, limit);
}

} // namespace handreset::views
