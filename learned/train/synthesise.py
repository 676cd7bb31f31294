"""Synthetic questions: real ones, asked of other schemas.

A question whose columns, tables and values are all found in its text is a
template. Its mentions are filled anew with names and values of another schema
(or of its own), and its target is pointed at them.

    python3 synthesise.py --out synthetic.jsonl.gz --count 30000 lines.jsonl.gz...

Lines come out as the exporter reads them: {"db", "id", "set", "question",
"target", "values"}. In the target a constant is "VAL", "q", "q"; values holds,
for each VAL in order, the first byte of its text in the question and the one
after its last. The set is "synthetic-" and the database that the template is
from, so that cross-validation can leave it out.

Only questions of --sets are templates, and only schemas that they ask are asked.
"""
import argparse
import collections
import gzip
import json
import random
import re
import time

import numpy as np

import data
import patterns
from vectors import Table

POINTER = re.compile(r"[ctq]\d+")
COMPARISONS = {"=", "<>", ">", "<", ">=", "<=", "between", "in", "!in"}
MATCHES = {"contains", "starts", "ends", "like", "!contains", "!starts", "!ends", "!like"}
CLAUSES = {"WHERE", "AND", "OR", "HAVING"}
# Near in every text, and not the same.
OPPOSED = set("""first second third last high low higher lower highest lowest max min maximum minimum more less most
least male female man woman men women boy girl start end begin finish home away win loss wins losses winner loser
north south east west left right up down old young older younger buy sell id number code name type year month day
date one two three four five six seven eight nine ten before after in out to from and or not all any total average""".split())


class Schema:
    def __init__(self, raw):
        self.name, self.columns, self.tables = raw["schema"], raw["columns"], raw["tables"]
        self.links = [tuple(x) for x in raw["links"]]
        self.of = [c["table"] for c in self.columns]
        self.key = [c["flags"] & 3 > 0 for c in self.columns]
        for a, b in self.links:
            self.key[a] = self.key[b] = True
        self.by_table = [[] for _ in self.tables]
        for i, t in enumerate(self.of):
            self.by_table[t].append(i)
        self.named = [spoken(t["words"]) for t in self.tables]

    def vocabulary(self):
        return {w for item in self.columns + self.tables for w in item["words"]}


def spoken(words):
    """Whether somebody would say it."""
    return 0 < len(words) <= 5 and all(w.isalpha() for w in words) and words not in (["table"], ["rows"], ["data"]) and any(len(w) > 2 for w in words)


def says_yes(column):
    """Whether a column says yes or no: few questions of others fit it."""
    return column["type"] == 3


Slot = collections.namedtuple("Slot", "start end kind of")  # of: a column, a table, or a place in values
Value = collections.namedtuple("Value", "start end column op")


