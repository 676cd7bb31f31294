"""Asks everyday questions of the databases that everyday.py made up.

    python3 everyday_ask.py --about everyday-databases/everyday.json --out everyday.jsonl --count 20000 first-features.jsonl

The lines are what `quern features` gave for everyday-first.jsonl. Questions come
out as synthesise.py writes them.
"""
import argparse
import collections
import json
import random
import re

import data
import everyday_conditions as conditions
import everyday_patterns as patterns
from everyday_conditions import Column, Values, article, mark, plural
from everyday_words import kinds

SINGULAR = {"are": "is", "aren't": "isn't", "have": "has", "haven't": "hasn't", "do": "does", "don't": "doesn't", "were": "was", "lack": "lacks", "come": "comes"}
PAST = {"made", "paid", "had", "spent", "come"}
TWICE = re.compile(r"\b(\w+) \1\b|\btotal\b.*\btotal\b", re.I)  # the total total
OFTEN = {"b": 3, "c": 2, "k": 1.5, "$": 0.7, "#": 0.7, "d": 2.5, "o": 3, "x": 1.5, "y": 1.2}  # how often columns have conditions
NUMBERS = "two three four five six seven eight nine ten".split()


class Table:
    """A table of a schema, and what it is of."""

    def __init__(self, id, kind, columns):
        self.id, self.kind, self.columns = id, kind, columns
        self.alone = len(self.of("do")) == 1 and not kind.person

    def of(self, sorts):
        return [c for c in self.columns if c.sort in sorts]

    def names(self):
        return next((c for c in self.columns if c.sort == "n"), None)


class Base:
    """A made-up database: its tables, and the links that were found of those it has."""

    def __init__(self, raw, about, all):
        self.name, self.tables = raw["schema"], []
        for i, t in enumerate(raw["tables"]):
            known = about[t["name"]]
            columns = [Column(j, c, known["columns"][c["name"]]) for j, c in enumerate(raw["columns"]) if c["table"] == i and c["name"] in known["columns"]]
            self.tables.append(Table(i, all[known["kind"]], columns))
        self.links = []
        for f, k in raw["links"]:
            x, p = self.tables[raw["columns"][f]["table"]], self.tables[raw["columns"][k]["table"]]
            column = next(c for c in x.columns if c.id == f)
            if column.sort == "f" and column.more[0] == p.kind.one and p.names():
                self.links.append((x, p, f, k))


class Question:
    """A question in the making."""

    def __init__(self, base):
        self.base, self.values = base, Values()
        self.used = set()  # columns

    def take(self, table, sorts, without=()):
        fit = [c for c in table.of(sorts) if c.id not in self.used and c not in without and len(c.words) > 1]
        if not fit:
            return None
        c = random.choice(fit)
        self.used.add(c.id)
        return c

    def conditions(self, table, most):
        """Up to so many conditions."""
        out = []
        for _ in range(most):
            fit = [c for c in table.columns if c.sort in OFTEN and c.id not in self.used]
            if not fit:
                break
            c = random.choices(fit, [OFTEN[c.sort] for c in fit])[0]
            self.used.add(c.id)
            made = conditions.condition(c, self.values, table.kind.person, table.alone)
            if made:
                out.append(made)
        return out

    @staticmethod
    def phrase(table, some):
        """A noun with its conditions, and these in the order in which they are said; None where they do not go together."""
        before, nouns, behind = [], [], []
        for s in some:
            if "noun" in s.forms:
                nouns.append((s.forms["noun"], s))
            elif s.forms["pre"] and not before and (not s.forms["post"] or random.random() < 0.6):
                before.append((random.choice(s.forms["pre"]), s))
            elif s.forms["post"]:
                behind.append((random.choice(s.forms["post"]), s))
            else:
                return None, []
        if len(nouns) > 1:
            return None, []
        words = [t for t, _ in before] + [t for t, _ in nouns or [(table.kind.many, None)]] + [" and ".join(t for t, _ in behind)]
        return " ".join(words).strip(), [s for _, s in before + nouns + behind]

    @staticmethod
    def predicate(table, some):
        """The noun, and what is said of it; None where conditions have no such form."""
        said = [random.choice(s.forms["pred"]) for s in some if s.forms.get("pred")]
        nouns = [s.forms["noun"] for s in some if "noun" in s.forms]
        if len(said) + len(nouns) != len(some) or not said or len(nouns) > 1:
            return None, None, []
        order = sorted(some, key=lambda s: "noun" not in s.forms)
        return (nouns or [table.kind.many])[0], " and ".join(said), order

    def number(self):
        n = random.randint(2, 10)
        return mark(self.values.add(NUMBERS[n - 2] if random.random() < 0.3 else str(n)))


