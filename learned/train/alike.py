"""Gives databases columns that look like others, so that their questions are asked beside them.

    python3 alike.py --out alike.jsonl --count 4000 lines.jsonl…

Lines are what `quern features` wrote. A copy of a schema, called `alike_` and its name, gets
columns such as *list price* beside *price* at its end; its questions keep their derivations
and have the set `alike`. A word that names the column names the new one in part.
"""
import argparse
import json
import random

import data

BEFORE = {0: "former second alternative original parent other official internal".split(),
          1: "list net gross previous planned target estimated minimum maximum".split(),
          2: "planned expected last previous original next".split()}
PARTIAL, VALUES = 1, 5  # a relation is the match of the name times VALUES, and that of the value


def alike(raw, many=3):
    """A copy of a schema, and for each new column the one that it is like."""
    can = [i for i, c in enumerate(raw["columns"]) if c["type"] in BEFORE and c["words"] and len(c["words"]) < 4 and not c["flags"] & 3]
    like = random.sample(can, min(len(can), random.randint(1, many)))
    new = []
    for i in like:
        c = raw["columns"][i]
        before = random.choice([w for w in BEFORE[c["type"]] if w not in c["words"]])
        values = random.sample(c["values"], min(len(c["values"]), 3))
        new.append(c | {"name": f"{before}_{c['name']}", "words": [before, *c["words"]], "values": values})
    return raw | {"schema": "alike_" + raw["schema"], "columns": raw["columns"] + new}, like


def ask(line, raw, like):
    """A question of the copy."""
    new = []
    for word, column, relation in line["columns"]:
        for at, i in enumerate(like):
            if i == column and relation < 3 * VALUES and relation // VALUES > 0:
                new.append([word, len(raw["columns"]) + at, PARTIAL * VALUES + (relation % VALUES if relation % VALUES > 2 else 0)])
    return line | {"db": "alike_" + line["db"], "set": "alike", "columns": line["columns"] + new}


def main():
    p = argparse.ArgumentParser()
    p.add_argument("--out", required=True)
    p.add_argument("--count", type=int, default=4000)
    p.add_argument("--seed", type=int, default=5)
    p.add_argument("lines", nargs="+")
    args = p.parse_args()
    random.seed(args.seed)
    schemas, questions = {}, []
    for line in data.lines(args.lines):
        if "schema" in line:
            schemas[line["schema"]] = line
        elif line.get("target"):
            questions.append(line)
    made = {}
    with open(args.out, "w") as f:
        for line in random.sample(questions, min(args.count, len(questions))):
            raw = schemas[line["db"]]
            if line["db"] not in made:
                copy, made[line["db"]] = alike(raw)
                f.write(json.dumps(copy) + "\n")
            if made[line["db"]]:
                f.write(json.dumps(ask(line, raw, made[line["db"]])) + "\n")


if __name__ == "__main__":
    main()
