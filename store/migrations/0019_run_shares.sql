-- Links to answers. What a link ends in opens nothing by itself: every reader's rights
-- are asked for.
CREATE TABLE run_shares (
    run_id     TEXT PRIMARY KEY REFERENCES runs (id) ON DELETE CASCADE,
    share_id   TEXT NOT NULL UNIQUE,
    created_at BIGINT NOT NULL
);
