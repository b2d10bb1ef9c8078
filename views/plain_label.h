// A label for text that others wrote: plain always, elided in the middle, whole in the tooltip. GUI thread; owned by
// its Qt parent. It cannot fail: what has no ink is shown as a symbol.
#pragma once

#include "views/palette.h"
#include "views/typography.h"

#include <cstdint>

#include <QLabel>

namespace handreset::views {

/// How loud a label is.
enum class Shade : std::uint8_t { Text, Secondary, Faint, Open, Degraded, Probing, Operator };

[[nodiscard]] QColor shadeColour(const Colours &colours, Shade shade);

class PlainLabel : public QLabel {
    Q_OBJECT

public:
    explicit PlainLabel(QWidget *parent = nullptr);
    explicit PlainLabel(const QString &untrusted, QWidget *parent = nullptr);

    /// Any text at all; shown through `visibleText`.
    void setPlain(const QString &untrusted);
    /// What `setPlain` was given, made visible and bounded.
    [[nodiscard]] QString plain() const { return text(); }
    void setShade(Shade shade);
    void setLook(TextSize size, QFont::Weight weight = QFont::Normal, Shade shade = Shade::Text);
    /// The same in the face of fixed width.
    void setNumberLook(TextSize size, QFont::Weight weight = QFont::Normal, Shade shade = Shade::Text);
    /// A tooltip of its own in place of the whole text, which is shown only where it was elided.
    void setDetails(const QStringList &untrustedLines);

    [[nodiscard]] QSize sizeHint() const override;
    [[nodiscard]] QSize minimumSizeHint() const override;

protected:
    bool event(QEvent *event) override;
    void paintEvent(QPaintEvent *event) override;

private:
    [[nodiscard]] bool isElided() const;

    Shade m_shade = Shade::Text;
    QStringList m_details;
};

} // namespace handreset::views
