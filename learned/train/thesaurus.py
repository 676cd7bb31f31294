"""The words that people say for those in files: a reader of thesaurus/*.txt.

A line has a word as names of tables and columns or values have it, and behind a colon the
words and short phrases that mean just that when somebody asks about such a file:

    flue: chimney, stack, smokestack

They were written for this by language models, field by field.
"""
import pathlib

FOLDER = pathlib.Path(__file__).parent / "thesaurus"


def files(folder=FOLDER):
    """By file, its words with what is said for each."""
    for path in sorted(folder.glob("*.txt")):
        known = {}
        for line in path.read_text().splitlines():
            head, _, others = line.partition(":")
            known.setdefault(head.strip(), []).extend(w.strip() for w in others.split(",") if w.strip())
        yield known


def pairs(folder=FOLDER):
    """Pairs of single words."""
    return {frozenset((head, other)) for known in files(folder) for head, others in known.items() for other in others if " " not in other}


def words(folder=FOLDER):
    """All single words, in the order of the alphabet."""
    return sorted({word for pair in pairs(folder) for word in pair})
