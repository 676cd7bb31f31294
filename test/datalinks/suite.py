"""Runs the Python client of the interface, unchanged, against a server.

Every public method of the client is called, synchronously and asynchronously, its
models validate what comes back, and values are compared with the data. The examples
of its README are read from the installed package. A method that was never called
fails the suite, and so does a warning that an answer does not fit a model.

    DL_HOST, DL_API_KEY   where the server is, and a token of a user
    QUERN_OTHER           another user's name
"""

import asyncio
import importlib.metadata
import inspect
import json
import logging
import os
import re
import subprocess
import sys
import tempfile
import textwrap
import traceback
import uuid

import requests

from datalinks.api import AsyncDataLinksAPI, DataLinksAPI, DLConfig
from datalinks.api._errors import DataLinksRequestError
from datalinks.links import ExactMatch, GeoMatch, MatchTypeConfig
from datalinks.pipeline import (
    Normalize, NormalizeModes, Pipeline, ProcessStructured, ProcessUnstructured, ReverseGeo, Validate, ValidateModes,
)

HOST, KEY, OTHER = os.environ["DL_HOST"], os.environ["DL_API_KEY"], os.environ["QUERN_OTHER"]

# Methods that cannot do what they say, and why. They are called all the same.
CANNOT = {
    "request_cleaning": "cleaning a dataset by written code is not taken up",
    "get_cleaning_code": "the same",
}


class Calls:
    """A client whose calls are noted, and made to look synchronous."""

    def __init__(self, kind, namespace, dataset):
        self.kind, self.called = kind, set()
        self.loop = asyncio.new_event_loop()
        self.config = DLConfig(host=HOST, apikey=KEY, namespace=namespace, objectname=dataset)
        self.api = kind(self.config)

    def __getattr__(self, name):
        method = getattr(self.api, name)

        def call(*args, **kwargs):
            self.called.add(name)
            result = method(*args, **kwargs)
            if inspect.isawaitable(result):
                return self.loop.run_until_complete(result)
            if hasattr(result, "__aiter__"):
                return self.loop.run_until_complete(self.collect(result))
            if hasattr(result, "__next__"):
                return list(result)
            return result

        return call

    @staticmethod
    async def collect(stream):
        return [event async for event in stream]

    def missing(self):
        public = {n for n, _ in inspect.getmembers(self.kind, callable) if not n.startswith("_")}
        return sorted(public - self.called)


class Log(logging.Handler):
    """Collects what the client warns of: answers that do not fit its models."""

    def __init__(self):
        super().__init__(logging.WARNING)
        self.seen = []

    def emit(self, record):
        self.seen.append(record.getMessage())


failures = []


def check(what, ok, found=None):
    print(("ok    " if ok else "FAIL  ") + what + ("" if ok else f": {found!r}"))
    if not ok:
        failures.append(what)


def raises(status, fn):
    try:
        fn()
    except DataLinksRequestError as e:
        return e.status_code == status
    return False


def plain(rows):
    return sorted(rows, key=lambda r: json.dumps(r, sort_keys=True, default=str))


SHIPS = [{"id": i + 1, "name": f"ship {i + 1}", "port": port} for i, port in enumerate(["Paris", "London", "Berlin", "Madrid", "Lisbon"] * 4)]
ARRIVALS = [{"no": f"a{i}", "ship_id": i % 20 + 1, "seen_at": ["48.857, 2.353", "51.51, -0.13", "52.52, 13.4", "40.42, -3.7", "38.72, -9.14"][i % 5]} for i in range(60)]


