// The log's newest events, the newest first; bounded, the whole stands in the store. GUI thread.
#pragma once

#include "model/live/row_model.h"

#include <set>

namespace handreset::live {

class EventModel : public RowModel<EventRow> {
    Q_OBJECT

public:
    enum Column : int { SeqColumn, TimeColumn, WordColumn, AgentColumn, TaskColumn, SubjectColumn, SentenceColumn, ColumnCount };

    /// This many newest events stay at hand.
    static constexpr std::size_t kKept = 5'000;

    explicit EventModel(WallClock clock, QObject *parent = nullptr);

    /// Takes newer events, in order, or older ones of a read; what is beyond `kKept` goes, the oldest first.
    void add(const std::vector<EventRow> &events);

protected:
    [[nodiscard]] QVariant extra(const EventRow &row, int column, int role) const override;
    [[nodiscard]] std::weak_ordering natural(const EventRow &a, const EventRow &b) const override;
    /// That an id got its name: every new agent, task and tool brings one.
    [[nodiscard]] bool isNoise(const EventRow &row) const override;
    [[nodiscard]] QString searched(const EventRow &row) const override;

private:
    std::set<RowKey> m_known; ///< ascending: the oldest go first
};

} // namespace handreset::live
