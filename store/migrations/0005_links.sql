-- What is known of the values of a dataset's columns, to find links by, at one
-- version of its data. A row is leased by the server that works on it.
CREATE TABLE link_sketches (
    dataset_id   TEXT PRIMARY KEY REFERENCES datasets (id) ON DELETE CASCADE,
    version      BIGINT NOT NULL,
    columns      TEXT NOT NULL, -- JSON
    sketched_at  BIGINT,
    leased_until BIGINT NOT NULL
);

-- Links found by discovery, and people's decisions about links, which win.
CREATE TABLE links (
    origin_id          TEXT NOT NULL REFERENCES datasets (id) ON DELETE CASCADE,
    origin_key         TEXT NOT NULL, -- the column as it is compared
    origin_column      TEXT NOT NULL,
    destination_id     TEXT NOT NULL REFERENCES datasets (id) ON DELETE CASCADE,
    destination_key    TEXT NOT NULL,
    destination_column TEXT NOT NULL,
    match              TEXT NOT NULL,
    hits               BIGINT NOT NULL,
    score              DOUBLE PRECISION NOT NULL,
    cardinality        TEXT NOT NULL,
    decision           TEXT NOT NULL, -- '', added or removed
    decided_at         BIGINT,
    PRIMARY KEY (origin_id, origin_key, destination_id, destination_key)
);
CREATE INDEX links_by_destination ON links (destination_id);
