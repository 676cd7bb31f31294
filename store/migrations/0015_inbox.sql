-- What the people who teach about a namespace may want to know: words that nothing
-- answered to, counted, and what askers told them with a rating.
CREATE TABLE knowledge_inbox (
    id           TEXT PRIMARY KEY,
    namespace_id TEXT NOT NULL REFERENCES namespaces (id) ON DELETE CASCADE,
    kind         TEXT NOT NULL, -- word or told
    item_key     TEXT NOT NULL, -- the word, or the id of the run
    times        BIGINT NOT NULL,
    told         TEXT, -- JSON
    last_at      BIGINT NOT NULL,
    dismissed    INTEGER NOT NULL DEFAULT 0,
    UNIQUE (namespace_id, kind, item_key)
);
