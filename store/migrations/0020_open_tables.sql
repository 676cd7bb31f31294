-- Datasets as tables that other engines read.
ALTER TABLE datasets ADD COLUMN fields TEXT;                       -- JSON: every column it ever had, with its id
ALTER TABLE datasets ADD COLUMN opened INTEGER NOT NULL DEFAULT 0; -- 1 once another engine asked for it
ALTER TABLE segments ADD COLUMN stats TEXT;                        -- JSON: what is known of each column's values

-- Versions of datasets whose metadata were written for other engines.
CREATE TABLE published (
    id           TEXT PRIMARY KEY,
    dataset_id   TEXT NOT NULL,
    bucket       TEXT NOT NULL,    -- where its metadata say that objects are
    version      BIGINT NOT NULL,
    schema_id    BIGINT NOT NULL,
    fields       TEXT NOT NULL,    -- JSON: the columns of this version
    manifests    TEXT NOT NULL,    -- the object that lists the files
    metadata     TEXT NOT NULL,    -- the object that describes the table
    objects      TEXT NOT NULL,    -- JSON: every object that was written for it
    row_count    BIGINT NOT NULL,
    file_count   BIGINT NOT NULL,
    bytes        BIGINT NOT NULL,
    committed_at BIGINT NOT NULL,
    until        BIGINT,           -- when its objects go; null while all of them are the dataset's
    held         INTEGER NOT NULL DEFAULT 0 -- 1 while it is served in the place of a later version
);
CREATE INDEX published_by_dataset ON published (dataset_id, version);
CREATE INDEX published_by_time ON published (until);

-- Secrets that all servers share.
CREATE TABLE secrets (
    name  TEXT PRIMARY KEY,
    value TEXT NOT NULL
);
