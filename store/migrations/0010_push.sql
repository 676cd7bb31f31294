-- A run may answer what another asked back; such runs make a thread, which is
-- named by its first. message_id is what the asker calls the question.
ALTER TABLE runs ADD COLUMN after_id TEXT REFERENCES runs (id) ON DELETE SET NULL;
ALTER TABLE runs ADD COLUMN thread_id TEXT REFERENCES runs (id) ON DELETE SET NULL;
ALTER TABLE runs ADD COLUMN message_id TEXT NOT NULL DEFAULT '';
CREATE UNIQUE INDEX runs_by_after ON runs (after_id);
CREATE INDEX runs_by_thread ON runs (thread_id);

-- Where callers want to be told of a thread's events. A row is also the job: what
-- was sent is the cursor, and whoever holds the lease sends what is behind it.
CREATE TABLE push_configs (
    run_id      TEXT NOT NULL REFERENCES runs (id) ON DELETE CASCADE, -- the thread's first
    id          TEXT NOT NULL,
    owner_id    TEXT NOT NULL REFERENCES users (id),
    token_id    TEXT NOT NULL DEFAULT '',
    url         TEXT NOT NULL,
    token       TEXT NOT NULL, -- what the receiver knows its sender by
    scheme      TEXT NOT NULL,
    credentials TEXT NOT NULL,
    cursor      TEXT NOT NULL DEFAULT '',
    attempt     INTEGER NOT NULL DEFAULT 0, -- failures in a row
    holder      TEXT NOT NULL DEFAULT '',
    due_at      BIGINT, -- null: there is nothing more to send
    created_at  BIGINT NOT NULL,
    PRIMARY KEY (run_id, id)
);
CREATE INDEX push_configs_due ON push_configs (due_at);
