"""Tests of what damages questions, and of how the network of doubts is written."""
import json
import pathlib
import struct
import tempfile
import types
import unittest

import torch

import data
import doubt
from vectors import Table

TABLE, GRAMMAR = Table(data.VECTORS), data.Grammar()
SYMBOLS = len(GRAMMAR.symbols)
ARGS = types.SimpleNamespace(column=0.3, lost_table=0.3, word=0.3)
SCHEMA = {
    "schema": "shop", "links": [[3, 0]],
    "tables": [{"name": "customers", "words": ["customers"]}, {"name": "orders", "words": ["orders"]}],
    "columns": [
        {"table": 0, "name": "id", "words": ["id"], "type": 1, "flags": 3},
        {"table": 0, "name": "city", "words": ["city"], "type": 0, "flags": 0},
        {"table": 0, "name": "name", "words": ["name"], "type": 0, "flags": 0},
        {"table": 1, "name": "customer", "words": ["customer"], "type": 1, "flags": 1},
        {"table": 1, "name": "price", "words": ["price"], "type": 1, "flags": 0},
    ],
}
# "average price" names a column (5: by its name); "orders" its table (1).
QUESTION = {
    "db": "shop", "id": 0, "set": "spider-open", "question": "average price of orders",
    "tokens": [["average", 0, 7], ["price", 8, 13], ["of", 14, 16], ["orders", 17, 23]], "kinds": [0, 0, 0, 0],
    "columns": [[1, 4, 5]], "tables": [[3, 1, 1]], "target": ["SEL", "avg", "c4", "END"],
}


def batch(size=8):
    arrays = data.Encoder(GRAMMAR, TABLE).encode(QUESTION, data.Schema(SCHEMA, TABLE))
    return {k: torch.from_numpy(v[None].repeat(size, 0)) for k, v in arrays.items()}


class Damage(unittest.TestCase):
    def damaged(self, kind):
        b = batch()
        gone, words, known = doubt.damage(ARGS, b, SYMBOLS, kind)
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

    def test_what_is_whole_is_in_no_doubt(self):
        b = batch()
        none = types.SimpleNamespace(column=0.0, lost_table=0.0, word=0.0)
        gone, words, known = doubt.damage(none, b, SYMBOLS)
        self.assertFalse(gone.any() or words.any())
        self.assertTrue(known.all())


class Written(unittest.TestCase):
    def test_file_and_examples(self):
        own = [1, 2, TABLE.id("price")]
        net = doubt.Doubter(TABLE.vectors, own, SYMBOLS, len(GRAMMAR.rules), size=16, heads=2, encoders=1, decoders=1).eval()
        with tempfile.TemporaryDirectory() as folder:
            path = pathlib.Path(folder) / "doubt.bin"
            doubt.write(net, GRAMMAR, path)
            raw = path.read_bytes()
            header = json.loads(raw[12:12 + struct.unpack("<I", raw[8:12])[0]])
            names = {t["name"] for t in header["tensors"]}
            self.assertIn("missing.weight", names)
            self.assertFalse([n for n in names if n.startswith(("decoder.", "write.", "point"))], "only the encoder is written")
        examples = doubt.golden(net, GRAMMAR, TABLE, [SCHEMA, QUESTION], 1)
        self.assertEqual(len(examples[0]["doubts"]), 4)


if __name__ == "__main__":
    unittest.main()