class Template:
    """A question with its mentions marked; None where it does not make one."""

    def __init__(self, question, schema):
        self.text, self.target, self.schema, self.db = question["question"], question["target"], schema, question["db"]
        pointers = [t for t in self.target if POINTER.fullmatch(t)]
        self.columns = list(dict.fromkeys(int(t[1:]) for t in pointers if t[0] == "c"))
        self.tables = list(dict.fromkeys(
            [schema.of[c] for c in self.columns] + [int(t[1:]) for t in pointers if t[0] == "t"]))
        self.skeleton = " ".join("c" if POINTER.fullmatch(t) and t[0] == "c" else t for t in self.target if t[0] not in "tq" or not POINTER.fullmatch(t))

    @classmethod
    def make(cls, question, schema):
        if not question["question"].isascii() or not question.get("target"):
            return None
        self = cls(question, schema)
        if len(self.tables) > 3 or self.points_to_links() or not self.join() or not self.find_values(question["tokens"]):
            return None
        return self if self.find_mentions(question) else None

    def points_to_links(self):
        if "EXTRA" not in self.target:
            return False
        after = self.target[self.target.index("EXTRA") + 1:]
        return bool(after) and after[0][0] == "c" and POINTER.fullmatch(after[0]) is not None

    def join(self):
        """Finds links that hold the tables together, each from a table that is in already."""
        self.joined, inside = [], [self.tables[0]] if self.tables else []
        while len(inside) < len(self.tables):
            found = next(((a, b, way) for a, b in self.schema.links for way in (0, 1)
                          if self.schema.of[(a, b)[way]] in inside
                          and self.schema.of[(a, b)[1 - way]] in self.tables
                          and self.schema.of[(a, b)[1 - way]] not in inside), None)
            if found is None:
                return False
            self.joined.append(found)
            inside.append(self.schema.of[found[:2][1 - found[2]]])
        self.tables = inside
        return bool(inside)

    def find_values(self, tokens):
        self.values, column, op = [], None, None
        taken = set()
        for k, token in enumerate(self.target):
            if token in COMPARISONS or token in MATCHES:
                plain = self.target[k - 1][0] == "c" and POINTER.fullmatch(self.target[k - 1]) and self.target[k - 2] in CLAUSES
                column, op = (int(self.target[k - 1][1:]) if plain else None), token
            elif token == "LIMIT":
                column = None
            elif token == "VAL":
                a, b = int(self.target[k + 1][1:]), int(self.target[k + 2][1:])
                if b >= len(tokens) or taken & set(range(a, b + 1)):
                    return False
                taken |= set(range(a, b + 1))
                self.values.append(Value(tokens[a][1], tokens[b][2], column, op))
            elif token[0] == "'" or (token.isdigit() and column is not None and self.target[k - 1] in COMPARISONS):
                return False
        self.taken = taken
        return True

    def find_mentions(self, question):
        tokens, schema = question["tokens"], self.schema
        self.slots = [Slot(v.start, v.end, "value", i) for i, v in enumerate(self.values)]
        valued = {v.column for v in self.values if v.column is not None}
        names = collections.Counter(tuple(schema.columns[c]["words"]) for c in self.columns)
        exact = collections.defaultdict(set)
        for token, column, relation in question["columns"]:
            if relation // 5 == 2 and relation < 15:
                exact["c", column].add(token)
        for token, table, relation in question["tables"]:
            if relation == 2:
                exact["t", table].add(token)
        for c in sorted(self.columns, key=lambda c: -len(schema.columns[c]["words"])):
            alone = names[tuple(schema.columns[c]["words"])] == 1
            if not alone and not schema.key[c]:
                return False
            if alone and self.mark(exact["c", c], tokens, "column", c):
                continue
            if not schema.key[c] and not (c in valued and not schema.columns[c]["number"]):
                return False
        for t in sorted(self.tables, key=lambda t: -len(schema.tables[t]["words"])):
            self.mark(exact["t", t], tokens, "table", t)
        self.slots.sort()
        mentioned = {s.of for s in self.slots if s.kind == "table"}
        # A table that only a pointer names must be said where there are others,
        # and so must something of every table.
        shown = mentioned | {schema.of[s.of] for s in self.slots if s.kind == "column"}
        shown |= {schema.of[c] for c in valued if not schema.columns[c]["number"]}
        self.vague = not shown >= set(self.tables) or any(
            int(x[1:]) not in mentioned for x in self.target if x[0] == "t" and POINTER.fullmatch(x))
        return any(s.kind != "value" for s in self.slots)

    def mark(self, where, tokens, kind, of):
        """Makes a slot of every run of tokens that is free."""
        free, runs = sorted(where - self.taken), []
        for i in free:
            if runs and runs[-1][1] == i - 1:
                runs[-1][1] = i
            else:
                runs.append([i, i])
        for a, b in runs:
            self.slots.append(Slot(tokens[a][1], tokens[b][2], kind, of))
            self.taken |= set(range(a, b + 1))
        return bool(runs)


def plural(word):
    if word.endswith("s") or not word.isalpha():
        return word
    if word.endswith("y") and len(word) > 2 and word[-2] not in "aeiou":
        return word[:-1] + "ies"
    return word + ("es" if word.endswith(("x", "ch", "sh")) else "s")


