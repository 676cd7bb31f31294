"""Several things at a time, in threads."""

from __future__ import annotations

import threading
from collections.abc import Callable, Iterable
from concurrent.futures import ThreadPoolExecutor
from typing import TypeVar

T = TypeVar("T")


def each(items: Iterable[T], parallel: int, do: Callable[[T], None]) -> None:
    """Does something for every item, so many at a time. The first failure stops the rest."""
    left, lock, stop = iter(items), threading.Lock(), threading.Event()

    def worker() -> None:
        while not stop.is_set():
            with lock:
                item = next(left, _end)
            if item is _end:
                return
            try:
                do(item)  # type: ignore[arg-type]
            except BaseException:
                stop.set()
                raise

    with ThreadPoolExecutor(parallel) as threads:
        running = [threads.submit(worker) for _ in range(parallel)]
    for one in running:
        one.result()


_end = object()
