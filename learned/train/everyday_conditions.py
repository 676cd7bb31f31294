"""Conditions on a table's columns in the words of everyday_patterns.py."""
import collections
import datetime
import random
import re

import everyday_patterns as patterns
import periods

Said = collections.namedtuple("Said", "forms target")  # forms: pre, post, pred, each a list of texts
# Categories whose values are nouns: how many dogs are there?
NOUNS = set("""laptop tablet phone printer scanner van truck minibus herb shrub flower succulent dog cat rabbit parrot goalkeeper
defender midfielder striker studio loft penthouse dogs""".split())


def article(words):
    """Words with a or an, where they are one thing."""
    last = words.split()[-1]
    if last.endswith("s") and not last.endswith("ss") or last in ("insurance", "parking", "tuition", "experience", "credit"):
        return words
    return ("an " if words[0].lower() in "aeiou" else "a ") + words


class Column:
    """A column of a schema, and what it is."""

    def __init__(self, id, raw, about, days=()):
        self.id, self.raw = id, raw
        self.sort, self.form, self.words = about["sort"], about["form"], about["words"]
        self.more, self.stamp = about["more"], about.get("stamp", False)
        self.days = [datetime.date.fromisoformat(d) for d in about.get("days", days)]

    @property
    def noun(self):
        """A date's words as of a thing: order date."""
        return self.more[0] + " date" if self.sort in "do" else self.words


class Values:
    """The constants of a question: their texts by name."""

    def __init__(self):
        self.texts = {}

    def add(self, text):
        name = f"v{len(self.texts)}"
        self.texts[name] = text
        return name

    def pick(self, column):
        """A value of a column as somebody may write it."""
        fit = [v for v in column.raw["values"] if re.search(r"\w", v) and len(v) < 30 and v.lower() not in (t.lower() for t in self.texts.values())]
        if not fit:
            return None
        text = random.choice(fit)
        if re.fullmatch(r"-?\d+[.]\d+", text):
            text = str(round(float(text))) if random.random() < 0.6 else text.removesuffix(".0")
        if column.sort == "c" and not text.isupper() or column.sort == "c" and len(text) > 4:
            text = text.lower() if random.random() < 0.8 else text
        return self.add(text)


def mark(name):
    return "\x01" + name + "\x02"


def fill(texts, **slots):
    """The texts whose slots there is something for, filled."""
    return [t.format(**slots) for t in texts if all(slots.get(s) for s in re.findall(r"{(\w+)}", t))]


def condition(column, values, person, alone):
    """A condition on a column; None when it has none. alone: no other date is in its table."""
    rel = "who" if person and random.random() < 0.9 else "that"
    make = {"b": flag, "c": category, "k": category, "$": number, "#": number, "d": date, "o": optional, "x": missing, "y": missing}.get(column.sort)
    said = make and make(column, values, rel, alone)
    return said if said and (said.forms["post"] or said.forms["pre"]) else None


def said(forms, target, **slots):
    return Said({k: fill(forms.get(k, []), **slots) for k in ("pre", "post", "pred")}, target)


def flag(c, values, rel, alone):
    yes = random.random() < 0.5
    un = c.more[0] if c.more else None
    return said(patterns.FLAGS[c.form, yes], f"c{c.id} = '{'true' if yes else 'false'}'", w=c.words, aw=article(c.words), u=un, rel=rel)


def category(c, values, rel, alone):
    v = values.pick(c)
    if not v:
        return None
    op = "=" if random.random() < 0.85 else "<>"
    forms = (patterns.CATEGORY if c.sort == "c" else patterns.PLACED)[op]
    out = said(forms, f"c{c.id} {op} VAL:{v}", w=c.words, aw=article(c.words), v=mark(v), p=c.form, rel=rel)
    if op == "=" and values.texts[v].lower() in NOUNS and random.random() < 0.6:
        values.texts[v] = plural(values.texts[v])
        out = Said({"noun": mark(v), "pre": [], "post": [""], "pred": []}, out.target)
    return out


def plural(word):
    if word.endswith("y") and word[-2:-1] not in "aeiou":
        return word[:-1] + "ies"
    return word if word.endswith("s") and not word.endswith("ss") else word + ("es" if word.endswith(("ss", "x", "ch", "sh")) else "s")


def number(c, values, rel, alone):
    v = values.pick(c)
    op = random.choice([">", ">", "<", "<", ">=", "<="])
    if not v:
        return None
    forms = dict(patterns.NUMBER[op])
    if c.words.endswith("s") and op in "<>":
        more = "more" if op == ">" else "fewer"
        forms["post"] = [f"with {more} than {{v}} {{w}}", "{rel} have " + more + " than {v} {w}"]
        forms["pred"] = [f"have {more} than {{v}} {{w}}"]
    degrees = degrees_of(c, rel == "who")
    if degrees and op in "<>":
        more = degrees[op == "<"]
        forms["post"] = forms["post"] + [f"{more} than {{v}}", f"{{rel}} are {more} than {{v}}"]
        forms["pred"] = forms["pred"] + [f"are {more} than {{v}}"] * 2
    return said(forms, f"c{c.id} {op} VAL:{v}", w=c.words, aw=article(c.words), v=mark(v), rel=rel)


def degrees_of(c, person):
    """More, less, the most and the least of a number; None where there are no words for them."""
    word = c.words.split()[-1]
    found = patterns.DEGREES.get(word) if not person or word in ("age", "height", "weight", "salary") else None
    return [w.replace("_", " ") for w in found.split()] if found else None


def date(c, values, rel, alone):
    if not c.days:
        return None
    when, op, v, before = period(c, values)
    forms = dict(patterns.DATE[c.form])
    if alone and op == "=" and before in ("in", "on", "during", "in the"):
        forms["post"] = forms["post"] + ["{P}", "{P}"]
    return said(forms, f"c{c.id} {op} VAL:{v}", w=c.words, n=c.more[0], an=article(c.more[0]), P=when, rel=rel)


def period(c, values):
    """A period of a date in words, its operator, its constant and its preposition."""
    before, text, op = periods.phrase(c.days)
    v = values.add(text)
    return (before + " " + mark(v)).strip(), op, v, before


def optional(c, values, rel, alone):
    """A date that may be missing."""
    if random.random() < 0.25:
        return date(c, values, rel, False)
    null = random.random() < 0.75
    un = c.more[1] if len(c.more) > 1 else None
    return said(patterns.MISSING[c.form, null], f"c{c.id} {'null' if null else '!null'}",
                w=c.words, n=c.more[0], an=article(c.more[0]), u=un, rel=rel)


def missing(c, values, rel, alone):
    if c.sort == "y" and random.random() < 0.3:
        return number(c, values, rel, alone)
    null = random.random() < 0.75
    return said(patterns.MISSING["", null], f"c{c.id} {'null' if null else '!null'}", w=c.words, aw=article(c.words), rel=rel)
