"""Makes up databases such as people keep in spreadsheets, for everyday_ask.py.

    python3 everyday.py --out everyday-databases --count 500

writes SQLite files; everyday.json, which says of every column what it is of
everyday_words.py; and everyday-first.jsonl, one question for each database, so
that `quern features` gives their schemas. The same seed makes the same files.
"""
import argparse
import datetime
import json
import pathlib
import random
import re
import sqlite3

from everyday_names import Naming
from everyday_words import Field, kinds, values_of

SPELLINGS = [("yes", "no"), ("Yes", "No"), ("true", "false"), ("TRUE", "FALSE"), ("Y", "N"), ("y", "n"), ("t", "f"), (1, 0), (1, 0)]
FIRST, LAST = datetime.date(2015, 1, 1), datetime.date(2026, 12, 31)


class Maker:
    """One database in the making: kinds, their columns, their rows."""

    def __init__(self, seed, all, about=(), stamps=0.15):
        self.random = random.Random(seed)
        self.all, self.naming = all, Naming(self.random)
        self.about, self.stamps = about, stamps  # kinds one of which it is about, if any; the share of dates with a time of day
        self.spelling = self.random.choice(SPELLINGS)
        year = self.random.randint(FIRST.year, 2024)
        self.first, self.last = datetime.date(year, 1, 1), min(LAST, datetime.date(year + self.random.randint(1, 4), 12, 31))
        self.kinds = self.choose()
        self.rows = {}

    def choose(self):
        """Kinds that belong together, those that others point to first."""
        r = self.random
        chosen = [r.choice(list(self.about or self.all))]
        for _ in range(r.choice([0, 0, 1, 1, 1, 2, 3])):
            known = {k for one in chosen for f in self.all[one].fields if f.sort == "f" for k in f.more}
            known |= {k.one for k in self.all.values() for f in k.fields if f.sort == "f" and set(f.more) & set(chosen)}
            known -= set(chosen)
            if not known:
                break
            chosen.append(r.choice(sorted(known)))
        order = []
        while chosen:
            free = [k for k in chosen if not any(f.sort == "f" and set(f.more) & (set(chosen) - {k}) for f in self.all[k].fields)]
            order += free or chosen[:1]
            chosen = [k for k in chosen if k not in order]
        return [self.all[k] for k in order]

    def fields(self, kind):
        """Some of a kind's fields; no two that the same word says."""
        r, out, said = self.random, [], set()
        share = r.uniform(0.45, 0.9)
        needed = {w for x in kind.formulas for w in (x.first, x.second)}
        for f in r.sample(kind.fields, len(kind.fields)):
            here = [k.one for k in self.kinds if k.one in f.more and k is not kind] if f.sort == "f" else []
            words = set(f.words.split()) | (set(f.more[:1]) if f.sort in "do" else set())
            often = 0.9 if f.words in needed or f.sort in "do" and f.more[0] in needed else share
            if not here and f.sort != "n" and r.random() > often or words & said and often == share:
                continue
            said |= words
            if f.sort == "f":
                parent = r.choice(here) if here else None
                if parent is None:
                    f = Field("k", "for", f.words, values_of("first"), 0, 0)
                else:
                    f = f._replace(words=parent if r.random() < 0.5 else f.words, more=[parent])
            out.append(f)
        out.sort(key=lambda f: (f.sort != "n", kind.fields.index(f) if f in kind.fields else r.randint(2, 9)))
        if r.random() < 0.3:
            head, tail = out[:1], out[1:]
            r.shuffle(tail)
            out = head + tail
        return out

    def table(self, kind):
        """A table's name, its columns (heading, field) and its rows."""
        n, r = self.random.randint(18, 60), self.random
        fields = self.fields(kind)
        columns, cells = [], []
        if r.random() < 0.7 or not fields or fields[0].sort != "n":
            columns.append((self.naming.column(kind, r.choice(["id", "id", kind.one + " id", kind.one + " number", "number"])), Field("id", "", "id", [], 0, 0)))
            start = r.choice([1, 1, 100, 1001])
            cells.append([start + i for i in range(n)])
        for f in fields:
            heading = self.heading(kind, f)
            if heading.lower() in (h.lower() for h, _ in columns):
                continue
            columns.append((heading, f))
            cells.append(self.cells(f, n))
        rows = [list(row) for row in zip(*cells)]
        self.rows[kind.one] = columns, rows
        return self.naming.table(kind), columns, rows

    def heading(self, kind, f):
        words = f.words
        if f.sort == "b":
            words = self.naming.flag(f)
        elif f.sort in "do":
            words = self.naming.date(f)
        elif f.sort == "f" and "id" in self.keys(f.more[0]):
            words += " id"
        elif f.sort == "n" and words == "name" and self.random.random() < 0.5:
            words = self.random.choice(["full name", kind.one, kind.one, kind.one + " name"])
        return self.naming.column(kind, words, f.sort)

    def keys(self, one):
        """The sorts of columns by which a kind's rows can be pointed to."""
        return [f.sort for _, f in self.rows[one][0] if f.sort in ("id", "n")]

    def cells(self, f, n):
        r = self.random
        if f.sort == "f":
            columns, rows = self.rows[f.more[0]]
            sort = "id" if "id" in self.keys(f.more[0]) else "n"
            at = next(i for i, (_, g) in enumerate(columns) if g.sort == sort)
            used = r.sample(rows, max(1, int(len(rows) * r.uniform(0.5, 0.9))))
            return [r.choice(used)[at] for _ in range(n)]
        if f.sort == "n":
            return self.names(f.more, n)
        missing = r.uniform(0.1, 0.5) if f.sort in "oxy" else r.uniform(0.02, 0.1) if f.sort in "$#ck" and r.random() < 0.1 else 0
        make = {"b": self.truth, "t": self.clock, "d": self.date, "o": self.date, "$": self.amount, "#": self.number, "y": self.number}.get(f.sort, self.text)(f)
        cells = [None if r.random() < missing else make() for _ in range(n)]
        return [None] + cells[1:] if missing else cells

    def names(self, values, n):
        r, seen = self.random, []
        while len(seen) < n:
            name = self.filled(r.choice(values))
            if values == ["people"]:
                name = r.choice(values_of("first")) + " " + r.choice(values_of("last"))
            if name in seen:
                name = f"{name} {len(seen) + 1}"
            seen.append(name)
        return seen

    def filled(self, text):
        return re.sub("#", lambda _: str(self.random.randint(1, 9)), text)

    def text(self, f):
        r, case = self.random, self.random.choice([str, str.capitalize, str.capitalize, str.upper]) if f.sort == "c" else str
        if f.more == ["people"]:
            return lambda: r.choice(values_of("first")) + " " + r.choice(values_of("last"))
        return lambda: self.filled(case(r.choice(f.more or values_of("notes"))))

    def truth(self, f):
        r = self.random
        yes, no = self.spelling if r.random() < 0.7 else r.choice(SPELLINGS)
        share = r.uniform(0.25, 0.75)
        return lambda: yes if r.random() < share else no

    def date(self, f):
        r, days = self.random, (self.last - self.first).days
        stamp = r.random() < self.stamps

        def make():
            d = self.first + datetime.timedelta(days=r.randint(0, days))
            return d.isoformat() + (f"T{r.randint(7, 20):02}:{r.randint(0, 59):02}:00Z" if stamp else "")
        return make

    def clock(self, f):
        r = self.random
        return lambda: f"{r.randint(7, 21):02}:{r.choice([0, 0, 15, 30, 30, 45]):02}"

    def amount(self, f):
        r, whole = self.random, self.random.random() < 0.4
        return lambda: r.randint(f.low, f.high) if whole else round(r.uniform(f.low, f.high), 2)

    def number(self, f):
        return lambda: self.random.randint(f.low, f.high)


