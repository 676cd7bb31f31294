-- What single calls of language models took. Requests have no tokens.
ALTER TABLE usage_events ADD COLUMN provider TEXT NOT NULL DEFAULT '';
ALTER TABLE usage_events ADD COLUMN model TEXT NOT NULL DEFAULT '';
ALTER TABLE usage_events ADD COLUMN tokens BIGINT NOT NULL DEFAULT 0;
ALTER TABLE usage_events ADD COLUMN cost BIGINT NOT NULL DEFAULT 0;

-- What an ingestion is called, and when somebody first took notice of it.
ALTER TABLE ingestions ADD COLUMN name TEXT NOT NULL DEFAULT '';
ALTER TABLE ingestions ADD COLUMN seen_at BIGINT;
UPDATE ingestions SET seen_at = created_at WHERE seen = 1;
ALTER TABLE ingestions DROP COLUMN seen;
CREATE INDEX ingestions_by_first ON ingestions (retry_of);

-- How links of a dataset are looked for: JSON, null for the defaults.
ALTER TABLE datasets ADD COLUMN link_options TEXT;

-- How far apart, in kilometres, the places of a link's two ends may be.
ALTER TABLE links ADD COLUMN distance DOUBLE PRECISION NOT NULL DEFAULT 0;
