-- Files that were written for other engines, of versions that have small ones: they are
-- kept here, in the transaction that publishes the version, and not as objects.
CREATE TABLE published_files (
    file_key     TEXT PRIMARY KEY,
    published_id TEXT NOT NULL REFERENCES published (id) ON DELETE CASCADE,
    made_at      BIGINT NOT NULL,
    body         BYTEA NOT NULL
);
CREATE INDEX published_files_by_version ON published_files (published_id);
