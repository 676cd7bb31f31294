-- What people teach about namespaces: a document for each, in all its versions.
CREATE TABLE knowledge (
    namespace_id TEXT NOT NULL REFERENCES namespaces (id) ON DELETE CASCADE,
    version      BIGINT NOT NULL,
    author       TEXT NOT NULL, -- a username
    written_at   BIGINT NOT NULL,
    document     TEXT NOT NULL, -- JSON
    PRIMARY KEY (namespace_id, version)
);
