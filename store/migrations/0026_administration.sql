-- Who administers the server, and with what: a token only when it was made for it.
ALTER TABLE users ADD COLUMN admin INTEGER NOT NULL DEFAULT 0;
ALTER TABLE tokens ADD COLUMN admin INTEGER NOT NULL DEFAULT 0;

-- What a user may use; null: what the settings say.
ALTER TABLE users ADD COLUMN quota_bytes BIGINT;
ALTER TABLE users ADD COLUMN quota_rows BIGINT;
ALTER TABLE users ADD COLUMN quota_questions BIGINT; -- a day

-- Questions by user and day in UTC. A question counts though its run is deleted.
CREATE TABLE question_days (
    user_id   TEXT NOT NULL,
    day       TEXT NOT NULL,
    questions BIGINT NOT NULL,
    PRIMARY KEY (user_id, day)
);

-- How long things are kept, where administrators have said so: in microseconds, 0 for
-- good.
CREATE TABLE retention (
    kind TEXT PRIMARY KEY, -- originals, runs, traces or audit
    life BIGINT NOT NULL
);

-- A user who is being deleted, with all that is theirs, and the objects that have to
-- be gone before the user is.
ALTER TABLE users ADD COLUMN deleting_at BIGINT;
ALTER TABLE garbage ADD COLUMN user_id TEXT;
CREATE INDEX garbage_by_user ON garbage (user_id);
