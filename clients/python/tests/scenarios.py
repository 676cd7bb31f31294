"""Runs the scenarios of clients/scenarios, with the client that blocks and with the one that is awaited.

QUERN_SERVER, QUERN_CUTTING, QUERN_TOKEN and QUERN_BOB are the server, the
one that breaks streams off, and the tokens of ada and bob.
"""

from __future__ import annotations

import asyncio
import inspect
import io
import json
import os
import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any

import yaml

import quern


class Interrupted(Exception):
    """Ends an upload in its middle."""


def content(lines: int) -> bytes:
    return b"n\n" + b"".join(b"%d\n" % i for i in range(lines))


def plain(result: quern.Result) -> dict[str, Any]:
    rows = [[None if v is None else v if isinstance(v, str) else json.dumps(v, default=str) for v in row] for row in result.rows]
    return {"columns": result.columns, "rows": rows, "total": result.total, "truncated": result.truncated, "count": len(result)}


class Runner:
    """The verbs of the scenarios. A method may give something to wait for, which the client that blocks does not."""

    def __init__(self, kind: Callable[..., Any], namespace: str) -> None:
        self.kind, self.namespace = kind, namespace
        self.kept: dict[str, Any] = {}

    def client(self, step: dict[str, Any]) -> Any:
        who = step.get("as", "ada")
        token = {"ada": os.environ["QUERN_TOKEN"], "bob": os.environ["QUERN_BOB"], "nobody": "no-token"}.get(who) or self.value(who)
        server = os.environ["QUERN_CUTTING" if step.get("through") == "cutting" else "QUERN_SERVER"]
        return self.kind(server, token, patience=30)

    def value(self, value: Any) -> Any:
        if isinstance(value, str) and value.startswith("$") and value[1:] in self.kept:
            return self.kept[value[1:]]
        return value

    async def run(self, step: dict[str, Any]) -> None:
        given = {name: self.value(value) for name, value in step.get("with", {}).items()}
        client = self.client(step)
        try:
            got = await getattr(self, "do_" + step["do"])(client, **given)
        except quern.QuernError as error:
            wanted = step.get("fails")
            if not wanted:
                raise
            told = {"status": error.status, "code": error.code, "field": error.field}
            assert {name: told[name] for name in wanted} == wanted, f"failed with {told}, want {wanted}"
            assert error.request_id and error.message, f"{error!r} names no request"
            return
        finally:
            await wait(client.aclose() if hasattr(client, "aclose") else client.close())
        assert "fails" not in step, f"gave {got}, want it to fail with {step['fails']}"
        for name, wanted in step.get("gives", {}).items():
            assert got[name] == wanted, f"{name} is {got[name]!r}, want {wanted!r}"
        for name, member in step.get("keep", {}).items():
            self.kept[name] = got[member]

    async def do_create(self, client: Any, dataset: str) -> Any:
        return await wait(client.dataset(dataset).create())

    async def do_append(self, client: Any, dataset: str, rows: list[Any]) -> Any:
        return {"rows": await wait(client.dataset(dataset).append(rows))}

    async def do_describe(self, client: Any, dataset: str) -> Any:
        told = await wait(client.dataset(dataset).describe())
        return {"rows": told["rowCount"], "columns": told["columnNames"]}

    async def do_delete(self, client: Any, dataset: str) -> Any:
        return await wait(client.dataset(dataset).delete())

    async def do_query(self, client: Any, namespace: str, sql: str) -> Any:
        return plain(await wait(client.query(namespace, sql)))

    async def do_export(self, client: Any, dataset: str, format: str) -> Any:
        file = io.BytesIO()
        await wait(client.dataset(dataset).export(file, format))
        if format != "arrow":
            return {"text": file.getvalue().decode()}
        about = await wait(client.dataset(dataset).describe())
        table = await wait(client.dataset(dataset).to_arrow())
        frames = [await wait(client.dataset(dataset).to_pandas()), await wait(client.dataset(dataset).to_polars())]
        return {"whole": table.num_rows == about["rowCount"] and all(len(frame) == table.num_rows for frame in frames)}

    async def do_ask(self, client: Any, namespace: str, question: str, conversation: str | None = None, revokeAtFirst: str = "") -> Any:
        events: list[str] = []
        answer = quern.Answer(question=question)
        stream = client.stream(question, namespace=namespace, conversation=conversation)
        async for event in every(stream):
            events.append(event.type)
            answer.take(event)
            if revokeAtFirst and len(events) == 1:
                with quern.Client() as ada:
                    ada.revoke_token(revokeAtFirst)
        assert "<script" not in answer._repr_html_()
        labels = [choice["label"] for choice in answer.choices]
        choice = answer.choices[0]["question"] if answer.choices else ""
        return {
            **plain(answer.result), "response": answer.response, "doubt": answer.doubt, "events": events, "choices": labels,
            "choice": choice, "conversation": answer.conversation_id,
        }  # fmt: skip

    async def do_leave(self, client: Any, namespace: str, question: str) -> Any:
        stream = client.stream(question, namespace=namespace)
        async for _ in every(stream):
            return {"run": stream.run_id}

    async def do_await(self, client: Any, run: str) -> Any:
        answer = quern.Answer()
        async for event in every(client.follow(run)):
            answer.take(event)
        return {"status": (await wait(client.run(run)))["status"], "response": answer.response}

    async def do_interrupt(self, client: Any, name: str, lines: int) -> Any:
        sessions: list[str] = []

        def stop(done: int, _: int) -> None:
            if done > 64 << 10:
                raise Interrupted

        try:
            await wait(client.upload([(name, content(lines))], parallel=1, started=sessions.append, progress=stop))
        except Interrupted:
            return {"session": sessions[0]}
        raise AssertionError("the upload was not interrupted")

    async def do_upload(self, client: Any, name: str, lines: int, session: str) -> Any:
        told: list[int] = []
        resumed: list[bool] = []
        done = await wait(
            client.upload(
                [(name, content(lines))], session=session, started=lambda _: resumed.append(bool(told)), progress=lambda n, _: told.append(n)
            )
        )
        return {"status": done["sessionStatus"], "resumed": resumed[0] and told[-1] == len(content(lines))}

    async def do_ingest(self, client: Any, dataset: str, session: str) -> Any:
        queued = await wait(client.dataset(dataset).ingest_session(session))
        done = await wait(client.follow_ingestion(queued))
        return {"status": done["status"], "rows": done["processedRows"]}

    async def do_share(self, client: Any, dataset: str, username: str, role: str) -> Any:
        return await wait(client.dataset(dataset).share(username, role))

    async def do_unshare(self, client: Any, dataset: str, username: str) -> Any:
        return await wait(client.dataset(dataset).unshare(username))

    async def do_shares(self, client: Any, dataset: str) -> Any:
        return {"shares": await wait(client.dataset(dataset).shares())}

    async def do_knowledge(self, client: Any, namespace: str) -> Any:
        return await wait(client.knowledge(namespace))

    async def do_changeKnowledge(self, client: Any, namespace: str, version: int, merge: Any) -> Any:
        told = await wait(client.change_knowledge(namespace, version=version, merge=merge))
        return {"words": len(told["knowledge"]["words"])}

    async def do_createToken(self, client: Any, name: str, **how: Any) -> Any:
        return await wait(client.create_token(name, **how))


async def wait(value: Any) -> Any:
    return await value if inspect.isawaitable(value) else value


async def every(stream: Any) -> Any:
    if hasattr(stream, "__aiter__"):
        async for event in stream:
            yield event
    else:
        for event in stream:
            yield event


async def main() -> int:
    folder = Path(__file__).parents[2] / "scenarios"
    text = json.dumps([s for file in sorted(folder.glob("*.yaml")) for s in yaml.safe_load(file.read_text(encoding="utf-8"))])
    failures = 0
    for name, kind in (("python", quern.Client), ("python-async", quern.AsyncClient)):
        for scenario in json.loads(text.replace("$ns", name)):
            runner = Runner(kind, name)
            try:
                for number, step in enumerate(scenario["steps"], 1):
                    at = f"step {number}, {step['do']}"
                    await runner.run(step)
                print(f"ok {name}: {scenario['name']}")
            except Exception as error:
                failures += 1
                print(f"FAIL {name}: {scenario['name']}: {at}: {type(error).__name__}: {error}")
    print(f"{failures} failures")
    return 1 if failures else 0


if __name__ == "__main__":
    sys.exit(asyncio.run(main()))
