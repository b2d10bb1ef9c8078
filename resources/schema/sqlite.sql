-- The store's tables on SQLite (spec 4). Integers are signed 64 bit; times are microseconds since 1970 UTC, or of the
-- steady time line where the name says so; amounts are exact decimals as text; enumerations are the words of the rules.

-- The log: the truth.
CREATE TABLE event (
    seq           INTEGER PRIMARY KEY CHECK (seq > 0),
    kind          INTEGER NOT NULL CHECK (kind BETWEEN 0 AND 255),
    rule_time     INTEGER NOT NULL,
    steady_offset INTEGER NOT NULL, -- steady time less rule_time: nearly always the same small number
    source_time   INTEGER,
    agent         INTEGER NOT NULL CHECK (agent BETWEEN 0 AND 4294967295),
    task          INTEGER NOT NULL CHECK (task BETWEEN 0 AND 4294967295),
    subject       INTEGER NOT NULL,
    row           INTEGER NOT NULL CHECK (row BETWEEN 0 AND 255),
    agent_prev    INTEGER NOT NULL CHECK (agent_prev >= 0 AND agent_prev < seq), -- the same agent's event before
    anchor        INTEGER CHECK (anchor IS NULL OR (anchor = agent AND agent > 0)), -- on one of 32 events of an agent
    payload       BLOB NOT NULL
) STRICT;
CREATE INDEX event_anchor ON event (anchor, seq) WHERE anchor IS NOT NULL;
-- Trips (kinds 9, 11, 13 to 17) and transitions (rows 3, 7, 9, 11 to 19, 21 to 26), as bits: a longer IN list would
-- be made into a table anew for every row that is inserted.
CREATE INDEX event_edge ON event (seq, kind, row) WHERE (1 << kind) & 256512 OR (1 << row) & 133167752;

-- One link of the chain a transaction.
CREATE TABLE batch (
    last_seq INTEGER PRIMARY KEY REFERENCES event (seq),
    hash     BLOB NOT NULL CHECK (length(hash) = 32)
) STRICT;

CREATE TABLE argument (
    seq  INTEGER PRIMARY KEY REFERENCES event (seq),
    form INTEGER NOT NULL CHECK (form IN (0, 1)), -- 0: as it is; 1: zstd
    body BLOB NOT NULL
) STRICT;

CREATE TABLE keyframe (
    seq       INTEGER PRIMARY KEY REFERENCES batch (last_seq),
    rule_time INTEGER NOT NULL,
    blob      BLOB NOT NULL, -- zstd of the encoded fleet
    hash      BLOB NOT NULL CHECK (length(hash) = 32) -- of the encoded fleet
) STRICT;

-- Projections: what the log says, as rows. Never read by the rules.
CREATE TABLE agent (
    id INTEGER PRIMARY KEY,
    key INTEGER NOT NULL,
    rung TEXT NOT NULL CHECK (rung = 'closed' OR rung = 'degraded' OR rung = 'open'),
    rung_since INTEGER NOT NULL,
    revision INTEGER NOT NULL,
    first_seen INTEGER NOT NULL,
    last_seen INTEGER NOT NULL,
    steps INTEGER NOT NULL,
    calls INTEGER NOT NULL,
    refused INTEGER NOT NULL,
    tokens_in INTEGER NOT NULL,
    tokens_out INTEGER NOT NULL,
    cost TEXT NOT NULL,
    unpriced INTEGER NOT NULL,
    saw_step INTEGER NOT NULL CHECK (saw_step IN (0, 1)),
    saw_call INTEGER NOT NULL CHECK (saw_call IN (0, 1)),
    saw_cost INTEGER NOT NULL CHECK (saw_cost IN (0, 1)),
    last_reason TEXT NOT NULL,
    incident INTEGER NOT NULL,
    incident_trips INTEGER NOT NULL,
    peace_since INTEGER NOT NULL,
    events INTEGER NOT NULL, -- of this agent, so far
    last_seq INTEGER NOT NULL -- of the last of them
) STRICT;

CREATE TABLE task (
    id INTEGER PRIMARY KEY,
    agent INTEGER NOT NULL,
    parent INTEGER NOT NULL,
    root INTEGER NOT NULL,
    session INTEGER NOT NULL,
    started_at INTEGER NOT NULL,
    last_at INTEGER NOT NULL,
    time_measured INTEGER NOT NULL CHECK (time_measured IN (0, 1)),
    steps INTEGER NOT NULL,
    calls INTEGER NOT NULL,
    refused INTEGER NOT NULL,
    cost TEXT NOT NULL,
    had_allowed_ask INTEGER NOT NULL CHECK (had_allowed_ask IN (0, 1)),
    ended INTEGER NOT NULL CHECK (ended IN (0, 1)),
    outcome TEXT NOT NULL,
    note TEXT NOT NULL,
    rung TEXT NOT NULL CHECK (rung = 'closed' OR rung = 'degraded' OR rung = 'open')
) STRICT;

