"""The official Python client of A2A against a server: real questions to both agents, over both bindings.

QUERN_SERVER and QUERN_TOKEN are the server and a token of a user who has the sample. It prints what it saw, or fails.
"""

import asyncio
import os
import re
import uuid

import httpx
from a2a.client import ClientConfig, ClientFactory
from a2a.client.card_resolver import parse_agent_card
from a2a.types import (
    CancelTaskRequest,
    GetExtendedAgentCardRequest,
    GetTaskRequest,
    ListTasksRequest,
    Message,
    Part,
    Role,
    SendMessageRequest,
    TaskState,
)
from a2a.utils.errors import A2AError, TaskNotCancelableError, TaskNotFoundError
from google.protobuf.json_format import MessageToDict

SERVER = os.environ["QUERN_SERVER"]
ORDERS = {
    "nl2ql": r"TASK_STATE_WORKING generated-query result-data TASK_STATE_COMPLETED",
    "assistant": r"task (TASK_STATE_WORKING )+(step-\d+ )+answer TASK_STATE_COMPLETED",
}
QUESTIONS = [
    ("How many ships are there?", [{"count": 12}]),
    ("How many ships are there per kind?", [{"kind": "container ship", "count": 3}]),
    ("Which ship is the longest?", [{"ship": "Gloriosa"}]),
]


def asking(question, **more):
    message = Message(message_id=str(uuid.uuid4()), role=Role.ROLE_USER, parts=[Part(text=question)], **more)
    message.metadata.update({"namespace": "harbour"})
    return SendMessageRequest(message=message)


def gist(event):
    """One word for an event."""
    kind = event.WhichOneof("payload")
    if kind == "status_update":
        return TaskState.Name(event.status_update.status.state)
    return event.artifact_update.artifact.name if kind == "artifact_update" else kind


def rows_of(artifacts):
    """The rows of all queries."""
    parts = [part for artifact in artifacts for part in artifact.parts if part.WhichOneof("content") == "data"]
    return [row for part in parts for row in MessageToDict(part.data).get("rows", [])]


def has(rows, wanted):
    return any(all(row.get(name) == value for name, value in wanted.items()) for row in rows)


async def fails(kind, work):
    try:
        await work
    except kind as error:
        return error
    raise AssertionError(f"it does not fail with {kind.__name__}")


async def ask(name, client):
    """Every question, streamed; returns the task of the last one."""
    for question, wanted in QUESTIONS:
        events = [event async for event in client.send_message(asking(question))]
        order = " ".join(map(gist, events))
        assert re.fullmatch(ORDERS[name], order), f"{name} streams {order}"
        rows = rows_of([e.artifact_update.artifact for e in events if e.WhichOneof("payload") == "artifact_update"])
        for row in wanted:
            assert has(rows, row), f"{name}, {question}: {rows}, want {row}"
    return events[-1].status_update


async def tasks(client, last, token, card, config):
    task = await client.get_task(GetTaskRequest(id=last.task_id))
    assert task.status.state == TaskState.TASK_STATE_COMPLETED and task.artifacts, task
    listed = await client.list_tasks(ListTasksRequest(context_id=task.context_id))
    assert [one.id for one in listed.tasks] == [task.id], listed
    again = [e async for e in client.send_message(asking("How many ships are there?", context_id=task.context_id))]
    assert again[-1].status_update.context_id == task.context_id and again[-1].status_update.task_id != task.id
    await fails(TaskNotFoundError, client.get_task(GetTaskRequest(id=str(uuid.uuid4()))))
    await fails(TaskNotCancelableError, client.cancel_task(CancelTaskRequest(id=task.id)))
    extended = await client.get_extended_agent_card(GetExtendedAgentCardRequest())
    assert extended.name == card.name, extended
    async with httpx.AsyncClient(headers={"Authorization": f"Bearer {token}x"}) as http:
        stranger = ClientFactory(ClientConfig(httpx_client=http, supported_protocol_bindings=config)).create(card)
        refused = await fails(A2AError, stranger.get_task(GetTaskRequest(id=task.id)))
        assert "401" in str(refused), refused


async def unstreamed(client):
    events = [event async for event in client.send_message(asking("How many ships are there?"))]
    assert len(events) == 1 and events[0].task.status.state == TaskState.TASK_STATE_COMPLETED, events
    assert has(rows_of(events[0].task.artifacts), {"count": 12}), events


async def main():
    token = os.environ["QUERN_TOKEN"]
    async with httpx.AsyncClient(headers={"Authorization": f"Bearer {token}"}, timeout=600) as http:
        agents = (await http.get(f"{SERVER}/api/v1/a2a")).json()
        assert {agent["name"] for agent in agents} == set(ORDERS), agents
        for agent in agents:
            card = parse_agent_card((await http.get(agent["agentCard"])).json())
            for binding in ("JSONRPC", "HTTP+JSON"):
                for streaming in (True, False):
                    config = ClientConfig(streaming=streaming, httpx_client=http, supported_protocol_bindings=[binding])
                    client = ClientFactory(config).create(card)
                    if streaming:
                        await tasks(client, await ask(agent["name"], client), token, card, [binding])
                    else:
                        await unstreamed(client)
                print("ok", agent["name"], binding)


asyncio.run(main())
