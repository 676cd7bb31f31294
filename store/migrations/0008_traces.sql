-- What was done in runs, and when. A run's spans are its trace.
CREATE TABLE spans (
    run_id     TEXT NOT NULL REFERENCES runs (id) ON DELETE CASCADE,
    id         TEXT NOT NULL,
    parent_id  TEXT NOT NULL,
    kind       TEXT NOT NULL,
    name       TEXT NOT NULL,
    started_at BIGINT NOT NULL,
    ended_at   BIGINT NOT NULL,
    failure    TEXT NOT NULL,
    input      TEXT NOT NULL,
    output     TEXT NOT NULL,
    attributes TEXT, -- JSON
    PRIMARY KEY (run_id, id)
);
CREATE INDEX spans_by_time ON spans (started_at);

-- The scores on traces, where no other tracing store is in use.
CREATE TABLE scores (
    run_id    TEXT PRIMARY KEY REFERENCES runs (id) ON DELETE CASCADE,
    value     INTEGER NOT NULL, -- 1 is thumbs up, 0 is thumbs down
    comment   TEXT NOT NULL,
    scored_at BIGINT NOT NULL
);

-- What was thought of runs, as the tracing store has accepted it. thumbs_up is
-- null while that has not happened. Whoever holds a row's lease may change it.
CREATE TABLE feedback (
    run_id       TEXT PRIMARY KEY REFERENCES runs (id) ON DELETE CASCADE,
    thumbs_up    INTEGER,
    comment      TEXT NOT NULL DEFAULT '',
    given_at     BIGINT,
    holder       TEXT NOT NULL,
    leased_until BIGINT NOT NULL
);
CREATE INDEX feedback_by_time ON feedback (given_at, run_id);