def datasets(c, ns):
    c.create_space(data_description="Ships.", schema_definition={"name": "what it is called"})
    c.create_space()  # it is there, which is fine
    result = c.ingest(SHIPS, batch_size=8, data_description="All ships.")
    check("ingest stores every row", len(result.successful) == 20 and not result.failed, result)
    c.config.objectname = "arrivals"
    first = c.ingest(ARRIVALS, inference_steps=Pipeline(), entity_resolution=MatchTypeConfig(ExactMatch(), GeoMatch(distance=10, distanceUnit="km")), curate=False)
    check("a first ingest makes its dataset", len(first.successful) == 60, first)
    refused = c.ingest([{"a": 1}], inference_steps=Pipeline(ProcessStructured(derive_from="rows")), max_attempts=1)
    check("a step that names a missing column is refused", len(refused.failed) == 1, refused)
    c.config.objectname = "ships"
    info = c.get_dataset_info()
    check("get_dataset_info", info.metadata.row_count == 20 and info.metadata.column_names == ["id", "name", "port"]
          and info.metadata.data_description.root == "All ships." and info.dataset.visibility.value == "Private", info)
    c.update_infer_definition("Described.", {"id": "its number"})
    check("update_infer_definition", c.get_dataset_info().metadata.data_description.root == "Described.")
    c.update_sort_order(["name", "id", "port"])
    check("update_sort_order", c.get_dataset_info().metadata.column_names == ["name", "id", "port"])
    check("list_datasets", {"ships", "arrivals"} <= {d.name for d in c.list_datasets()})
    check("list_datasets of a namespace", [d.name for d in c.list_datasets(ns)] == ["arrivals", "ships"])
    check("list_namespaces", ns in [n.name for n in c.list_namespaces()])
    check("list_all_datasets_schema", "ships" in [d.name for d in c.list_all_datasets_schema()])
    check("list_datasets_in_namespace_schema", len(c.list_datasets_in_namespace_schema()) == 2)
    check("preview_ingest", c.preview_ingest([{"a": 1}], Pipeline()) == [{"a": 1}])
    check("infer_schema", c.infer_schema(SHIPS[:3], current_schema={"id": "kept"}).schema_["id"] == "kept")
    check("infer_dataset_description", "name" in c.infer_dataset_description(SHIPS[:3])["description"])


VISITS = "Ship: Ariadne\nArrived: 2030-01-31\nFee: $1,250.00\nSeen at: 48.857, 2.353\n\nShip: Bella\nArrived: 2030-02-01\nFee: $80.00\nSeen at: 52.52, 13.4\n"


def steps(c, ns):
    c.config.objectname = "structured"
    c.create_space()
    stored = c.ingest([{"rows": [{"a": 1, "b": "x"}, {"a": 2, "b": "y"}]}], inference_steps=Pipeline(ProcessStructured(derive_from="rows")))
    check("ProcessStructured", len(stored.successful) == 1 and plain(c.query_data()) == [{"a": 1, "b": "x"}, {"a": 2, "b": "y"}], c.query_data())
    c.delete_dataset()
    pipeline = Pipeline(
        ProcessUnstructured(derive_from="text", helper_prompt="Fees are in dollars.", model=None, provider=None),
        Normalize(target_cols={"ship": None, "arrived": "date of the arrival", "fee": "what was paid"}, mode=NormalizeModes.ALL_IN_ONE, model=None, provider=None),
        ReverseGeo(derive_from="Seen at"),
        Validate(mode=ValidateModes.ROWS, columns=["ship", "arrived"], model=None, provider=None),
    )
    seen = c.preview_ingest([{"text": VISITS}], pipeline)
    check("preview_ingest runs steps", [(r["ship"], r["arrived"], r["Seen at_city"], r["__valid"]) for r in seen]
          == [("Ariadne", "2030-01-31", "Paris", True), ("Bella", "2030-02-01", "Berlin", True)], seen)
    c.config.objectname = "visits"
    stored = c.ingest([{"text": VISITS}], inference_steps=pipeline, entity_resolution=MatchTypeConfig(ExactMatch()), data_description="Visits.")
    check("ingest runs steps", len(stored.successful) == 1, stored)
    rows = c.query_data()
    check("what steps made is stored", sorted(r["ship"] for r in rows) == ["Ariadne", "Bella"] and "__valid" not in rows[0], rows)
    check("rows tell whether they are valid", all(r["__valid"] for r in c.query_data(include_metadata=True)))
    check("the definition is kept", c.get_dataset_info().metadata.data_description.root == "Visits.")
    named = c.ingest([{"text": VISITS}], inference_steps=Pipeline(ProcessUnstructured(derive_from="text", model="none such", provider="openai")), max_attempts=1)
    check("a model that there is not is refused", len(named.failed) == 1, named)
    c.delete_dataset()
    c.config.objectname = "notes"
    prepared = c.prepare_multipart_upload("visits.txt", len(VISITS))
    put = requests.put(prepared["presignedUrls"][0]["url"], data=VISITS.encode(), timeout=60)
    done = c.finish_multipart_upload(prepared["uploadId"], prepared["key"], [{"partNumber": 1, "etag": put.headers["ETag"]}], inference_steps=pipeline)
    final = c.wait_for_ingestion(done["id"], poll_interval=1, timeout=120)
    check("finish runs steps", final.status == "completed" and final.processed_rows == 2, final)
    c.delete_dataset()
    c.config.objectname = "ships"


