-- Browsers that are signed in. The cookie's secret is kept as a hash. The tokens are
-- those of an outside provider; the embedded one's sign-in is named instead.
CREATE TABLE sessions (
    id            TEXT PRIMARY KEY,
    user_id       TEXT NOT NULL REFERENCES users (id),
    secret_hash   BYTEA NOT NULL UNIQUE,
    login_id      TEXT REFERENCES logins (id) ON DELETE CASCADE,
    id_token      TEXT NOT NULL DEFAULT '',
    refresh_token TEXT NOT NULL DEFAULT '',
    renew_at      BIGINT, -- when the provider is asked whether it is still good; null: never
    user_agent    TEXT NOT NULL,
    created_at    BIGINT NOT NULL,
    seen_at       BIGINT NOT NULL,
    expires_at    BIGINT NOT NULL,
    ended_at      BIGINT
);
CREATE INDEX sessions_user ON sessions (user_id, id);
CREATE INDEX sessions_login ON sessions (login_id);
CREATE INDEX sessions_expiry ON sessions (expires_at);
