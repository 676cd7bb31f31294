import datetime
import pathlib
import random
import sqlite3
import tempfile
import unittest

import data
import everyday
import everyday_ask
import everyday_words
import periods
import renamed

GRAMMAR = data.Grammar()
KINDS = everyday_words.kinds()


def made(folder, seed, maker=None):
    """A made-up database, and its line as the exporter would write it."""
    maker = maker or everyday.Maker(seed, KINDS)
    about, _ = everyday.save(folder / f"d{seed}.sqlite", maker)
    tables, columns, places = [], [], {}
    with sqlite3.connect(folder / f"d{seed}.sqlite") as db:
        for i, (name, table) in enumerate(about.items()):
            tables.append({"name": name, "words": []})
            written = db.execute("SELECT name FROM sqlite_master").fetchall()[i][0]
            for heading, known in table["columns"].items():
                cells = [str(c) for (c,) in db.execute(f'SELECT DISTINCT "{heading}" FROM "{written}" WHERE "{heading}" IS NOT NULL')]
                places[table["kind"], known["sort"]] = len(columns)
                columns.append({"table": i, "name": heading, "values": cells[:50]})
    links = []
    for i, (name, table) in enumerate(about.items()):
        for heading, known in table["columns"].items():
            if known["sort"] == "f":
                f = next(j for j, c in enumerate(columns) if c["table"] == i and c["name"] == heading)
                links.append([f, places.get((known["more"][0], "id"), places.get((known["more"][0], "n")))])
    return about, {"schema": f"d{seed}", "tables": tables, "columns": columns, "links": links}


class Databases(unittest.TestCase):
    def test_same_seed(self):
        with tempfile.TemporaryDirectory() as folder:
            folder = pathlib.Path(folder)
            self.assertEqual(made(folder, 17), made(folder, 17))

    def test_kinds(self):
        """Whatever a kind belongs to is a kind, and every sort of column occurs."""
        fields = [f for k in KINDS.values() for f in k.fields]
        self.assertGreaterEqual(len(KINDS), 30)
        self.assertEqual({x for f in fields if f.sort == "f" for x in f.more} - set(KINDS), set())
        self.assertEqual({f.sort for f in fields}, set("nckb$#doxyf"))


class Questions(unittest.TestCase):
    def test_derive(self):
        """Every question is a derivation that points into its schema, its constants in its text."""
        random.seed(2)
        asker, count = everyday_ask.Asker(), 0
        with tempfile.TemporaryDirectory() as folder:
            for seed in range(30):
                about, line = made(pathlib.Path(folder), seed)
                base = everyday_ask.Base(line, about, KINDS)
                for ask in (asker.one, asker.two, asker.plain):
                    for x in filter(None, (ask(base) for _ in range(60))):
                        count += 1
                        self.assertIsNotNone(GRAMMAR.states([t + "0" if t == "q" else t for t in x["target"]]), x)
                        self.assertEqual(x["target"].count("VAL"), len(x["values"]))
                        for t in x["target"]:
                            if t[0] in "ct" and t[1:].isdigit():
                                self.assertLess(int(t[1:]), len(line["columns" if t[0] == "c" else "tables"]))
                        for start, end in x["values"]:
                            self.assertTrue(x["question"].encode()[start:end].strip())
                        self.assertNotRegex(x["question"], r"[{}\x01\x02]|  |None")
        self.assertGreater(count, 1500)

    def test_flags(self):
        """A flag is asked as true or false, however its column writes it."""
        random.seed(3)
        column = everyday_ask.Column(4, {"values": ["Y", "N"]}, {"sort": "b", "form": "done", "words": "paid", "more": ["unpaid"]})
        seen = {}
        for _ in range(40):
            said = everyday_ask.conditions.condition(column, everyday_ask.Values(), False, False)
            seen.setdefault(said.target, said.forms)
        self.assertEqual(set(seen), {"c4 = 'true'", "c4 = 'false'"})
        self.assertIn("unpaid", seen["c4 = 'false'"]["pre"])
        self.assertIn("have not been paid", seen["c4 = 'false'"]["pred"])
        self.assertIn("paid", seen["c4 = 'true'"]["pre"])


class Periods(unittest.TestCase):
    def test_ops(self):
        """What opens a period is an operator and no part of the constant; what joins two is part of it."""
        random.seed(4)
        days = [datetime.date(2022, 1, 31), datetime.date(2023, 12, 30)]
        for _ in range(500):
            before, text, op = periods.phrase(days)
            self.assertNotRegex(text, r"^(before|after|since|until|in|on) ")
            self.assertEqual(op != "=", before in {w for words, _ in periods.OPEN for w in words}, (before, text, op))
            self.assertEqual(text.startswith(("between", "from")), before == "" and not text.startswith(("last", "this", "today", "yesterday")))


class Renaming(unittest.TestCase):
    def test_rows(self):
        """A copy gives the same rows for the same questions, under other names."""
        with tempfile.TemporaryDirectory() as folder:
            source = pathlib.Path(folder) / "shop.sqlite"
            with sqlite3.connect(source) as db:
                db.execute("CREATE TABLE customer (cust_id INTEGER PRIMARY KEY, firstName TEXT, city TEXT)")
                db.execute("CREATE TABLE orders (order_number INTEGER, cust_id INTEGER REFERENCES customer(cust_id), total_amount REAL)")
                db.execute("INSERT INTO customer VALUES (1, 'city', 'Rome'), (2, 'Ann', 'Oslo')")
                db.execute("INSERT INTO orders VALUES (7, 2, 10.5), (8, 2, 3)")
            db.close()
            questions = [{"db": "shop", "question": "q", "sql": s, "set": "x"} for s in (
                "SELECT T1.firstName, count(*) FROM customer AS T1 JOIN orders AS T2 ON T1.cust_id = T2.cust_id GROUP BY T1.cust_id",
                "SELECT city FROM customer WHERE firstName = 'city'", "SELECT sum(total_amount) FROM orders", "SELECT nothing FROM orders")]
            for seed in range(12):
                random.seed(seed)
                to = pathlib.Path(folder) / f"renamed{seed}.sqlite"
                kept = renamed.renamed(source, to, questions)
                self.assertEqual(len(kept), 3)
                self.assertEqual({q["set"] for q in kept}, {"synthetic-shop"})
                with sqlite3.connect(to) as db:
                    self.assertEqual(db.execute(kept[1]["sql"]).fetchall(), [("Rome",)])
                    self.assertEqual(db.execute(kept[2]["sql"]).fetchall(), [(13.5,)])
                db.close()
                self.assertTrue(any(q["sql"] != o["sql"] for q, o in zip(kept, questions)))


if __name__ == "__main__":
    unittest.main()
