"""Copies databases of the corpus under other names, so that a network learns that people do not speak in columns.

    python3 othernames.py --databases corpus --names othernames --out named

othernames/*.jsonl have a line for each database and style: "other" words for the same things, and "short"
ones, as hurried people write them, for every table and column. A third copy mixes both and the old names. A copy
has the rows of the original, some of its wordings, and what they mean by the names of the copy; some
wordings get the slips of a hurried hand.
"""
import argparse
import csv
import json
import pathlib
import random
import re

HELD = "a_library b_radio c_theatre d_hr e_garage f_carpenter g_farmvet h_salon j_podcasts k_music".split()
WORDINGS = 2  # of a question in a copy; of a turn it has one
SLIPS = 0.12  # of the wordings
NEAR = dict(zip("qwertyuiopasdfghjklzxcvbnm", "wertyuiopoasdfghjkkzxcvbnn"))

word = re.compile(r"\[[^\]]*\]|[A-Za-z]{5,}")


def slip(text):
    """A word with one letter that slipped."""
    at = random.randrange(1, len(text) - 1)
    kind = random.random()
    if kind < 0.4:
        return text[:at] + text[at + 1 :]
    if kind < 0.75:
        return text[:at] + text[at + 1] + text[at] + text[at + 2 :]
    if kind < 0.9:
        return text[:at] + NEAR.get(text[at], text[at]) + text[at + 1 :]
    return text[:at] + text[at] + text[at:]


def slipped(wording):
    """A wording with one or two slips, never in what stands in brackets."""
    found = [m for m in word.finditer(wording) if not m[0].startswith("[")]
    for m in sorted(random.sample(found, min(len(found), random.choice([1, 1, 2]))), key=lambda m: -m.start()):
        wording = wording[: m.start()] + slip(m[0]) + wording[m.end() :]
    return wording


class Names:
    """The names of a copy by those of the original."""

    def __init__(self, tables):
        self.tables = {old.lower(): new["name"] for old, new in tables.items()}
        self.columns = {f"{old}.{column}".lower(): f"{new['name']}.{name}"
                        for old, new in tables.items() for column, name in new["columns"].items()}

    def derivation(self, text):
        """What a question means, by the names of the copy."""
        out = []
        for token in text.split():
            if token.startswith("@"):
                token = "@" + self.tables[token[1:].lower()]
            out.append(self.columns.get(token.lower(), token))
        return " ".join(out)


def chosen(wordings, means):
    """Some wordings, in their order. The word that nothing answers to does not slip."""
    most = 1 if wordings[0].startswith(">") else WORDINGS
    some = sorted(random.sample(range(len(wordings)), min(most, len(wordings))))
    return [slipped(wordings[i]) if means[0] == "=" and random.random() < SLIPS else wordings[i] for i in some]


def copy_text(source, target, names):
    """Copies questions or dialogues: some wordings, and what they mean."""
    if not source.exists():
        return
    out, wordings = [], []
    for line in source.read_text().splitlines():
        line = line.strip()
        if line.startswith("#"):
            continue
        if line.startswith(("=", "!")):
            out += chosen(wordings, line)
            out.append("= " + names.derivation(line[1:]) if line[0] == "=" else line)
            wordings = []
        elif line:
            wordings.append(line)
        else:
            out.append("")
    target.write_text("\n".join(out) + "\n")


def copy(source, target, tables):
    """Copies a database under other names."""
    target.mkdir(parents=True)
    for old, new in tables.items():
        with (source / f"{old}.csv").open(newline="") as rows, (target / f"{new['name']}.csv").open("w", newline="") as out:
            rows, write = csv.reader(rows), csv.writer(out)
            write.writerow([new["columns"][column] for column in next(rows)])
            write.writerows(rows)
    for name in ("questions.txt", "dialogues.txt"):
        copy_text(source / name, target / name, Names(tables))


def mixed(styles):
    """Names of which each is out of one of the styles, or the old one."""
    out, taken = {}, set()
    for old in styles[0]:
        name = fresh([old, *(s[old]["name"] for s in styles)], taken)
        columns, there = {}, set()
        for column in styles[0][old]["columns"]:
            columns[column] = fresh([column, *(s[old]["columns"][column] for s in styles)], there)
        out[old] = {"name": name, "columns": columns}
    return out


def fresh(names, taken):
    """One of some names, which is not taken where one is not."""
    free = [n for n in names if n.lower() not in taken] or [names[0] + "_2"]
    name = random.choice(free)
    taken.add(name.lower())
    return name


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--databases", required=True, type=pathlib.Path, help="the folder of the databases")
    parser.add_argument("--names", required=True, type=pathlib.Path, help="the folder of the names")
    parser.add_argument("--out", required=True, type=pathlib.Path, help="where the copies are written")
    parser.add_argument("--styles", default="other,short,mixed")
    parser.add_argument("--seed", type=int, default=41)
    args = parser.parse_args()
    random.seed(args.seed)
    named = {}
    for file in sorted(args.names.glob("*.jsonl")):
        for line in map(json.loads, file.read_text().splitlines()):
            if line["db"] not in HELD:
                named.setdefault(line["db"], {})[line["style"]] = line["tables"]
    for db, styles in named.items():
        styles["mixed"] = mixed(list(styles.values()))
        for style in args.styles.split(","):
            copy(args.databases / db, args.out / f"{db}_{style}", styles[style])


if __name__ == "__main__":
    main()
