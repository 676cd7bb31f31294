-- Namespaces, datasets and the segments of their tables.
CREATE TABLE namespaces (
    id         TEXT PRIMARY KEY,
    owner_id   TEXT NOT NULL REFERENCES users (id),
    name       TEXT NOT NULL,
    name_key   TEXT NOT NULL, -- the name as it is compared
    created_at BIGINT NOT NULL,
    UNIQUE (owner_id, name_key)
);

CREATE TABLE datasets (
    id                TEXT PRIMARY KEY,
    namespace_id      TEXT NOT NULL REFERENCES namespaces (id),
    name              TEXT NOT NULL,
    name_key          TEXT NOT NULL,
    version           BIGINT NOT NULL,
    row_count         BIGINT NOT NULL,
    next_row          BIGINT NOT NULL,
    columns           TEXT NOT NULL, -- JSON
    data_description  TEXT,
    schema_definition TEXT,          -- JSON
    sort_order        TEXT,          -- JSON
    created_at        BIGINT NOT NULL,
    data_changed_at   BIGINT NOT NULL,
    UNIQUE (namespace_id, name_key)
);

CREATE TABLE segments (
    id         TEXT PRIMARY KEY,
    dataset_id TEXT NOT NULL REFERENCES datasets (id),
    object_key TEXT NOT NULL UNIQUE,
    first_row  BIGINT NOT NULL,
    row_count  BIGINT NOT NULL,
    bytes      BIGINT NOT NULL,
    columns    TEXT NOT NULL -- JSON
);
CREATE INDEX segments_by_row ON segments (dataset_id, first_row);

-- Objects to delete once their time has come: those about to be written, until
-- the commit that makes them visible strikes them out, and those replaced.
CREATE TABLE garbage (
    object_key   TEXT PRIMARY KEY,
    delete_after BIGINT NOT NULL
);
CREATE INDEX garbage_by_time ON garbage (delete_after);

-- Who may see or change what belongs to another. resource_id is a namespace's
-- or a dataset's.
CREATE TABLE grants (
    resource_id TEXT NOT NULL,
    user_id     TEXT NOT NULL REFERENCES users (id),
    role        TEXT NOT NULL,
    created_at  BIGINT NOT NULL,
    PRIMARY KEY (resource_id, user_id)
);
CREATE INDEX grants_by_user ON grants (user_id);

CREATE TABLE grant_changes (
    id          TEXT PRIMARY KEY,
    resource_id TEXT NOT NULL,
    actor_id    TEXT NOT NULL REFERENCES users (id),
    user_id     TEXT NOT NULL REFERENCES users (id),
    role_before TEXT NOT NULL,
    role_after  TEXT NOT NULL,
    changed_at  BIGINT NOT NULL
);
CREATE INDEX grant_changes_by_resource ON grant_changes (resource_id, id);

-- Requests already carried out under an Idempotency-Key.
CREATE TABLE idempotency_keys (
    user_id    TEXT NOT NULL REFERENCES users (id),
    key        TEXT NOT NULL,
    dataset_id TEXT NOT NULL,
    request    TEXT NOT NULL, -- a digest: the same key must mean the same request
    answer     TEXT NOT NULL,
    created_at BIGINT NOT NULL,
    PRIMARY KEY (user_id, key)
);
CREATE INDEX idempotency_keys_by_time ON idempotency_keys (created_at);
CREATE INDEX idempotency_keys_by_dataset ON idempotency_keys (dataset_id);
