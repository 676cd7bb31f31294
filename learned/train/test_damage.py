"""Tests of what damages questions, and of what looks like what they ask for."""
import random
import types
import unittest

import torch

import alike
import damage
import data
import endings
import foreign
from pieces import Pieces, Texts
from vectors import Table

TABLE, GRAMMAR, PIECES = Table(data.VECTORS), data.Grammar(), Pieces(data.PIECES)
SPELLER = damage.Speller(TABLE, PIECES, "cpu")
SYMBOLS = len(GRAMMAR.symbols)
ARGS = types.SimpleNamespace(lost_column=0.3, lost_table=0.3, lost_word=0.3)
SCHEMA = {
    "schema": "shop", "links": [[3, 0]],
    "tables": [{"name": "customers", "words": ["customers"]}, {"name": "orders", "words": ["orders"]}],
    "columns": [
        {"table": 0, "name": "id", "words": ["id"], "type": 1, "flags": 3, "values": []},
        {"table": 0, "name": "city", "words": ["city"], "type": 0, "flags": 0, "values": ["a", "b"]},
        {"table": 0, "name": "name", "words": ["name"], "type": 0, "flags": 0, "values": ["a", "b"]},
        {"table": 1, "name": "customer", "words": ["customer"], "type": 1, "flags": 1, "values": [1, 2]},
        {"table": 1, "name": "price", "words": ["price"], "type": 1, "flags": 0, "values": [3]},
    ],
}
# "average price" names a column (5: by its name); "orders" its table (1).
QUESTION = {
    "db": "shop", "id": 0, "set": "spider-open", "question": "average price of orders",
    "tokens": [["average", 0, 7], ["price", 8, 13], ["of", 14, 16], ["orders", 17, 23]], "kinds": [0, 0, 0, 0],
    "columns": [[1, 4, 5]], "tables": [[3, 1, 1]], "target": ["SEL", "avg", "c4", "END"],
}


def batch(size=8):
    arrays = data.Encoder(GRAMMAR, TABLE, PIECES).encode(QUESTION, data.Schema(SCHEMA, TABLE, Texts(PIECES)))
    return {k: torch.from_numpy(v[None].repeat(size, 0)) for k, v in arrays.items()}


class Damage(unittest.TestCase):
    def damaged(self, kind):
        b = batch()
        gone, words, known = damage.damage(ARGS, b, SYMBOLS, SPELLER, kind)
        return b, gone, words, known

    def test_column(self):
        b, gone, words, known = self.damaged(0)
        self.assertTrue(gone.all() and known.all())
        self.assertTrue((b["item"][:, 4 + 4] == data.NONE).all(), "the price is hidden")
        self.assertEqual(words[0].nonzero().flatten().tolist(), [1], "the word price says nothing now")

    def test_table(self):
        b, gone, words, _ = self.damaged(1)
        self.assertTrue(gone.all())
        self.assertTrue((b["item"][:, [4 + 3, 4 + 4, 4 + 5 + 1]] == data.NONE).all(), "the orders are hidden with their columns")
        self.assertEqual(words[0].nonzero().flatten().tolist(), [1, 3])

    def test_word(self):
        before = batch()
        b, gone, words, _ = self.damaged(2)
        self.assertTrue(gone.all())
        self.assertTrue((b["item"] == before["item"]).all(), "nothing is hidden")
        at = words.nonzero()
        self.assertTrue(set(at[:, 1].tolist()) <= {1, 3})
        for row, word in at.tolist():
            related = b["relation"][row, word, 4:]
            self.assertTrue(all(int(x) in (data.TOKEN_COLUMN, data.TOKEN_TABLE) for x in related), "it is related to nothing")
            piece = b["piece"][row][b["piece_word"][row] == word]
            self.assertEqual(piece.tolist(), [int(SPELLER.piece[b["words"][row, word, 0]])], "its pieces are those of the other word")

    def test_what_is_whole_is_in_no_doubt(self):
        b = batch()
        none = types.SimpleNamespace(lost_column=0.0, lost_table=0.0, lost_word=0.0)
        gone, words, known = damage.damage(none, b, SYMBOLS, SPELLER)
        self.assertFalse(gone.any() or words.any())
        self.assertTrue(known.all())


class Alike(unittest.TestCase):
    def test_question_keeps_its_column(self):
        random.seed(1)
        copy, like = alike.alike(SCHEMA)
        self.assertEqual(copy["columns"][:5], SCHEMA["columns"])
        self.assertFalse(set(like) & {0, 3}, "keys and links have no look-alikes")
        line = alike.ask(QUESTION, SCHEMA, [4])
        self.assertEqual(line["target"], QUESTION["target"])
        self.assertEqual(line["columns"], [[1, 4, 5], [1, 5, 5]])
        self.assertEqual(data.part(line["db"], 7), data.part("shop", 7), "both are left out together")


class Foreign(unittest.TestCase):
    def test_deeds(self):
        random.seed(2)
        made = list(foreign.deeds([SCHEMA], 30))
        self.assertEqual({name for name, _ in made}, {"shop"})
        for _, text in made:
            self.assertNotRegex(text, r"\b[TC]\b")


class Endings(unittest.TestCase):
    ROWS = {"db": "shop", "id": 1, "set": "everyday", "question": "orders paid from 2019 to 2020?", "values": [[12, 29]],
            "target": ["SEL", "STAR", "t1", "WHERE", "c4", "=", "VAL", "q", "q", "END"]}

    def test_columns(self):
        random.seed(3)
        made = endings.with_columns(self.ROWS, SCHEMA)
        self.assertTrue(made["question"].startswith("orders paid from 2019 to 2020"))
        self.assertEqual(made["target"][made["target"].index("WHERE"):], self.ROWS["target"][3:])
        self.assertTrue(set(made["target"][1:made["target"].index("WHERE")]) <= {"c3", "c4"}, "only columns of the table")

    def test_order(self):
        random.seed(4)
        line = {"question": "total price per customer", "target": ["SEL", "c3", "sum", "c4", "GROUP", "c3", "END"], "values": []}
        made = endings.with_order(line)
        self.assertIn(made["target"][-4], ("DESC", "ASC"))
        self.assertEqual(made["target"][-3:], ["sum", "c4", "END"])
        self.assertIsNotNone(GRAMMAR.states(made["target"]))

    def test_days(self):
        random.seed(5)
        made = endings.with_days(self.ROWS)
        (start, end), = made["values"]
        self.assertRegex(made["question"].encode()[start:end].decode(), r"^from .*[0-9]{4}.* to .*[0-9]{4}")
        self.assertTrue(made["question"].endswith("?"))


if __name__ == "__main__":
    unittest.main()
