"""Tests of corpus.py and together.py, on a database of two tables."""
import json
import pathlib
import tempfile
import unittest
import unittest.mock

import corpus
import together

SCHEMA = {
    "schema": "towers",
    "tables": [{"name": "towers"}, {"name": "visits"}],
    "columns": [{"table": 0, "name": "name"}, {"table": 0, "name": "town"}, {"table": 1, "name": "Guide"}],
}


def folder_with(**files):
    folder = tempfile.TemporaryDirectory()
    for name, text in files.items():
        pathlib.Path(folder.name, name + ".txt").write_text(text)
    return folder


class Corpus(unittest.TestCase):
    def read(self, **files):
        names = corpus.Names(SCHEMA)
        with folder_with(**files) as folder:
            at = pathlib.Path(folder)
            return list(corpus.questions("towers", at, names)) + list(corpus.dialogues("towers", at, names))

    def test_wordings_share_their_meaning(self):
        lines = self.read(questions="# a comment\nTowers in [1:Siena]?\n[1:s\u00edena] t\u00f6wers, [2:all]\n= SEL towers.name WHERE towers.town = $1 END\n")
        self.assertEqual([x["question"] for x in lines], ["Towers in Siena?", "s\u00edena t\u00f6wers, all"])
        self.assertEqual(lines[0]["target"], ["SEL", "c0", "WHERE", "c1", "=", "VAL", "q", "q", "END"])
        self.assertEqual([x["values"] for x in lines], [[[10, 15]], [[0, 6]]])  # bytes

    def test_what_nothing_answers(self):
        (line,) = self.read(questions="How many steps?\n! steps\n")
        self.assertEqual((line["set"], line["sql"], line["missing"]), ("foreign", None, "steps"))

    def test_wrong_blocks_are_told(self):
        lines = self.read(
            questions="a\n= SEL towers.nam END\n\nb\n= SEL towers.name WHERE towers.town = $1 END\n\nc [x\n= SEL END\n\nd\n",
            dialogues="> e\n= SEL towers.name END\n> f\n",
        )
        self.assertTrue(all(x.get("wrong") for x in lines), lines)
        self.assertEqual(len(lines), 4)  # d is a meaning without a wording

    def test_turns_stand_behind_those_before(self):
        lines = self.read(dialogues="""
            > Who guided in [1:Siena]?
            > guides of [1:Siena]
            = SEL visits.Guide WHERE towers.town = $1 END
            > in [2:Lucca]
            = SEL visits.Guide WHERE towers.town = $2 END
            > and both
            = SEL visits.Guide WHERE towers.town = $1 OR towers.town = $2 END
        """)
        self.assertEqual([x["set"] for x in lines], ["corpus", "corpus", "turns", "turns"])
        last = lines[-1]
        self.assertEqual(last["question"], "Who guided in Siena? // in Lucca // and both")
        self.assertEqual([last["question"][a:b] for a, b in last["values"]], ["Siena", "Lucca"])

    def test_only_the_last_turns_are_said(self):
        turns = "".join(f"> turn {i} [{i}:x]\n= SEL towers.name WHERE towers.town = ${i} END\n" for i in range(1, 6))
        self.assertEqual(self.read(dialogues=turns)[-1]["question"], "turn 2 x // turn 3 x // turn 4 x // turn 5 x")


    def test_a_question_set_has_the_query_of_an_exact_wording(self):
        lines = self.read(
            questions="[1:siena] towers\n[1:the old town] towers\n= SEL towers.name WHERE towers.town = $1 END\n\nsteps?\n! steps\n",
            dialogues="> [1:siena]?\n> in [1:Siena]\n= SEL towers.name WHERE towers.town = $1 END\n> who\n= SEL visits.Guide END\n",
        )
        def made(_quern, _databases, asked):
            return [{"db": x["db"], "question": x["question"], "sql": "exact " + x["at"], "score": 1 if "iena" in x["question"] else 0.3} for x in asked]
        with tempfile.TemporaryDirectory() as folder, unittest.mock.patch.object(corpus, "features", made):
            self.assertEqual(corpus.question_set("quern", folder, lines, folder + "/set"), (3, 4))
            asked = [json.loads(x) for x in open(folder + "/set/questions.jsonl")]
            told = [json.loads(x) for x in open(folder + "/set/dialogues.jsonl")]
        self.assertEqual([x["sql"] for x in asked], ["exact towers/questions.txt:1"] * 2 + [None])
        self.assertEqual([(x["turn"], x["question"]) for x in told], [(1, "siena?"), (2, "who"), (1, "in Siena"), (2, "who")])


class Together(unittest.TestCase):
    def test_constants_move(self):
        line = {"db": "towers", "question": "in Siena", "tokens": [["in", 0, 2], ["Siena", 3, 8]],
                "target": ["SEL", "c0", "WHERE", "c1", "=", "VAL", "q1", "q1", "END"]}
        made = together.behind(["Wer f\u00fchrt?"], line)
        self.assertEqual(made["question"], "Wer f\u00fchrt? // in Siena")
        self.assertEqual(made["values"], [[18, 23]])
        self.assertEqual(made["target"], ["SEL", "c0", "WHERE", "c1", "=", "VAL", "q", "q", "END"])


if __name__ == "__main__":
    unittest.main()
