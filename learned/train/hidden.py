"""Copies a question set of CSV files, each database as often as it has columns that a
question needs, and leaves one such column out of each copy.

    python3 hidden.py ../../nlq/judge/testdata/everyday hidden-everyday

Nothing in a copy answers its questions any more: their `sql` is null, their class "missing
column", and `missing` is the word of the question that named the column, where one did.
Columns that several tables have, keys and names stay: without them a question may still be
answered.
"""
import argparse
import csv
import json
import pathlib
import random
import re

MOST = 3  # questions of one copy


def plain(name):
    return re.sub(r"\W+", "_", name.strip()).strip("_").lower()


def tables(folder):
    """The rows of each CSV file, its head first."""
    found = {}
    for path in sorted(folder.glob("*.csv")):
        with open(path, newline="", encoding="utf-8-sig") as f:
            found[path.name] = list(csv.reader(f))
    return found


def columns(found):
    """Where each column stands that only one table has and that is no key: file and place."""
    places = {}
    for file, rows in found.items():
        for i, head in enumerate(rows[0]):
            places.setdefault(plain(head), []).append((file, i))
    return {c: at[0] for c, at in places.items() if len(at) == 1 and not c.endswith("id") and c != "name"}


def needs(question, column):
    """Whether the right query names the column, and not a value that reads like it."""
    sql = question["sql"] or ""
    name = re.escape(column)
    return re.search(rf'(?i)(?<!\w)"?{name}"?(?!\w)', sql) and not re.search(rf"(?i)'{name}'", sql)


def missing(text, column):
    """The word of a question that names a column; empty when none does."""
    for word in sorted(column.split("_"), key=len, reverse=True):
        found = re.search(rf"(?i)\b{re.escape(word[:max(4, len(word) - 2)])}\w*", text)
        if len(word) > 2 and found:
            return found.group(0)
    return ""


def copy(found, to, lost):
    to.mkdir(parents=True)
    for file, rows in found.items():
        with open(to / file, "w", newline="") as f:
            csv.writer(f).writerows([x for i, x in enumerate(row) if (file, i) != lost] for row in rows)


def hide(source, out, seed=1):
    """Writes the copies and their questions, and returns how many questions there are."""
    choose, lines = random.Random(seed), []
    questions = [json.loads(line) for line in open(source / "questions.jsonl")]
    for db in sorted({q["db"] for q in questions}):
        found = tables(source / db)
        for column, place in columns(found).items():
            asked = [q for q in questions if q["db"] == db and needs(q, column)]
            if not asked:
                continue
            name = f"{db}__{len(lines)}"
            copy(found, out / name, place)
            for q in choose.sample(asked, min(MOST, len(asked))):
                line = {"db": name, "question": q["question"], "sql": None, "class": "missing column"}
                word = missing(q["question"], column)
                lines.append({**line, "missing": word} if word else line)
    with open(out / "questions.jsonl", "w") as f:
        f.writelines(json.dumps(line) + "\n" for line in lines)
    return len(lines)


def hide_turns(source, out, copies=5, seed=3):
    """The same for dialogues whose first turn needs no such column: each ends with the first turn that does.

    Writes dialogues.jsonl, and returns how many of its turns nothing answers.
    """
    choose, lines = random.Random(seed), []
    by_dialogue = {}
    for line in open(source / "dialogues.jsonl"):
        turn = json.loads(line)
        by_dialogue.setdefault((turn["db"], turn["dialogue"]), []).append(turn)
    for db in sorted({db for db, _ in by_dialogue}):
        found = tables(source / db)
        places = list(columns(found).items())
        choose.shuffle(places)
        made = 0
        for column, place in places:
            asked = [k for k, turns in by_dialogue.items() if k[0] == db and not needs(turns[0], column) and any(needs(t, column) for t in turns)]
            if not asked or made == copies:
                continue
            name = f"{db}__{made}"
            made += 1
            copy(found, out / name, place)
            for key in choose.sample(asked, min(MOST, len(asked))):
                lines += until_lost(by_dialogue[key], name, column)
    with open(out / "dialogues.jsonl", "w") as f:
        f.writelines(json.dumps(line) + "\n" for line in lines)
    return sum(line["sql"] is None for line in lines)


def until_lost(turns, name, column):
    """The turns of a dialogue, put to a copy, up to the first that needs the column that it lacks."""
    for turn in turns:
        lost = needs(turn, column)
        sql = None if lost else turn["sql"].replace(f"{turn['db']}/", f"{name}/")
        yield {"db": name, "dialogue": turn["dialogue"], "turn": turn["turn"], "question": turn["question"], "sql": sql}
        if lost:
            return


def main():
    p = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    p.add_argument("source", type=pathlib.Path)
    p.add_argument("out", type=pathlib.Path)
    p.add_argument("--turns", action="store_true", help="of dialogues.jsonl instead")
    args = p.parse_args()
    print((hide_turns if args.turns else hide)(args.source, args.out))


if __name__ == "__main__":
    main()
