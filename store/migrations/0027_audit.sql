-- What was done, and by whom: people and things by their ids. An entry gets its place
-- when it is sealed.
CREATE TABLE audit (
    id        TEXT PRIMARY KEY,
    at        BIGINT NOT NULL,
    actor_id  TEXT NOT NULL, -- empty: the operator, or the server
    action    TEXT NOT NULL,
    user_id   TEXT NOT NULL, -- whom it is about
    object_id TEXT NOT NULL,
    detail    TEXT,          -- JSON
    stretch   BIGINT,
    position  BIGINT
);
CREATE INDEX audit_by_place ON audit (stretch, position);

-- Stretches of the audit trail that are sealed, each with the digest of its entries and
-- of the stretch before. A stretch that is cut has lost its entries and keeps its digest.
CREATE TABLE audit_seals (
    stretch   BIGINT PRIMARY KEY,
    entries   BIGINT NOT NULL,
    first_at  BIGINT NOT NULL,
    last_at   BIGINT NOT NULL,
    before    TEXT NOT NULL,
    digest    TEXT NOT NULL,
    sealed_at BIGINT NOT NULL,
    cut       INTEGER NOT NULL DEFAULT 0
);
