-- Upload sessions and their files. A session that has ended stays until its
-- parts and objects are freed, and for a while after.
CREATE TABLE upload_sessions (
    id         TEXT PRIMARY KEY,
    owner_id   TEXT NOT NULL REFERENCES users (id),
    token_id   TEXT NOT NULL DEFAULT '', -- the restricted token that made it
    status     TEXT NOT NULL,
    bytes      BIGINT NOT NULL,          -- what its files declare together
    created_at BIGINT NOT NULL,
    expires_at BIGINT NOT NULL,
    ended_at   BIGINT,
    freed_at   BIGINT                    -- aborted or removed: nothing of it is stored any more
);
CREATE INDEX upload_sessions_open ON upload_sessions (owner_id, status);
CREATE INDEX upload_sessions_expiry ON upload_sessions (status, expires_at);
CREATE INDEX upload_sessions_end ON upload_sessions (status, ended_at);

CREATE TABLE upload_files (
    id         TEXT PRIMARY KEY,
    session_id TEXT NOT NULL REFERENCES upload_sessions (id) ON DELETE CASCADE,
    position   INTEGER NOT NULL,
    filename   TEXT NOT NULL,
    size       BIGINT NOT NULL,
    part_size  BIGINT NOT NULL,
    object_key TEXT NOT NULL UNIQUE,
    upload_id  TEXT NOT NULL, -- the object store's
    status     TEXT NOT NULL,
    UNIQUE (session_id, position)
);
