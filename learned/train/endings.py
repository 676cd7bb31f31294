"""Asks everyday questions once more, with endings as people write them.

    python3 endings.py --out endings.jsonl --count 6000 --lines everyday-first.jsonl everyday.jsonl

Reads the questions of everyday_ask.py, as they are before their features are known. A list of
columns follows a question about rows ("unpaid deliveries, ref and amount"), the order of groups one
about groups ("…, highest first"), and periods get days ("from 1 May 2023 to 31 July 2023").
Lines come out as the exporter reads them, with the set `everyday`.
"""
import argparse
import calendar
import json
import random
import re

import data

AGGREGATES = {"count", "sum", "avg", "min", "max"}
PERIOD = re.compile(r"^(?P<opening>between|from) .*?(?P<joint> and | to | until )", re.IGNORECASE)
DOWN = (", from highest to lowest", ", highest first", " from high to low", ", largest first", ", biggest on top", " in descending order")
# Such a question has said what it wants.
SAID = re.compile(r"^(what is|what's|what are|is|are|do|does|did|give me the|name and|when|how|\w+ and \w+ of)\b", re.IGNORECASE)
UP = (", from lowest to highest", ", lowest first", " from low to high", ", smallest first", " in ascending order")


def listed(names):
    """Names as the end of a question."""
    joint = random.choice((" and ", " and ", ", ", " & "))
    text = ", ".join(names[:-1]) + joint + names[-1] if len(names) > 1 else names[0]
    ways = ", {}|: {}| - {}|, {} please|. Give the {}| ({})|, show {}|? {}|? {} please".split("|")
    return random.choice(ways).format(text)


def with_columns(line, raw):
    """A question about rows that says at its end which columns are wanted."""
    target = line["target"]
    about_rows = "WHERE" in target and target.count("SEL") == 1 and not {"GROUP", "DESC", "ASC", "DISTINCT"} & set(target)
    if SAID.match(line["question"]) or not about_rows:
        return None
    head, rest = target[1:target.index("WHERE")], target[target.index("WHERE"):]
    if set(head) & AGGREGATES or not all(re.fullmatch(r"STAR|[ct]\d+", t) for t in head):
        return None
    table = int(head[-1][1:]) if head[-1][0] == "t" else raw["columns"][int(head[-1][1:])]["table"]
    can = [i for i, c in enumerate(raw["columns"]) if c["table"] == table and c["words"]]
    chosen = random.sample(can, min(len(can), random.choice((1, 2, 2, 2, 3, 3, 4))))
    if not chosen:
        return None
    text = line["question"].rstrip(" ?.!") + listed([" ".join(raw["columns"][i]["words"]) for i in chosen])
    return line | {"question": text, "target": ["SEL", *(f"c{i}" for i in chosen), *rest]}


def with_order(line):
    """A question about groups that says at its end how they follow one another."""
    target = line["target"]
    if "GROUP" not in target or {"HAVING", "DESC", "ASC", "LIMIT"} & set(target) or target.count("SEL") > 1:
        return None
    at = next((i for i, t in enumerate(target) if t in AGGREGATES), None)
    if at is None:
        return None
    computed = target[at:at + (3 if target[at + 1] == "STAR" else 2)]
    if not re.fullmatch(r"[ct]\d+", computed[-1]):
        return None
    down = random.random() < 0.7
    text = line["question"].rstrip(" ?.!") + random.choice(DOWN if down else UP)
    return line | {"question": text, "target": [*target[:-1], "DESC" if down else "ASC", *computed, "END"]}


def day(year, month, last):
    name = calendar.month_name[month]
    number = calendar.monthrange(year, month)[1] if last and random.random() < 0.6 else random.randint(1, 28)
    usual = f"{number} {name} {year}"
    return random.choice((usual, usual, f"{name} {number}, {year}", f"{year}-{month:02d}-{number:02d}"))


def with_days(line):
    """A question about a period of years or months, asked about one of days."""
    raw, shift, values, changed = line["question"].encode(), 0, [], False
    for start, end in sorted(line["values"]):
        text = raw[start:end].decode()
        found = PERIOD.match(text)
        if found:
            year, month = random.randint(2015, 2026), random.randint(1, 12)
            other, later = (year, random.randint(month, 12)) if random.random() < 0.7 else (year + 1, random.randint(1, 12))
            new = f"{found['opening']} {day(year, month, False)}{found['joint']}{day(other, later, True)}".encode()
            changed = True
        else:
            new = text.encode()
        values.append((start, end, new))
    if not changed or len({v[:2] for v in values}) != len(line["values"]):
        return None
    out, at, places = bytearray(), 0, {}
    for start, end, new in values:
        out += raw[at:start]
        places[(start, end)] = [len(out), len(out) + len(new)]
        out += new
        at = end
    out += raw[at:]
    return line | {"question": out.decode(), "values": [places[tuple(v)] for v in line["values"]]}


def main():
    p = argparse.ArgumentParser()
    p.add_argument("--out", required=True)
    p.add_argument("--count", type=int, default=6000)
    p.add_argument("--seed", type=int, default=6)
    p.add_argument("--lines", nargs="+", required=True, help="with the schemas")
    p.add_argument("questions")
    args = p.parse_args()
    random.seed(args.seed)
    schemas = {line["schema"]: line for line in data.lines(args.lines) if "schema" in line}
    with open(args.questions) as f:
        lines = [json.loads(line) for line in f]
    random.shuffle(lines)
    made = 0
    with open(args.out, "w") as f:
        for line in lines:
            ways = [lambda x: with_columns(x, schemas[x["db"]]), with_order, with_days]
            for way in random.sample(ways, 3):
                new = way(line)
                if new and made < args.count:
                    f.write(json.dumps(new | {"id": made}) + "\n")
                    made += 1
    print(made, "questions")


if __name__ == "__main__":
    main()
