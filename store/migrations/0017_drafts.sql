-- A dataset that an ingestion was asked to make is a draft until rows of it, or
-- somebody, make it one: nobody finds it by its name. So is a namespace that was made
-- for such a dataset alone.
ALTER TABLE datasets ADD COLUMN draft INTEGER NOT NULL DEFAULT 0;
-- The dataset whose ingestion made this one beside it.
ALTER TABLE datasets ADD COLUMN made_for TEXT NOT NULL DEFAULT '';
ALTER TABLE namespaces ADD COLUMN draft INTEGER NOT NULL DEFAULT 0;
