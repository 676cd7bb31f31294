"""Questions and their runs, followed through connections that are cut."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator
from typing import Any

from .._patience import Patience
from .._wire import Event, EventReader
from ..errors import QuernError, Unreachable
from .transport import AsyncTransport, path_of

STREAM = {"Accept": "text/event-stream"}


class AsyncRun:
    """The events of a run, each once and in order, as they come.

    A stream that is cut is taken up again from the last event that came. Leaving a run ends nothing: it belongs
    to the server and goes on.
    """

    def __init__(self, transport: AsyncTransport, patience: float, question: Any, run_id: str = "", after: int = 0) -> None:
        self._transport, self._question = transport, question
        self._patience = Patience(patience)
        self.run_id = run_id
        """The run; empty until the server has taken the question."""
        self.last = after
        """The number of the last event that came."""
        self._ended = False

    async def __aiter__(self) -> AsyncIterator[Event]:
        while not self._ended:
            try:
                async for event in self._stream():
                    yield event
                error: QuernError = Unreachable("the stream of the run's events was cut")
            except QuernError as cause:
                error = self._judged(cause)
            if self._ended:
                return
            pause = self._patience.pause(error)
            if pause is None:
                raise error
            await asyncio.sleep(pause)

    def _judged(self, error: QuernError) -> QuernError:
        """A question must not be asked twice: once it may have been taken, only its run is followed."""
        if self.run_id or not isinstance(error, Unreachable) or error.unsent:
            return error
        lost = QuernError("the connection was lost before the server said that it took the question")
        lost.__cause__ = error
        return lost

    async def _stream(self) -> AsyncIterator[Event]:
        if self.run_id:
            headers = {**STREAM, **({"Last-Event-ID": str(self.last)} if self.last else {})}
            sent = self._transport.stream("GET", path_of("query", "runs", self.run_id, "events"), headers=headers)
        else:
            sent = self._transport.stream("POST", "/query/ask", body=self._question, headers=STREAM)
        reader = EventReader()
        async with sent as answer:
            async for piece in answer.aiter_raw():
                self._patience.begin()  # it is for a server that says nothing: a run may take longer
                for event in reader.feed(piece):
                    if 0 < event.id <= self.last:
                        continue
                    self.last = max(self.last, event.id)
                    if event.type == "run-started":
                        self.run_id = str(event.data["runId"])
                    self._ended = event.ends
                    yield event
                    if self._ended:
                        return
