import argparse
import concurrent.futures
import contextlib
import json
import pathlib
import random
import tempfile
import unittest

import numpy as np
import torch

import beam
import data
import export
import judgement
import patterns
import synonyms
import synthesise
import thesaurus
import train
from changes import Changes
from damage import Speller
from fixture import FARM, LINES, QUESTION, SHOP
from pieces import Pieces, Texts
from pretrained import Pretrained
from vectors import FIRST, Table

TABLE, PIECES = Table(data.VECTORS), Pieces(data.PIECES)
GRAMMAR = data.Grammar()


def encoded():
    return data.Encoder(GRAMMAR, TABLE, PIECES).encode(QUESTION, data.Schema(SHOP, TABLE, Texts(PIECES)))


def batch():
    return {k: torch.from_numpy(v[None].copy()) for k, v in encoded().items()}


class Lines(unittest.TestCase):
    def test_relations(self):
        r, q = encoded()["relation"], 11
        self.assertEqual(r[2, q + 1], data.TOKEN_COLUMN + 10)
        self.assertEqual(r[q + 1, 2], data.COLUMN_TOKEN + 10)
        self.assertEqual(r[9, q + 5 + 1], data.TOKEN_TABLE + 2)
        self.assertEqual(r[q + 2, q], data.COLUMN_COLUMN + 3)
        self.assertEqual(r[q, q + 2], data.COLUMN_COLUMN + 4)
        self.assertEqual(r[q, q + 5], data.COLUMN_TABLE + 2)
        self.assertEqual(r[q + 2, q + 5], data.COLUMN_TABLE + 3)
        self.assertEqual(r[q + 6, q + 5], data.TABLE_TABLE + 2)
        self.assertEqual(r[q + 5, q + 6], data.TABLE_TABLE + 3)
        self.assertLess(r.max(), data.RELATIONS)

    def test_target(self):
        x, symbols = encoded(), len(GRAMMAR.symbols)
        self.assertEqual(x["want"][1], symbols + 11 + 1)
        self.assertEqual(x["want"][6], symbols + 7)
        self.assertEqual(sorted(np.flatnonzero(x["used"])), [7, 8, 12, 15, 16, 17])
        self.assertIsNone(GRAMMAR.states(["SEL", "c0", "WHERE", "END"]))
        self.assertIsNone(GRAMMAR.states(["SEL", "c0"]))

    def test_origin(self):
        line = {"set": "synthetic-1-22-3", "db": "x"}
        self.assertEqual((data.base(line["set"]), data.origin(line)), ("synthetic", "1-22-3"))
        self.assertEqual((data.base("wiki-closed"), data.origin({"set": "wiki-closed", "db": "x"})), ("wiki-closed", "x"))


