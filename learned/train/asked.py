"""The words that people ask with, the most frequent first: writes english/asked.txt.

    python3 asked.py corpus ../vectors.bin ../../english/asked.txt

Counts the words of the questions and dialogues of all databases, without their constants.
What few databases have may be a word of one trade, and what is no frequent word of the
vectors may be misspelt, for some wordings were written in a hurry: both are left out.
"""
import collections
import pathlib
import re
import struct
import sys
import textwrap

DATABASES = 4
FREQUENT = 30000
SHORTEST = 3
HEAD = """# The words that people ask with, the most frequent first: those of the questions that were
# written for training (learned/train/asked.py writes this file), in four databases or more.

"""
constant = re.compile(r"\[\d+:[^\]]*\]")


def frequent(vectors):
    """The most frequent words of a file of vectors."""
    data = pathlib.Path(vectors).read_bytes()
    (count,) = struct.unpack_from("<I", data, 8)
    words, at = set(), 16
    for _ in range(min(count, FREQUENT)):
        end = at + 1 + data[at]
        words.add(data[at + 1 : end].decode())
        at = end
    return words


def said(folder):
    """The words of a database's questions."""
    for name in ("questions.txt", "dialogues.txt"):
        file = folder / name
        for line in file.read_text().splitlines() if file.exists() else []:
            if not line.startswith(("=", "!")):
                for word in re.findall(r"[A-Za-z']+", constant.sub(" ", line)):
                    if word.isalpha() and not (word.isupper() and len(word) > 1):
                        yield word.lower()


def main():
    corpus, vectors, out = sys.argv[1:]
    known, times, places = frequent(vectors), collections.Counter(), collections.Counter()
    for folder in sorted(pathlib.Path(corpus).iterdir()):
        if folder.is_dir():
            words = list(said(folder))
            times.update(words)
            places.update(set(words))
    words = [w for w in times if places[w] >= DATABASES and w in known and len(w) >= SHORTEST]
    words.sort(key=lambda w: (-times[w], w))
    pathlib.Path(out).write_text(HEAD + textwrap.fill(" ".join(words), 100) + "\n")


if __name__ == "__main__":
    main()
