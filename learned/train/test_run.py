"""Training from lines to a manifest, on a network of a few numbers."""
import contextlib
import hashlib
import json
import pathlib
import sys
import tempfile
import unittest
from unittest import mock

import torch

import data
import manifest
import train
from fixture import QUESTION, SHOP

HERE = pathlib.Path(__file__).parent
SMALL = ["--size", "16", "--heads", "2", "--encoders", "1", "--decoders", "1", "--train", "spider-open", "--synonyms", "0", "--common", "1"]


class Run(unittest.TestCase):
    def setUp(self):
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        self.folder = pathlib.Path(folder.name)
        self.lines = self.folder / "lines.jsonl"
        questions = [dict(QUESTION, id=i, set="spider-open") for i in range(3)]
        self.lines.write_text("".join(json.dumps(x) + "\n" for x in [SHOP, *questions]))
        with contextlib.redirect_stdout(None):
            data.main(self.folder / "prepared.pkl", [str(self.lines)])

    def train(self, name, steps, seed=0):
        line = ["train.py", "--data", str(self.folder / "prepared.pkl"), "--out", str(self.folder), "--name", name]
        with mock.patch.object(sys, "argv", [*line, "--steps", str(steps), "--seed", str(seed), *SMALL]), contextlib.redirect_stdout(None):
            train.main()
        return torch.load(self.folder / f"{name}.pt", weights_only=True)

    def test_steps_decide(self):
        """A run ends after its steps, and says so; the same run gives the same weights, another seed others."""
        one, same, other = self.train("one", 5), self.train("same", 5), self.train("other", 5, seed=1)
        run = json.loads(one["run"])
        self.assertEqual((run["steps"], run["arguments"]["seed"]), (5, 0))
        equal = lambda a, b: all(torch.equal(a["weights"][k], b["weights"][k]) for k in a["weights"])
        self.assertTrue(equal(one, same))
        self.assertFalse(equal(one, other))

    def test_manifest(self):
        self.train("net0", 2)
        with mock.patch.object(sys, "argv", ["manifest.py", "--out", str(self.folder / "manifest.json"), "--inputs", str(self.lines),
                                             "--nets", str(self.folder / "net0.pt"), "--outputs", str(self.folder / "net0.pt")]):
            manifest.main()
        got = json.loads((self.folder / "manifest.json").read_text())
        self.assertEqual(got["inputs"]["lines.jsonl"]["sha256"], hashlib.sha256(self.lines.read_bytes()).hexdigest())
        self.assertEqual(got["networks"]["net0"]["steps"], 2)
        self.assertEqual(got["outputs"]["net0.pt"]["bytes"], (self.folder / "net0.pt").stat().st_size)
        self.assertIn("torch", got["versions"])
        with self.assertRaises(ValueError):
            manifest.described([self.lines, self.folder / "other" / ".." / "lines.jsonl"])


class Lock(unittest.TestCase):
    def test_every_line_has_a_hash(self):
        lines = [x for x in (HERE / "requirements.lock").read_text().splitlines() if not x.startswith("#")]
        for line in lines:
            self.assertRegex(line, r"^[a-z0-9-]+==[0-9][^ ]* --hash=sha256:[0-9a-f]{64}$")
        self.assertTrue({"torch", "numpy"} <= {x.split("==")[0] for x in lines})


if __name__ == "__main__":
    unittest.main()
