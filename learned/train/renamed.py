"""Copies databases with their tables and columns named in other ways.

    python3 renamed.py --databases sets/databases --out renamed-databases --questions renamed.jsonl sets/spider-open.jsonl sets/paraphrase-open.jsonl

The questions of a copy are those of the original; their SQL names things as the
copy does, and gives the same rows there, or it is left out. Their set is
"synthetic-" and the original, so that cross-validation leaves both out together.
"""
import argparse
import collections
import json
import pathlib
import random
import re
import shutil
import sqlite3

from everyday_names import SHORT, without_vowels, written

LONG = {short: long for long, shorts in SHORT.items() for short in shorts if short not in ("no", "min", "max", "state", "cat", "vol", "vendor")}
TOKEN = re.compile(r"""'(?:[^']|'')*'|"(?:[^"]|"")*"|`[^`]*`|[A-Za-z_]\w*|\d[\w.]*|\s+|.""", re.S)
KEYWORDS = set("""select from where group by order having limit and or not in is null like between as on join inner left outer union intersect except
distinct asc desc count sum avg min max exists case when then else end all any cast""".split())
LARGEST = 4_000_000  # bytes of a database


def words_of(name):
    """A name taken apart at its seams."""
    return [w.lower() for w in re.findall(r"[A-Z]+(?![a-z])|[A-Z]?[a-z]+|\d+", name)]


class Names:
    """New names for the old ones of a database; one name is renamed alike in all tables."""

    def __init__(self, tables):
        r = random.random
        self.style = random.choice(["snake", "camel", "pascal", "upper", "title", "lower", "snake"])
        self.short, self.hurried, self.prefixed = random.choice([0.2, 0.6, 0.9]), random.choice([0, 0, 0.2]), random.choice([0, 0, 0.7])
        head = random.choice(["", "", "tbl ", "t "])
        self.new, taken = {}, set()
        holders = collections.Counter(c.lower() for columns in tables.values() for c in columns)
        for table, columns in tables.items():
            self.put(table, head + " ".join(self.changed(table)), "snake" if self.style in ("title", "lower") else self.style, taken)
            for c in columns:
                words = self.changed(c)
                if holders[c.lower()] == 1 and r() < self.prefixed and words_of(table)[:1] != words[:1]:
                    words = words_of(table) + words
                self.put(c, " ".join(words), self.style, taken)

    def changed(self, name):
        """The words of a name, some shorter, some written out."""
        out = []
        for w in words_of(name):
            if w in LONG and random.random() < 0.6:
                w = LONG[w]
            elif w in SHORT and random.random() < self.short:
                w = random.choice(SHORT[w])
            elif random.random() < self.hurried:
                w = without_vowels(w)
            out.append(w)
        return out

    def put(self, old, words, style, taken):
        if old.lower() in self.new:
            return
        name = written(words, style) if words else old
        while name.lower() in taken or name[0].isdigit() or name.lower() in KEYWORDS:
            name = "x_" + name
        taken.add(name.lower())
        self.new[old.lower()] = name

    def sql(self, text):
        """SQL with its names replaced."""
        parts = TOKEN.findall(text)
        out = []
        for i, t in enumerate(parts):
            called = next((p for p in parts[i + 1:] if p.strip()), "") == "("
            bare = t.strip('`')
            if t[0] not in "'\"" and bare.lower() in self.new and (t[0] == "`" or t.lower() not in KEYWORDS and not called):
                t = quote(self.new[bare.lower()])
            out.append(t)
        return "".join(out)


def quote(name):
    return name if re.fullmatch(r"[A-Za-z_]\w*", name) else '"' + name.replace('"', '""') + '"'


def always(name):
    return '"' + name.replace('"', '""') + '"'


def tables_of(db):
    names = [n for (n,) in db.execute("SELECT name FROM sqlite_master WHERE type = 'table' AND name NOT LIKE 'sqlite_%'")]
    return {n: [row[1] for row in db.execute(f"PRAGMA table_info({always(n)})")] for n in names}


def copy(source, to, names, tables):
    """Writes the copy; what cannot be renamed raises sqlite3.Error."""
    shutil.copy(source, to)
    with sqlite3.connect(to) as db:
        for table, columns in tables.items():
            # By way of names that none has: a new name may be the old one of another.
            for old, new in [(c, names.new[c.lower()] + " renaming") for c in columns] + [(names.new[c.lower()] + " renaming", names.new[c.lower()]) for c in columns]:
                db.execute(f"ALTER TABLE {always(table)} RENAME COLUMN {always(old)} TO {always(new)}")
        for ending in (" renaming", ""):
            for table in tables:
                before = names.new[table.lower()] + " renaming" if not ending else table
                db.execute(f"ALTER TABLE {always(before)} RENAME TO {always(names.new[table.lower()] + ending)}")
    db.close()


def rows(db, sql):
    """What a query gives, in any order; None when it does not run."""
    try:
        return sorted(map(repr, db.execute(sql).fetchmany(2000)))
    except sqlite3.Error:
        return None


def renamed(source, to, questions):
    """Copies a database; gives the questions that can be asked of the copy."""
    old = sqlite3.connect(f"file:{source}?mode=ro", uri=True)
    old.text_factory = bytes
    plain = sqlite3.connect(f"file:{source}?mode=ro", uri=True)
    tables = tables_of(plain)
    names = Names(tables)
    copy(source, to, names, tables)
    new = sqlite3.connect(to)
    new.text_factory = bytes
    out = []
    for q in questions:
        sql = names.sql(q["sql"])
        wanted = rows(old, q["sql"])
        if wanted is not None and wanted == rows(new, sql):
            out.append(q | {"db": to.stem, "sql": sql, "set": "synthetic-" + q["db"]})
    for db in (old, plain, new):
        db.close()
    return out


def main():
    p = argparse.ArgumentParser()
    p.add_argument("sets", nargs="+")
    p.add_argument("--databases", required=True, type=pathlib.Path)
    p.add_argument("--out", required=True, type=pathlib.Path)
    p.add_argument("--questions", required=True)
    p.add_argument("--count", type=int, default=100, help="databases")
    p.add_argument("--each", type=int, default=32, help="questions of one")
    p.add_argument("--seed", type=int, default=3)
    args = p.parse_args()
    random.seed(args.seed)
    args.out.mkdir(parents=True, exist_ok=True)
    asked = collections.defaultdict(list)
    for path in args.sets:
        for line in open(path):
            q = json.loads(line)
            asked[q["db"]].append(q)
    fit = [n for n in sorted(asked) if (args.databases / f"{n}.sqlite").stat().st_size < LARGEST]
    made, left_out, tried = [], 0, 0
    for name in random.sample(fit, min(args.count, len(fit))):
        chosen = random.sample(asked[name], min(args.each, len(asked[name])))
        to = args.out / f"renamed_{name}.sqlite"
        tried += len(chosen)
        try:
            made += renamed(args.databases / f"{name}.sqlite", to, chosen)
        except sqlite3.Error as err:
            print(f"{name}: {err}")
            to.unlink(missing_ok=True)
            left_out += 1
    with open(args.questions, "w") as f:
        for i, q in enumerate(made):
            f.write(json.dumps(q | {"id": i}, ensure_ascii=False) + "\n")
    print(f"{len({q['db'] for q in made})} databases ({left_out} left out), {len(made)} questions of {tried}")


if __name__ == "__main__":
    main()
