"""Tests of othernames.py."""
import json
import pathlib
import random
import tempfile
import unittest

import othernames

TABLES = {"guest": {"name": "visitor", "columns": {"g_no": "id", "ctry": "nationality"}}}


class OtherNames(unittest.TestCase):
    def setUp(self):
        random.seed(1)

    def test_derivations_are_named_as_the_copy(self):
        names = othernames.Names(TABLES)
        self.assertEqual(names.derivation("SEL count STAR @guest WHERE Guest.Ctry = $1 END"), "SEL count STAR @visitor WHERE visitor.nationality = $1 END")

    def test_constants_do_not_slip(self):
        wording = "visitors from [1:Switzerland] altogether"
        slipped = {othernames.slipped(wording) for _ in range(50)}
        self.assertTrue(all("[1:Switzerland]" in text for text in slipped))
        self.assertGreater(len(slipped), 10)

    def test_names_of_a_mix_differ_within_a_table(self):
        same = {"guest": {"name": "a", "columns": {"x": "y", "y": "x"}}}
        for _ in range(50):
            columns = othernames.mixed([same, TABLES | {"guest": {"name": "b", "columns": {"x": "y", "y": "z"}}}])["guest"]["columns"]
            self.assertEqual(len(set(columns.values())), 2)

    def test_copies(self):
        with tempfile.TemporaryDirectory() as scratch:
            source, target = pathlib.Path(scratch, "hut"), pathlib.Path(scratch, "hut_other")
            source.mkdir()
            (source / "guest.csv").write_text("g_no,ctry\n1,AT\n")
            (source / "questions.txt").write_text("# about\nguests from [1:AT]\nwho is from [1:AT]\nall of [1:AT]\n= SEL guest.g_no WHERE guest.ctry = $1 END\n\nwhich have a dog\n! dog\n")
            othernames.copy(source, target, TABLES)
            self.assertEqual((target / "visitor.csv").read_text().splitlines(), ["id,nationality", "1,AT"])
            lines = (target / "questions.txt").read_text().splitlines()
            self.assertEqual(lines[2], "= SEL visitor.id WHERE visitor.nationality = $1 END")
            self.assertEqual(lines[4:6], ["which have a dog", "! dog"])

    def test_names_are_whole(self):
        here = pathlib.Path(othernames.__file__).parent
        for file in (here / "othernames").glob("*.jsonl"):
            for line in map(json.loads, file.read_text().splitlines()):
                files = {path.stem for path in (here / "corpus" / line["db"]).glob("*.csv")}
                self.assertEqual(files, set(line["tables"]), line["db"])
                names = [table["name"].lower() for table in line["tables"].values()]
                self.assertEqual(len(names), len(set(names)), line["db"])


if __name__ == "__main__":
    unittest.main()
