"""Tests of which words stand for values, and of what is learned from them."""
import pathlib
import random
import struct
import tempfile
import unittest

import torch

import data
import pieces
import senses

PIECES = pieces.Pieces(data.PIECES)
BLOCKS = """what did we get in [1:fine]
[1:penalties] we took
[1:fines] so far
= SEL sum paid.amount WHERE paid.purpose = $1 END

what is missing
! missing
"""


class Senses(unittest.TestCase):
    def corpus(self, folder):
        (folder / "a").mkdir()
        (folder / "a" / "paid.csv").write_text("id,purpose,amount\n1,fine,3\n2,rent,4\n3,deposit,5\n")
        (folder / "a" / "questions.txt").write_text(BLOCKS)
        return senses.pairs(folder)

    def test_pairs(self):
        with tempfile.TemporaryDirectory() as name:
            found = self.corpus(pathlib.Path(name))
        self.assertEqual(found, [("a", "penalties", "fine", ["fine", "rent", "deposit"])])

    def test_learned(self):
        random.seed(1)
        torch.manual_seed(1)
        found = [("a", said, value, ["fine", "rent", "deposit"]) for said, value in (("penalties", "fine"), ("lease", "rent"), ("security", "deposit"))]
        texts, begin = senses.Texts(PIECES, found), senses.start(PIECES.vectors)
        turn = senses.learn(found * 8, texts, begin)
        self.assertEqual(senses.judge(found, texts, turn), 3)
        with tempfile.TemporaryDirectory() as name:
            path = pathlib.Path(name) / "senses.bin"
            senses.write(path, turn, PIECES.sum)
            raw = path.read_bytes()
        self.assertEqual((raw[:4], struct.unpack("<I", raw[4:8])[0]), (b"QSNS", 1))
        self.assertEqual(len(raw), 12 + struct.unpack("<I", raw[8:12])[0] + PIECES.size * (4 + senses.WIDTH))


if __name__ == "__main__":
    unittest.main()
