# Made by generate.py from _async/client.py: do not edit.
"""The client: where everything begins."""

from __future__ import annotations

import time
from collections.abc import Callable, Sequence
from types import TracebackType
from typing import Any, Self

import httpx

from .. import schema
from .._files import FileLike, Progress
from ..errors import QuernError
from ..values import Answer, DatasetPath, Event, Result
from .asking import Run
from .dataset import Dataset
from .transport import Transport, path_of
from .uploading import Upload

PATIENCE = 120.0
"""How many seconds one request is tried again for."""


class Client:
    """Talks to one server in the name of one token. It may be used from several places at once.

    Without a server or a token, those of `QUERN_SERVER` and `QUERN_TOKEN` are used. Every failure is a QuernError.

    >>> result = client.query("harbour", "select count(*) as ships from ships")
    >>> result.rows
    [(12,)]
    """

    def __init__(
        self,
        server: str | None = None,
        token: str | None = None,
        *,
        patience: float = PATIENCE,
        http: httpx.Client | None = None,
        retrying: Callable[[QuernError], None] | None = None,
    ) -> None:
        """`patience` is how many seconds a request is tried again for; `retrying` is told why, each time. `http` sends
        the requests, instead of one that this client makes and closes."""
        self._patience = patience
        self._transport = Transport(server, token, patience=patience, http=http, retrying=retrying)

    def __repr__(self) -> str:
        return f"<Client of {self._transport.base}>"

    def __enter__(self) -> Self:
        return self

    def __exit__(self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None) -> None:
        self.close()

    def close(self) -> None:
        """Closes the connections."""
        self._transport.close()

    def call(self, method: str, path: str, body: Any = None, **params: Any) -> Any:
        """Calls any operation of the contract, by its path below `/api/v1`, for what has no method of its own.

        >>> (client.call("GET", "/user/me"))["username"]
        'ada'
        """
        return self._transport.call(method, path, body=body, params=params)

    # What there is.

    def datasets(self) -> list[schema.DatasetEntry]:
        """The datasets that the caller sees, by owner, namespace and name.

        >>> "ships" in [entry["name"] for entry in client.datasets()]
        True
        """
        found: list[schema.DatasetEntry] = []
        cursor = None
        while True:
            page, headers = self._transport.exchange("GET", "/data", params={"limit": 1000, "cursor": cursor})
            found += page
            cursor = headers.get("X-Next-Cursor")
            if not cursor:
                return found

    def dataset(self, path: str | DatasetPath) -> Dataset:
        """A dataset, as `namespace/dataset` or `owner/namespace/dataset`."""
        return Dataset(self, self._transport, DatasetPath.parse(path))

    # Queries and questions.

    def query(self, namespace: str, sql: str, *, owner: str = "self") -> Result:
        """Runs SQL over what the caller sees. The result says when it was cut.

        >>> (client.query("harbour", "select ship from ships order by ship limit 1")).rows
        [('Ariadne',)]
        """
        body = {"username": owner, "namespace": namespace, "query": sql, "includeMetadata": True}
        told: schema.QueryResponse = self._transport.call("POST", "/query", body=body)
        about = told["metadata"]
        return Result.of(told["data"], about["totalCount"], about["truncated"], about["executedQuery"])

    def ask(
        self,
        question: str,
        *,
        namespace: str,
        owner: str = "self",
        conversation: str | None = None,
        each: Callable[[Event], None] | None = None,
        **how: Any,
    ) -> Answer:
        """Asks in words and returns the answer, telling `each` event of the run as it comes. The question is sent
        once; when the connection is lost after that, its run is followed. A run that fails is RunFailed.

        `how` are further members of the request, such as `model="embedded"`.

        >>> answer = client.ask("How many ships are there?", namespace="harbour")
        >>> answer.response
        'There are 12 ships.'
        >>> answer.result.rows
        [(12,)]
        """
        answer = Answer(question=question)
        for event in self.stream(question, namespace=namespace, owner=owner, conversation=conversation, **how):
            if each:
                each(event)
            answer.take(event)
        return answer

    def stream(
        self, question: str, *, namespace: str, owner: str = "self", conversation: str | None = None, **how: Any
    ) -> Run:
        """Asks in words and gives the events of the run, to its end.

        >>> [event.type for event in client.stream("How many ships are there?", namespace="harbour")][-1]
        'answer'
        """
        body = {"username": owner, "namespace": namespace, "query": question, **how}
        if conversation:
            body["conversationId"] = conversation
        return Run(self._transport, self._patience, body)

    def follow(self, run_id: str, after: int = 0) -> Run:
        """The events of a run behind the one with a number, to its end."""
        return Run(self._transport, self._patience, None, run_id, after)

    def run(self, run_id: str) -> schema.Run:
        """Where a run has got to."""
        found: schema.Run = self._transport.call("GET", path_of("query", "runs", run_id))
        return found

    def rate(self, run_id: str, up: bool, comment: str = "") -> None:
        """Says whether an answer was good."""
        body = {"thumbsUp": up, **({"comment": comment} if comment else {})}
        self._transport.call("POST", path_of("query", "runs", run_id, "feedback"), body=body)

    # Files.

    def upload(
        self,
        files: Sequence[FileLike],
        *,
        session: str | None = None,
        parallel: int = 4,
        started: Callable[[str], None] | None = None,
        progress: Callable[[int, int], None] | None = None,
    ) -> schema.FileUpload:
        """Sends files, so many parts at a time, and returns the session that then holds them.

        What a `session` already has is not sent again. `started` is told the session before the first byte is sent,
        so that it can be written down; `progress` is told how many bytes of how many are there. When this fails the
        session stays, and upload can go on with it.

        >>> session = client.upload([("pantry.csv", b"grain,grams\\noats,80\\n")])
        >>> session["sessionStatus"]
        'completed'
        """
        sending = Upload(self._transport, files, max(parallel, 1), self._patience, Progress(progress))
        return sending.run(session, started)

    def abort_upload(self, session: str) -> None:
        """Ends a session and frees what it has stored."""
        self._transport.call("POST", path_of("file-upload", session, "abort"))

    def ingestion(self, ingestion_id: str) -> schema.Ingestion:
        """Where an ingestion has got to."""
        found: schema.Ingestion = self._transport.call("GET", path_of("ingestionTracking", ingestion_id))
        return found

    def follow_ingestion(self, ingestion_id: str, *, see: Callable[[schema.Ingestion], None] | None = None) -> schema.Ingestion:
        """Waits until an ingestion is done, telling `see` of every look at it."""
        pause = 0.1
        while True:
            found = self.ingestion(ingestion_id)
            if see:
                see(found)
            if found["status"] in ("completed", "failed"):
                return found
            time.sleep(pause)
            pause = min(2 * pause, 2.0)

    # Sharing.

    def _shares(self, path: str) -> str:
        parts = path.split("/")
        if len(parts) == 2:  # a namespace
            return path_of("permissions", "namespaces", *parts, "shares")
        at = DatasetPath.parse(path)
        return path_of("permissions", "datasets", at.owner, at.namespace, at.name, "shares")

    def shares(self, path: str) -> list[schema.Share]:
        """Who was given a role on a namespace (`owner/namespace`) or a dataset (`owner/namespace/dataset`).

        >>> client.shares("self/harbour")
        []
        """
        found: list[schema.Share] = self._transport.call("GET", self._shares(path))
        return found

    def share(self, path: str, username: str, role: schema.GrantedRole = "viewer") -> None:
        """Gives a user a role on a namespace or a dataset, in place of any that the user had there."""
        self._transport.call("POST", self._shares(path), body={"username": username, "role": role})

    def unshare(self, path: str, username: str) -> None:
        """Takes a user's role away; it is NotFoundError when there was none."""
        self._transport.call("DELETE", self._shares(path), body={"username": username})

    # Knowledge.

    def knowledge(self, namespace: str, *, owner: str = "self") -> schema.KnowledgeState:
        """What is taught about a namespace.

        >>> sorted((client.knowledge("harbour")).keys())[:2]
        ['knowledge', 'problems']
        """
        found: schema.KnowledgeState = self._transport.call("GET", path_of("knowledge", owner, namespace))
        return found

    def replace_knowledge(
        self, namespace: str, document: schema.Knowledge, *, version: int, owner: str = "self"
    ) -> schema.KnowledgeState:
        """Saves a document in place of a version; it is ConflictError when another is current."""
        saved: schema.KnowledgeState = self._transport.call(
            "PUT", path_of("knowledge", owner, namespace), body=document, headers={"If-Match": f'"{version}"'}
        )
        return saved

    def change_knowledge(
        self,
        namespace: str,
        *,
        version: int,
        merge: schema.Knowledge | None = None,
        remove: schema.Knowledge | None = None,
        owner: str = "self",
    ) -> schema.KnowledgeState:
        """Adds entries, in place of those of the same name, and takes others away."""
        body = {name: document for name, document in (("merge", merge), ("remove", remove)) if document}
        saved: schema.KnowledgeState = self._transport.call(
            "PATCH", path_of("knowledge", owner, namespace), body=body, headers={"If-Match": f'"{version}"'}
        )
        return saved

    # Tokens.

    def create_token(self, name: str, **how: Any) -> schema.CreatedToken:
        """Makes an API token; its secret is in `token`, now and never again. `how` are further members of the
        request, such as `readOnly=True`."""
        made: schema.CreatedToken = self._transport.call("POST", "/user/token", body={"name": name, **how})
        return made

    def revoke_token(self, token_id: str) -> None:
        """Takes a token's power away at once."""
        self._transport.call("DELETE", path_of("user", "token", token_id))
