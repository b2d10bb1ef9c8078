// The kill switch as a ladder of three rungs, and beside it the latches that hold it up, each with who can lift it.
// GUI thread; owned by its Qt parent. It shows one value and decides nothing.
#pragma once

#include "model/rules/policy.h"
#include "views/painted_items.h"

#include <array>
#include <vector>

class QFontMetricsF;

namespace handreset::views {

/// One active trip, in words. The words may be untrusted.
struct LadderLatch {
    int order = 0;          ///< its place by time, from 1
    QString signal;         ///< "envelope"
    QString whoLifts;       ///< "two persons", "the clock, 00:00:00 UTC"
    bool byClock = false;   ///< a clock lifts it; else a person does
    QString detail;         ///< "900.00 BRL against 500.00 BRL": kept whole as long as it fits alone
    rules::Rung rung = rules::Rung::Open; ///< Degraded or Open
    bool selected = false;  ///< its evidence is on show
    QString about = {};     ///< "Pix to 8841": stands before the detail where there is room
    QString shortWho = {};  ///< beside the sign of clock or person: "00:00 UTC"; empty: all of `whoLifts`
    bool operator==(const LadderLatch &) const = default;
};

/// The latch's second line as `width` has room for it: what it is about is cut first, then left out, before any number.
[[nodiscard]] QString fittingDetail(const LadderLatch &latch, const QFontMetricsF &metrics, double width);

struct LadderState {
    rules::Rung present = rules::Rung::Closed;
    /// What each rung means for this agent, from closed to open: "all tools", "small-model only; write tools off".
    std::array<QString, 3> meanings;
    std::vector<LadderLatch> latches;
    QStringList notes; ///< a few lines below: "re-armed 0 times in 24 h"
    bool stale = false;
    bool operator==(const LadderState &) const = default;
};

class KillSwitchLadder : public PaintedItems {
    Q_OBJECT

public:
    explicit KillSwitchLadder(QWidget *parent = nullptr);

    void setState(const LadderState &state);
    [[nodiscard]] const LadderState &state() const { return m_state; }

    /// Items 0 to 2 are the rungs from open down to closed; the latches follow, as drawn: open ones first.
    [[nodiscard]] int itemCount() const override;
    [[nodiscard]] QRectF itemRect(int item) const override;
    [[nodiscard]] QString itemName(int item) const override;
    [[nodiscard]] QStringList itemDetails(int item) const override;
    [[nodiscard]] bool isItemActivatable(int item) const override;

    [[nodiscard]] QSize sizeHint() const override;
    [[nodiscard]] QSize minimumSizeHint() const override;

Q_SIGNALS:
    /// Index into `LadderState::latches`.
    void latchActivated(int latch);

protected:
    /// The present rung: a ring around another would be read as the state.
    [[nodiscard]] int firstItem() const override { return 2 - static_cast<int>(m_state.present); }
    void itemActivated(int item) override;
    void paintEvent(QPaintEvent *event) override;
    void resizeEvent(QResizeEvent *event) override;

private:
    void arrange();
    void paintRung(QPainter &painter, rules::Rung rung) const;
    void paintLatch(QPainter &painter, std::size_t place) const;
    void paintHold(QPainter &painter, std::size_t place) const;
    void paintNotes(QPainter &painter) const;
    [[nodiscard]] int neededHeight() const;

    LadderState m_state;
    std::array<QRectF, 3> m_rungs;      ///< by Rung
    std::vector<std::size_t> m_order;   ///< latches as drawn: indices into the state's
    std::vector<QRectF> m_latches;      ///< by place in m_order
    QRectF m_notes;
};

} // namespace handreset::views
