"""One dataset: its rows as tables, its shares, its files."""

from __future__ import annotations

import tempfile
import uuid
from collections.abc import AsyncIterator, Callable, Iterable, Sequence
from contextlib import asynccontextmanager
from typing import IO, TYPE_CHECKING, Any, Literal

from .. import schema, tables
from .._files import FileLike
from ..errors import CutOff, Unreachable
from ..values import DatasetPath
from .transport import AsyncTransport, path_of

if TYPE_CHECKING:
    import pandas
    import polars
    import pyarrow

    from .client import AsyncClient

Format = Literal["csv", "json", "ndjson", "parquet", "arrow"]
SPOOL = 32 << 20
"""How much of an export is kept in memory; the rest waits in a file without a name."""


class AsyncDataset:
    """A dataset as the caller sees it. Nothing is asked of the server until a method is called."""

    def __init__(self, client: AsyncClient, transport: AsyncTransport, path: DatasetPath) -> None:
        self._client, self._transport, self.path = client, transport, path

    def __repr__(self) -> str:
        return f"<Dataset {self.path}>"

    def _at(self, *more: str) -> str:
        return path_of("data", self.path.owner, self.path.namespace, self.path.name, *more)

    async def create(self, definition: schema.InferDefinition | None = None) -> schema.DatasetEntry:
        """Makes it, empty, and its namespace when it is the first in it."""
        made: schema.DatasetEntry = await self._transport.call(
            "POST", path_of("ingest", "new", self.path.namespace, self.path.name), body=definition
        )
        return made

    async def describe(self) -> schema.DatasetMetadata:
        """What it holds: its columns, their types and what is known of their values, and how many rows.

        >>> [column["name"] for column in (await client.dataset("harbour/ships").describe())["columns"]][:2]
        ['ship', 'flag']
        """
        found: schema.DatasetDescription = await self._transport.call("GET", self._at())
        return found["metadata"]

    async def append(self, rows: Iterable[dict[str, Any]]) -> int:
        """Appends rows, all of them or none, and returns how many there were. They are stored once, however often
        the request has to be sent. A dataset of the caller's that does not exist is made.

        >>> await client.dataset("kitchen/pantry").append([{"grain": "oats", "grams": 80}])
        1
        """
        parts = [self.path.namespace, self.path.name]
        if self.path.owner != "self":
            parts.insert(0, self.path.owner)
        stored: schema.IngestResponse = await self._transport.call(
            "POST", path_of("ingest", *parts), body={"data": list(rows)}, headers={"Idempotency-Key": f"rows-{uuid.uuid4()}"}
        )
        return stored["indexed"]

    async def delete(self) -> None:
        """Removes it with its rows, definition and shares, for good."""
        await self._transport.call("DELETE", self._at("balefire"))

    async def export(self, to: IO[bytes], format: Format = "csv") -> int:
        """Writes all rows, as they are when this begins, to a file, and returns how many bytes. Nothing is kept in
        memory. It fails with CutOff when not all came: what the file then holds is not the dataset.

        >>> import io
        >>> file = io.BytesIO()
        >>> await client.dataset("harbour/ships").export(file) == len(file.getvalue())
        True
        """
        begun = False

        async def attempt() -> int:
            nonlocal begun
            written = 0
            try:
                async with self._transport.stream("GET", self._at("export"), params={"format": format}) as answer:
                    async for piece in answer.aiter_bytes():
                        begun = True
                        to.write(piece)
                        written += len(piece)
            except Unreachable as error:
                if begun:
                    raise CutOff(f"the export was cut off after {written:,} bytes") from error
                raise
            return written

        return await self._transport.retry(attempt)

    @asynccontextmanager
    async def _exported(self) -> AsyncIterator[IO[bytes]]:
        with tempfile.SpooledTemporaryFile(max_size=SPOOL) as file:
            await self.export(file, "arrow")
            file.seek(0)
            yield file

    async def to_arrow(self) -> pyarrow.Table:
        """All rows as a table of Arrow, with the types of their columns.

        >>> (await client.dataset("harbour/ships").to_arrow()).num_rows
        12
        """
        async with self._exported() as file:
            return tables.read_arrow(file)

    async def to_pandas(self) -> pandas.DataFrame:
        """All rows as a DataFrame. Whole numbers and booleans are of the types that know null, so that none changes."""
        return tables.to_pandas(await self.to_arrow())

    async def to_polars(self) -> polars.DataFrame:
        """All rows as a DataFrame of polars."""
        return tables.to_polars(await self.to_arrow())

    async def batches(self) -> AsyncIterator[pyarrow.RecordBatch]:
        """All rows, some thousand at a time, for what does not fit into memory."""
        async with self._exported() as file:
            for batch in tables.batches(file):
                yield batch

    async def shares(self) -> list[schema.Share]:
        """Who was given a role on it."""
        return await self._client.shares(str(self.path))

    async def share(self, username: str, role: schema.GrantedRole = "viewer") -> None:
        """Gives a user a role on it, in place of any that the user had there."""
        await self._client.share(str(self.path), username, role)

    async def unshare(self, username: str) -> None:
        """Takes a user's role on it away."""
        await self._client.unshare(str(self.path), username)

    async def ingest(
        self,
        files: Sequence[FileLike],
        *,
        progress: Callable[[int, int], None] | None = None,
        see: Callable[[schema.Ingestion], None] | None = None,
        **how: Any,
    ) -> schema.Ingestion:
        """Uploads files, makes rows of them and waits until that is done. `how` are members of the request, such as
        `mode="replace"` or `onError="quarantine"`.

        >>> done = await client.dataset("kitchen/herbs").ingest([("herbs.csv", b"herb;grams\\nmint;3\\n")])
        >>> done["status"], done["processedRows"]
        ('completed', 1)
        """
        session = await self._client.upload(files, progress=progress)
        return await self._client.follow_ingestion(await self.ingest_session(session["sessionId"], **how), see=see)

    async def ingest_session(self, session: str, **how: Any) -> str:
        """Queues the files of an upload session, and returns the ingestion's id."""
        body = {"sessionId": session, **how}
        key = "ingest-" + uuid.uuid5(uuid.NAMESPACE_URL, f"{self.path} {sorted(body.items())}").hex
        queued = await self._transport.call("POST", self._at("ingest"), body=body, headers={"Idempotency-Key": key})
        return str(queued["id"])
