"""Examples for training: exported lines to padded tensors.

A line that has "schema" describes a schema; one that has "db" is a question. An
example is one sequence of items: the question's words, the columns, the tables.
Every pair of items has one relation. Beside them are the wordpieces of the question and
of the names, for the pretrained encoder. Examples of similar length form a group
with tensors of one shape, so that a batch is an index into them.

    python3 data.py OUT LINES.jsonl[.gz]...
"""
import gzip
import json
import multiprocessing
import pathlib
import pickle
import sys
import time
import zlib

import numpy as np

from pieces import Pieces, Texts
from vectors import Table

HERE = pathlib.Path(__file__).parent
VECTORS = HERE / "../vectors.bin"
PIECES = HERE / "../pieces.bin"

# The relations of a pair of items, by what the two are. Package net has the same.
DISTANCE = 8
TOKEN_TOKEN = 0
TOKEN_COLUMN = TOKEN_TOKEN + 2 * DISTANCE + 1
COLUMN_TOKEN = TOKEN_COLUMN + 21
TOKEN_TABLE = COLUMN_TOKEN + 21
TABLE_TOKEN = TOKEN_TABLE + 7
COLUMN_COLUMN = TABLE_TOKEN + 7
COLUMN_TABLE = COLUMN_COLUMN + 5
TABLE_COLUMN = COLUMN_TABLE + 4
TABLE_TABLE = TABLE_COLUMN + 4
RELATIONS = TABLE_TABLE + 5

TOKEN, COLUMN, TABLE, NONE = 0, 1, 2, 3  # what an item is
WORDS = 6  # of an item
KINDS, TYPES, FLAGS = 16, 8, 8
KEY = 2  # the flag of a column that tells its table's rows apart; 1: it has a link; 4: values are missing
LENGTHS = 16  # groups differ by so many items
MOST = 512  # items
STEPS = 64  # tokens of a target


class Grammar:
    """The automaton of package grammar, as its test writes it."""

    def __init__(self, path=HERE / "grammar.json"):
        with open(path) as f:
            self.raw = json.load(f)
        self.symbols = self.raw["symbols"]
        self.ids = {s: i for i, s in enumerate(self.symbols)}
        self.rules = self.raw["rules"]

    def states(self, target):
        """The topmost state and the depth before each token; None when not derived."""
        stack, seen = list(self.raw["start"]), []
        for token in target:
            if not stack:
                return None
            depth = sum(self.rules[s]["depth"] for s in stack)
            seen.append((stack[-1], min(depth, self.raw["max_depth"])))
            rule = self.rules[stack.pop()]
            if token in self.ids:
                pushed = rule["symbols"].get(token)
            else:
                pushed = rule[{"c": "column", "t": "table", "q": "word"}[token[0]]]
            if pushed is None:
                return None
            stack += pushed
        return None if stack else seen


def lower(text):
    """As package lex does it."""
    return text.lower().replace("\u2019", "'")


def raw_lines(paths):
    for path in paths:
        opened = gzip.open(path, "rt") if str(path).endswith(".gz") else open(path)
        with opened as f:
            yield from f


def lines(paths):
    return (whole(json.loads(raw)) for raw in raw_lines(paths))


def whole(line):
    """A line whose empty lists are lists."""
    for item in [line, *line.get("tables", []), *line.get("columns", [])] if "schema" in line else []:
        for name in ("words", "values", "links"):
            if name in item and item[name] is None:
                item[name] = []
    return line


def named(raw):
    """For each column, then each table, what its text is made of: words of the table, its own, values."""
    tables = [t["words"] for t in raw["tables"]]
    return [(tables[c["table"]], c["words"], c["values"]) for c in raw["columns"]] + [([], words, []) for words in tables]


