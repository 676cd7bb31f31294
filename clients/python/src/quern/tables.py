"""Exports of Arrow as tables. What is needed for that is imported when it is needed."""

from __future__ import annotations

from collections.abc import Iterator
from typing import IO, TYPE_CHECKING

from .errors import CutOff, QuernError

if TYPE_CHECKING:
    import pandas
    import polars
    import pyarrow


def _opened(file: IO[bytes]) -> pyarrow.ipc.RecordBatchStreamReader:
    try:
        import pyarrow
        import pyarrow.ipc
    except ImportError as cause:
        raise QuernError("tables are read with pyarrow: install quern[arrow], quern[pandas] or quern[polars]") from cause
    try:
        return pyarrow.ipc.open_stream(file)
    except pyarrow.ArrowException as cause:
        raise CutOff("the export cannot be read") from cause


def batches(file: IO[bytes]) -> Iterator[pyarrow.RecordBatch]:
    """The batches of an export. It fails with CutOff when there are fewer rows than it says of itself: readers of
    Arrow take a stream that breaks off between two batches for one that has ended."""
    reader = _opened(file)
    told = (reader.schema.metadata or {}).get(b"quern.rows")
    rows = 0
    for batch in reader:
        rows += batch.num_rows
        yield batch
    if told is not None and rows != int(told):
        raise CutOff(f"the export was cut off: it has {rows:,} of {int(told):,} rows")


def read_arrow(file: IO[bytes]) -> pyarrow.Table:
    """All of an export."""
    import pyarrow

    reader_schema = None
    found = []
    for batch in batches(file):
        reader_schema = batch.schema
        found.append(batch)
    if reader_schema is None:
        file.seek(0)
        reader_schema = _opened(file).schema
    return pyarrow.Table.from_batches(found, schema=reader_schema)


def to_pandas(table: pyarrow.Table) -> pandas.DataFrame:
    import pandas
    import pyarrow

    keep = {pyarrow.int64(): pandas.Int64Dtype(), pyarrow.bool_(): pandas.BooleanDtype()}
    return table.to_pandas(types_mapper=keep.get)


def to_polars(table: pyarrow.Table) -> polars.DataFrame:
    import polars

    found = polars.from_arrow(table)
    assert isinstance(found, polars.DataFrame)
    return found
