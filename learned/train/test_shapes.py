import pathlib
import random
import re
import tempfile
import unittest

import data
import everyday
import everyday_words
import patterns
import shape_patterns
import shapes
from everyday_ask import Base
from test_everyday import GRAMMAR, made

KINDS = everyday_words.kinds("shape_kinds.txt")
ALL = everyday_words.kinds() | KINDS


def asked(count, seed=1):
    """Questions of some made-up databases."""
    random.seed(seed)
    with tempfile.TemporaryDirectory() as folder:
        bases = [Base(line, about, ALL) for about, line in (made(pathlib.Path(folder), s, everyday.Maker(s, ALL, list(KINDS), 0.4)) for s in range(40))]
    asker, out = shapes.Shapes(), []
    while len(out) < count:
        base = random.choice(bases)
        line = asker.ask(base)
        if line:
            out.append((base, line))
    return out


class Kinds(unittest.TestCase):
    def test_formulas(self):
        """Whatever a formula is of is noted about its kind, numbers by their words, dates by their nouns."""
        for kind in KINDS.values():
            numbers, dates = {f.words for f in kind.fields if f.sort in "$#y"}, {f.more[0] for f in kind.fields if f.sort in "do"}
            for f in kind.formulas:
                known = dates | {"now"} if f.op == "~" else numbers
                self.assertLessEqual({f.first, f.second}, known, (kind.one, f))


class Questions(unittest.TestCase):
    def test_derive(self):
        """Every question is a derivation that points into its schema, its constants in its text."""
        for base, line in asked(3000):
            self.assertNotRegex(line["question"], r"[{}|\x01\x02]|None", line)
            target = [t + "0" if t == "q" else t for t in line["target"]]
            self.assertIsNotNone(GRAMMAR.states(target), (line["question"], line["target"]))
            self.assertEqual(line["target"].count("VAL"), len(line["values"]), line)
            columns = {c.id for t in base.tables for c in t.columns}
            self.assertLessEqual({int(t[1:]) for t in line["target"] if re.fullmatch(r"c\d+", t)}, columns)
            for a, b in line["values"]:
                self.assertTrue(0 <= a < b <= len(line["question"].encode()), line)

    def test_shapes(self):
        """Every new symbol is asked for, in many ways."""
        some = asked(4000, seed=2)
        for symbol in GRAMMAR.symbols[GRAMMAR.ids["median"]:]:
            if symbol in ("quarter", "day"):
                continue  # a quarter of the year and a day of the month: nobody asked so far
            texts = {re.sub(r"\d+", "#", line["question"]) for _, line in some if symbol in line["target"]}
            self.assertGreater(len(texts), 3, symbol)

    def test_clock(self):
        random.seed(4)
        said = {shapes.clock() for _ in range(3000)}
        self.assertGreater(len(said), 100)
        self.assertIn("half past six", said)

    def test_pattern_lists(self):
        """The patterns for any schema derive too."""
        for texts, target in patterns.SHAPES:
            tokens = re.sub(r"VAL#\w", "VAL q0 q0", target)
            tokens = re.sub(r"{([TPX])}", "t0", tokens)
            tokens = re.sub(r"{\w}", "c0", tokens)
            self.assertIsNotNone(GRAMMAR.states(tokens.split()), target)
            self.assertGreaterEqual(len(texts), 2)

    def test_periods(self):
        for part, *_ in shape_patterns.PERIODS:
            self.assertIn(part, data.Grammar().ids)


if __name__ == "__main__":
    unittest.main()
