"""Asks questions of databases that do not answer them.

    python3 foreign.py --out foreign.jsonl --count 6000 --deeds 1000 lines.jsonl…

Lines are what `quern features` wrote. A question of one database is put to another whose
names and values share little with its words, and a database is asked for deeds, reasons
and predictions about what it has: those lines have no query, and the set `foreign`. Their
features come from `quern features` once more.
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
# What no rows answer. T: a table, C: one of its columns.
DEEDS = re.split(r"[|\n]", """delete all T|please remove every T without C|cancel the T with the highest C|send an email to all T
update the C of all T|book another T for me|print the T|export the T to the printer|change the C of the first T to 5|add a new T|mark all T as done
call the T with the lowest C|translate the C of the T|order more T|remind the T tomorrow|approve every T|merge the duplicate T
why did the C of the T fall|why are there so few T|what is the reason for the high C of the T|how come the C of some T is so low
what caused the change in C of T|explain why the T have different C|why do T with a high C leave|who is to blame for the C of the T
predict the C of the T for next year|what will the C of the T be next month|forecast the number of T for the coming quarter
how many T will we have in five years|estimate the future C of the T|which T will have the highest C next year
what is going to happen to the T|should we get more T|what should we do about the C of the T|is the C of the T fair
what do people think of the T|which T do you like best|recommend a T to me|how can we improve the C of the T
what would happen if we doubled the C of the T|how do our T compare with the competition|is it worth keeping the T""")


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


def deeds(raws, count):
    """Deeds, reasons and predictions: (database, text)."""
    by_table = [(raw["schema"], t, [c["words"] for c in raw["columns"] if c["table"] == i and c["words"] and not c["flags"] & 3])
                for raw in raws for i, t in enumerate(raw["tables"])]
    asked = [(name, " ".join(t["words"]), columns) for name, t, columns in by_table if t["words"] and columns]
    for _ in range(count if asked else 0):
        name, table, columns = random.choice(asked)
        text = re.sub(r"\b[TC]\b", lambda m: table if m[0] == "T" else " ".join(random.choice(columns)), random.choice(DEEDS))
        text = random.choice((text, text, text[0].upper() + text[1:]))
        yield name, text + random.choice(("", "?" if text.lower().startswith(("w", "h", "is", "should")) else "."))


def main():
    p = argparse.ArgumentParser()
    p.add_argument("--out", required=True)
    p.add_argument("--count", type=int, default=6000)
    p.add_argument("--deeds", type=int, default=0, help="deeds, reasons and predictions besides")
    p.add_argument("--seed", type=int, default=3)
    p.add_argument("lines", nargs="+")
    args = p.parse_args()
    random.seed(args.seed)
    schemas, questions, raws = {}, [], []
    for line in data.lines(args.lines):
        if "schema" in line:
            schemas[line["schema"]] = known(line)
            raws.append(line)
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
        for name, text in deeds(raws, args.deeds):
            f.write(json.dumps({"db": name, "question": text, "set": "foreign"}) + "\n")


if __name__ == "__main__":
    main()
