// A small rounded label: LIVE, a count, a removable filter's look. GUI thread; owned by its Qt parent.
#pragma once

#include "views/typography.h"

#include <cstdint>

#include <QWidget>

namespace handreset::views {

class Pill : public QWidget {
    Q_OBJECT

public:
    enum class Kind : std::uint8_t {
        Count,  ///< a number beside a word
        Live,   ///< with a dot
        Stale,  ///< hatched
        Replay, ///< filled with the operator's colour
        Note,   ///< outlined in the degraded colour
    };

    explicit Pill(Kind kind = Kind::Count, const QString &text = {}, QWidget *parent = nullptr);

    void setContent(Kind kind, const QString &text);
    [[nodiscard]] Kind kind() const { return m_kind; }
    [[nodiscard]] QString text() const { return m_text; }
    [[nodiscard]] QSize sizeHint() const override;
    [[nodiscard]] QSize minimumSizeHint() const override { return sizeHint(); }

protected:
    void paintEvent(QPaintEvent *event) override;

private:
    [[nodiscard]] QFont textFace() const;

    Kind m_kind;
    QString m_text;
};

} // namespace handreset::views
