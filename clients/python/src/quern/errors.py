"""What can go wrong, one class for each kind of failure."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

__all__ = [
    "Cancelled", "ConflictError", "CutOff", "ForbiddenError", "GoneError", "InternalError", "InvalidError",
    "MalformedError", "NotFoundError", "Problem", "QuernError", "RunFailed", "SessionEnded", "ThrottledError",
    "TimedOut", "TooLargeError", "UnauthenticError", "Unavailable", "Unreachable", "UnsupportedError", "UpstreamError",
]


@dataclass(frozen=True)
class Problem:
    """One part of a request that is wrong."""

    code: str
    message: str

    @property
    def field(self) -> str:
        """Where in the request it is; empty when it is no one field.

        >>> Problem("required", "username: a value is required").field
        'username'
        """
        field, found, _ = self.message.partition(": ")
        return field if found and " " not in field else ""


class QuernError(Exception):
    """What every failure of this package is.

    >>> error = failure(404, {"error_code": "NOT_FOUND", "message": "not found"}, {"X-Request-Id": "r1"})
    >>> type(error).__name__, error.code, error.status, error.request_id
    ('NotFoundError', 'NOT_FOUND', 404, 'r1')
    >>> isinstance(error, QuernError)
    True
    """

    def __init__(
        self,
        message: str,
        *,
        status: int = 0,
        code: str = "",
        problems: tuple[Problem, ...] = (),
        request_id: str = "",
        retry_after: float | None = None,
    ) -> None:
        super().__init__(message)
        self.message = message
        self.status = status
        """Of HTTP; 0 when no answer came, or a run failed."""
        self.code = code
        """The stable name of the failure, such as `NOT_FOUND`."""
        self.problems = problems
        """One for each part of the request that is wrong."""
        self.request_id = request_id
        """What names the request in the server's log; empty when no answer came."""
        self.retry_after = retry_after
        """How many seconds the server asks to wait."""

    @property
    def field(self) -> str:
        """The first field that is wrong; empty when it is none."""
        return next((p.field for p in self.problems if p.field), "")

    def __str__(self) -> str:
        return "\n  ".join([self.message, *(p.message for p in self.problems[:5] if p.message not in self.message)])


class MalformedError(QuernError):
    """400: the request cannot be parsed."""


class UnauthenticError(QuernError):
    """401: the token is missing, invalid, expired or revoked."""


class ForbiddenError(QuernError):
    """403: the caller sees the thing but may not do this. `READ_ONLY` is the code for a read-only token."""


class NotFoundError(QuernError):
    """404: it does not exist, or the caller may not know that it does."""


class ConflictError(QuernError):
    """409: the name is taken, or the state does not allow it."""


class GoneError(QuernError):
    """410: it was there and is finished."""


class TooLargeError(QuernError):
    """413: the request exceeds a limit of size."""


class UnsupportedError(QuernError):
    """405 or 415: the method or the media type is not one that the operation takes."""


class InvalidError(QuernError):
    """422: well-formed, but wrong; `problems` and `field` say where."""


class ThrottledError(QuernError):
    """429: too many requests, or a budget is spent."""


class InternalError(QuernError):
    """500: a defect of the server; its log has the `request_id`."""


class UpstreamError(QuernError):
    """502: a service that the server needs did not answer."""


class Unavailable(QuernError):
    """503: the server is overloaded or stopping."""


class TimedOut(QuernError):
    """504: the work ran past its limit."""


class Unreachable(QuernError):
    """No answer came: the server is away, or the connection was lost for longer than the client's patience."""

    unsent = False
    """Whether the server cannot have seen the request."""


class CutOff(QuernError):
    """What was being read broke off: what came of it is not all."""


class RunFailed(QuernError):
    """A question was taken and has no answer; `code` and the message say why."""


class Cancelled(RunFailed):
    """A run that its asker cancelled."""


class SessionEnded(QuernError):
    """An upload cannot be gone on with: its session has ended, or is one of other files."""


_kinds: dict[int, type[QuernError]] = {
    400: MalformedError, 401: UnauthenticError, 403: ForbiddenError, 404: NotFoundError, 405: UnsupportedError,
    408: TimedOut, 409: ConflictError, 410: GoneError, 413: TooLargeError, 415: UnsupportedError, 422: InvalidError,
    429: ThrottledError, 500: InternalError, 502: UpstreamError, 503: Unavailable, 504: TimedOut,
}  # fmt: skip


def failure(status: int, body: Any, headers: Mapping[str, str]) -> QuernError:
    """Makes the error of an answer that is no success, whatever its body is."""
    told = body if isinstance(body, dict) else {}
    wait = headers.get("Retry-After", "")
    kind = _kinds.get(status, InvalidError if 400 <= status < 500 else InternalError)
    return kind(
        str(told.get("message") or f"The server answered {status}."),
        status=status,
        code=str(told.get("error_code", "")),
        problems=tuple(
            Problem(str(p.get("code", "")), str(p.get("message", "")))
            for p in told.get("sub_errors") or []
            if isinstance(p, dict)
        ),
        request_id=headers.get("X-Request-Id", ""),
        retry_after=float(wait) if wait.isdigit() else None,
    )


def passing(error: QuernError) -> bool:
    """Whether the same request may succeed a little later."""
    return isinstance(error, Unreachable) or error.status in (408, 429, 500, 502, 503, 504)
