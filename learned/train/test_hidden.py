"""Tests of hidden.py."""
import csv
import json
import pathlib
import tempfile
import unittest

import hidden


class Hidden(unittest.TestCase):
    def test_copies_lack_the_column_that_their_questions_need(self):
        with tempfile.TemporaryDirectory() as folder:
            source, out = pathlib.Path(folder, "set"), pathlib.Path(folder, "out")
            (source / "shop").mkdir(parents=True)
            (source / "shop" / "orders.csv").write_text("Order ID,Unit Price,city\n1,5,Rome\n")
            (source / "shop" / "customers.csv").write_text("customer,city\nAda,Rome\n")
            with open(source / "questions.jsonl", "w") as f:
                for text, sql in (("what does the dearest cost?", 'select max(unit_price) from orders'),
                                  ("average unit price", 'select avg("Unit_Price") from orders'),
                                  ("who is unit_price?", "select 1 from orders where city = 'unit_price'"),
                                  ("orders in Rome", "select * from orders where city = 'Rome'"), ("why?", None)):
                    f.write(json.dumps({"db": "shop", "question": text, "sql": sql}) + "\n")
            self.assertEqual(hidden.hide(source, out), 2)
            lines = [json.loads(line) for line in open(out / "questions.jsonl")]
            self.assertEqual({line["question"]: line.get("missing") for line in lines},
                             {"what does the dearest cost?": None, "average unit price": "price"})
            self.assertTrue(all(line["sql"] is None and line["class"] == "missing column" for line in lines))
            with open(out / lines[0]["db"] / "orders.csv") as f:
                self.assertEqual(list(csv.reader(f)), [["Order ID", "city"], ["1", "Rome"]])


class Turns(unittest.TestCase):
    def test_dialogues_end_with_what_is_lost(self):
        with tempfile.TemporaryDirectory() as folder:
            source, out = pathlib.Path(folder, "set"), pathlib.Path(folder, "out")
            (source / "shop").mkdir(parents=True)
            (source / "shop" / "orders.csv").write_text("order_id,city,price\n1,Lyon,5\n")
            turns = [("How many orders?", 'SELECT count(*) FROM "judge/shop/orders"'),
                     ("In Lyon?", "SELECT count(*) FROM orders WHERE city = 'Lyon'"), ("and the price", "SELECT sum(price) FROM orders")]
            with open(source / "dialogues.jsonl", "w") as f:
                f.writelines(json.dumps({"db": "shop", "dialogue": "a", "turn": i, "question": q, "sql": sql}) + "\n" for i, (q, sql) in enumerate(turns, 1))
            self.assertEqual(hidden.hide_turns(source, out), 2)
            lines = [json.loads(line) for line in open(out / "dialogues.jsonl")]
            ends = sorted((x["turn"], x["question"]) for x in lines if x["sql"] is None)
            self.assertEqual(ends, [(2, "In Lyon?"), (3, "and the price")])
            first = next(x for x in lines if x["turn"] == 1)
            self.assertIn(f'judge/{first["db"]}/orders', first["sql"])


if __name__ == "__main__":
    unittest.main()
