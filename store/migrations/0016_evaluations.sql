-- Evaluations of what is taught about namespaces. A row is also the job: whoever
-- holds its lease asks the questions.
CREATE TABLE evaluations (
    id                TEXT PRIMARY KEY,
    namespace_id      TEXT NOT NULL REFERENCES namespaces (id) ON DELETE CASCADE,
    actor_id          TEXT NOT NULL REFERENCES users (id),
    token_id          TEXT NOT NULL DEFAULT '',
    status            TEXT NOT NULL,
    message           TEXT NOT NULL DEFAULT '',
    knowledge_version BIGINT NOT NULL DEFAULT 0,
    data_digest       TEXT NOT NULL DEFAULT '',
    server_release    TEXT NOT NULL DEFAULT '',
    model             TEXT NOT NULL DEFAULT '',
    total             INTEGER NOT NULL DEFAULT 0,
    holder            TEXT NOT NULL DEFAULT '', -- who works on it
    due_at            BIGINT NOT NULL,          -- when it may be taken, or the end of the lease
    attempt           INTEGER NOT NULL DEFAULT 0,
    suspicion         INTEGER NOT NULL DEFAULT 0,
    created_at        BIGINT NOT NULL,
    ended_at          BIGINT
);
CREATE INDEX evaluations_by_namespace ON evaluations (namespace_id, created_at);
CREATE INDEX evaluations_due ON evaluations (status, due_at);

-- How the questions of evaluations went, in the order in which they were asked.
CREATE TABLE verdicts (
    evaluation_id TEXT NOT NULL REFERENCES evaluations (id) ON DELETE CASCADE,
    position      INTEGER NOT NULL,
    kind          TEXT NOT NULL, -- tests or verified
    entry         TEXT NOT NULL,
    question      TEXT NOT NULL,
    mark          TEXT NOT NULL, -- good, bad or review
    reason        TEXT NOT NULL,
    query         TEXT NOT NULL,
    PRIMARY KEY (evaluation_id, position)
);
