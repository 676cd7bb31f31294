-- Who is behind an account at an outside issuer. The pair never moves to
-- another user, so a reused username cannot take over what someone else owns.
CREATE TABLE user_identities (
    issuer     TEXT NOT NULL,
    subject    TEXT NOT NULL,
    user_id    TEXT NOT NULL REFERENCES users (id),
    created_at BIGINT NOT NULL,
    PRIMARY KEY (issuer, subject),
    UNIQUE (issuer, user_id)
);

-- The keys that tokens are signed with. Only one row can hold slot 1: it is the
-- one in use. Retired keys stay for as long as a token they signed is good.
CREATE TABLE signing_keys (
    id          TEXT PRIMARY KEY,
    slot        INTEGER UNIQUE,
    private_key BYTEA NOT NULL,
    public_key  BYTEA NOT NULL,
    created_at  BIGINT NOT NULL,
    expires_at  BIGINT
);

-- API tokens, without their secrets. The id is the token's jti.
CREATE TABLE tokens (
    id           TEXT PRIMARY KEY,
    user_id      TEXT NOT NULL REFERENCES users (id),
    key_id       TEXT NOT NULL,
    name         TEXT NOT NULL,
    scopes       TEXT,
    created_at   BIGINT NOT NULL,
    expires_at   BIGINT,
    revoked_at   BIGINT,
    last_used_at BIGINT
);
CREATE INDEX tokens_user ON tokens (user_id, id);
CREATE INDEX tokens_key ON tokens (key_id);

-- Sign-ins at the embedded provider. The cookie's secret is kept as a hash.
CREATE TABLE logins (
    id          TEXT PRIMARY KEY,
    user_id     TEXT NOT NULL REFERENCES users (id),
    secret_hash BYTEA NOT NULL UNIQUE,
    created_at  BIGINT NOT NULL,
    seen_at     BIGINT NOT NULL,
    expires_at  BIGINT NOT NULL,
    ended_at    BIGINT
);
CREATE INDEX logins_user ON logins (user_id);
CREATE INDEX logins_expiry ON logins (expires_at);

-- Authorization codes. A row outlives its code until the tokens made from it
-- are gone, so that a second use of the code can end them.
CREATE TABLE login_codes (
    id           TEXT PRIMARY KEY,
    login_id     TEXT NOT NULL REFERENCES logins (id) ON DELETE CASCADE,
    code_hash    BYTEA NOT NULL UNIQUE,
    redirect_uri TEXT NOT NULL,
    challenge    TEXT NOT NULL,
    nonce        TEXT NOT NULL,
    scope        TEXT NOT NULL,
    expires_at   BIGINT NOT NULL,
    purge_at     BIGINT NOT NULL,
    used_at      BIGINT,
    revoked_at   BIGINT
);
CREATE INDEX login_codes_login ON login_codes (login_id);
CREATE INDEX login_codes_purge ON login_codes (purge_at);

-- Failed sign-ins, counted by account and by address. The subject is a hash:
-- people type passwords into the wrong field.
CREATE TABLE login_failures (
    subject       TEXT PRIMARY KEY,
    failures      BIGINT NOT NULL,
    blocked_until BIGINT NOT NULL,
    forget_at     BIGINT NOT NULL
);
CREATE INDEX login_failures_forget ON login_failures (forget_at);

-- Requests by user: each one for a while, and their daily counts for good.
CREATE TABLE usage_events (
    id        TEXT PRIMARY KEY,
    user_id   TEXT NOT NULL,
    at        BIGINT NOT NULL,
    operation TEXT NOT NULL,
    units     BIGINT NOT NULL
);
CREATE INDEX usage_events_user ON usage_events (user_id, id);
CREATE INDEX usage_events_at ON usage_events (at);
CREATE TABLE usage_days (
    user_id   TEXT NOT NULL,
    day       TEXT NOT NULL,
    operation TEXT NOT NULL,
    requests  BIGINT NOT NULL,
    PRIMARY KEY (user_id, day, operation)
);
