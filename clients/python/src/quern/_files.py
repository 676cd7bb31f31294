"""Files that are sent: where their bytes are, and which parts they have."""

from __future__ import annotations

import hashlib
import os
import threading
from collections.abc import Callable, Sequence
from pathlib import Path

from .errors import QuernError

CHUNK = 256 << 10

FileLike = str | os.PathLike[str] | tuple[str, bytes]
"""A path, or a name with the bytes that belong to it."""


class Progress:
    """Counts the bytes of an upload and tells of them."""

    def __init__(self, tell: Callable[[int, int], None] | None) -> None:
        self.done, self.total = 0, 0
        self._tell, self._lock = tell, threading.Lock()

    def add(self, count: int) -> None:
        with self._lock:
            self.done += count
            if self._tell:
                self._tell(self.done, self.total)


class Source:
    """A file to send."""

    def __init__(self, file: FileLike) -> None:
        self.file_id = self.upload_id = self.key = ""
        self.finished = False
        if isinstance(file, tuple):
            self.name, content = file
            self._content: bytes | None = content
            self.size = len(content)
        else:
            self._path = Path(file)
            self.name, self._content = self._path.name, None
            self.size = self._path.stat().st_size

    def read(self, offset: int, size: int) -> bytes:
        if self._content is not None:
            return self._content[offset : offset + size]
        with self._path.open("rb") as file:
            file.seek(offset)
            found = file.read(size)
        if len(found) != size:
            raise QuernError(f"{self.name} has become shorter")
        return found

    def lay(self, part_size: int) -> list[Part]:
        """The parts of the file; one without bytes has one part."""
        return [
            Part(self, number, offset, min(part_size, self.size - offset))
            for number, offset in enumerate(range(0, max(self.size, 1), max(part_size, 1)), 1)
        ]


class Part:
    """A piece of a file that is sent at once.

    >>> [(part.number, part.offset, part.size) for part in Source(("a.csv", b"12345")).lay(2)]
    [(1, 0, 2), (2, 2, 2), (3, 4, 1)]
    >>> [(part.number, part.size) for part in Source(("empty.csv", b"")).lay(2)]
    [(1, 0)]
    """

    def __init__(self, source: Source, number: int, offset: int, size: int) -> None:
        self.source, self.number, self.offset, self.size = source, number, offset, size
        self.url = self.tag = ""

    @property
    def arrived(self) -> bool:
        return self.tag != ""

    def read(self, offset: int, size: int) -> bytes:
        return self.source.read(self.offset + offset, size)

    def digest(self) -> str:
        digest = hashlib.md5(usedforsecurity=False)
        for offset in range(0, self.size, CHUNK):
            digest.update(self.read(offset, min(CHUNK, self.size - offset)))
        return digest.hexdigest()


def sources(files: Sequence[FileLike]) -> list[Source]:
    return [Source(file) for file in files]
