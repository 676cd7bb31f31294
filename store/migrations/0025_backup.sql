-- What keeps objects from being swept: backups that have yet to copy them. A hold that
-- is not renewed ends by itself.
CREATE TABLE holds (
    id      TEXT PRIMARY KEY,
    reason  TEXT NOT NULL,
    made_at BIGINT NOT NULL,
    until   BIGINT NOT NULL
);

-- What objects hold, as the first backup found that read them.
CREATE TABLE object_digests (
    object_key TEXT PRIMARY KEY,
    bytes      BIGINT NOT NULL,
    digest     TEXT NOT NULL -- SHA-256, in hexadecimal
);

-- Servers that share the metadata, each as it last said that it runs.
CREATE TABLE servers (
    id             TEXT PRIMARY KEY,
    host           TEXT NOT NULL,
    server_release TEXT NOT NULL,
    knows          INTEGER NOT NULL, -- the schema version of its program
    started_at     BIGINT NOT NULL,
    seen_at        BIGINT NOT NULL
);

-- The oldest program, by the schema version that it knows, that works on this schema.
ALTER TABLE schema_version ADD COLUMN oldest INTEGER NOT NULL DEFAULT 0;
