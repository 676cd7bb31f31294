"""Several things at a time, in tasks."""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable, Iterable
from typing import TypeVar

T = TypeVar("T")


async def each(items: Iterable[T], parallel: int, do: Callable[[T], Awaitable[None]]) -> None:
    """Does something for every item, so many at a time. The first failure stops the rest."""
    left = iter(items)

    async def worker() -> None:
        for item in left:
            await do(item)

    try:
        async with asyncio.TaskGroup() as group:
            for _ in range(parallel):
                group.create_task(worker())
    except BaseExceptionGroup as failures:
        raise failures.exceptions[0] from None