class Harder(unittest.TestCase):
    def test_both_ways(self):
        """A changed relation is changed both ways, and only names are."""
        torch.manual_seed(1)
        args = argparse.Namespace(column_drop=0.5, match_drop=1.0, synonyms=0.5, said=0)
        changes = Changes(args, TABLE.vectors[:2000], Speller(TABLE, PIECES, "cpu"), torch.device("cpu"))
        seen = set()
        for _ in range(40):
            b = batch()
            b["words"].clamp_max_(1999)
            before = b["relation"].clone()
            changes(b)
            r = b["relation"][0].long()
            there = (r >= data.TOKEN_COLUMN) & (r < data.COLUMN_TOKEN)
            back = r.T - (data.COLUMN_TOKEN - data.TOKEN_COLUMN)
            self.assertTrue(torch.equal(r[there], back[there]))
            self.assertEqual(r[7, 15], data.TOKEN_COLUMN + 2)
            changed = (r != before[0].long()).nonzero().tolist()
            seen |= {tuple(x) for x in changed}
            self.assertFalse(((b["item"] == data.NONE) & b["used"]).any())
        self.assertEqual(seen, {(2, 12), (12, 2), (6, 15), (15, 6), (4, 16), (16, 4), (9, 17), (17, 9)})

    def test_synonyms(self):
        """A matched word that has synonyms becomes one of them, and is matched as a synonym; others stay."""
        b = batch()
        words, before = b["words"][0, :, 0].tolist(), b["relation"][0].clone()
        named = Changes.named(b["relation"])[0].any(1).nonzero().flatten().tolist()
        place = next(i for i in named if not Changes.valued(b["relation"])[0, i].any())
        other = TABLE.ids["people"]
        args = argparse.Namespace(column_drop=0, match_drop=0, synonyms=0, said=1.0)
        changes = Changes(args, TABLE.vectors, Speller(TABLE, PIECES, "cpu"), torch.device("cpu"), {words[place]: [other]})
        torch.manual_seed(1)
        while b["words"][0, place, 0] != other:  # half of the questions are changed
            changes(b)
        r = b["relation"][0]
        same = torch.ones_like(r, dtype=torch.bool)
        for item in Changes.named(before[None])[0, place].nonzero().flatten().tolist():
            column = before[place, item] < data.COLUMN_TOKEN
            self.assertEqual(r[place, item], data.TOKEN_COLUMN + 18 if column else data.TOKEN_TABLE + 6)
            self.assertEqual(r[item, place], data.COLUMN_TOKEN + 18 if column else data.TABLE_TOKEN + 6)
            same[place, item] = same[item, place] = False
        self.assertTrue(torch.equal(r[same], before[same]))

    def test_others(self):
        """Synonyms are read as they were written, both ways, and in the plural for plurals."""
        with tempfile.TemporaryDirectory() as folder:
            path, n = pathlib.Path(folder) / "synonyms.bin", len(TABLE.words)
            bases, greater = [[] for _ in range(n)], [[] for _ in range(n)]
            a, b = sorted((TABLE.ids["customer"], TABLE.ids["client"]))
            greater[a - FIRST].append(b)
            bases[TABLE.ids["customers"] - FIRST].append(TABLE.ids["customer"])
            synonyms.write(path, 0, bases, greater)
            self.assertEqual(synonyms.read(path), (bases, greater))
            found = {TABLE.words[w - FIRST]: [TABLE.words[o - FIRST] for o in others] for w, others in synonyms.others(path, TABLE).items()}
        self.assertEqual(found, {"customer": ["client"], "client": ["customer"], "customers": ["clients"]})


class Synthetic(unittest.TestCase):
    def test_fill(self):
        random.seed(3)
        shop, farm = synthesise.Schema(SHOP), synthesise.Schema(FARM)
        template = synthesise.Template.make(QUESTION, shop)
        self.assertEqual([s.kind for s in template.slots], ["column", "table", "column", "value", "table"])
        maker = synthesise.Maker(TABLE, 0)
        made = [x for _ in range(50) if (x := maker.fill(template, farm, False))]
        self.assertTrue(made)
        for x in made:
            (start, end), text = x["values"][0], x["question"].encode()
            self.assertIn(text[start:end].decode(), ["Jersey", "Caf\u00e9 au lait"])
            self.assertEqual(x["target"], ["SEL", "c1", "WHERE", "c4", "=", "VAL", "q", "q", "END"])
            self.assertEqual((x["db"], x["set"]), ("farm", "synthetic-shop"))
            for word in ("village", "barn", "breed", "animal"):
                self.assertIn(word, x["question"])


    def test_patterns(self):
        """Every pattern becomes a derivation whose constants are in its text."""
        random.seed(4)
        asker, shop = patterns.Asker(synthesise.Maker(TABLE, 0)), synthesise.Schema(SHOP)
        for several, some in ((False, asker.one), (True, asker.two)):
            for pattern in some:
                asker.one = asker.two = [pattern]
                made = [x for _ in range(200) if (x := asker.ask(shop, several))]
                for x in made:
                    self.assertIsNotNone(GRAMMAR.states([t + "0" if t == "q" else t for t in x["target"]]), x)
                    self.assertEqual(x["target"].count("VAL"), len(x["values"]))
                    for start, end in x["values"]:
                        self.assertTrue(x["question"].encode()[start:end].strip())
                wanted = pattern[2] - set("DME")  # the shop has too few columns for two of a kind
                if wanted == pattern[2]:
                    self.assertTrue(made, pattern)


