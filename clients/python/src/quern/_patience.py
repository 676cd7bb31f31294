"""How long, and how often, something is tried again."""

from __future__ import annotations

import random
import time
from collections.abc import Callable

import httpx

from .errors import QuernError, Unreachable, passing

FIRST_PAUSE = 0.1
LONGEST_PAUSE = 10.0


class Patience:
    """Says how long to wait before the next try; the pauses grow, and vary so that clients do not come back together.

    >>> patience = Patience(10.0, clock=lambda: 0.0, chance=lambda: 0.5)
    >>> [patience.pause(Unreachable("away")) for _ in range(3)]
    [0.1, 0.2, 0.4]
    >>> patience.pause(QuernError("wrong", status=422)) is None
    True
    """

    def __init__(
        self,
        seconds: float,
        *,
        clock: Callable[[], float] = time.monotonic,
        chance: Callable[[], float] = random.random,
    ) -> None:
        self._seconds, self._clock, self._chance = seconds, clock, chance
        self.begin()

    def begin(self) -> None:
        """Begins anew, after something went well."""
        self._started, self._next = self._clock(), FIRST_PAUSE

    def pause(self, error: QuernError) -> float | None:
        """How many seconds to wait; None when trying again is of no use any more."""
        wait = max(min(error.retry_after or 0.0, 60.0), self._next * (0.5 + self._chance()))
        if not passing(error) or self._clock() - self._started + wait > self._seconds:
            return None
        self._next = min(2 * self._next, LONGEST_PAUSE)
        return wait


def unreachable(cause: httpx.TransportError) -> Unreachable:
    """The error for a request that got no answer, or half of one."""
    error = Unreachable(f"the server cannot be reached: {cause or type(cause).__name__}")
    error.unsent = isinstance(cause, httpx.ConnectError | httpx.ConnectTimeout | httpx.PoolTimeout)
    return error
