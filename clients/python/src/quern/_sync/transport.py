# Made by generate.py from _async/transport.py: do not edit.
"""Requests and their answers: the token, trying again, what failures are."""

from __future__ import annotations

import time
import json
import os
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from typing import Any, TypeVar
from urllib.parse import quote

import httpx

from .._patience import Patience, unreachable
from .._wire import MAX_ANSWER, read_json
from ..errors import CutOff, QuernError, failure

T = TypeVar("T")

TIMEOUT = httpx.Timeout(90.0, connect=10.0, pool=None)
"""Servers say something much more often than that, also in streams that have nothing to tell."""


def path_of(*parts: str) -> str:
    """An address made of parts that may hold anything."""
    return "/" + "/".join(quote(part, safe="") for part in parts)


class Transport:
    """Sends requests in the name of one token."""

    def __init__(
        self,
        server: str | None,
        token: str | None,
        *,
        patience: float,
        http: httpx.Client | None,
        retrying: Callable[[QuernError], None] | None,
    ) -> None:
        server = (server or os.environ.get("QUERN_SERVER", "")).rstrip("/").removesuffix("/api/v1")
        token = token or os.environ.get("QUERN_TOKEN", "")
        if not server.startswith(("http://", "https://")):
            raise ValueError(f"the server's address {server!r} does not start with http:// or https://")
        if not token:
            raise ValueError("a token is needed: give one, or set QUERN_TOKEN")
        self.base = server + "/api/v1"
        self._token = token
        self._patience = patience
        self._http = http or httpx.Client(timeout=TIMEOUT)
        self._mine = http is None
        self._retrying = retrying or (lambda _: None)

    def close(self) -> None:
        if self._mine:
            self._http.close()

    def call(
        self,
        method: str,
        path: str,
        *,
        body: Any = None,
        params: Mapping[str, Any] | None = None,
        headers: Mapping[str, str] | None = None,
    ) -> Any:
        """Sends a request, again while that may help, and returns what the answer holds."""
        return (self.exchange(method, path, body=body, params=params, headers=headers))[0]

    def exchange(
        self,
        method: str,
        path: str,
        *,
        body: Any = None,
        params: Mapping[str, Any] | None = None,
        headers: Mapping[str, str] | None = None,
    ) -> tuple[Any, httpx.Headers]:
        """Is call that also returns the headers of the answer."""

        def attempt() -> tuple[Any, httpx.Headers]:
            with self.stream(method, path, body=body, params=params, headers=headers) as answer:
                return read_json(whole(answer)), answer.headers

        return self.retry(attempt)

    def retry(self, attempt: Callable[[], T]) -> T:
        """Tries until it succeeds, fails for good, or patience ends."""
        patience = Patience(self._patience)
        while True:
            try:
                return attempt()
            except QuernError as error:
                pause = patience.pause(error)
                if pause is None:
                    raise
                self._retrying(error)
            time.sleep(pause)

    @contextmanager
    def stream(
        self,
        method: str,
        path: str,
        *,
        body: Any = None,
        params: Mapping[str, Any] | None = None,
        headers: Mapping[str, str] | None = None,
    ) -> Iterator[httpx.Response]:
        """Sends a request once and gives its answer as it comes, if it is a success."""
        sent = {"Authorization": f"Bearer {self._token}", "Accept": "application/json", **(headers or {})}
        if body is not None:
            sent["Content-Type"] = "application/json"
        content = None if body is None else json.dumps(body, ensure_ascii=False, allow_nan=False).encode()
        known = {name: value for name, value in (params or {}).items() if value is not None}
        try:
            with self._http.stream(method, self.base + path, content=content, params=known, headers=sent) as answer:
                if answer.status_code >= 300:
                    raise refusal(answer)
                yield answer
        except httpx.TransportError as cause:
            raise unreachable(cause) from cause

    def put(self, url: str, content: Iterator[bytes], size: int) -> httpx.Headers:
        """Sends bytes to an address that needs no token."""
        try:
            answer = self._http.put(url, content=content, headers={"Content-Length": str(size)})
        except httpx.TransportError as cause:
            raise unreachable(cause) from cause
        if answer.status_code >= 300:
            raise refusal(answer)
        return answer.headers


def whole(answer: httpx.Response) -> bytes:
    """Reads an answer that is not a stream."""
    content = bytearray()
    for piece in answer.iter_bytes():
        content += piece
        if len(content) > MAX_ANSWER:
            raise CutOff("the server's answer is too large to be read at once")
    return bytes(content)


def refusal(answer: httpx.Response) -> QuernError:
    try:
        body = json.loads(answer.read())
    except (ValueError, httpx.TransportError):
        body = None
    return failure(answer.status_code, body, answer.headers)