class Judgement(unittest.TestCase):
    def lines(self, folder, name, names, seed):
        draw = random.Random(seed)
        with open(pathlib.Path(folder) / name, "w") as out:
            print(json.dumps({"names": names}), file=out)
            for i in range(200):
                right = [draw.random() < 0.5 for _ in range(3)]
                signs = [[draw.random(), float(r) if draw.random() < 0.9 else 0.5] for r in right]
                print(json.dumps({"db": f"db{i % 10}", "question": "?", "signs": signs, "right": right}), file=out)
        return out.name

    def test_learns_what_tells(self):
        with tempfile.TemporaryDirectory() as folder:
            files = [self.lines(folder, f"{i}.jsonl", ["noise", "tells"], i) for i in range(2)]
            names, questions = judgement.read(files)
        self.assertEqual((names, len(questions)), (["noise", "tells"], 400))
        w = judgement.fit_ranking(questions, 1e-2)
        self.assertGreater(float(w[1]), 5 * abs(float(w[0])))
        judged = judgement.left_out(questions, 1e-2)
        with contextlib.redirect_stdout(None):
            results = judgement.report("all", judged)
        surest = results[: len(results) // 2]
        self.assertGreater(sum(r for _, r in surest) / len(surest), 0.95)
        learned = json.loads(judgement.written(names, w, judgement.fit_confidence(questions, w, 1e-2)))
        self.assertEqual(set(learned), {"signs", "probability", "lead", "one"})
        self.assertEqual(list(learned["signs"]), names)

    def test_other_signs(self):
        with tempfile.TemporaryDirectory() as folder:
            files = [self.lines(folder, f"{n}.jsonl", [n, "tells"], 0) for n in "ab"]
            with self.assertRaises(SystemExit):
                judgement.read(files)


class Network(unittest.TestCase):
    def setUp(self):
        torch.manual_seed(5)
        sizes = {"size": 32, "heads": 4, "encoders": 1, "decoders": 2}
        self.net = train.build(TABLE.vectors, GRAMMAR, sizes, [1, 2, 40]).eval()

    def test_steps_one_by_one(self):
        """Keys kept from step to step give the scores of all steps at once."""
        b = batch()
        want = b["want"].long()
        last = torch.cat([torch.full_like(want[:, :1], -1), want[:, :-1]], 1)
        state, depth = b["state"].long(), b["depth"].long()
        with torch.no_grad():
            memory, present = self.net.encode(b)
            kept = self.net.remember(memory)
            whole, _ = self.net.decode(kept, present, last, state, depth)
            past = None
            for i in range(want.shape[1]):
                one, past = self.net.decode(kept, present, last[:, i:i + 1], state[:, i:i + 1], depth[:, i:i + 1], past)
                self.assertLess((one[:, 0] - whole[:, i]).abs().max(), 1e-4)

    def test_beam_derives(self):
        """What the beam finds are derivations, and their scores are those of the network."""
        with torch.no_grad():
            self.net.write.bias[GRAMMAR.ids["END"]] = 6
        b = batch()
        about = {"tokens": 11, "columns": 5}
        found = beam.candidates([self.net], beam.Automaton(GRAMMAR, "cpu"), GRAMMAR, b, [about], 4, contextlib.nullcontext)[0]
        self.assertEqual(len(found), 4)
        for log, target in found:
            self.assertIsNotNone(GRAMMAR.states(target), target)
            self.assertLess(log, 0)
        self.assertEqual([s for s, _ in found], sorted((s for s, _ in found), reverse=True))

    def test_export(self):
        with tempfile.TemporaryDirectory() as folder:
            path = pathlib.Path(folder) / "weights.bin"
            size = export.write(self.net, GRAMMAR, PIECES, path, "i8")
            raw = path.read_bytes()
        self.assertEqual(len(raw), size)
        header = json.loads(raw[12:12 + int.from_bytes(raw[8:12], "little")])
        self.assertEqual(header["sizes"]["size"], 32)
        self.assertNotIn("used.weight", [t["name"] for t in header["tensors"]])
        self.assertNotIn("pretrained", header)


class Voters(unittest.TestCase):
    """Networks over one encoder."""

    def setUp(self):
        torch.manual_seed(6)
        sizes = {"size": 32, "heads": 4, "encoders": 1, "decoders": 1}
        encoder = Pretrained(PIECES.vectors, {"size": PIECES.size, "heads": 12, "layers": 2, "apart": 1, "wide": 32})
        self.nets = [train.build(TABLE.vectors, GRAMMAR, sizes, [1, 2, 40], pretrained=encoder, borrow=i > 0).eval() for i in range(2)]

    def test_export(self):
        """One file has the encoder; both have what they make of it, and examples."""
        with tempfile.TemporaryDirectory() as folder:
            headers = []
            for i, net in enumerate(self.nets):
                path = pathlib.Path(folder) / f"weights{i}.bin"
                export.write(net, GRAMMAR, PIECES, path, "f16")
                raw = path.read_bytes()
                headers.append(json.loads(raw[12:12 + int.from_bytes(raw[8:12], "little")]))
        self.assertEqual([h["pieces"] for h in headers], [PIECES.sum] * 2)
        self.assertEqual([("pretrained" in h) for h in headers], [True, False])
        names = [{t["name"]: t["type"] for t in h["tensors"]} for h in headers]
        self.assertEqual(names[0]["pretrained.layers.0.qkv.weight"], "i8")
        self.assertFalse([n for n in names[1] if n.startswith("pretrained.")])
        self.assertTrue(all("from_word.weight" in n for n in names))
        first, second = (export.golden(net, GRAMMAR, TABLE, PIECES, LINES, 2) for net in self.nets)
        for a in first:
            self.assertEqual(len(a["missing"]), len(a["input"]["words"]))
            self.assertEqual(len(a["pooled"]), len(a["input"]["words"]) + len(a["input"]["names"]))
        self.assertNotIn("pooled", second[0])

    def test_learn_together(self):
        """The gradient of the encoder is that of all networks."""
        args = argparse.Namespace(gap=0.3, gap_word=1.0, smooth=0.05, used=0.2, lost_column=0.0, lost_table=0.0, lost_word=0.0)
        texts = Texts(PIECES)
        arrays = data.Encoder(GRAMMAR, TABLE, PIECES).encode(QUESTION, data.Schema(SHOP, TABLE, texts))
        for net in self.nets:
            net.learn_names({k: torch.from_numpy(v) for k, v in texts.arrays().items()}, contextlib.nullcontext)
        weight, found = self.nets[0].pretrained.layers[1].out.weight, []
        for nets in ([self.nets[0]], [self.nets[1]], self.nets):
            b = {k: torch.from_numpy(v[None].copy()) for k, v in arrays.items()} | {"foreign": torch.tensor([False])}
            weight.grad = None
            with concurrent.futures.ThreadPoolExecutor(1) as pool:
                train.descend(args, nets, b, Speller(TABLE, PIECES, "cpu"), contextlib.nullcontext, pool)
            found.append(weight.grad.clone())
        self.assertLess(float((found[0] + found[1] - found[2]).abs().max()), 1e-5)


class Synonyms(unittest.TestCase):
    """A WordNet of a few words."""

    FILES = {
        "index.noun": ["wage n 1 1 @ 1 1 01", "pay n 1 1 @ 1 1 01", "age n 1 1 = 1 1 02", "payer n 1 1 + 1 1 03", "number n 1 0 1 1 04"],
        "data.noun": ["01 21 n 02 wage 0 pay 0 000 | money", "02 07 n 01 age 0 001 = 05 a 0000 | years",
                      "03 18 n 01 payer 0 001 + 07 v 0101 | who pays", "04 07 n 01 number 0 000 | how many"],
        "index.verb": ["pay v 1 1 + 1 1 07"], "data.verb": ["07 40 v 01 pay 0 001 + 03 n 0101 01 + 08 00 | give money"],
        "index.adj": ["old a 1 1 ! 1 1 05", "young a 1 1 ! 1 1 06", "numb a 1 0 1 1 08"],
        "data.adj": ["05 00 a 01 old(a) 0 002 ! 06 a 0101 = 02 n 0000 | of age", "06 00 a 01 young 0 002 ! 05 a 0101 = 02 n 0000 | of little age",
                     "08 00 a 01 numb 0 000 | without feeling"],
        "noun.exc": [], "verb.exc": ["paid pay"], "adj.exc": ["older old"],
    }

    def setUp(self):
        with tempfile.TemporaryDirectory() as folder:
            for name, text in self.FILES.items():
                (pathlib.Path(folder) / name).write_text("".join(line + "  \n" for line in text))
            self.net = synonyms.WordNet(pathlib.Path(folder))

    def test_pairs(self):
        want = {frozenset(p.split()) for p in ("wage pay", "pay payer", "old age", "young age")}
        said = thesaurus.pairs()
        pairs = synonyms.choose(self.net, TABLE)
        self.assertEqual(pairs - said, want - said)
        self.assertLess(want, pairs)
        self.assertIn(frozenset(("expensive", "price")), pairs)
        self.assertEqual(self.net.opposites(), {frozenset(("old", "young"))})

    def test_bases(self):
        for word, want in (("wages", {"wage"}), ("paid", {"pay"}), ("pays", {"pay"}), ("older", {"old"}), ("youngest", {"young"}), ("number", set()), ("age", set())):
            self.assertEqual(self.net.bases(word), want, word)


if __name__ == "__main__":
    unittest.main()