def queries(c, ns):
    c.config.objectname = "ships"
    check("query_data reads a dataset whole", plain(c.query_data()) == plain(SHIPS))
    check("query_data of *", plain(c.query_data("*")) == plain(SHIPS))
    rows = c.query_data(include_metadata=True, explain=True, model="none such", provider="nobody")
    check("rows carry metadata", all(r["__metadata"]["score"] == 1.0 for r in rows) and len(rows) == 20, rows[:1])
    check("query_data in SQL", c.query_data("select name from ships where id = 3") == [{"name": "ship 3"}])
    for text, want in {
        'OntologyObject("ships").filter("port" == "Paris").sort("id", "ASC").limit(2).get()': ["ship 1", "ship 6"],
        "Ontology(ships).filter(port == Paris, id < 7)": ["ship 1", "ship 6"],
        'Ontology("ships").filter().column("id == 3")': ["ship 3"],
        f'Ontology("{ns}/arrivals").filter(no == "a2").searchAround().find("ships").follow("ship_id")': ["ship 3"],
    }.items():
        found = c.query_data(text)
        check(text, found is not None and sorted(r["name"] for r in found) == want, found)
    check("a wrong query is None", c.query_data("Ontology(ships).dance()") is None)
    c.config.objectname = ""
    question = c.query_data("How many ships are there?", is_natural_language=True)
    check("query_data in words", question is not None and list(question[0].values()) == [20], question)


def links(c, ns):
    c.config.objectname = "arrivals"
    config = MatchTypeConfig(ExactMatch(), GeoMatch(distance=10, distanceUnit="km"))
    found = c.rebuild_links([], config)
    kinds = {(x.match_type, x.origin.split(".")[-1], x.destination.split(".")[-1]): x.hits for x in found}
    check("rebuild_links", kinds == {("ExactMatch", "ship_id", "id"): 20, ("GeoMatch", "seen_at", "port"): 5}, kinds)
    check("load_links", len(c.load_links()) == 2)
    check("preview_links of rows", [x.hits for x in c.preview_links(ARRIVALS[:10], MatchTypeConfig(ExactMatch()))] == [10])
    check("get_ontology", len(c.get_ontology()) == 2)
    curated = c.curate_links(dataset="arrivals")
    check("curate_links", curated.datasets_processed == 1 and curated.total_selected == len(curated.curated_links) >= 1, curated)
    check("curate_links activates", c.curate_links(activate=True).curated_links is None)
    check("add_link", c.add_link(ns, "arrivals", "seen_at", ns, "ships", "name", "GeoMatch", {"distance": 5}) is True)
    check("add_link again", c.add_link(ns, "arrivals", "seen_at", ns, "ships", "name", "GeoMatch", {"distance": 5}) is False)
    check("add_link of nothing", c.add_link(ns, "arrivals", "none", ns, "ships", "name", "ExactMatch") is None)
    added = [x for x in c.get_ontology() if x.destination.endswith(".name")]
    c.save_ontology(remove=added)
    check("save_ontology removes", not [x for x in c.get_ontology() if x.destination.endswith(".name")])
    c.save_ontology(add=[{"origin": added[0].origin, "destination": added[0].destination}])
    check("save_ontology adds", [x.match_type for x in c.get_ontology() if x.destination.endswith(".name")] == ["ExactMatch"])