def quote(name):
    return '"' + name.replace('"', '""') + '"'


def clean(name):
    """A table's name as its dataset has it."""
    return re.sub(r"[^A-Za-z0-9_-]", "_", name)


def save(path, maker):
    """Writes a database, and gives what it holds for everyday.json."""
    path.unlink(missing_ok=True)
    about = {}
    with sqlite3.connect(path) as db:
        for kind in maker.kinds:
            table, columns, rows = maker.table(kind)
            db.execute(f"CREATE TABLE {quote(table)} ({', '.join(quote(h) for h, _ in columns)})")
            db.executemany(f"INSERT INTO {quote(table)} VALUES ({', '.join('?' * len(columns))})", rows)
            about[clean(table)] = {"kind": kind.one, "columns": {h: described(f, [r[i] for r in rows]) for i, (h, f) in enumerate(columns)}}
    db.close()
    first = quote(maker.naming.table(maker.kinds[0]))
    return about, f"SELECT count(*) FROM {first}"


def described(f, cells):
    out = {"sort": f.sort, "form": f.form, "words": f.words, "more": f.more}
    if f.sort in "do":
        out["days"] = sorted({c[:10] for c in cells if c})
        out["stamp"] = any("T" in c for c in cells if c)
    return out


def main():
    p = argparse.ArgumentParser()
    p.add_argument("--out", required=True, type=pathlib.Path)
    p.add_argument("--count", type=int, default=500)
    p.add_argument("--seed", type=int, default=11)
    p.add_argument("--shapes", action="store_true", help="of kinds whose numbers and dates people reckon with (shape_kinds.txt)")
    args = p.parse_args()
    args.out.mkdir(parents=True, exist_ok=True)
    all, about, first = kinds(), {}, []
    shapes = kinds("shape_kinds.txt") if args.shapes else {}
    all |= shapes
    for i in range(args.count):
        maker = Maker(args.seed * 100_000 + i, all, list(shapes), 0.4 if shapes else 0.15)
        name = f"{'shapes' if shapes else 'everyday'}{i:03}_" + "_".join(k.one.replace(" ", "-") for k in maker.kinds)
        about[name], sql = save(args.out / (name + ".sqlite"), maker)
        first.append({"db": name, "question": "How many are there?", "sql": sql, "set": "everyday-first"})
    (args.out / "everyday.json").write_text(json.dumps(about))
    (args.out / "everyday-first.jsonl").write_text("".join(json.dumps(x) + "\n" for x in first))
    tables = [len(x) for x in about.values()]
    print(f"{len(about)} databases, {sum(tables)} tables")


if __name__ == "__main__":
    main()
