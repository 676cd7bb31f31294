-- The sheet of a workbook and the page of a document that rows were read from. Of
-- rows that were stored before, neither is known.
ALTER TABLE sources ADD COLUMN sheet TEXT NOT NULL DEFAULT '';
ALTER TABLE sources ADD COLUMN page BIGINT NOT NULL DEFAULT 0;
