"""What travels: JSON without a loss of digits, and server-sent events."""

from __future__ import annotations

import json
from dataclasses import dataclass
from decimal import Decimal
from typing import Any

from .errors import CutOff

MAX_ANSWER = 256 << 20
"""The most bytes of an answer that is read as a whole."""
MAX_EVENT = 64 << 20
"""The most bytes of one event."""


def exact(text: str) -> float | Decimal:
    """A number as a float, or as a Decimal where a float would change it.

    >>> exact("0.1"), exact("12345678901234567890.123")
    (0.1, Decimal('12345678901234567890.123'))
    """
    number = float(text)
    return number if Decimal(repr(number)) == Decimal(text) else Decimal(text)


def read_json(content: bytes) -> Any:
    if not content:
        return None
    try:
        return json.loads(content, parse_float=exact)
    except ValueError as cause:
        raise CutOff("the server's answer cannot be read") from cause


@dataclass(frozen=True)
class Event:
    """One thing that happened in a run."""

    id: int
    """Counted from 1."""
    type: str
    """`run-started`, `planningStarted`, `plan`, `stepStarted`, `queryExecuting`, `step`, `answerStarted`, `answer` or `error`."""
    data: Any

    @property
    def ends(self) -> bool:
        """Whether it is the last of its run."""
        return self.type in ("answer", "error")


class EventReader:
    r"""Takes the bytes of a stream as they come and gives the events that are whole.

    >>> reader = EventReader()
    >>> reader.feed(b"id: 1\nevent: plan\nda")
    []
    >>> reader.feed(b'ta: {"steps": []}\n\n: idle\n\nid: 2\n')
    [Event(id=1, type='plan', data={'steps': []})]
    """

    def __init__(self) -> None:
        self._rest = bytearray()
        self._clear()

    def _clear(self) -> None:
        self._id, self._type, self._data = 0, "", bytearray()

    def feed(self, piece: bytes) -> list[Event]:
        # Lines are cut by bytes: text may hold what Python takes for the end of a line and the standard does not.
        self._rest += piece
        if len(self._rest) + len(self._data) > MAX_EVENT:
            raise CutOff("an event of the server is too long")
        events = []
        while (end := self._rest.find(b"\n")) >= 0:
            line = bytes(self._rest[:end]).removesuffix(b"\r")
            del self._rest[: end + 1]
            if line:
                self._take(line)
                continue
            if self._type:
                events.append(Event(self._id, self._type, read_json(bytes(self._data))))
            self._clear()
        return events

    def _take(self, line: bytes) -> None:
        name, _, value = line.partition(b":")
        value = value.removeprefix(b" ")
        if name == b"id" and value.isdigit():
            self._id = int(value)
        elif name == b"event":
            self._type = value.decode(errors="replace")
        elif name == b"data":
            self._data += value