class Maker:
    def __init__(self, table, near):
        self.table, self.near_share = table, near
        rows = table.vectors[:12000]
        self.unit = rows / np.maximum(np.linalg.norm(rows, axis=1, keepdims=True), 1e-6)
        self.nearest = {}

    def near(self, word, known):
        """A word near in meaning that no name of the schema has."""
        if word in OPPOSED or word not in self.table.ids:
            return word
        if word not in self.nearest:
            id = self.table.id(word)
            close = self.unit @ self.unit[id] if id < len(self.unit) else np.zeros(1)
            order = np.argsort(-close)[:9]
            self.nearest[word] = [self.table.words[i - 3] for i in order if i > 2 and i != id and close[i] > 0.65]
        fit = [w for w in self.nearest[word] if w.isalpha() and w not in known and w not in OPPOSED]
        return random.choice(fit) if fit else word

    def say(self, old, words, known):
        """A name in the manner of the mention it replaces."""
        words = list(words)
        if not words:
            return None
        if random.random() < self.near_share:
            i = random.randrange(len(words))
            words[i] = self.near(words[i], known)
        if old[-1:] in "sS":
            if random.random() < 0.9:
                words[-1] = plural(words[-1])
        elif len(words[-1]) > 3 and words[-1].endswith("s") and not words[-1].endswith("ss") and random.random() < 0.5:
            words[-1] = words[-1][:-1]
        if len(words) > 2 and random.random() < 0.12:
            words.pop(random.randrange(len(words) - 1))
        text = " ".join(words)
        return text[0].upper() + text[1:] if old[:1].isupper() else text

    def place(self, t, schema, same):
        """Tables and joined columns of the new schema for those of the template."""
        if same:
            return {u: u for u in t.tables}, {c: c for a, b, _ in t.joined for c in (a, b)}
        tables, columns = {t.tables[0]: random.randrange(len(schema.tables))}, {}
        for a, b, way in t.joined:
            ends = (a, b)
            here, there = t.schema.of[ends[way]], t.schema.of[ends[1 - way]]
            fit = [x for x in schema.links if schema.of[x[way]] == tables[here] and schema.of[x[1 - way]] not in tables.values()]
            if not fit:
                return None
            link = random.choice(fit)
            tables[there] = schema.of[link[1 - way]]
            columns[ends[way]], columns[ends[1 - way]] = link[way], link[1 - way]
        return tables, columns

    def choose(self, t, schema, tables, columns):
        """A column of the new schema for every one of the template."""
        valued = {v.column for v in t.values}
        names = {tuple(schema.columns[c]["words"]) for c in columns.values()}
        columns = dict(columns)
        for c in t.columns:
            if c in columns:
                continue
            old, fit = t.schema.columns[c], []
            for x in schema.by_table[tables[t.schema.of[c]]]:
                new = schema.columns[x]
                if x in columns.values() or old["number"] != new["number"] or t.schema.key[c] != schema.key[x] or says_yes(old) != says_yes(new):
                    continue
                if not 0 < len(new["words"]) <= 5 or tuple(new["words"]) in names or (c in valued and not new["values"]):
                    continue
                fit.append(x)
            if not fit:
                return None
            columns[c] = random.choice(fit)
            names.add(tuple(schema.columns[columns[c]]["words"]))
        return columns

    @staticmethod
    def constant(op, column, used):
        text = random.choice(column["values"]).strip()
        if op in MATCHES:
            parts = [w for w in text.split() if w.isalpha()]
            text = random.choice(parts) if parts else ""
        if re.fullmatch(r"-?\d+\.0", text):
            text = text[:-2]
        if not re.search(r"\w", text) or len(text) > 40 or len(text.split()) > 6 or text in used or "\n" in text:
            return None
        used.add(text)
        return text

    def fill(self, t, schema, same):
        placed = self.place(t, schema, same)
        columns = placed and self.choose(t, schema, *placed)
        if not columns and (placed is None or t.columns):
            return None
        tables, known = placed[0], schema.vocabulary()
        out, at, used, spans = "", 0, set(), {}
        for slot in t.slots:
            old = t.text[slot.start:slot.end]
            if slot.kind == "column":
                new = self.say(old, schema.columns[columns[slot.of]]["words"], known)
            elif slot.kind == "table":
                new = self.say(old, self.table_words(schema, tables[slot.of]), known)
            else:
                value = t.values[slot.of]
                new = old if value.column is None else self.constant(value.op, schema.columns[columns[value.column]], used)
            if not new:
                return None
            out += t.text[at:slot.start]
            if slot.kind == "value":
                first = len(out.encode())
                spans[slot.of] = [first, first + len(new.encode())]
            out, at = out + new, slot.end
        out += t.text[at:]
        return {
            "db": schema.name, "set": "synthetic-" + t.db, "question": out,
            "target": self.point(t.target, columns, tables), "values": [spans[i] for i in range(len(t.values))],
        }

    @staticmethod
    def table_words(schema, t):
        if schema.named[t]:
            return schema.tables[t]["words"]
        # A table without a name of its own is called after what its first columns name.
        for c in schema.by_table[t]:
            if not schema.columns[c]["number"] and spoken(schema.columns[c]["words"]):
                return schema.columns[c]["words"][-1:]
        return []

    @staticmethod
    def point(target, columns, tables):
        out = []
        for token in target:
            if not POINTER.fullmatch(token):
                out.append(token)
            elif token[0] == "q":
                out.append("q")
            else:
                out.append(token[0] + str((columns if token[0] == "c" else tables)[int(token[1:])]))
        return out


