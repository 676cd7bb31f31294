"""Asks questions of databases that have nothing to do with them.

    python3 foreign.py --out foreign.jsonl --count 6000 lines.jsonl…

Lines are what `quern features` wrote. A question of one database is put to another whose
names and values share little with its words: those lines have no query, and the set
`foreign`. Their features come from `quern features` once more.
"""
import argparse
import json
import random
import re

import data

THIN = set("""a all an and any are as at be been both by can could did do does each every find for from get give had has have
how i in is it its list many me more most much name number of on or our please return show than that the their them there these
they this those to us was we were what when where which who whom whose will with would you your""".split())
MOST = 0.25  # of a question's words that the other database may know


def stem(word):
    return word[:-1] if len(word) > 3 and word.endswith("s") else word


def words(text):
    return {stem(w) for w in re.findall(r"[a-z]+", text.lower())} - {stem(w) for w in THIN}


def known(raw):
    """The words of a schema and of its first values."""
    out = set()
    for item in raw["tables"] + raw["columns"]:
        out |= {stem(w) for w in item["words"]}
        out |= words(" ".join(str(v) for v in item.get("values", [])[:20]))
    return out


def main():
    p = argparse.ArgumentParser()
    p.add_argument("--out", required=True)
    p.add_argument("--count", type=int, default=6000)
    p.add_argument("--seed", type=int, default=3)
    p.add_argument("lines", nargs="+")
    args = p.parse_args()
    random.seed(args.seed)
    schemas, questions = {}, []
    for line in data.lines(args.lines):
        if "schema" in line:
            schemas[line["schema"]] = known(line)
        else:
            questions.append((line["db"], line["question"]))
    names, made = sorted(schemas), 0
    with open(args.out, "w") as f:
        while made < args.count:
            (origin, text), name = random.choice(questions), random.choice(names)
            said = words(text)
            if origin == name or not said or len(said & schemas[name]) > MOST * len(said):
                continue
            f.write(json.dumps({"db": name, "question": text, "set": "foreign"}) + "\n")
            made += 1


if __name__ == "__main__":
    main()
