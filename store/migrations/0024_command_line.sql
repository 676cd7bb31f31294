-- The command line signs in as browsers do. What it renews its access with has two
-- halves, both kept as hashes: one that names the session (secret_hash), and one that
-- changes with each use, so that an old one shows itself.
ALTER TABLE sessions ADD COLUMN client TEXT NOT NULL DEFAULT ''; -- empty: a browser
ALTER TABLE sessions ADD COLUMN refresh_hash TEXT NOT NULL DEFAULT '';