def where(some, word="WHERE"):
    return " ".join(f"{word if i == 0 else 'AND'} {s.target}" for i, s in enumerate(some))


def whole(target):
    """A derivation for names of P as one for all that is known of them: who is asked by name, what is listed is shown."""
    for conditions_ in ("{where}", "WHERE {V}"):
        target = target.replace("SEL DISTINCT {S} " + conditions_ + " END", "SEL STAR {P} WHERE {K} in SEL {F} " + conditions_ + " END END")
    return re.sub(r"^SEL {S} (?=WHERE {K} !in|{where} AND {K} !in)", "SEL STAR {P} ", target)


def singular(predicate):
    return " and ".join(" ".join([SINGULAR.get(w.split()[0], w.split()[0])] + w.split()[1:]) for w in predicate.split(" and "))


def weighted(patterns_):
    return random.choices(patterns_, [p[2] if len(p) > 2 else 1 for p in patterns_])[0]


class Asker:
    """Asks one question at a time; None when a pattern found nothing to be about."""

    def one(self, base):
        q, table = Question(base), random.choice(base.tables)
        texts, target, _ = weighted(patterns.ONE)
        text = random.choice(texts)
        if "names of" in text and not (table.names() and table.names().words == "name"):
            return None
        if "who " in text and not table.kind.person:
            return None
        target, _, other = target.partition("|")
        if "{S}" in target and not table.names():
            target = other
        slots = self.columns(q, table, text + target)
        if not target or slots is None:
            return None
        some = q.conditions(table, random.choice([0, 1, 1, 1, 1, 2, 2, 3]))
        noun, said, order = q.predicate(table, some)
        phrase, some = q.phrase(table, some)
        if "{NP}" not in text:
            some = order
        slots |= {"NP": phrase, "Q": noun, "pred": said, "one": singular(said) if noun == table.kind.many else None, "t": table.kind.one, "T": table.kind.many}
        return self.line(q, text, slots, target.replace("{where}", where(some)), {"T": f"t{table.id}"})

    @staticmethod
    def columns(q, table, text):
        """Columns for the letters of a head: the words to say, and the column under its letter in lower case and +."""
        slots = {}
        for letter, sorts in (("S", "n"), ("N", "$#y"), ("C", "ck"), ("W", "d"), ("B", "b"), ("O", "xy")):
            if not re.search(rf"{{[#a]?{letter}s?}}", text) and not (letter == "W" and "{w}" in text) and not (letter == "C" and "{v}" in text):
                continue
            c = q.take(table, sorts)
            if not c:
                return None
            slots[letter + "+"], slots[letter] = c, c.noun
            slots["a" + letter], slots[letter + "s"] = article(c.noun), plural(c.noun)
            slots[letter.lower()] = c.words
            if letter == "N":
                slots["most"], slots["least"] = (conditions.degrees_of(c, table.kind.person) or [None] * 4)[2:]
            if letter == "W":
                slots["w"] = c.words if c.form == ("did" if "who " in text else "done") else None
                slots["did"] = patterns.DID.get(c.words) if c.form == "did" else None
            if letter == "B":
                slots["b"] = c.words if c.form in ("adj", "done", "at") else None
        return slots

    def plain(self, base):
        q, table = Question(base), random.choice(base.tables)
        texts, target = random.choice(patterns.PLAIN)
        text = random.choice(texts)
        slots = self.columns(q, table, text + target)
        if slots is None or text.startswith("who ") and not table.kind.person:
            return None
        if "{v}" in text:
            c = slots["C+"]
            names = [q.values.pick(c), q.values.pick(c)] if c.sort == "c" else [None]
            if None in names:
                return None
            slots |= {"v": mark(names[0]), "v2": mark(names[1])}
            target = target.replace("VAL#C", "VAL:" + names[0]).replace("VAL#D", "VAL:" + names[1])
        slots |= {"t": table.kind.one, "T": table.kind.many}
        return self.line(q, text, slots, target, {"T": f"t{table.id}"})

    def two(self, base):
        if not base.links:
            return None
        q = Question(base)
        x, p, f, k = random.choice(base.links)
        texts, target, _ = weighted(patterns.TWO)
        text = random.choice(texts)
        if text.startswith("who ") and not p.kind.person:
            return None
        if text.startswith(("{P}", "{NPP}", "list the {P}")):
            target = whole(target)
        verbs = [v for v in x.kind.verbs if p.kind.person != v.startswith("been ")]
        verb = random.choice(verbs) if verbs else None
        slots = {"X": x.kind.many, "x": x.kind.one, "ax": article(x.kind.one), "P": p.kind.many, "p": p.kind.one, "who": "who" if p.kind.person else "that",
                 "verb": verb, "past": verb if verb and (verb.split()[0].endswith("ed") or verb.split()[0] in PAST) else None, "S+": p.names(), "S": p.names().words}
        q.used |= {f, k, p.names().id}
        for letter, of, sorts in (("Z", x, "$#"), ("R", x, "n"), ("D", p, "ck")):
            if "{" + letter + "}" in target:
                slots[letter + "+"] = q.take(of, sorts)
                if not slots[letter + "+"]:
                    return None
                slots[letter] = slots[letter + "+"].words
        if "{when}" in text:
            c = q.take(x, "d")
            if not c or not c.days:
                return None
            slots["when"], op, v, _ = conditions.period(c, q.values)
            target = target.replace("{V}", f"c{c.id} {op} VAL:{v}")
        if "who is" in text and not p.kind.person:
            return None
        some = []
        if "{NPX}" in text or "{NPP}" in text:
            of = x if "{NPX}" in text else p
            needed = "{NPP}" in text or "DISTINCT" in target or "DIST" in target or "!in" in target
            some = q.conditions(of, random.choice([1, 1, 1, 2] if needed else [0, 1, 1, 1, 2]))
            if needed and not some:
                return None
            slots["NPX" if of is x else "NPP"], some = q.phrase(of, some)
        if "{and}" in target and "{#S}" in text.partition("{NPX}")[2]:
            target = target.replace("WHERE {S} = VAL#S {and}", where(some) + (" AND" if some else "WHERE") + " {S} = VAL#S")
        target = target.replace("{where}", where(some)).replace("{and}", where(some, "AND"))
        return self.line(q, text, slots, target, {"X": f"t{x.id}", "P": f"t{p.id}", "F": f"c{f}", "K": f"c{k}"})

    def line(self, q, text, slots, target, ids):
        for name in re.findall(r"{(#\w+)}", text):
            if name == "#K":
                made = q.number()
            else:
                v = q.values.pick(slots[name[1:] + "+"])
                made = v and mark(v)
            if not made:
                return None
            slots["_" + name[1:]] = made
            target = target.replace("VAL" + name, "VAL:" + made[1:-1])
        text = text.replace("{#", "{_")
        if any(not slots.get(s) for s in re.findall(r"{(\w+)}", text)):
            return None
        for s, c in slots.items():
            if s.endswith("+"):
                ids[s[0]] = f"c{c.id}"
        text = polished(text.format(**slots))
        if TWICE.search(text):
            return None
        return spanned(q, text, [ids[t[1:-1]] if t[0] == "{" else t for t in target.split()])


