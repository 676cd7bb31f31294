"""Reads questions that people wrote for training, and makes lines for "quern features" of them.

A folder has a folder for each database: a CSV file for each table, questions.txt and
dialogues.txt. A block of questions.txt has wordings of one question, a line each, and a
line with what they mean; blocks are apart by an empty line:

    How many guests came from [1:Spain]?
    [1:spanish] guests, how many
    = SEL count STAR @guests WHERE guests.country = $1 END

What is written in brackets is a constant; its number stands for it in the derivation, where
columns are named table.column and tables @table. Nothing in the data answers a block that
ends with "!" and the word that nothing answers to:

    Which guests brought a dog?
    ! dog

A dialogue is a block too: lines with ">" are wordings of a turn, and the line with "="
behind them what it means with all that was said before. Constants have one numbering
throughout a dialogue. The first wordings of all turns before are said before a turn.
"""

import argparse
import json
import os
import pathlib
import re
import subprocess
import sys
import tempfile

SEPARATOR = " // "
MOST_BEFORE = 3  # turns that are said before a turn

bracket = re.compile(r"\[(\d+):([^\]]*)\]")


class Wrong(Exception):
    """A block that cannot be read."""


def plain(text):
    """Returns a wording without brackets and the characters of its constants by number."""
    out, spans, at = "", {}, 0
    for found in bracket.finditer(text):
        out += text[at : found.start()]
        spans[int(found[1])] = (len(out), len(out) + len(found[2]))
        out += found[2]
        at = found.end()
    out += text[at:]
    if re.search(r"[\[\]]", out):
        raise Wrong(f"a bracket of another form: {text}")
    return out, spans


def in_bytes(text, span):
    return [len(text[: span[0]].encode()), len(text[: span[1]].encode())]


class Names:
    """What columns and tables of a schema are called in derivations."""

    def __init__(self, schema):
        self.known = {}
        for i, table in enumerate(schema["tables"]):
            self.known["@" + table["name"].lower()] = f"t{i}"
        for i, column in enumerate(schema["columns"]):
            table = schema["tables"][column["table"]]["name"]
            self.known[f"{table}.{column['name']}".lower()] = f"c{i}"

    def target(self, derivation, text, spans):
        """Returns a derivation as tokens, with the characters of its constants."""
        out, values = [], []
        for word in derivation.split():
            if word.startswith("$"):
                number = int(word[1:])
                if number not in spans:
                    raise Wrong(f"{word} is not said")
                out += ["VAL", "q", "q"]
                values.append(in_bytes(text, spans[number]))
            elif word.lower() in self.known:
                out.append(self.known[word.lower()])
            elif "." in word or word.startswith("@"):
                raise Wrong(f"there is no {word}")
            else:
                out.append(word)
        return out, values


def blocks(path):
    """Yields the number of the first line and the lines of each block."""
    if not path.exists():
        return
    lines, first = [], 0
    for number, line in enumerate(path.read_text().splitlines() + [""], 1):
        line = line.strip()
        if line.startswith("#"):
            continue
        if line:
            first = first if lines else number
            lines.append(line)
        elif lines:
            yield first, lines
            lines = []


def questions(db, folder, names):
    """Yields lines of single questions."""
    for at, block in blocks(folder / "questions.txt"):
        *wordings, means = block
        for wording in wordings:
            line = {"db": db, "set": "corpus", "at": f"{db}/questions.txt:{at}"}
            try:
                text, spans = plain(wording)
                line["question"] = text
                if means.startswith("="):
                    line["target"], line["values"] = names.target(means[1:], text, spans)
                elif means.startswith("!"):
                    line["set"] = "foreign"
                    line["sql"], line["missing"] = None, means[1:].strip()
                else:
                    raise Wrong("the last line begins with neither = nor !")
            except Wrong as wrong:
                line["wrong"] = str(wrong)
            yield line


def turns(block):
    """Returns the turns of a dialogue: wordings and what they mean."""
    all_turns, wordings = [], []
    for line in block:
        if line.startswith(">"):
            wordings.append(line[1:].strip())
        elif line.startswith("=") and wordings:
            all_turns.append((wordings, line[1:]))
            wordings = []
        else:
            raise Wrong(f"neither a wording nor what it means: {line}")
    if wordings:
        raise Wrong("the last turn has no meaning")
    return all_turns


def joined(before, wording):
    """Returns a turn behind those before it, with the characters of all constants."""
    text, spans = "", {}
    for said in [*before[-MOST_BEFORE:], wording]:
        if text:
            text += SEPARATOR
        one, own = plain(said)
        for number, (start, end) in own.items():
            spans[number] = (len(text) + start, len(text) + end)
        text += one
    return text, spans


def dialogues(db, folder, names):
    """Yields lines of the turns of dialogues, each behind what was said before it."""
    for at, block in blocks(folder / "dialogues.txt"):
        place = f"{db}/dialogues.txt:{at}"
        try:
            told = turns(block)
        except Wrong as wrong:
            yield {"db": db, "set": "turns", "at": place, "wrong": str(wrong)}
            continue
        before = []
        for n, (wordings, means) in enumerate(told):
            for wording in wordings:
                line = {"db": db, "set": "turns" if n else "corpus", "at": f"{place} turn {n + 1}", "turn": n + 1}
                try:
                    line["said"] = plain(wording)[0]
                    line["question"], spans = joined(before, wording)
                    line["target"], line["values"] = names.target(means, line["question"], spans)
                except Wrong as wrong:
                    line["wrong"] = str(wrong)
                yield line
            before.append(wordings[0])


