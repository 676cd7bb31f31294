-- Questions that belong together. The namespace is kept by name: a conversation
-- outlives it.
CREATE TABLE conversations (
    id              TEXT PRIMARY KEY,
    owner_id        TEXT NOT NULL REFERENCES users (id),
    token_id        TEXT NOT NULL DEFAULT '',
    namespace_owner TEXT NOT NULL, -- a username
    namespace       TEXT NOT NULL,
    namespace_key   TEXT NOT NULL,
    title           TEXT NOT NULL,
    created_at      BIGINT NOT NULL,
    updated_at      BIGINT NOT NULL
);
CREATE INDEX conversations_by_owner ON conversations (owner_id, updated_at, id);

-- Questions on their way to answers. A row is also the job: whoever holds its
-- lease works on it, and a lease that ran out is anybody's. What the work has
-- given so far is in the run's events.
CREATE TABLE runs (
    id              TEXT PRIMARY KEY,
    conversation_id TEXT NOT NULL REFERENCES conversations (id) ON DELETE CASCADE,
    actor_id        TEXT NOT NULL REFERENCES users (id),
    token_id        TEXT NOT NULL DEFAULT '',
    scopes          TEXT,          -- JSON
    agent           TEXT NOT NULL,
    namespace_owner TEXT NOT NULL, -- a username
    namespace       TEXT NOT NULL,
    task            TEXT NOT NULL, -- JSON
    status          TEXT NOT NULL,
    failure         TEXT,          -- JSON
    asked_back      INTEGER NOT NULL DEFAULT 0,
    last_event      BIGINT NOT NULL,
    attempt         INTEGER NOT NULL DEFAULT 0,
    holder          TEXT NOT NULL DEFAULT '', -- who works on it
    due_at          BIGINT NOT NULL,          -- when it may be taken: its time while waiting, the end of the lease while held
    created_at      BIGINT NOT NULL,
    updated_at      BIGINT NOT NULL,
    ended_at        BIGINT
);
CREATE INDEX runs_by_conversation ON runs (conversation_id, created_at, id);
CREATE INDEX runs_by_actor ON runs (actor_id, updated_at, id);
CREATE INDEX runs_due ON runs (status, due_at);
CREATE INDEX runs_ended ON runs (ended_at);

-- What happened in runs, in order. data is what callers see; kept is what only
-- the server needs of the same thing.
CREATE TABLE run_events (
    run_id TEXT NOT NULL REFERENCES runs (id) ON DELETE CASCADE,
    seq    BIGINT NOT NULL,
    type   TEXT NOT NULL,
    data   TEXT NOT NULL, -- JSON
    kept   TEXT,          -- JSON
    at     BIGINT NOT NULL,
    PRIMARY KEY (run_id, seq)
);