def polished(text):
    """Small changes as people make them."""
    if random.random() < 0.5:
        text = text[0].upper() + text[1:]
    if text.endswith("?") and random.random() < 0.2:
        text = text[:-1]
    return text


def spanned(q, text, target):
    """The line of a question whose constants are marked in its text."""
    out, values, spans = "", [], {}
    for part in re.split("(\x01.*?\x02)", text):
        if part[:1] == "\x01":
            name, first = part[1:-1], len(out.encode())
            out += q.values.texts[name]
            spans[name] = [first, len(out.encode())]
        else:
            out += part
    derived = []
    for t in target:
        if t.startswith("VAL:"):
            derived += ["VAL", "q", "q"]
            values.append(spans[t[4:]])
        else:
            derived.append(t)
    return {"db": q.base.name, "set": "everyday", "question": out, "target": derived, "values": values}


def main():
    p = argparse.ArgumentParser()
    p.add_argument("lines", nargs="+")
    p.add_argument("--about", required=True)
    p.add_argument("--out", required=True)
    p.add_argument("--count", type=int, default=20000)
    p.add_argument("--seed", type=int, default=5)
    args = p.parse_args()
    random.seed(args.seed)
    about, all = json.load(open(args.about)), kinds() | kinds("shape_kinds.txt")
    bases = [Base(line, about[line["schema"]], all) for line in data.lines(args.lines) if line.get("schema") in about]
    asker, seen, made, tried = Asker(), set(), collections.Counter(), 0
    with open(args.out, "w") as f:
        while sum(made.values()) < args.count:
            tried += 1
            ask = random.choices([asker.one, asker.two, asker.plain], [5, 5, 2])[0]
            line = ask(random.choice(bases))
            if line and (line["db"], line["question"]) not in seen:
                seen.add((line["db"], line["question"]))
                f.write(json.dumps(line | {"id": len(seen) - 1}) + "\n")
                made[ask.__name__] += 1
    linked = sum(len(b.links) for b in bases)
    print(f"{len(bases)} databases with {linked} links; {dict(made)} questions of {tried} tried")


if __name__ == "__main__":
    main()
