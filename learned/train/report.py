"""Writes the numbers of docs/translator.md from what `quern eval --verdicts` wrote.

    python3 report.py --docs ../../docs/translator.md "Spider=spider-closed.verdicts.jsonl" …

The first file is the one whose misses are sorted.
"""
import argparse
import collections
import json
import re


def read(path):
    return [json.loads(line) for line in open(path)]


def numbers(name, verdicts):
    n = len(verdicts)
    right = sum(v["correct"] for v in verdicts)
    answered = sum(v["answered"] for v in verdicts)
    surest = sorted(verdicts, key=lambda v: -v["confidence"])[: n * 6 // 10]
    took = sorted(v["took_ms"] for v in verdicts)
    return (f"| {name} | {n:,} | {100 * right / n:.1f} % | {answered:,} | {100 * right / answered:.1f} % | "
            f"{100 * sum(v['correct'] for v in surest) / len(surest):.1f} % | {took[n // 2]:.0f} ms | {took[n * 95 // 100]:.0f} ms |")


def shape(sql):
    """What can be told of a query without reading it."""
    s = sql.lower()
    count = lambda pattern: len(re.findall(pattern, s))
    return {
        "another number of nested queries or set operations": count(r"\bselect\b"),
        "another number of tables": count(r"\bjoin\b"),
        "grouping": count(r"\bgroup by\b"),
        "an aggregate": tuple(count(rf"\b{f}\s*\(") for f in ("count", "sum", "avg", "min", "max")),
        "order or limit": (count(r"\border by\b"), count(r"\blimit\b")),
        "DISTINCT": count(r"\bdistinct\b"),
        "the number of conditions": count(r"\bwhere\b") + count(r"\band\b") + count(r"\bor\b"),
        "the number of columns": count(r",") if "join" not in s else None,
    }


def sorted_misses(verdicts):
    kinds = collections.Counter()
    for v in verdicts:
        if v["correct"]:
            continue
        if not v["answered"]:
            kinds["asked back"] += 1
            continue
        gold, query = shape(v["sql"]), shape(v["query"])
        kind = next((k for k in gold if gold[k] is not None and query[k] is not None and gold[k] != query[k]), "the same shape: another column, value or join")
        kinds[kind] += 1
    return kinds


CURES = {
    "asked back": "mostly a database without rows; otherwise more training questions",
    "another number of nested queries or set operations": "templates for EXCEPT, IN and INTERSECT in `learned/train/patterns.py`",
    "another number of tables": "links that discovery misses; a second look at the path of joins",
    "the same shape: another column, value or join": "descriptions of columns; synonyms; a reranker that reads the rows",
    "an aggregate": "a reverse model from trees to questions, to filter made-up ones",
    "DISTINCT": "the sets themselves are of two minds",
}


def replace(text, mark, body):
    return re.sub(rf"<!-- {mark} -->.*?(?=\n## )", lambda _: f"<!-- {mark} -->\n\n{body}\n", text, flags=re.S)


def main():
    p = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    p.add_argument("--docs", required=True)
    p.add_argument("--note", default="", help="a sentence about the machine")
    p.add_argument("sets", nargs="+", metavar="NAME=FILE")
    args = p.parse_args()
    sets = [s.split("=", 1) for s in args.sets]
    table = ["| set | questions | execution accuracy | answered | right when answered | right on the surest 60 % | p50 | p95 |", "|---|---|---|---|---|---|---|---|"]
    table += [numbers(name, read(path)) for name, path in sets]
    if args.note:
        table += ["", args.note]
    kinds = sorted_misses(read(sets[0][1]))
    total = sum(kinds.values())
    errors = [f"Of the {total:,} misses on {sets[0][0]}, by the first thing in which the query differs from the set's own:", "",
              "| what differs | misses | what would help |", "|---|---|---|"]
    errors += [f"| {kind} | {n} | {CURES.get(kind, '')} |" for kind, n in kinds.most_common()]
    text = open(args.docs).read()
    text = replace(text, "numbers", "\n".join(table))
    text = replace(text, "errors", "\n".join(errors))
    open(args.docs, "w").write(text)


if __name__ == "__main__":
    main()
