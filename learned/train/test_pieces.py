"""Tests of wordpieces and of the pretrained encoder."""
import contextlib
import pathlib
import struct
import tempfile
import unittest

import numpy as np
import torch

import data
import pieces
from pretrained import Pretrained, as_stored

PIECES = pieces.Pieces(data.PIECES)
SIZES = {"size": PIECES.size, "heads": 12, "layers": 2, "apart": 1, "wide": 32}


def written(ids):
    names = list(PIECES.ids)
    return [names[i] for i in ids]


class Words(unittest.TestCase):
    def test_pieces(self):
        for text, want in (("Customers", ["customers"]), ("Caf\u00e9", ["cafe"]), ("draught", ["draught"]),
                           ("length_m", ["length", "_", "m"]),
                           ("\u65e5\u672c", ["[UNK]"]), ("", ["[UNK]"]), ("director\u2019s", ["director", "'", "s"])):
            self.assertEqual(written(PIECES.of(text)), want, text)
        self.assertEqual(len(PIECES.of("a.b.c.d.e.f.g.h")), pieces.MOST)

    def test_question(self):
        ids, owner = PIECES.question(["How", "many", "length_m", "?"])
        self.assertEqual(written(ids), ["[CLS]", "how", "many", "length", "_", "m", "?", "[SEP]"])
        self.assertEqual(owner, [-1, 0, 1, 2, 2, 2, 3, -1])
        ids, owner = PIECES.question(["word"] * 200)
        self.assertEqual((len(ids), len(owner), ids[-1]), (pieces.PLACES, pieces.PLACES, PIECES.end))

    def test_name(self):
        ids, own = PIECES.name(["orders"], ["unit", "price"], [3, "4.5"])
        self.assertEqual(written(ids), "[CLS] orders : unit price ( 3 , 4 . 5 ) [SEP]".split())
        self.assertEqual(own, [3, 4])
        self.assertEqual(PIECES.name([], [], []), ([PIECES.begin, PIECES.end], [0]))
        ids, own = PIECES.name(["t"], ["name"] * 8, ["value"] * 9)
        self.assertLessEqual(len(ids), pieces.TEXT)
        self.assertEqual(len(own), pieces.KEPT)

    def test_file(self):
        with tempfile.TemporaryDirectory() as folder:
            path = pathlib.Path(folder) / "pieces.bin"
            rows = np.array([[1, -2], [0.5, 0.25], [3, 4], [5, 6], [7, 8]], np.float32)
            self.assertEqual(pieces.write(path, ["[UNK]", "[CLS]", "[unused1]", "\u65e5", "[SEP]"], rows), 3)
            read = pieces.Pieces(path)
        self.assertEqual(list(read.ids), ["[UNK]", "[CLS]", "[SEP]"])
        self.assertLess(np.abs(read.vectors - rows[[0, 1, 4]]).max(), 0.04)

    def test_published_tensors(self):
        head = b'{"bert.x": {"dtype": "F32", "shape": [1, 2], "data_offsets": [0, 8]}}'
        raw = struct.pack("<Q", len(head)) + head + struct.pack("<2f", 1.5, -2)
        self.assertEqual({k: v.tolist() for k, v in pieces.tensors(raw)}, {"x": [[1.5, -2]]})


class Encoder(unittest.TestCase):
    def setUp(self):
        torch.manual_seed(3)
        self.encoder = Pretrained(PIECES.vectors, SIZES).eval()

    def batch(self):
        texts = pieces.Texts(PIECES)
        names = [texts.add(["orders"], ["price"], [3]), texts.add([], ["orders"], [])]
        ids, owner = PIECES.question(["price", "of", "orders"])
        b = {"piece": torch.tensor([ids]), "piece_word": torch.tensor([owner]), "item": torch.tensor([[0, 0, 0, 1, 2]]),
             "name_text": torch.tensor([[t for t, _ in names]]), "name_place": torch.tensor([[0, 0]]), "name_item": torch.tensor([[3, 4]])}
        return b, {k: torch.from_numpy(v) for k, v in texts.arrays().items()}

    def test_start(self):
        """Training starts from the layers that a file has, the top one seeing all."""
        with tempfile.TemporaryDirectory() as folder:
            path = pathlib.Path(folder) / "layers.npz"
            pieces.write_layers(path, 12, {k: v.numpy() for k, v in self.encoder.state_dict().items()})
            read = Pretrained.start(path, PIECES.vectors)
        self.assertEqual(read.sizes, SIZES)
        for name, value in self.encoder.state_dict().items():
            self.assertLessEqual(float((read.state_dict()[name] - value).abs().max()), float(value.abs().max()) / 200, name)

    @torch.no_grad()
    def test_hidden_names_are_not_seen(self):
        """What is hidden, or padding, changes nothing."""
        b, texts = self.batch()
        known = self.encoder.names(texts["ids"], texts["own"], contextlib.nullcontext)
        b["item"][0, 3] = data.NONE
        without = self.encoder(b, known)
        b["name_text"][0, 0] = 1
        self.assertTrue(torch.equal(without[0, :3], self.encoder(b, known)[0, :3]))
        b["item"][0, 3] = data.COLUMN
        self.assertFalse(torch.allclose(without[0, :3], self.encoder(b, known)[0, :3]))

    @torch.no_grad()
    def test_names_as_they_are_stored(self):
        _, texts = self.batch()
        exact = self.encoder.names(texts["ids"], texts["own"], contextlib.nullcontext)
        stored = self.encoder.names(texts["ids"], texts["own"], contextlib.nullcontext, rounded=True)
        self.assertEqual(exact.shape, (2, pieces.KEPT, PIECES.size))
        self.assertLessEqual(float((exact - stored).abs().max()), float(exact.abs().max()) / 250)
        self.assertTrue(torch.equal(as_stored(torch.zeros(1, 4)), torch.zeros(1, 4)))


if __name__ == "__main__":
    unittest.main()