def uploads(c, ns):
    c.config.objectname = "uploaded"
    content = json.dumps([{"n": i} for i in range(50)]).encode()
    aborted = c.prepare_multipart_upload("a.json", len(content))
    c.abort_multipart_upload(aborted["uploadId"], aborted["key"])
    prepared = c.prepare_multipart_upload("rows.json", len(content))
    put = requests.put(prepared["presignedUrls"][0]["url"], data=content, timeout=60)
    parts = [{"partNumber": 1, "etag": put.headers["ETag"].strip('"')}]
    done = c.finish_multipart_upload(prepared["uploadId"], prepared["key"], parts, name="January", inference_steps=Pipeline(),
                                     entity_resolution=MatchTypeConfig(ExactMatch()), data_description="Numbers.",
                                     schema_definition={"n": "a number"}, infer_batch_size=100)
    final = c.wait_for_ingestion(done["id"], poll_interval=1, timeout=120)
    check("wait_for_ingestion", final.status == "completed" and final.processed_rows == 50 and final.attributes.name == "January", final)
    c.mark_ingestion_seen(done["id"])
    seen = c.list_ingestions()
    check("list_ingestions", len(seen) == 1 and seen[0].attributes.seen_at is not None, seen)
    check("what was sent is kept", c.get_dataset_info().metadata.data_description.root == "Numbers.")
    check("retry of what completed is None", c.retry_ingestion(done["id"]) is None)
    broken = c.prepare_multipart_upload("broken.json", 4)
    put = requests.put(broken["presignedUrls"][0]["url"], data=b"[{]}", timeout=60)
    bad = c.finish_multipart_upload(broken["uploadId"], broken["key"], [{"partNumber": 1, "etag": put.headers["ETag"]}])
    check("a broken file fails", c.wait_for_ingestion(bad["id"], poll_interval=1, timeout=120).status == "failed")
    again = c.retry_ingestion(bad["id"])
    final = c.wait_for_ingestion(str(again.id), poll_interval=1, timeout=120)
    check("retry_ingestion", str(final.attributes.original_ingestion_id) == bad["id"], final)
    c.clear_dataset()
    info = c.get_dataset_info()
    check("clear_dataset keeps the schema", info.metadata.row_count == 0 and info.metadata.column_names == ["n"], info)
    c.rename_dataset("renamed")
    c.config.objectname = "renamed"
    check("rename_dataset", c.get_dataset_info().dataset.name == "renamed")
    c.delete_dataset()
    check("delete_dataset", c.get_dataset_info() is None)


def people(c, ns):
    c.config.objectname = "ships"
    c.share_dataset_access(OTHER, "viewer")
    check("list_dataset_shares", [(s.username, s.role.value) for s in c.list_dataset_shares()] == [(OTHER, "viewer")])
    c.revoke_dataset_access(OTHER, "viewer")
    c.share_namespace_access(OTHER, "editor")
    check("list_namespace_shares", [(s.username, s.role.value) for s in c.list_namespace_shares()] == [(OTHER, "editor")])
    c.revoke_namespace_access(OTHER, "editor")
    check("shares are gone", c.list_dataset_shares() == [] and c.list_namespace_shares() == [])
    me = c.get_current_user()
    check("get_current_user", bool(me.username) and bool(me.id), me)
    token = c.add_token("suite", access_restricted_to=[{"username": "self", "namespace": ns}])
    check("add_token has the secret", bool(token.token) and token.expires_at.startswith("9999"), token)
    check("list_tokens hides it", [t.token for t in c.list_tokens() if t.id == token.id] == [None])
    reach = c.list_token_permissions(token.id)
    check("list_token_permissions", reach.restricted and reach.permissions[0].namespace == ns, reach)
    c.delete_token(token.id)
    check("delete_token", token.id not in [t.id for t in c.list_tokens()])
    history = c.get_usage_history(page_size=2)
    check("get_usage_history", len(history.data) == 2 and history.meta.page_cursor is not None, history)
    older = c.get_usage_history(page_size=2, page_cursor=history.meta.page_cursor, on_or_after="2020-01-01T00:00:00Z")
    check("get_usage_history goes on", older.data[0].timestamp <= history.data[-1].timestamp, older)
    day = c.get_usage_by_day(timezone="Europe/Lisbon", on_or_after="2026-01-01T00:00:00Z", before="2026-12-31T00:00:00Z")
    check("get_usage_by_day", day.meta.time_zone_for_aggregation == "Europe/Lisbon", day)


