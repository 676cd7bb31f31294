-- What the translator's pretrained encoder made of the names of a dataset and its
-- columns, at one version of its data.
CREATE TABLE name_encodings (
    dataset_id TEXT PRIMARY KEY REFERENCES datasets (id) ON DELETE CASCADE,
    version    BIGINT NOT NULL,
    weights    TEXT NOT NULL, -- of the encoder: to others the names mean nothing
    names      BYTEA NOT NULL
);