def main():
    p = argparse.ArgumentParser()
    p.add_argument("lines", nargs="+")
    p.add_argument("--out", required=True)
    p.add_argument("--count", type=int, default=30000)
    p.add_argument("--seconds", type=float, default=600)
    p.add_argument("--sets", default="spider-open,paraphrase-open,wikisql-open")
    p.add_argument("--spare", action="store_true", help="also ask schemas that no question of the lines asks")
    p.add_argument("--near", type=float, default=0.1, help="share of names that have a word replaced by a near one")
    p.add_argument("--patterns", type=float, default=0.2, help="share of questions made of patterns.py")
    p.add_argument("--shapes", action="store_true", help="only questions that have to be reckoned, of patterns.SHAPES")
    p.add_argument("--seed", type=int, default=7)
    args = p.parse_args()
    if args.shapes:
        args.patterns = 1
    random.seed(args.seed)
    start, sets = time.time(), set(args.sets.split(","))
    schemas, questions, asked = {}, [], {}
    for line in data.lines(args.lines):
        if "schema" in line:
            schemas[line["schema"]] = Schema(line)
        else:
            asked.setdefault(line["db"], set()).add(line["set"])
            questions.append(line)
    open_ = [n for n in schemas if asked.get(n, sets if args.spare else {""}) <= sets]
    allowed = set(open_)
    templates = [t for q in questions if q["db"] in allowed and (t := Template.make(q, schemas[q["db"]]))]
    times = collections.Counter(t.skeleton for t in templates)
    many, one = ([t for t in templates if (len(t.tables) > 1) == x] for x in (True, False))
    linked = [n for n in open_ if schemas[n].links]
    wide = [n for n in open_ if len(schemas[n].tables) > 1]
    print(f"{len(questions)} questions, {len(templates)} templates ({len(many)} of several tables), {len(times)} skeletons, "
          f"{len(open_)} schemas ({len(linked)} with links)", flush=True)
    maker = Maker(Table(data.VECTORS), args.near)
    asker = patterns.Asker(maker, patterns.SHAPES if args.shapes else None)
    weights = {id(some): np.cumsum([1 / times[t.skeleton] ** 0.5 for t in some]).tolist() for some in (many, one) if some}
    made, seen, tried = 0, set(), 0
    opener = gzip.open if args.out.endswith(".gz") else open
    with opener(args.out, "wt") as f:
        while made < args.count and time.time() - start < args.seconds:
            tried += 1
            if random.random() < args.patterns:
                several = bool(linked) and random.random() < 0.4
                name = random.choice(linked if several else wide if wide and random.random() < 0.5 else open_)
                line = asker.ask(schemas[name], several)
                if line and (name, line["question"]) not in seen:
                    seen.add((name, line["question"]))
                    f.write(json.dumps(line | {"id": made, "set": "synthetic-" + name}) + "\n")
                    made += 1
                continue
            some = many if many and linked and (random.random() < 0.5 or not one) else one
            t = random.choices(some, cum_weights=weights[id(some)])[0]
            same = random.random() < 0.2
            names = linked if some is many else wide if wide and random.random() < 0.5 else open_
            schema = t.schema if same else schemas[random.choice(names)]
            if t.vague and not same and len(schema.tables) > 1:
                continue
            line = maker.fill(t, schema, same)
            if line is None or (line["db"], line["question"]) in seen or line["question"] == t.text:
                continue
            seen.add((line["db"], line["question"]))
            f.write(json.dumps(line | {"id": made}) + "\n")
            made += 1
    print(f"{made} questions made of {tried} tried, {time.time() - start:.0f} s", flush=True)


if __name__ == "__main__":
    main()
