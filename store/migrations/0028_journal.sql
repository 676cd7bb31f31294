-- Rows that came a few at a time and are not in a segment yet. They are part of their
-- dataset's table like those of segments, and are folded into one by and by.
CREATE TABLE journal (
    dataset_id TEXT NOT NULL REFERENCES datasets (id),
    first_row  BIGINT NOT NULL,
    row_count  BIGINT NOT NULL,
    bytes      BIGINT NOT NULL, -- of the lines
    written_at BIGINT NOT NULL,
    types      TEXT NOT NULL,   -- JSON: those of the dataset's columns when the rows came, in order
    lines      TEXT NOT NULL,   -- NDJSON; members are named by the positions of columns
    PRIMARY KEY (dataset_id, first_row)
);

-- How much of a dataset is in the journal, and until when somebody folds it.
ALTER TABLE datasets ADD COLUMN journal_rows BIGINT NOT NULL DEFAULT 0;
ALTER TABLE datasets ADD COLUMN journal_bytes BIGINT NOT NULL DEFAULT 0;
ALTER TABLE datasets ADD COLUMN folding_until BIGINT NOT NULL DEFAULT 0;
