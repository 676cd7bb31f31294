"""Files on their way to the server, in parts that survive a bad network."""

from __future__ import annotations

import asyncio
import hashlib
from collections.abc import AsyncIterator, Callable, Sequence

from .. import schema
from .._files import CHUNK, FileLike, Part, Progress, Source, sources
from .._patience import Patience
from ..errors import NotFoundError, QuernError, SessionEnded, Unreachable
from .pool import each
from .transport import AsyncTransport, path_of

REFUSALS = 5
"""How often a part may be refused before that is believed."""


class AsyncUpload:
    """Sends files in parts, several at a time, and goes on where an earlier upload stopped."""

    def __init__(self, transport: AsyncTransport, files: Sequence[FileLike], parallel: int, patience: float, progress: Progress) -> None:
        self._transport, self._parallel, self._patience = transport, parallel, patience
        self._sources = sources(files)
        self._progress = progress
        progress.total = sum(source.size for source in self._sources)

    async def run(self, session: str | None, started: Callable[[str], None] | None) -> schema.FileUpload:
        """Sends what is not there yet; what was sent stays when this fails."""
        parts = await self._rejoin(session) if session else await self._prepare()
        if started:
            started(self.session)
        await each([part for part in parts if not part.arrived], self._parallel, self._send)
        for source in self._sources:
            if not source.finished:
                await self._finish(source, [part for part in parts if part.source is source])
        found: schema.FileUpload = await self._transport.call("GET", path_of("file-upload", self.session))
        return found

    async def _prepare(self) -> list[Part]:
        wanted = [{"filename": source.name, "size": source.size} for source in self._sources]
        prepared: schema.PreparedFileUpload = await self._transport.call("POST", "/file-upload/prepare", body={"filesToUpload": wanted})
        self.session = prepared["sessionId"]
        parts = []
        for source, entry in zip(self._sources, prepared["files"], strict=True):
            source.file_id, source.upload_id, source.key = entry["fileId"], entry["uploadId"], entry["key"]
            laid = source.lay(entry["partSize"])
            for part, told in zip(laid, entry["presignedUrls"], strict=False):
                part.url = told["url"]
            parts += laid
        return parts

    async def _rejoin(self, session: str) -> list[Part]:
        """Finds out what has arrived, and still is what the file holds."""
        try:
            found: schema.FileUpload = await self._transport.call("GET", path_of("file-upload", session))
        except NotFoundError as error:
            raise SessionEnded("the upload session has ended") from error
        if found["sessionStatus"] == "aborted":
            raise SessionEnded("the upload session has ended")
        told = [(entry["filename"], entry["size"]) for entry in found["files"]]
        if told != [(source.name, source.size) for source in self._sources]:
            raise SessionEnded("the upload session is one of other files")
        self.session = session
        parts = []
        for source, entry in zip(self._sources, found["files"], strict=True):
            source.file_id, source.upload_id, source.key = entry["fileId"], entry["uploadId"], entry["key"]
            source.finished = entry["fileStatus"] == "completed"
            laid = source.lay(entry["partSize"])
            if source.finished:
                self._progress.add(source.size)
                continue
            tags = {part["partNumber"]: part["etag"] for part in entry["parts"]}
            for part in laid:
                if tags.get(part.number) == part.digest():
                    part.tag = tags[part.number]
                    self._progress.add(part.size)
            parts += laid
        return parts

    async def _send(self, part: Part) -> None:
        patience, refusals = Patience(self._patience), 0
        while True:
            sent = Sent(part, self._progress)
            try:
                part.url = part.url or await self._renewed(part)
                headers = await self._transport.put(part.url, sent.chunks(), part.size)
                tag = headers.get("ETag", "").strip('"')
                encrypted = headers.get("X-Amz-Server-Side-Encryption", "").startswith("aws:kms")
                if not encrypted and tag != sent.digest.hexdigest():
                    raise Unreachable("a part was changed on its way")
                part.tag = tag
                return
            except QuernError as error:
                sent.undo()
                problem = error
            if problem.status in (400, 403, 409, 422) and refusals < REFUSALS:
                refusals += 1
                part.url = "" if problem.status == 403 else part.url  # most likely expired
                problem = Unreachable(problem.message)
            pause = patience.pause(problem)
            if pause is None:
                raise problem
            await asyncio.sleep(pause)

    async def _renewed(self, part: Part) -> str:
        path = path_of("file-upload", self.session, "files", part.source.file_id, "urls")
        renewed: schema.RenewedFile = await self._transport.call("POST", path, body={"partNumbers": [part.number]})
        return renewed["presignedUrls"][0]["url"]

    async def _finish(self, source: Source, parts: list[Part]) -> None:
        body = {
            "uploadId": source.upload_id,
            "key": source.key,
            "parts": [{"partNumber": part.number, "etag": part.tag} for part in parts],
        }
        await self._transport.call("POST", path_of("file-upload", self.session, "files", source.file_id, "finish"), body=body)


class Sent:
    """One try at sending a part: its bytes, counted and digested."""

    def __init__(self, part: Part, progress: Progress) -> None:
        self._part, self._progress = part, progress
        self.digest = hashlib.md5(usedforsecurity=False)
        self._sent = 0

    async def chunks(self) -> AsyncIterator[bytes]:
        for offset in range(0, self._part.size, CHUNK):
            chunk = self._part.read(offset, min(CHUNK, self._part.size - offset))
            self.digest.update(chunk)
            self._sent += len(chunk)
            self._progress.add(len(chunk))
            yield chunk

    def undo(self) -> None:
        self._progress.add(-self._sent)