def questions(c, ns):
    events = c.ask("How many ships are there?", web_search=False)
    kinds = [e.type for e in events]
    check("ask streams", kinds[0] == "run-started" and "plan" in kinds and "step" in kinds and kinds[-1] == "answer", kinds)
    run, conversation = events[0].data["runId"], events[0].data["conversationId"]
    check("ask answers", "20" in events[-1].data["response"], events[-1].data)
    answer = c.autorag("How many arrivals are there?", conversation_id=conversation)
    check("autorag", "60" in answer["response"] and answer["steps"][0]["query"] and answer.status_code == 200, dict(answer))
    check("a stage's unknown model is refused", raises(422, lambda: c.autorag("How many?", stage_models={"plan": {"model": "none such"}})))
    status = c.get_agent_run_status(run)
    check("get_agent_run_status", status.status.value == "completed" and status.question == "How many ships are there?", status)
    c.submit_agent_run_feedback(run, thumbs_up=True, comment="right")
    resumed = c.resume_agent_run(run)
    check("resume_agent_run of what ended", [e.type for e in resumed] == ["terminal"], resumed)
    check("list_conversations", conversation in [str(x.id) for x in c.list_conversations().conversations])
    turns = c.get_conversation(conversation).turns
    check("get_conversation", [t.status.value for t in turns] == ["completed", "completed"], turns)
    c.delete_agent_run(run)
    check("delete_agent_run", c.get_agent_run_status(run) is None)


def the_end(c, ns):
    c.config.objectname = "ships"
    check("request_cleaning: " + CANNOT["request_cleaning"], c.request_cleaning(["x"], ns, "clean") is None)
    check("get_cleaning_code: " + CANNOT["get_cleaning_code"], c.get_cleaning_code(str(uuid.uuid4())) is None)
    c.rename_namespace(ns + "-new")
    c.config.namespace = ns + "-new"
    check("rename_namespace", len(c.list_datasets(ns + "-new")) == 2)


def whole(kind, ns):
    log = Log()
    logging.getLogger("datalinks").addHandler(log)
    c = Calls(kind, ns, "ships")
    for part in (datasets, steps, links, queries, uploads, people, questions, the_end):
        print(f"--- {kind.__name__} {part.__name__}")
        try:
            part(c, ns)
        except Exception:
            check(part.__name__ + " runs to its end", False, traceback.format_exc())
    if kind is AsyncDataLinksAPI:
        c.aclose()
    check(f"every public method of {kind.__name__} was called", not c.missing(), c.missing())
    drift = [m for m in log.seen if "does not match the response" in m or "the spec rejects" in m]
    check(f"every answer fits the models of {kind.__name__}", not drift, drift)
    logging.getLogger("datalinks").removeHandler(log)


# What the examples of the README cannot do here, and why.
NOT_RUN = {
    "rich": "asks a person at a terminal",
    "IngestProxyAPI": "talks to another service",
    "from a2a": "is a client of A2A, which has its own tests",
    "target_cols={\"email\"": "leaves out arguments that the classes want",
}


def examples():
    """Runs the python blocks of the README of the installed package."""
    readme = importlib.metadata.metadata("datalinks").get_payload()
    blocks = [textwrap.dedent(b) for b in re.findall(r"```python\n(.*?)```", readme, re.S)]
    check("the README has examples", len(blocks) >= 8, len(blocks))
    products = [{"brand": "Oral-B", "product": f"p{i}"} for i in range(20)]
    with tempfile.TemporaryDirectory() as folder:
        os.mkdir(os.path.join(folder, "data"))
        with open(os.path.join(folder, "data/pgproducts.json"), "w") as f:
            json.dump({"rows": products}, f)
        with open(os.path.join(folder, "data/pgproducts_mp.json"), "w") as f:
            json.dump(products, f)
        with open(os.path.join(folder, "data/movies.txt"), "w") as f:
            f.write("Some actors and their films.")
        for n, block in enumerate(blocks):
            title = next((line for line in block.splitlines() if line.strip() and not line.startswith("#")), "")[:60]
            reason = next((why for mark, why in NOT_RUN.items() if mark in block), None)
            if reason:
                print(f"skip  example {n} ({title}): {reason}")
                continue
            env = dict(os.environ, DL_NAMESPACE=f"readme{n}", OBJECT_NAME="products", PYTHONDONTWRITEBYTECODE="1")
            done = subprocess.run([sys.executable, "-c", block], cwd=folder, env=env, capture_output=True, text=True, timeout=300)
            check(f"example {n} ({title}) runs", done.returncode == 0, done.stdout + done.stderr)


if __name__ == "__main__":
    whole(DataLinksAPI, "sync")
    whole(AsyncDataLinksAPI, "async")
    examples()
    print(f"{len(failures)} failures" + "".join("\n  " + f for f in failures))
    sys.exit(1 if failures else 0)
