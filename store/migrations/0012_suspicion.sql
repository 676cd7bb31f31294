-- Whether a server died over the work: 0 none did, 1 one did, 2 it is tried again
-- as the only suspect of its server, 3 one died during that.
ALTER TABLE runs ADD COLUMN suspicion INTEGER NOT NULL DEFAULT 0;
ALTER TABLE ingestions ADD COLUMN suspicion INTEGER NOT NULL DEFAULT 0;

-- Conversations that nobody asked to begin: found by their ids, in no list, nor are
-- their runs.
ALTER TABLE conversations ADD COLUMN unlisted INTEGER NOT NULL DEFAULT 0;