CREATE TABLE breaker (
    tool INTEGER NOT NULL,
    agent INTEGER NOT NULL, -- 0: the fleet's one breaker of this tool
    state TEXT NOT NULL CHECK (state = 'CLOSED' OR state = 'OPEN' OR state = 'HALF_OPEN'),
    failure_count INTEGER NOT NULL CHECK (failure_count >= 0),
    rejected_while_open INTEGER NOT NULL CHECK (rejected_while_open >= 0),
    opened_at INTEGER NOT NULL,
    opened_at_steady INTEGER NOT NULL,
    cooldown_met INTEGER NOT NULL CHECK (cooldown_met IN (0, 1)),
    probe INTEGER NOT NULL,
    probe_since_steady INTEGER NOT NULL,
    generation INTEGER NOT NULL CHECK (generation > 0),
    isolated_by INTEGER, -- null: not isolated
    isolated_at INTEGER,
    isolated_reason TEXT,
    last_row INTEGER NOT NULL,
    changed_at INTEGER NOT NULL,
    allowed INTEGER NOT NULL,
    refused INTEGER NOT NULL,
    failures INTEGER NOT NULL,
    late INTEGER NOT NULL,
    last_ask_at INTEGER NOT NULL,
    PRIMARY KEY (tool, agent)
) STRICT, WITHOUT ROWID;

CREATE TABLE spend (
    key INTEGER NOT NULL,
    hours INTEGER NOT NULL,
    start INTEGER NOT NULL,
    settled TEXT NOT NULL,
    reserved TEXT NOT NULL,
    reservations INTEGER NOT NULL,
    granted TEXT NOT NULL,
    PRIMARY KEY (key, hours, start)
) STRICT, WITHOUT ROWID;

CREATE TABLE trip (
    id INTEGER PRIMARY KEY,
    signal TEXT NOT NULL,
    cap TEXT NOT NULL,
    agent INTEGER NOT NULL,
    task INTEGER NOT NULL,
    root INTEGER NOT NULL,
    ask INTEGER NOT NULL,
    key INTEGER NOT NULL,
    endpoint INTEGER NOT NULL,
    tool INTEGER NOT NULL,
    window_hours INTEGER NOT NULL,
    reaches TEXT NOT NULL,
    rung TEXT NOT NULL CHECK (rung = 'closed' OR rung = 'degraded' OR rung = 'open'),
    latch TEXT NOT NULL CHECK (latch = 'clear' OR latch = 'held by the clock' OR latch = 'held by a human'),
    measured TEXT NOT NULL,
    limit_value TEXT NOT NULL,
    fired_at INTEGER NOT NULL,
    firings INTEGER NOT NULL,
    last_fired_at INTEGER NOT NULL,
    incident INTEGER NOT NULL, -- its first trip
    position INTEGER NOT NULL, -- within the incident
    flapping INTEGER NOT NULL CHECK (flapping IN (0, 1)),
    acknowledged_by INTEGER NOT NULL,
    acknowledged_at INTEGER,
    rearmed_by INTEGER NOT NULL,
    rearmed_at INTEGER,
    rearmed_to TEXT NOT NULL,
    cause TEXT NOT NULL,
    rearm_reason TEXT NOT NULL,
    body BLOB NOT NULL -- the whole trip
) STRICT;
CREATE INDEX trip_incident ON trip (incident);

CREATE TABLE incident (
    id INTEGER PRIMARY KEY, -- its first trip
    agent INTEGER NOT NULL,
    opened_at INTEGER NOT NULL,
    last_fired_at INTEGER NOT NULL,
    trips INTEGER NOT NULL,
    active INTEGER NOT NULL, -- trips that still hold
    last_rearmed_at INTEGER
) STRICT;

CREATE TABLE queue_item (
    task INTEGER PRIMARY KEY,
    agent INTEGER NOT NULL,
    trip INTEGER NOT NULL,
    since INTEGER NOT NULL,
    waiting INTEGER NOT NULL CHECK (waiting IN (0, 1)),
    by_clock INTEGER NOT NULL CHECK (by_clock IN (0, 1)),
    owner INTEGER NOT NULL
) STRICT;

CREATE TABLE name (
    kind TEXT NOT NULL,
    id INTEGER NOT NULL CHECK (id > 0),
    text TEXT NOT NULL,
    owner INTEGER NOT NULL,
    PRIMARY KEY (kind, id)
) STRICT, WITHOUT ROWID;

CREATE TABLE policy (
    seq INTEGER PRIMARY KEY,
    version INTEGER NOT NULL,
    applied_at INTEGER NOT NULL,
    by INTEGER NOT NULL,
    reason TEXT NOT NULL,
    file TEXT NOT NULL,
    text TEXT NOT NULL
) STRICT;

CREATE TABLE operator (
    id INTEGER PRIMARY KEY,
    name TEXT NOT NULL,
    since INTEGER NOT NULL
) STRICT;

CREATE TABLE rollup_minute (
    minute INTEGER NOT NULL, -- its first microsecond
    agent INTEGER NOT NULL,
    allowed INTEGER NOT NULL,
    refused INTEGER NOT NULL,
    steps INTEGER NOT NULL,
    failures INTEGER NOT NULL,
    trips INTEGER NOT NULL,
    cost TEXT NOT NULL,
    PRIMARY KEY (minute, agent)
) STRICT, WITHOUT ROWID;