class Schema:
    """The part of an example that questions of one schema share."""

    def __init__(self, raw, table, texts):
        self.name = raw["schema"]
        columns, tables = raw["columns"], raw["tables"]
        self.c, self.t = len(columns), len(tables)
        self.of = np.array([c["table"] for c in columns], np.int64)
        self.words = np.zeros((self.c + self.t, WORDS), np.int32)
        for i, item in enumerate(columns + tables):
            ids = [table.id(w) for w in item["words"]][:WORDS] or [1]
            self.words[i, :len(ids)] = ids
        self.types = np.array([min(c["type"], TYPES - 1) for c in columns], np.uint8)
        self.flags = np.array([c["flags"] & 7 for c in columns], np.uint8)
        self.linked = np.zeros(self.c, bool)
        for pair in raw["links"]:
            self.linked[pair] = True
        self.relations = self.relate(raw["links"])
        of = [texts.add(*x) for x in named(raw)]
        self.pieces = np.array([(text, place, i) for i, (text, kept) in enumerate(of) for place in range(kept)], np.int32)

    def relate(self, links):
        c, t, of = self.c, self.t, self.of
        cc = np.where(of[:, None] == of[None, :], 1, 0)
        np.fill_diagonal(cc, 2)
        ct = np.zeros((c, t), np.int64)
        ct[np.arange(c), of] = np.where(self.flags & KEY, 2, 1)
        tt = np.eye(t, dtype=np.int64)
        for a, b in links:
            if a != b:
                cc[a, b], cc[b, a] = 3, 4
            u, v = of[a], of[b]
            if u == v:
                continue
            ct[a, v] = 3
            tt[u, v] = 4 if tt[u, v] in (3, 4) else 2
            tt[v, u] = 4 if tt[v, u] in (2, 4) else 3
        out = np.zeros((c + t, c + t), np.uint8)
        out[:c, :c] = COLUMN_COLUMN + cc
        out[:c, c:] = COLUMN_TABLE + ct
        out[c:, :c] = TABLE_COLUMN + ct.T
        out[c:, c:] = TABLE_TABLE + tt
        return out


class Encoder:
    """Turns a question into arrays of its own length."""

    def __init__(self, grammar, table, pieces):
        self.grammar, self.table, self.pieces = grammar, table, pieces

    def encode(self, e, s):
        q, n = len(e["tokens"]), len(e["tokens"]) + s.c + s.t
        if q == 0 or n > MOST:
            return None
        out = {
            "words": np.zeros((n, WORDS), np.int32), "item": np.full(n, TABLE, np.uint8),
            "kind": np.zeros(n, np.uint8), "type": np.zeros(n, np.uint8), "flag": np.zeros(n, np.uint8),
            "linked": np.zeros(n, bool), "relation": self.relate(e, s, q, n), "used": np.zeros(n, bool),
        }
        out["words"][:q, 0] = [self.table.id(lower(t[0])) for t in e["tokens"]]
        out["words"][q:] = s.words
        out["item"][:q], out["item"][q:q + s.c] = TOKEN, COLUMN
        out["kind"][:q] = np.minimum(e["kinds"], KINDS - 1)
        out["type"][q:q + s.c], out["flag"][q:q + s.c] = s.types, s.flags
        out["linked"][q:q + s.c] = s.linked
        ids, owner = self.pieces.question([t[0] for t in e["tokens"]])
        out["piece"], out["piece_word"] = np.array(ids, np.int32), np.array(owner, np.int16)
        out["name_text"], out["name_place"] = s.pieces[:, 0], s.pieces[:, 1].astype(np.uint8)
        out["name_item"] = (s.pieces[:, 2] + q).astype(np.int16)
        target = self.target(e.get("target"), s, q, out["used"])
        if target is None:
            return out
        return out | target

    def relate(self, e, s, q, n):
        r = np.zeros((n, n), np.uint8)
        i = np.arange(q)
        r[:q, :q] = TOKEN_TOKEN + np.clip(i[None, :] - i[:, None], -DISTANCE, DISTANCE) + DISTANCE
        for name, there, back, at, width in (
            ("columns", TOKEN_COLUMN, COLUMN_TOKEN, q, s.c),
            ("tables", TOKEN_TABLE, TABLE_TOKEN, q + s.c, s.t),
        ):
            block = np.zeros((q, width), np.uint8)
            if e[name]:
                triples = np.array(e[name])
                block[triples[:, 0], triples[:, 1]] = triples[:, 2]
            r[:q, at:at + width] = there + block
            r[at:at + width, :q] = back + block.T
        r[q:, q:] = s.relations
        return r

    def target(self, target, s, q, used):
        states = self.grammar.states(target) if target else None
        if states is None or len(target) > STEPS:
            return None
        symbols, places = len(self.grammar.symbols), {"q": 0, "c": q, "t": q + s.c}
        limits = {"q": q, "c": s.c, "t": s.t}
        want = []
        for token in target:
            if token in self.grammar.ids:
                want.append(self.grammar.ids[token])
                continue
            i = int(token[1:])
            if i >= limits[token[0]]:
                return None
            want.append(symbols + places[token[0]] + i)
            used[places[token[0]] + i] = True
            if token[0] == "c":
                used[q + s.c + s.of[i]] = True
        return {
            "want": np.array(want, np.int16), "state": np.array([a for a, _ in states], np.uint8),
            "depth": np.array([d for _, d in states], np.uint8),
        }


