# Made by generate.py from _async/dataset.py: do not edit.
"""One dataset: its rows as tables, its shares, its files."""

from __future__ import annotations

import tempfile
import uuid
from collections.abc import Callable, Iterable, Iterator, Sequence
from contextlib import contextmanager
from typing import IO, TYPE_CHECKING, Any, Literal

from .. import schema, tables
from .._files import FileLike
from ..errors import CutOff, Unreachable
from ..values import DatasetPath
from .transport import Transport, path_of

if TYPE_CHECKING:
    import pandas
    import polars
    import pyarrow

    from .client import Client

Format = Literal["csv", "json", "ndjson", "parquet", "arrow"]
SPOOL = 32 << 20
"""How much of an export is kept in memory; the rest waits in a file without a name."""


class Dataset:
    """A dataset as the caller sees it. Nothing is asked of the server until a method is called."""

    def __init__(self, client: Client, transport: Transport, path: DatasetPath) -> None:
        self._client, self._transport, self.path = client, transport, path

    def __repr__(self) -> str:
        return f"<Dataset {self.path}>"

    def _at(self, *more: str) -> str:
        return path_of("data", self.path.owner, self.path.namespace, self.path.name, *more)

    def create(self, definition: schema.InferDefinition | None = None) -> schema.DatasetEntry:
        """Makes it, empty, and its namespace when it is the first in it."""
        made: schema.DatasetEntry = self._transport.call(
            "POST", path_of("ingest", "new", self.path.namespace, self.path.name), body=definition
        )
        return made

    def describe(self) -> schema.DatasetMetadata:
        """What it holds: its columns, their types and what is known of their values, and how many rows.

        >>> [column["name"] for column in (client.dataset("harbour/ships").describe())["columns"]][:2]
        ['ship', 'flag']
        """
        found: schema.DatasetDescription = self._transport.call("GET", self._at())
        return found["metadata"]

    def append(self, rows: Iterable[dict[str, Any]]) -> int:
        """Appends rows, all of them or none, and returns how many there were. They are stored once, however often
        the request has to be sent. A dataset of the caller's that does not exist is made.

        >>> client.dataset("kitchen/pantry").append([{"grain": "oats", "grams": 80}])
        1
        """
        parts = [self.path.namespace, self.path.name]
        if self.path.owner != "self":
            parts.insert(0, self.path.owner)
        stored: schema.IngestResponse = self._transport.call(
            "POST", path_of("ingest", *parts), body={"data": list(rows)}, headers={"Idempotency-Key": f"rows-{uuid.uuid4()}"}
        )
        return stored["indexed"]

    def delete(self) -> None:
        """Removes it with its rows, definition and shares, for good."""
        self._transport.call("DELETE", self._at("balefire"))

    def export(self, to: IO[bytes], format: Format = "csv") -> int:
        """Writes all rows, as they are when this begins, to a file, and returns how many bytes. Nothing is kept in
        memory. It fails with CutOff when not all came: what the file then holds is not the dataset.

        >>> import io
        >>> file = io.BytesIO()
        >>> client.dataset("harbour/ships").export(file) == len(file.getvalue())
        True
        """
        begun = False

        def attempt() -> int:
            nonlocal begun
            written = 0
            try:
                with self._transport.stream("GET", self._at("export"), params={"format": format}) as answer:
                    for piece in answer.iter_bytes():
                        begun = True
                        to.write(piece)
                        written += len(piece)
            except Unreachable as error:
                if begun:
                    raise CutOff(f"the export was cut off after {written:,} bytes") from error
                raise
            return written

        return self._transport.retry(attempt)

    @contextmanager
    def _exported(self) -> Iterator[IO[bytes]]:
        with tempfile.SpooledTemporaryFile(max_size=SPOOL) as file:
            self.export(file, "arrow")
            file.seek(0)
            yield file

    def to_arrow(self) -> pyarrow.Table:
        """All rows as a table of Arrow, with the types of their columns.

        >>> (client.dataset("harbour/ships").to_arrow()).num_rows
        12
        """
        with self._exported() as file:
            return tables.read_arrow(file)

    def to_pandas(self) -> pandas.DataFrame:
        """All rows as a DataFrame. Whole numbers and booleans are of the types that know null, so that none changes."""
        return tables.to_pandas(self.to_arrow())

    def to_polars(self) -> polars.DataFrame:
        """All rows as a DataFrame of polars."""
        return tables.to_polars(self.to_arrow())

    def batches(self) -> Iterator[pyarrow.RecordBatch]:
        """All rows, some thousand at a time, for what does not fit into memory."""
        with self._exported() as file:
            for batch in tables.batches(file):
                yield batch

    def shares(self) -> list[schema.Share]:
        """Who was given a role on it."""
        return self._client.shares(str(self.path))

    def share(self, username: str, role: schema.GrantedRole = "viewer") -> None:
        """Gives a user a role on it, in place of any that the user had there."""
        self._client.share(str(self.path), username, role)

    def unshare(self, username: str) -> None:
        """Takes a user's role on it away."""
        self._client.unshare(str(self.path), username)

    def ingest(
        self,
        files: Sequence[FileLike],
        *,
        progress: Callable[[int, int], None] | None = None,
        see: Callable[[schema.Ingestion], None] | None = None,
        **how: Any,
    ) -> schema.Ingestion:
        """Uploads files, makes rows of them and waits until that is done. `how` are members of the request, such as
        `mode="replace"` or `onError="quarantine"`.

        >>> done = client.dataset("kitchen/herbs").ingest([("herbs.csv", b"herb;grams\\nmint;3\\n")])
        >>> done["status"], done["processedRows"]
        ('completed', 1)
        """
        session = self._client.upload(files, progress=progress)
        return self._client.follow_ingestion(self.ingest_session(session["sessionId"], **how), see=see)

    def ingest_session(self, session: str, **how: Any) -> str:
        """Queues the files of an upload session, and returns the ingestion's id."""
        body = {"sessionId": session, **how}
        key = "ingest-" + uuid.uuid5(uuid.NAMESPACE_URL, f"{self.path} {sorted(body.items())}").hex
        queued = self._transport.call("POST", self._at("ingest"), body=body, headers={"Idempotency-Key": key})
        return str(queued["id"])
