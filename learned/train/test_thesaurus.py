import pathlib
import re
import tempfile
import unittest

import thesaurus


class Thesaurus(unittest.TestCase):
    def test_form(self):
        """Every line has a word and, behind a colon, other words or phrases of at most three."""
        line = re.compile(r"[a-z]+: [a-z0-9]+( [a-z0-9]+){0,2}(, [a-z0-9]+( [a-z0-9]+){0,2})*")
        for path in sorted(thesaurus.FOLDER.glob("*.txt")):
            lines = path.read_text().splitlines()
            self.assertEqual([one for one in lines if not line.fullmatch(one)], [], path.name)
            heads = [one.partition(":")[0] for one in lines]
            self.assertEqual(len(heads), len(set(heads)), path.name)

    def test_pairs(self):
        with tempfile.TemporaryDirectory() as folder:
            (pathlib.Path(folder) / "a.txt").write_text("flue: chimney, smoke stack\ncowl: cap\n")
            self.assertEqual(thesaurus.pairs(pathlib.Path(folder)), {frozenset(("flue", "chimney")), frozenset(("cowl", "cap"))})
            self.assertEqual(thesaurus.words(pathlib.Path(folder)), ["cap", "chimney", "cowl", "flue"])


if __name__ == "__main__":
    unittest.main()
