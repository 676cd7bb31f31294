"""Senses: short texts by what they mean, so that other words for a value are known.

    python3 senses.py --pieces ../pieces.bin --corpus corpus --out ../senses.bin [--folds 4] [--without 0/2]

People say *penalties* for the value `fine`. The wordings of a block of the corpus that mark
the same constant say which words stand for which value. A matrix learns to turn the mean of
a text's pieces so that such words are nearer to their value than to the column's others.
With --folds it is judged first on databases that it has not seen. With --without it learns nothing from a part of
the databases: their questions are given to the networks with what it knows then, as those of people are.

The file, little endian:

    "QSNS"            magic
    uint32            version, 1
    uint32            length of the header
    header            JSON: size, width, pieces (crc32 of pieces.bin)
    float32           a scale for each of size rows
    int8              width numbers for each row, to be multiplied by its scale

Package nlq/encoder reads it.
"""
import argparse
import csv
import json
import pathlib
import re
import struct

import numpy as np
import torch
import torch.nn.functional as F

import pieces

WIDTH = 128
MOST = 60  # values of a column whose rows are of kinds
EPOCHS, BATCH, RATE, KEEP = 12, 32, 6e-4, 0.02


def columns(folder):
    """The values of the columns of a database, by table and name in lower case."""
    found = {}
    for path in sorted(folder.glob("*.csv")):
        with path.open(newline="") as f:
            for row in csv.DictReader(f):
                for name, value in row.items():
                    if name and value:
                        found.setdefault(f"{path.stem}.{name}".lower(), {})[value] = True
    return {name: list(values) for name, values in found.items()}


def alike(a, b):
    """Whether two texts share the beginning of a word, so that spelling tells it."""
    def begins(text):
        return {w[:4] for w in re.findall(r"\w+", text.lower())}
    return bool(begins(a) & begins(b))


def block_pairs(block, values):
    """The words of a block that stand for a value in other words: (said, value, all values)."""
    lines = block.strip().split("\n")
    if not lines[-1].startswith("= "):
        return
    for name, number in re.findall(r"(\w+\.\w+) = \$(\d+)", lines[-1]):
        known = values.get(name.lower(), [])
        marked = [m for line in lines[:-1] for m in re.findall(rf"\[{number}:([^\]]*)\]", line)]
        folded = {v.lower(): v for v in known}
        meant = [folded[m.lower()] for m in marked if m.lower() in folded]
        if not meant or not 1 < len(known) <= MOST:
            continue
        value = max(meant, key=meant.count)
        for said in marked:
            if said.lower() not in folded and not alike(said, value) and len(value) > 1:
                yield said, value, known


def pairs(corpus):
    """All pairs, each with its database first."""
    found = []
    for folder in sorted(p for p in corpus.iterdir() if p.is_dir()):
        values = columns(folder)
        for block in (folder / "questions.txt").read_text().split("\n\n"):
            if block.strip():
                found += [(folder.name, *pair) for pair in block_pairs(block, values)]
    return found


class Texts:
    """The means of the pieces of texts, one unit long."""

    def __init__(self, known, found):
        self.place, rows = {}, []
        for _, said, _, values in found:
            for text in [said, *values]:
                if text not in self.place:
                    self.place[text] = len(rows)
                    rows.append(known.vectors[known.of(text)].mean(0))
        self.rows = F.normalize(torch.tensor(np.array(rows)), dim=-1)

    def of(self, texts):
        return self.rows[[self.place[t] for t in texts]]

    def prepared(self, found):
        """For each pair the places of what is said and of the column's values, padded with -1, and which of these is meant."""
        said = torch.tensor([self.place[said] for _, said, _, _ in found])
        all_ = torch.full((len(found), max(len(values) for *_, values in found)), -1)
        for i, (*_, values) in enumerate(found):
            all_[i, :len(values)] = torch.tensor([self.place[v] for v in values])
        return said, all_, torch.tensor([values.index(value) for _, _, value, values in found])


def start(vectors):
    """The directions in which pieces differ most."""
    return torch.tensor(np.linalg.eigh(np.cov(vectors.T))[1][:, -WIDTH:].astype(np.float32).copy())


def learn(found, texts, begin):
    turn, sharp = begin.clone().requires_grad_(), torch.tensor(10.0).requires_grad_()
    best = torch.optim.Adam([turn, sharp], lr=RATE)
    said, values, meant = texts.prepared(found)
    for _ in range(EPOCHS):
        order = torch.randperm(len(found))
        for some in order.split(BATCH):
            near = near_values(texts, turn, said[some], values[some])
            loss = KEEP * ((turn - begin) ** 2).sum() + F.cross_entropy(sharp * near, meant[some])
            best.zero_grad()
            loss.backward()
            best.step()
    return turn.detach()


def near_values(texts, turn, said, values):
    """How near each text is to each of its column's values; what is padding is near to nothing."""
    there = values >= 0
    of_values = F.normalize(texts.rows[values.clamp_min(0)] @ turn, dim=-1)
    near = (of_values @ F.normalize(texts.rows[said] @ turn, dim=-1)[:, :, None])[..., 0]
    return near.masked_fill(~there, -1e4)


def judge(found, texts, turn):
    """How many are nearest to their value."""
    if not found:
        return 0
    said, values, meant = texts.prepared(found)
    return int((near_values(texts, turn, said, values).argmax(1) == meant).sum())


def write(path, turn, checksum):
    rows = turn.numpy()
    scales = np.abs(rows).max(axis=1) / 127
    header = json.dumps({"size": rows.shape[0], "width": rows.shape[1], "pieces": checksum}).encode()
    whole = np.rint(rows / np.where(scales > 0, scales, 1)[:, None]).astype("<i1")
    path.write_bytes(b"QSNS" + struct.pack("<II", 1, len(header)) + header + scales.astype("<f4").tobytes() + whole.tobytes())


def main():
    p = argparse.ArgumentParser()
    p.add_argument("--pieces", required=True)
    p.add_argument("--corpus", type=pathlib.Path, required=True)
    p.add_argument("--out", type=pathlib.Path, required=True)
    p.add_argument("--folds", type=int, default=0)
    p.add_argument("--without", help="a part of the databases, as 0/2")
    args = p.parse_args()
    torch.manual_seed(3)
    known = pieces.Pieces(args.pieces)
    found = pairs(args.corpus)
    texts, begin = Texts(known, found), start(known.vectors)
    names = sorted({f[0] for f in found})
    right = 0
    for fold in range(args.folds):
        apart = set(names[fold::args.folds])
        turn = learn([f for f in found if f[0] not in apart], texts, begin)
        right += judge([f for f in found if f[0] in apart], texts, turn)
    if args.folds:
        print(f"{right} of {len(found)} are nearest to their value, in databases not seen")
    if args.without:
        part, parts = map(int, args.without.split("/"))
        apart = set(sorted(p.name for p in args.corpus.iterdir())[part::parts])
        found = [f for f in found if f[0] not in apart]
    write(args.out, learn(found, texts, begin), known.sum)
    print(f"learned from {len(found)} pairs of {len(names)} databases")


if __name__ == "__main__":
    main()