PADDING = {"item": NONE, "want": -1, "piece_word": -2, "name_item": -2}
LENGTH = {name: name for name in ("words", "relation")} | dict.fromkeys(("want", "state", "depth"), "steps")
LENGTH |= dict.fromkeys(("piece", "piece_word"), "pieces") | dict.fromkeys(("name_text", "name_place", "name_item"), "names")


def group(examples):
    """Pads examples to one shape."""
    n = -(-max(len(x["item"]) for x in examples) // 8) * 8
    longest = lambda name: max((len(x[name]) for x in examples if name in x), default=1)
    shapes = {"words": (n, WORDS), "relation": (n, n), "steps": (longest("want"),)}
    shapes |= {"pieces": (longest("piece"),), "names": (longest("name_text"),)}
    out = {}
    for name in ("words", "item", "kind", "type", "flag", "linked", "relation", "used", "want", "state", "depth",
                 "piece", "piece_word", "name_text", "name_place", "name_item"):
        shape = shapes.get(LENGTH.get(name), (n,))
        kind = np.int16 if name == "want" else examples[0][name].dtype if name in examples[0] else np.uint8
        padded = np.full((len(examples), *shape), PADDING.get(name, 0), kind)
        for i, x in enumerate(examples):
            if name in x:
                padded[(i, *map(slice, x[name].shape))] = x[name]
        out[name] = padded
    widest = int((out["words"] > 0).sum(2).max())
    out["words"] = np.ascontiguousarray(out["words"][:, :, :widest])
    return out


def read(paths, table, texts):
    """Schemas by name, and the questions with their arrays, made by all processors."""
    schemas, late = {}, []
    for raw in raw_lines(paths):
        if raw.startswith('{"schema"'):
            line = whole(json.loads(raw))
            schemas[line["schema"]] = Schema(line, table, texts)
        else:
            late.append(raw)
    with multiprocessing.get_context("fork").Pool(initializer=share, initargs=(Encoder(Grammar(), table, texts.pieces), schemas)) as pool:
        made = pool.map(encoded, late, chunksize=256)
    questions = [x for x in made if x is not None]
    return schemas, questions, len(made) - len(questions)


shared = {}  # what the processes that encode questions have in common


def share(encoder, schemas):
    shared.update(encoder=encoder, schemas=schemas)


def encoded(raw):
    """What a question is, and its arrays; None when it cannot be learned from."""
    line = json.loads(raw)
    schema = shared["schemas"].get(line["db"])
    arrays = shared["encoder"].encode(line, schema) if schema else None
    if arrays is None:
        return None
    about = {k: line[k] for k in ("db", "id", "set", "question")}
    about["origin"] = origin(line)
    about["tokens"] = len(line["tokens"])
    about["columns"] = schema.c
    about["pieces"] = len(arrays["piece"]), len(arrays["name_text"])
    about["target"] = line.get("target") if "want" in arrays else None
    return about, arrays


def grouped(questions):
    """Groups of similar length, each a list of what the examples are and their tensors."""
    by_length = {}
    for about, arrays in questions:
        by_length.setdefault(-(-len(arrays["item"]) // LENGTHS), []).append((about, arrays))
    return [
        {"about": [a for a, _ in some], "arrays": group([x for _, x in some])}
        for _, some in sorted(by_length.items())
    ]


SYNTHETIC = "synthetic"


def base(name):
    """The set that a set is one of: synthetic questions name their origin."""
    return SYNTHETIC if name.startswith(SYNTHETIC + "-") else name


def origin(line):
    """The database that the words of a question are from."""
    return line["set"][len(SYNTHETIC) + 1:] if base(line["set"]) != line["set"] else line["db"]


def part(name, parts):
    """Which of so many parts a database belongs to, the same everywhere; under other names too."""
    return zlib.crc32(name.removeprefix("alike_").removeprefix("renamed_").encode()) % parts


def main(out, paths):
    start = time.time()
    texts = Texts(Pieces(PIECES))
    schemas, questions, missed = read(paths, Table(VECTORS), texts)
    sets = {}
    for about, _ in questions:
        count = sets.setdefault(base(about["set"]), [0, 0])
        count[0] += 1
        count[1] += about["target"] is not None
    groups = grouped(questions)
    with open(out, "wb") as f:
        pickle.dump({"groups": groups, "texts": texts.arrays()}, f, protocol=5)
    size = sum(a.nbytes for g in groups for a in g["arrays"].values())
    print(f"{len(schemas)} schemas; questions, with a target: {sets}; {missed} left out; "
          f"{len(texts.index)} texts of names, {len(groups)} groups, {size / 1e6:.0f} MB, {time.time() - start:.0f} s", flush=True)


if __name__ == "__main__":
    main(sys.argv[1], sys.argv[2:])
