// The Store on SQLite. Internal to model/store; see store.h for thread, ownership and failure.
#pragma once

#include "model/store/ahead.h"
#include "model/store/chain.h"
#include "model/store/event_rows.h"
#include "model/store/keyframes.h"
#include "model/store/opening.h"
#include "model/store/projection.h"
#include "model/store/sqlite_rows.h"
#include "model/store/store.h"

#include <map>
#include <optional>

namespace handreset::store {

class SqliteStore final : public Store {
public:
    SqliteStore(QString path, OpenedFile file);
    ~SqliteStore() override;

    /// Reads where the log ends and prepares what is used again and again. First of all.
    [[nodiscard]] rules::Result<void> prepare();
    /// The log's end and the chain's link there.
    [[nodiscard]] Place end() const { return m_file.end.last; }

    [[nodiscard]] bool isReadOnly() const override { return m_file.folder != nullptr; }
    [[nodiscard]] QString path() const override { return m_path; }
    [[nodiscard]] rules::Result<bool> useWitness(const QString &file) override;
    [[nodiscard]] rules::Result<void> makeWitness(const QString &file) override;
    [[nodiscard]] rules::Result<rules::Fleet> load() override;
    [[nodiscard]] rules::Result<void> append(std::span<const rules::Event> events, const rules::Fleet &after,
                                             const rules::Touched &touched, Durability durability) override;
    [[nodiscard]] rules::Result<void> read(rules::Seq first, rules::Seq last, bool withArguments,
                                           const std::function<bool(const rules::Event &)> &each) override;
    [[nodiscard]] rules::Result<std::string> argumentsOf(rules::Seq ask) override;
    [[nodiscard]] rules::Result<void> eachRow(rules::Seq first, rules::Seq last, KindSet kinds,
                                              const EachRow &each) override
    {
        return store::eachRow(*m_file.database, m_file.end.recorded, first, last, kinds, each);
    }
    [[nodiscard]] rules::Result<std::vector<rules::Event>> find(const Filter &filter) override;
    [[nodiscard]] rules::Seq lastSeq() const override { return m_file.end.last.seq; }
    [[nodiscard]] rules::Result<rules::Seq> seqAt(rules::Instant time) override;
    [[nodiscard]] rules::Result<rules::Fleet> asOf(rules::Seq seq) override;
    [[nodiscard]] rules::Result<Verification> verify(const Progress &progress) override;
    [[nodiscard]] rules::Result<void> backup(const QString &target, const Progress &progress) override;
    void beginBulk() override;
    void writeAhead(std::vector<rules::Event> events) override;
    [[nodiscard]] rules::Result<void> endBulk(const rules::Fleet &fleet) override;
    void checkpoint() override;

private:
    using Trips = std::map<rules::TripId, rules::Trip>;

    [[nodiscard]] rules::Result<void> readHeads();
    [[nodiscard]] rules::Result<void> checkWritable() const;
    [[nodiscard]] rules::Result<void> checkAppend(std::span<const rules::Event> events,
                                                  const rules::Fleet &after) const;
    /// The steps of one transaction, in this order; `abandon` instead of the rest where one fails.
    [[nodiscard]] rules::Result<void> begin(Durability durability);
    [[nodiscard]] rules::Result<void> writeEvents(std::span<const rules::Event> events);
    [[nodiscard]] rules::Result<void> finish(std::span<const rules::Event> events, const rules::Fleet &after,
                                             const rules::Touched &touched, const Trips &forgotten);
    void abandon(const rules::Error &why);
    /// All of them, of which the first `written` are written already.
    [[nodiscard]] rules::Result<void> appendAll(std::span<const rules::Event> events, std::size_t written,
                                                const rules::Fleet &after, const rules::Touched &touched,
                                                Durability durability);
    [[nodiscard]] rules::Result<Trips> forgottenTrips(std::span<const rules::Event> events, const rules::Fleet &after,
                                                      const rules::Touched &touched);
    void growWal();
    [[nodiscard]] bool syncWal() const;
    void afterCommit(Durability durability);

    QString m_path;
    OpenedFile m_file; // first: what follows uses its connection
    AgentHeads m_heads;
    EventWriter m_writer;
    ChainLink m_link;
    Statement m_batch;
    Statement m_timeAt;
    Projection m_projection;
    Keyframes m_keyframes;
    std::string m_payload;
    std::optional<rules::Error> m_trouble; ///< why nothing may be written any more
    std::optional<Transaction> m_transaction;
    bool m_walGrown = false;
    rules::Seq m_trusted; ///< in a signed store keyframes up to here are believed
    bool m_isFolded = false; ///< the log was folded to its end, signatures and all
    std::unique_ptr<Ahead> m_ahead; // last: its thread uses all the others
};

} // namespace handreset::store
