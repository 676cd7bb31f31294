-- The ends of segments, which tell where their columns are: with them nothing has to be
-- fetched of an object in a bucket but what a query reads.
CREATE TABLE segment_feet (
    object_key TEXT PRIMARY KEY REFERENCES segments (object_key) ON DELETE CASCADE,
    foot       BYTEA NOT NULL -- deflated
);
