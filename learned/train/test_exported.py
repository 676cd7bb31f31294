"""Going on from the weights of the product."""
import pathlib
import tempfile
import types
import unittest

import data
import export
import exported
import train
from pieces import Pieces
from vectors import Table

LEARNED = pathlib.Path(__file__).parent / ".."


class Exported(unittest.TestCase):
    def test_round_trip(self):
        """Networks that were read are written as they were."""
        table, grammar, pieces = Table(data.VECTORS), data.Grammar(), Pieces(data.PIECES)
        paths = [LEARNED / "weights0.bin", LEARNED / "weights1.bin"]
        args = types.SimpleNamespace(resume=",".join(map(str, paths)), drop=0.1, word_drop=0.2)
        nets = train.resumed(args, table.vectors, grammar, pieces, "cpu")
        self.assertIs(nets[1].lender[0], nets[0].pretrained)
        with tempfile.TemporaryDirectory() as folder:
            for net, path in zip(nets, paths):
                again = pathlib.Path(folder, path.name)
                export.write(net.eval(), grammar, pieces, again, "i8")
                self.assertEqual(again.read_bytes(), path.read_bytes())
        _, state = exported.read(paths[1])
        with self.assertRaises(ValueError):
            exported.load_into(nets[0], state)

    def test_other_files(self):
        with self.assertRaises(ValueError):
            exported.read(data.PIECES)


if __name__ == "__main__":
    unittest.main()
