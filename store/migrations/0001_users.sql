-- Users. Times are microseconds since 1970 in UTC, everywhere.
CREATE TABLE users (
    id            TEXT PRIMARY KEY,
    username      TEXT NOT NULL UNIQUE,
    password_hash TEXT NOT NULL DEFAULT '',
    created_at    BIGINT NOT NULL,
    disabled_at   BIGINT
);