def features(quern, databases, lines):
    """Returns what "quern features" makes of lines."""
    with tempfile.TemporaryDirectory() as scratch:
        asked, out = pathlib.Path(scratch, "asked.jsonl"), pathlib.Path(scratch, "out.jsonl")
        asked.write_text("".join(json.dumps(line) + "\n" for line in lines))
        subprocess.run([quern, "features", "--databases", databases, "--questions", asked, "--out", out],
                       check=True, stdout=subprocess.DEVNULL, env=os.environ | {"QUERN_ENGINE_WORKERS": "0"})
        return [json.loads(line) for line in out.open()]


def read(quern, databases, only):
    """Returns the lines of a corpus."""
    folders = [f for f in sorted(pathlib.Path(databases).iterdir()) if f.is_dir() and (not only or f.name in only)]
    first = [{"db": f.name, "question": "how many?", "sql": "SELECT 1"} for f in folders]
    names = {line["schema"]: Names(line) for line in features(quern, databases, first) if "schema" in line}
    lines = []
    for folder in folders:
        lines += questions(folder.name, folder, names[folder.name])
        lines += dialogues(folder.name, folder, names[folder.name])
    return lines


def check(quern, databases, lines):
    """Prints the lines that mean nothing; returns how many."""
    right = [line for line in lines if "wrong" not in line]
    keys = {(line["db"], line["question"]): line for line in right}
    for line in features(quern, databases, right) if right else []:
        if "unsayable" in line and "target" in keys[line["db"], line["question"]]:
            keys[line["db"], line["question"]]["wrong"] = line["unsayable"]
    wrong = [line for line in lines if "wrong" in line]
    for line in wrong:
        print(f"{line['at']}: {line['wrong']}: {line.get('question', '')}")
    counts = {}
    for line in lines:
        counts[line["set"]] = counts.get(line["set"], 0) + 1
    print(f"{len(lines)} wordings ({counts}), {len(wrong)} of them wrong")
    return len(wrong)


def question_set(quern, databases, lines, out):
    """Writes questions and dialogues as `quern eval` takes them, and links to their databases.

    All wordings of a question have the query of one whose values are all found in the data;
    what has no such wording is left out, and so are the turns behind one that has none.
    """
    made = {(line["db"], line["question"]): line for line in features(quern, databases, lines) if "schema" not in line}
    right = {}
    for line in lines:
        read_as = made[line["db"], line["question"]]
        if read_as.get("sql") and read_as.get("score", 0) == 1:
            right.setdefault(line["at"], read_as["sql"])
    out = pathlib.Path(out)
    out.mkdir(parents=True, exist_ok=True)
    asked, told = [], {}
    for line in lines:
        if line["set"].startswith("foreign"):
            missing = line["missing"] if line["missing"].lower() in line["question"].lower() else ""
            asked.append({"db": line["db"], "question": line["question"], "sql": None, "missing": missing})
        elif "turn" in line:
            told.setdefault((line["db"], line["at"].split(" turn ")[0]), []).append(line)
        elif line["at"] in right:
            asked.append({"db": line["db"], "question": line["question"], "sql": right[line["at"]]})
    spoken = []
    for (db, at), turns_of in told.items():
        spoken += dialogue(db, at, turns_of, right)
    for name, some in (("questions", asked), ("dialogues", spoken)):
        (out / f"{name}.jsonl").write_text("".join(json.dumps(line) + "\n" for line in some))
    for db in {line["db"] for line in lines}:
        link = out / db
        if not link.exists():
            link.symlink_to(pathlib.Path(databases, db).resolve())
    return len(asked), len(spoken)


def dialogue(db, at, lines, right):
    """The turns of a dialogue as `quern eval` takes them, with the first and with the second wording of each."""
    wordings = {}
    for line in lines:
        wordings.setdefault(line["turn"], []).append(line)
    for way in range(2):
        for turn in sorted(wordings):
            line = wordings[turn][min(way, len(wordings[turn]) - 1)]
            if line["at"] not in right:
                break
            yield {"db": db, "dialogue": f"{at} {way}", "turn": turn, "question": line["said"], "sql": right[line["at"]]}


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--quern", default="quern")
    parser.add_argument("--databases", required=True, help="the folder of the databases")
    parser.add_argument("--out", help="where the lines are written")
    parser.add_argument("--held", default="", help="databases kept apart, with commas between: their sets are corpus-held and turns-held")
    parser.add_argument("--set", help="a folder where a question set is written, for `quern eval`")
    parser.add_argument("--check", action="store_true", help="tell which lines mean nothing")
    parser.add_argument("only", nargs="*", help="databases to read, otherwise all")
    args = parser.parse_args()
    lines = read(args.quern, args.databases, args.only)
    if args.check and check(args.quern, args.databases, lines):
        sys.exit(1)
    held = set(args.held.split(","))
    for line in lines:
        if line["db"] in held:
            line["set"] += "-held"
    if args.out:
        with open(args.out, "w") as out:
            for line in lines:
                if "wrong" not in line:
                    out.write(json.dumps({k: v for k, v in line.items() if k not in ("at", "missing", "turn", "said")}) + "\n")
    if args.set:
        whole = [line for line in lines if "wrong" not in line]
        print("%d questions, %d turns" % question_set(args.quern, args.databases, whole, args.set))


if __name__ == "__main__":
    main()
