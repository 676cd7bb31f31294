-- Uploaded files on their way into datasets. A row is also the job: whoever
-- holds its lease works on it, and a lease that ran out is anybody's.
CREATE TABLE ingestions (
    id              TEXT PRIMARY KEY,
    dataset_id      TEXT NOT NULL REFERENCES datasets (id) ON DELETE CASCADE,
    actor_id        TEXT NOT NULL REFERENCES users (id),
    token_id        TEXT NOT NULL DEFAULT '',
    scopes          TEXT,          -- JSON
    status          TEXT NOT NULL,
    files           TEXT NOT NULL, -- JSON
    options         TEXT NOT NULL, -- JSON
    retry_of        TEXT NOT NULL DEFAULT '',
    attempt         INTEGER NOT NULL DEFAULT 0,
    message         TEXT NOT NULL DEFAULT '',
    expected_bytes  BIGINT NOT NULL,
    processed_bytes BIGINT NOT NULL DEFAULT 0,
    processed_rows  BIGINT NOT NULL DEFAULT 0,
    report          TEXT,          -- JSON
    seen            INTEGER NOT NULL DEFAULT 0,
    holder          TEXT NOT NULL DEFAULT '', -- who works on it
    due_at          BIGINT NOT NULL,          -- when it may be taken: its time while pending, the end of the lease while processing
    created_at      BIGINT NOT NULL,
    started_at      BIGINT,
    ended_at        BIGINT
);
CREATE INDEX ingestions_by_dataset ON ingestions (dataset_id, created_at);
CREATE INDEX ingestions_due ON ingestions (status, due_at);

-- Rows of files that could not be read.
CREATE TABLE rejected_rows (
    ingestion_id TEXT NOT NULL REFERENCES ingestions (id) ON DELETE CASCADE,
    position     INTEGER NOT NULL,
    file         TEXT NOT NULL,
    member       TEXT NOT NULL,
    line         BIGINT NOT NULL,
    file_row     BIGINT NOT NULL,
    reason       TEXT NOT NULL,
    content      TEXT NOT NULL,
    PRIMARY KEY (ingestion_id, position)
);

-- Where rows came from, one entry for neighbours in the same file. Row numbers
-- are permanent, so merging segments does not touch it.
CREATE TABLE sources (
    dataset_id   TEXT NOT NULL REFERENCES datasets (id) ON DELETE CASCADE,
    first_row    BIGINT NOT NULL,
    row_count    BIGINT NOT NULL,
    ingestion_id TEXT NOT NULL,
    file         TEXT NOT NULL,
    member       TEXT NOT NULL,
    file_row     BIGINT NOT NULL,
    PRIMARY KEY (dataset_id, first_row)
);
