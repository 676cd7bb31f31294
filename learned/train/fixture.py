"""A small network and invented questions, for tests here and in package nlq/net.

    python3 fixture.py ../../nlq/net/testdata

writes weights that learned nothing, in the format of export.py, and what they
compute.
"""
import pathlib
import sys

import torch

import data
import export
import train
from pieces import Pieces
from vectors import Table


def column(table, name, number=False, flags=0, values=("red", "dark blue")):
    return {"table": table, "name": name, "words": name.split("_"), "type": int(number), "flags": flags, "number": number,
            "values": ["3", "17.0"] if number else list(values), "distinct": 2, "rows": 2}


SHOP = {
    "schema": "shop", "tables": [{"name": "customers", "words": ["customers"]}, {"name": "orders", "words": ["orders"]}],
    "columns": [column(0, "id", True, 3), column(0, "city"), column(1, "customer_id", True, 1), column(1, "price", True), column(1, "color")],
    "links": [[2, 0]],
}
FARM = {
    "schema": "farm", "tables": [{"name": "barns", "words": ["barns"]}, {"name": "animals", "words": ["animals"]}],
    "columns": [column(0, "id", True, 3), column(0, "village"), column(1, "barn_id", True, 1), column(1, "weight", True),
                column(1, "breed", values=("Jersey", "Caf\u00e9 au lait"))],
    "links": [[2, 0]],
}
TREES = {
    "schema": "trees", "tables": [{"name": "t", "words": []}],
    "columns": [column(0, name, number, 0) for name, number in
                [("species", False), ("height_of_the_tallest_tree_in_feet_today", True), ("planted", True), ("park", False),
                 ("warden", False), ("rings", True), ("bark", False), ("leaf_shape", False), ("girth", True), ("xqzt", False)]],
    "links": [],
}
QUESTION = {
    "db": "shop", "id": 1, "set": "open", "question": "List the city of customers with color dark blue orders.",
    "tokens": [["List", 0, 4], ["the", 5, 8], ["city", 9, 13], ["of", 14, 16], ["customers", 17, 26], ["with", 27, 31],
               ["color", 32, 37], ["dark", 38, 42], ["blue", 43, 47], ["orders", 48, 54], [".", 54, 55]],
    "kinds": [0] * 10 + [7], "columns": [[2, 1, 10], [6, 4, 10], [7, 4, 2], [8, 4, 2]], "tables": [[4, 0, 2], [9, 1, 2]],
    "target": ["SEL", "c1", "WHERE", "c4", "=", "VAL", "q7", "q8", "END"],
}


def question(db, number, text, kinds, columns, tables, target):
    tokens, at = [], 0
    for word in text.split():
        tokens.append([word, at, at + len(word)])
        at += len(word) + 1
    return {"db": db, "id": number, "set": "open", "question": text, "tokens": tokens, "kinds": kinds, "columns": columns,
            "tables": tables, "target": target.split()}


LINES = [SHOP, FARM, TREES, QUESTION, question(
    "farm", 2, "barns without an animal heavier than 17 kg", [0, 0, 0, 0, 0, 0, 1, 0], [[4, 3, 18], [6, 3, 3], [6, 0, 4]],
    [[0, 0, 2], [3, 1, 1], [7, 1, 6]], "SEL STAR t0 WHERE c0 !in SEL c2 WHERE c3 > VAL q6 q6 END END"), question(
    "trees", 3, "For each park the 3 tallest species by average height , parks with at least two wardens only ?",
    [0, 0, 0, 0, 1, 0, 0, 0, 0, 0, 7, 0, 0, 0, 0, 1, 0, 0, 7], [[2, 3, 10], [6, 0, 10], [9, 1, 5], [11, 3, 10], [16, 4, 5], [5, 1, 17]],
    [], "SEL c3 c0 GROUP c3 HAVING count DIST c4 >= VAL q15 q15 DESC avg c1 LIMIT VAL q4 q4 END"), question(
    "trees", 4, "count", [0], [], [], "SEL count STAR t0 END")]


def network(table, grammar):
    """Untrained, but keen on ending."""
    torch.manual_seed(11)
    sizes = {"size": 48, "heads": 6, "encoders": 2, "decoders": 2}
    own = sorted(table.id(w) for w in ("the", "of", "count", "park", "id"))
    net = train.build(table.vectors, grammar, sizes, own).eval()
    with torch.no_grad():
        for layer in net.encoder:
            layer.relation_key.mul_(20)
            layer.relation_value.mul_(20)
            layer.relation_bias.normal_()
        for layer in net.decoder:
            layer.distance.normal_()
        net.write.bias[grammar.ids["END"]] = 3
    return net


def main(folder):
    folder, table, grammar, pieces = pathlib.Path(folder), Table(data.VECTORS), data.Grammar(), Pieces(data.PIECES)
    net = network(table, grammar)
    export.write(net, grammar, pieces, folder / "weights.bin", "i8")
    export.write_golden(net, grammar, table, pieces, LINES, 9, folder / "golden.json")


if __name__ == "__main__":
    main(sys.argv[1])
