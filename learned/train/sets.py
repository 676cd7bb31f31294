"""Turns the public question sets into what `quern eval` and `quern features` read.

    python3 sets.py --spider DIR --wikisql DIR --out DIR

Spider (https://yale-lily.github.io/spider, CC BY-SA 4.0): DIR/train.jsonl holds
{"db", "question", "paraphrase", "sql"} a line, DIR/databases/<db>.sqlite the data.
WikiSQL (https://github.com/salesforce/WikiSQL, BSD-3-Clause): DIR/train.jsonl.gz
holds {"table", "question", "agg", "select", "where"} a line, DIR/tables.jsonl.gz
{"id", "header", "rows"}.

Both are split by database, so that no closed one is ever seen in training:

    spider-open.jsonl      spider-closed.jsonl        databases/
    paraphrase-open.jsonl  paraphrase-closed.jsonl
    wikisql-open.jsonl     wikisql-closed.jsonl       tables/
"""
import argparse
import gzip
import hashlib
import json
import os
import re
import shutil
import sqlite3
from pathlib import Path


def closed(name: str) -> bool:
    """Whether a database is among the 30 % that training and tuning never see."""
    return int(hashlib.sha256(name.encode()).hexdigest(), 16) % 10 < 3


def write(path: Path, lines) -> None:
    with open(path, "w") as f:
        for line in lines:
            f.write(json.dumps(line, ensure_ascii=False) + "\n")


def spider(source: Path, out: Path) -> None:
    (out / "databases").mkdir(exist_ok=True)
    for file in sorted((source / "databases").glob("*.sqlite")):
        shutil.copy(file, out / "databases" / file.name)
    lines = [json.loads(line) for line in open(source / "train.jsonl")]
    for part, is_closed in (("open", False), ("closed", True)):
        chosen = [q for q in lines if closed(q["db"]) == is_closed]
        for field, name in (("question", "spider"), ("paraphrase", "paraphrase")):
            write(out / f"{name}-{part}.jsonl",
                  ({"db": q["db"], "question": q[field], "sql": q["sql"], "set": f"{name}-{part}"}
                   for q in chosen if q.get(field) and (field == "question" or q[field] != q["question"])))


def fold(text: str) -> str:
    return "".join(re.findall(r"\w", text.lower()))


def number(text: str):
    try:
        value = float(text.replace(",", "").strip())
    except ValueError:
        return None
    if value != value or value in (float("inf"), float("-inf")):
        return None
    return int(value) if value == int(value) and abs(value) < 1e15 else value


def quote(text: str, mark: str) -> str:
    return mark + text.replace(mark, mark * 2) + mark


class Table:
    """A WikiSQL table with one type for each column."""

    def __init__(self, record: dict):
        self.id = record["id"]
        self.names = []
        for header in record["header"]:
            name = re.sub(r"\s+", " ", header.replace('"', "")).strip()[:60] or "column"
            base, n = name, 2
            while name.lower() in (other.lower() for other in self.names):
                name, n = f"{base} {n}", n + 1
            self.names.append(name)
        self.rows = [[cell.strip() if isinstance(cell, str) else cell for cell in row] for row in record["rows"]]
        self.numeric = []
        for i in range(len(self.names)):
            cells = [row[i] for row in self.rows if i < len(row) and row[i] not in ("", None)]
            self.numeric.append(bool(cells) and all(number(str(c)) is not None for c in cells))

    def value(self, row: int, column: int):
        cell = self.rows[row][column]
        if self.numeric[column]:
            return number(str(cell))
        return str(cell)

    def save(self, path: Path) -> None:
        path.unlink(missing_ok=True)
        with sqlite3.connect(path) as db:
            kinds = ", ".join(quote(n, '"') + (" NUMERIC" if k else " TEXT") for n, k in zip(self.names, self.numeric))
            db.execute(f'CREATE TABLE "rows" ({kinds})')
            marks = ", ".join("?" * len(self.names))
            db.executemany(f'INSERT INTO "rows" VALUES ({marks})',
                           ([self.value(r, c) for c in range(len(self.names))] for r in range(len(self.rows))))
        db.close()

    def condition(self, column: int, op: str, wanted) -> str | None:
        """The condition as it holds in the data; None when the data have no such value."""
        name = quote(self.names[column], '"')
        if self.numeric[column]:
            n = number(str(wanted))
            return None if n is None else f"{name} {op} {n}"
        if op != "=":
            return None
        for r in range(len(self.rows)):
            if fold(str(self.rows[r][column])) == fold(str(wanted)):
                return f"{name} = {quote(str(self.value(r, column)), chr(39))}"
        return None

    def sql(self, q: dict) -> str | None:
        column, agg = q["select"], q["agg"]
        if agg in ("SUM", "AVG") and not self.numeric[column]:
            return None
        item = quote(self.names[column], '"')
        conditions = [self.condition(*c) for c in q["where"]]
        if None in conditions:
            return None
        text = f'SELECT {agg + "(" + item + ")" if agg else item} FROM "rows"'
        return text + (" WHERE " + " AND ".join(conditions) if conditions else "")


def wikisql(source: Path, out: Path, limit: int) -> None:
    (out / "tables").mkdir(exist_ok=True)
    questions = [json.loads(line) for line in gzip.open(source / "train.jsonl.gz", "rt")]
    tables = {}
    for line in gzip.open(source / "tables.jsonl.gz", "rt"):
        record = json.loads(line)
        if 2 <= len(record["header"]) <= 30 and record["rows"] and all(len(r) == len(record["header"]) for r in record["rows"]):
            tables[record["id"]] = Table(record)
    order = sorted(tables, key=lambda i: hashlib.sha256(i.encode()).digest())
    for part, is_closed in (("open", False), ("closed", True)):
        names = [i for i in order if closed(i) == is_closed][: limit if part == "open" else limit // 4]
        chosen, kept, dropped = set(names), [], 0
        for q in questions:
            if q["table"] not in chosen:
                continue
            text = tables[q["table"]].sql(q)
            if text is None:
                dropped += 1
            else:
                kept.append({"db": "w" + q["table"], "question": q["question"], "sql": text, "set": f"wikisql-{part}"})
        for name in {q["db"][1:] for q in kept}:
            tables[name].save(out / "tables" / f"w{name}.sqlite")
        write(out / f"wikisql-{part}.jsonl", kept)
        print(f"wikisql-{part}: {len(kept)} questions, {dropped} left out whose values are not in their tables")


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--spider", type=Path, required=True)
    parser.add_argument("--wikisql", type=Path, required=True)
    parser.add_argument("--out", type=Path, required=True)
    parser.add_argument("--tables", type=int, default=4000, help="how many open WikiSQL tables to take (and a quarter of that of closed ones)")
    args = parser.parse_args()
    os.makedirs(args.out, exist_ok=True)
    spider(args.spider, args.out)
    wikisql(args.wikisql, args.out, args.tables)


if __name__ == "__main__":
    main()
