"""Asks questions behind other questions, as a conversation has them.

    python3 together.py --out together.jsonl --count 8000 lines.jsonl…

Lines are what `quern features` wrote. A question of a database is put behind one to three others
of the same database that have nothing to do with it: it means what it means alone. Lines come out
as the exporter reads them, in the set `together`, and their features come from `quern features` once
more. Follow-ups, which mean more behind others than alone, are those of corpus.py.
"""
import argparse
import json
import random

import corpus
import data


def behind(before, line):
    """A question behind others; the first byte of its constants and the one behind them move."""
    lead = corpus.SEPARATOR.join(before) + corpus.SEPARATOR
    skip, tokens, target, values = len(lead.encode()), line["tokens"], [], []
    i = 0
    while i < len(line["target"]):
        target.append(line["target"][i])
        if line["target"][i] == "VAL":
            first, last = (int(x[1:]) for x in line["target"][i + 1:i + 3])
            values.append([skip + tokens[first][1], skip + tokens[last][2]])
            target += ["q", "q"]
            i += 2
        i += 1
    return {"db": line["db"], "set": "together", "question": lead + line["question"], "target": target, "values": values}


def main():
    p = argparse.ArgumentParser()
    p.add_argument("lines", nargs="+")
    p.add_argument("--out", required=True)
    p.add_argument("--count", type=int, default=8000)
    p.add_argument("--seed", type=int, default=5)
    args = p.parse_args()
    random.seed(args.seed)
    by_db = {}
    for line in data.lines(args.lines):
        if line.get("target") and corpus.SEPARATOR not in line["question"]:
            by_db.setdefault(line["db"], []).append(line)
    names = [n for n, some in by_db.items() if len({x["question"] for x in some}) > 4]
    with open(args.out, "w") as f:
        for i in range(args.count if names else 0):
            some = by_db[random.choice(names)]
            line, *others = random.sample(some, random.choice((2, 2, 3, 4)))
            f.write(json.dumps(behind([x["question"] for x in others], line) | {"id": i}) + "\n")


if __name__ == "__main__":
    main()
