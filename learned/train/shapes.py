"""Asks what has to be reckoned: periods, durations, formulas, shares, comparisons.

    python3 everyday.py --shapes --out shapes-databases --count 300
    python3 shapes.py --about shapes-databases/everyday.json --out shapes.jsonl --count 20000 first-features.jsonl

The lines are what `quern features` gave for everyday-first.jsonl, of those databases or of
any that everyday.py made. Questions come out as everyday_ask.py writes them.
"""
import argparse
import collections
import json
import random
import re

import data
import everyday_ask
import everyday_conditions as conditions
import periods
import shape_patterns as patterns
from everyday_ask import Base, Question, weighted, where
from everyday_conditions import article, mark, plural
from everyday_words import kinds

UNITS = ["days"] * 6 + ["weeks", "months", "years"]
WEEKDAYS = "Monday Tuesday Wednesday Thursday Friday Saturday Sunday".split()
HOURS = "six seven eight nine ten eleven twelve one two three four five".split()
PERIOD_WORDS = {"yearmonth": "month", "yearquarter": "quarter", "yearweek": "week", "date": "day", "month": "calendar month"}


def clock():
    """A time of day as people say it."""
    h, m = random.randint(7, 20), random.choice([0, 0, 0, 15, 30, 30, 45])
    half = "am" if h < 12 else "pm"
    on_dial = (h - 1) % 12 + 1
    word = HOURS[(on_dial + 6) % 12]
    forms = [f"{h:02}:{m:02}", f"{h}:{m:02}", f"{on_dial}:{m:02} {half}", f"{on_dial}:{m:02}{half}"]
    if m == 0:
        forms += [f"{on_dial} {half}", f"{on_dial}{half}", f"{on_dial} o'clock", f"{word} o'clock", f"{on_dial} in the {'morning' if h < 12 else 'evening'}"]
        if h == 12:
            forms += ["noon", "noon"]
    elif m == 30:
        forms += [f"half past {word}"] * 3 + [f"half past {on_dial}"]
    elif m == 15:
        forms += [f"quarter past {word}", f"a quarter past {on_dial}"]
    else:
        forms += [f"quarter to {HOURS[(on_dial + 7) % 12]}"]
    return random.choice(forms)


class Shapes(everyday_ask.Asker):
    """Asks one question at a time; None when a pattern found nothing to be about."""

    def ask(self, base):
        kinds_ = {"times": 6, "parts": 4, "durations": 4, "since": 3, "formulas": 5, "numbers": 5, "shares": 3, "compared": 3, "two": 4, "two_times": 3, "spread": 4}
        return getattr(self, random.choices(list(kinds_), list(kinds_.values()))[0])(base)

    # What a question is about.

    @staticmethod
    def start(base):
        return Question(base), random.choice(base.tables)

    @staticmethod
    def formula(q, table, ops="+-*/"):
        """The name and the derivation of something that people work out of a table's columns."""
        found = []
        for f in table.kind.formulas:
            columns = [next((c for c in table.columns if c.sort in "$#y" and c.words == w and c.id not in q.used), None) for w in (f.first, f.second)]
            if f.op in ops and all(columns):
                found.append((f, columns))
        if not found:
            return None, None
        f, columns = random.choice(found)
        q.used |= {c.id for c in columns}
        names = [n for n in f.names if n not in {c.words for c in table.columns}]
        return (random.choice(names), f"{f.op} c{columns[0].id} c{columns[1].id}") if names else (None, None)

    @staticmethod
    def clear(table, c):
        """Whether nothing but one column can be the time of a table's rows."""
        return len(table.of("do")) == 1 or c.more[0] == table.kind.one or c.more[0] in table.kind.one.split()

    def date(self, q, table, stamp=False):
        """A date of a table, and what names it where it could be another."""
        fit = [c for c in table.of("do") if c.days and c.id not in q.used and (c.stamp or not stamp)]
        if not fit:
            return None, None
        c = random.choice(fit)
        q.used.add(c.id)
        if self.clear(table, c):
            return c, ""
        return c, random.choice([" by {}", " of {}", ", by {}", " according to {}", " going by {}"]).format(c.noun)

    def bind(self, q, table, text, slots):
        """Columns for the letters of a text."""
        slots |= {"t": table.kind.one, "T": table.kind.many}
        for letter, sorts in (("S", "n"), ("N", "$#y"), ("O", "$#"), ("C", "ck"), ("B", "b")):
            if not re.search(rf"{{[#a]?{letter}s?}}", text) and not (letter == "C" and "{v}" in text) and not (letter == "B" and "{b}" in text):
                continue
            c = q.take(table, sorts)
            if not c:
                return None
            slots |= {letter + "+": c, letter: c.noun, "a" + letter: article(c.noun), letter + "s": plural(c.noun)}
            if letter == "B":
                slots["b"] = c.words if c.form in ("adj", "done", "at") else None
        if "{M}" in text or "{aM}" in text or "{F}" in text:
            slots["M"], slots["F"] = self.formula(q, table, "+-*" if "sum {F}" in text else "+-*/")
            if not slots["M"]:
                return None
            slots["aM"] = article(slots["M"])
        return slots

    def finish(self, q, table, text, slots, target, most=(0, 0, 0, 1, 1, 2)):
        """The line: conditions where the text has room for them."""
        some = q.conditions(table, random.choice(most)) if "{NP}" in text else []
        slots["NP"], some = q.phrase(table, some)
        for name, low, high in (("#L", 2, 90), ("#Y", 18, 80), ("#Q", 2, 5000)):
            if "{" + name + "}" in text:
                n = random.choice([random.randint(low, high), random.randint(low, high) // 10 * 10 or low])
                v = q.values.add(everyday_ask.NUMBERS[n - 2] if 2 <= n <= 10 and random.random() < 0.4 else str(n))
                text = text.replace("{" + name + "}", mark(v))
                target = target.replace("VAL" + name, "VAL:" + v)
        target = target.replace("{where}", where(some))
        if not some:
            target = re.sub(r"  ?AND", " WHERE", target, count=1) if not re.search(r"WHERE", target) else target
        target = re.sub(r"{([a-zF]X?)}", lambda m: slots[m[1]] if m[1] in slots and m[1] not in "tT" else m[0], target)
        line = self.line(q, text, slots, target, {"T": f"t{table.id}"})
        return line

    # The kinds of questions.

    def period(self, slots, stamp):
        fit = [p for p in patterns.PERIODS if stamp or p[0] != "hour"]
        part, once, per, which, adverbs, best, worst, _ = random.choices(fit, [p[-1] for p in fit])[0]
        if part == "yearmonth" and random.random() < 0.1:
            per = patterns.OVER_TIME
        one = PERIOD_WORDS.get(part, part)
        slots |= {"p": part, "per": random.choice(per), "which": random.choice(which), "adv": random.choice(adverbs) if adverbs else None,
                  "best": random.choice(best), "worst": random.choice(worst), "one": one, "ones": plural(one), "asc": f"ASC {part} {{W}}" if once else ""}

    def times(self, base):
        q, table = self.start(base)
        c, on = self.date(q, table)
        if not c:
            return None
        texts, target, _ = weighted(patterns.TIMES)
        text, slots = random.choice(texts), {}
        self.period(slots, c.stamp)
        if self.bind(q, table, text + target, slots) is None:
            return None
        slots |= {"W+": c, "W": c.noun, "w": c.words if c.form == "done" else None}
        if re.search(r"{which} (had|has|saw|brought|was best)", text):
            slots["which"] = re.sub("^(in|on|at) ", "", slots["which"])
        target = target.replace("{asc}", slots["asc"])
        text = text.replace("{on}", on)
        return self.finish(q, table, text, slots, target)

    def part(self, q, table):
        """A condition on a part of a time: words and derivation."""
        clocks = table.of("t")
        pick = random.random()
        if clocks and pick < 0.5:
            c = random.choice(clocks)
            q.used.add(c.id)
            when, op, v = self.clock_phrase(q)
            forms = patterns.STARTS if "start" in c.words else patterns.ENDS if "end" in c.words else patterns.CLOCK_WORDS
            return random.choice(forms + patterns.CLOCK_WORDS[:1]).format(when=when, cw=c.words), f"c{c.id} {op} VAL:{v}"
        c, on = self.date(q, table, stamp=pick > 0.7)
        if not c:
            return None, None
        done = f"{c.words} " if c.form == "done" and (on or random.random() < 0.4) else f"that {c.words} " if c.form == "did" and on else None
        if on and not done:
            return None, None
        done = done or ""
        if c.stamp and random.random() < 0.5:
            when, op, v = self.clock_phrase(q)
            return done + when, f"clock c{c.id} {op} VAL:{v}"
        if pick < 0.6:
            if random.random() < 0.25:
                words = random.choice(patterns.WEEKENDS)
                name = re.search(r"{(\w+)}", words)[1]
                v = q.values.add(name)
                return done + words.replace("{" + name + "}", mark(v)), f"weekday c{c.id} = VAL:{v}"
            d = random.choice(WEEKDAYS)
            words = random.choice(patterns.WEEKDAYS)
            v = q.values.add((d if random.random() < 0.7 else d.lower()) + ("s" if "{D}s" in words else ""))
            return done + words.replace("{D}s", mark(v)).replace("{D}", mark(v)), f"weekday c{c.id} = VAL:{v}"
        v = q.values.add(random.choice(periods.MONTHS))
        return done + random.choice(patterns.MONTHS_OF_YEAR).format(X=mark(v)), f"month c{c.id} = VAL:{v}"

    @staticmethod
    def clock_phrase(q):
        if random.random() < 0.3:
            v = q.values.add(random.choice(["morning", "afternoon", "evening"]))
            return random.choice(patterns.DAY_PARTS).format(X=mark(v)), "=", v
        v = q.values.add(clock())
        words, op = random.choices(patterns.CLOCKS, [5, 5, 2, 1])[0]
        return random.choice(words).format(X=mark(v)), op, v

    def parts(self, base):
        q, table = self.start(base)
        when, condition = self.part(q, table)
        if not when:
            return None
        texts, target, _ = weighted(patterns.PART_HEADS)
        text, slots = random.choice(texts), {"when": when}
        if self.bind(q, table, text + target, slots) is None:
            return None
        return self.finish(q, table, text, slots, target.replace("{V}", condition))

    def moments(self, q, table):
        """Two moments that a duration lies between: columns, of which the second may be None for now, and its names."""
        dates = {c.more[0]: c for c in table.of("do") if c.days}
        found = [(f, dates[f.first], dates.get(f.second)) for f in table.kind.formulas if f.op == "~" and f.first in dates and (f.second in dates or f.second == "now")]
        if found:
            f, a, e = random.choice(found)
            return a, e, random.choice(f.names)
        pair = [c for c in table.columns if c.sort in "do" and c.days]
        if len(pair) < 2:
            return None, None, None
        a, e = random.sample(pair, 2)
        return (a, e, None) if a.sort == "d" else (None, None, None)

    def durations(self, base):
        q, table = self.start(base)
        a, e, name = self.moments(q, table)
        if not a:
            return None
        if name == "age":
            return self.aged(q, table, a)
        texts, target, _ = weighted(patterns.DURATIONS)
        text = random.choice(texts)
        if ("{d}" in text or "{ad}" in text) and not name or "{En}" in text and not e or "{Ew}" in text and not (e and a.form == e.form == "done"):
            return None
        q.used |= {a.id} | ({e.id} if e else set())
        slots = {"d": name, "ad": name and article(name), "An": a.noun if random.random() < 0.5 else a.more[0], "Aw": a.words}
        if e:
            slots |= {"En": e.noun if random.random() < 0.5 else e.more[0], "Ew": e.words}
        unit = self.unit(text, name, a, e)
        slots |= {"unit": unit, "u": unit}
        if self.bind(q, table, text + target, slots) is None:
            return None
        target = target.replace("{A}", f"c{a.id}").replace("{E}", f"c{e.id}" if e else "NOW")
        return self.finish(q, table, text, slots, target)

    @staticmethod
    def unit(text, name, a, e):
        """The unit that is asked for; days where nothing says it, or what the name says."""
        if "{unit}" in text:
            return random.choice(UNITS + (["hours", "hours", "minutes"] if a.stamp and (e is None or e.stamp) else []))
        if name and "year" in name or name == "seniority" or name and "service" in name:
            return "years"
        return "days"

    def aged(self, q, table, c):
        texts, target, _ = weighted(patterns.AGES)
        text, slots = random.choice(texts), {"W+": c, "W": c.noun}
        q.used.add(c.id)
        if "who " in text and not table.kind.person or self.bind(q, table, text + target, slots) is None:
            return None
        return self.finish(q, table, text, slots, target)

    def since(self, base):
        q, table = self.start(base)
        due = next((c for c in table.of("d") if c.words == "due" and c.days), None)
        c = due if due and random.random() < 0.6 else next((c for c in random.sample(table.columns, len(table.columns)) if c.sort in "do" and c.form == "done" and c.days), None)
        if not c:
            return None
        q.used.add(c.id)
        texts, target, _ = weighted(patterns.DUE if c is due else patterns.SINCE)
        text = random.choice(texts)
        unit = self.unit(text, None, c, None)
        slots = {"W+": c, "W": c.noun, "w": c.words, "n": c.more[0], "unit": unit, "u": unit}
        if self.bind(q, table, text + target, slots) is None:
            return None
        return self.finish(q, table, text, slots, target)

    def formulas(self, base):
        q, table = self.start(base)
        texts, target, _ = weighted(patterns.FORMULAS)
        text, slots = random.choice(texts), {}
        if not table.kind.formulas or random.random() < 0.35:
            return self.said(q, table, text, target)
        if self.bind(q, table, text + target, slots) is None:
            return None
        return self.finish(q, table, text, slots, target)

    def said(self, q, table, text, target):
        """A formula in so many words: price times quantity."""
        op = random.choice("**--+//")
        n, o = q.take(table, "$#"), q.take(table, "$#")
        if not n or not o or "{aM}" in text or op == "/" and "sum" in target:
            return None
        words = random.choice(patterns.SAID[op]).format(N=n.words, O=o.words)
        slots = {"M": words, "F": f"{op} c{n.id} c{o.id}"}
        if self.bind(q, table, (text + target).replace("{M}", "").replace("{F}", ""), slots) is None:
            return None
        return self.finish(q, table, text, slots, target)

    def numbers(self, base):
        q, table = self.start(base)
        texts, target, _ = weighted(random.choices([patterns.MIDDLES, patterns.PEERS, patterns.MORE_THAN], [5, 4, 2])[0])
        text, slots = random.choice(texts), {}
        if self.bind(q, table, text + target, slots) is None or "who " in text and not table.kind.person:
            return None
        for name, choices in (("#P", [f"{n}th" for n in (5, 10, 20, 25, 75, 80, 90, 95, 99)]), ("#R", patterns.QUARTILES)):
            if "{" + name + "}" in text:
                v = q.values.add(random.choice(choices))
                text, target = text.replace("{" + name + "}", mark(v)), target.replace("VAL" + name, "VAL:" + v)
        return self.finish(q, table, text, slots, target)

    def shares(self, base):
        q, table = self.start(base)
        texts, target, _ = weighted(patterns.SHARES)
        text, slots = random.choice(texts), {}
        if self.bind(q, table, text + target, slots) is None:
            return None
        if "{v}" in text:
            v = q.values.pick(slots["C+"]) if slots["C+"].sort == "c" else None
            if not v:
                return None
            slots["v"], target = mark(v), target.replace("VAL#C", "VAL:" + v)
        return self.finish(q, table, text, slots, target)

    def compared(self, base):
        q, table = self.start(base)
        c, on = self.date(q, table)
        if not c or on or len(c.days) < 4:
            return None
        y, z = self.two_periods(c)
        if not y:
            return None
        texts, kind, _ = weighted(patterns.COMPARED)
        text, _, order = random.choice(texts).partition("|")
        pick = random.random()
        slots, number = {"t": table.kind.one, "T": table.kind.many}, None
        if pick < 0.35:
            name, measure = self.formula(q, table, "*-+")
            if not name:
                return None
            slots["G"], measure = random.choice(["{}", "total {}", "the {}"]).format(name), "sum " + measure
        elif pick < 0.7:
            number = q.take(table, "$#")
            if not number:
                return None
            func = random.choice(["sum", "sum", "avg"])
            slots["G"] = random.choice({"sum": ["total {}", "{}", "the total {}"], "avg": ["average {}", "the average {}"]}[func]).format(number.words)
            measure = f"{func} c{number.id}"
        else:
            slots["G"] = random.choice(["number of {}", "the number of {}", "{}"]).format(table.kind.many)
            measure = f"count STAR t{table.id}"
        a, b = q.values.add(y), q.values.add(z)
        slots |= {"y": mark(a), "z": mark(b)}
        first, second = (b, a) if order == "zy" and kind == "only" else (a, b)
        tests = [f"c{c.id} = VAL:{v}" for v in (first, second)]
        target = f"SEL only {tests[0]} {measure} only {tests[1]} {measure} END" if kind == "only" else f"SEL change {tests[0]} {tests[1]} {measure} END"
        return self.line(q, text, slots, target, {})

    @staticmethod
    def two_periods(c):
        """Two periods, the earlier first, as one says them."""
        a, b = sorted(random.sample(c.days, 2))
        pick = random.random()
        if a.year != b.year and pick < 0.45:
            return str(a.year), str(b.year)
        if pick < 0.85 and (a.year, a.month) != (b.year, b.month):
            form = random.choice(["{m} {y}"] * 4 + ["{m}"] * (a.year == b.year))
            names = [form.format(m=periods.MONTHS[d.month - 1], y=d.year) for d in (a, b)]
            return names[0], names[1]
        qa, qb = ((d.year, (d.month + 2) // 3) for d in (a, b))
        if qa != qb:
            return f"Q{qa[1]} {qa[0]}", f"Q{qb[1]} {qb[0]}"
        return random.choice([("last year", "this year"), ("last month", "this month"), ("last quarter", "this quarter"), ("last week", "this week")])

    def spread(self, base):
        """A formula over two tables: hours of one, hourly cost of the other."""
        found = [(x, p, f, k, n, o) for x, p, f, k in base.links for n in x.of("$#") if n.words in patterns.AMOUNTS for o in p.of("$#") if o.words in patterns.PRICES]
        if not found:
            return None
        q = Question(base)
        x, p, f, k, n, o = random.choice(found)
        q.used |= {f, k, p.names().id, n.id, o.id}
        texts, target, _ = weighted(patterns.SPREAD)
        text = random.choice(texts)
        name = random.choice(patterns.VALUES + [f"{o.words} times {n.words}", f"{n.words} x {o.words}", f"{n.words} * {o.words}"])
        slots = {"X": x.kind.many, "x": x.kind.one, "P": p.kind.many, "p_": p.kind.one, "S+": p.names(), "S": p.names().words, "V": name}
        return self.across(q, x, p, (text.replace("{p}", "{p_}"), target.replace("{G}", f"* c{n.id} c{o.id}")), slots, f, k)

    def across(self, q, x, p, pattern, slots, f, k):
        """The line of a pattern over two tables that may have a period."""
        text, target = pattern
        for letter, of, sorts in (("Z", x, "$#"), ("R", x, "n"), ("D", p, "ck")):
            if "{" + letter + "}" in target:
                slots[letter + "+"] = q.take(of, sorts)
                if not slots[letter + "+"]:
                    return None
                slots[letter] = slots[letter + "+"].words
        if "{FX}" in target:
            slots["MX"], formula = self.formula(q, x, "*+-")
            if not formula:
                return None
            target = target.replace("{FX}", formula)
        if "{W}" in target:
            c, on = self.date(q, x)
            if not c or on:
                return None
            slots["W+"] = c
            self.period(slots, c.stamp)
            target = target.replace("{asc}", slots["asc"]).replace("{p}", slots["p"])
            if re.search(r"{which} (had|has)", text):
                slots["which"] = re.sub("^(in|on|at) ", "", slots["which"])
        some = []
        if "{NPX}" in text:
            some = q.conditions(x, 1)
            slots["NPX"], some = q.phrase(x, some)
        return self.line(q, text, slots, target.replace("{where}", where(some)), {"X": f"t{x.id}", "P": f"t{p.id}", "F": f"c{f}", "K": f"c{k}"})

    def two_times(self, base):
        if not base.links:
            return None
        q = Question(base)
        x, p, f, k = random.choice(base.links)
        texts, target, _ = weighted(patterns.TWO_TIMES)
        q.used |= {f, k, p.names().id}
        slots = {"X": x.kind.many, "x": x.kind.one, "P": p.kind.many, "p_": p.kind.one, "S+": p.names(), "S": p.names().words}
        return self.across(q, x, p, (random.choice(texts), target), slots, f, k)

    def two(self, base):
        if not base.links:
            return None
        q = Question(base)
        x, p, f, k = random.choice(base.links)
        texts, target, _ = weighted(random.choices([patterns.EMPTY, patterns.BOTH, patterns.SUMMED], [5, 2, 5])[0])
        text = random.choice(texts)
        if text.startswith("who ") and not p.kind.person:
            return None
        slots = {"X": x.kind.many, "x": x.kind.one, "P": p.kind.many, "p": p.kind.one, "who": "who" if p.kind.person else "that", "S+": p.names(), "S": p.names().words}
        q.used |= {f, k, p.names().id}
        for letter, of, sorts in (("Z", x, "$#"), ("C", x, "c"), ("D", p, "ck")):
            if "{" + letter + "}" in target + text:
                slots[letter + "+"] = q.take(of, sorts)
                if not slots[letter + "+"]:
                    return None
                slots[letter] = slots[letter + "+"].words
        if "{FX}" in target:
            slots["MX"], slots["FX"] = self.formula(q, x, "*+-")
            if not slots["MX"]:
                return None
            target = target.replace("{FX}", slots["FX"])
        if "{v}" in text:
            names = [q.values.pick(slots["C+"]), q.values.pick(slots["C+"])]
            if None in names:
                return None
            slots |= {"v": mark(names[0]), "v2": mark(names[1])}
            target = target.replace("VAL#C", "VAL:" + names[0]).replace("VAL#D", "VAL:" + names[1])
        some = []
        if "{NPX}" in text:
            some = q.conditions(x, 1)
            slots["NPX"], some = q.phrase(x, some)
            if not some:
                return None
        if "{#Q}" in text:
            v = q.values.add(str(random.randint(5, 300) * 10))
            text, target = text.replace("{#Q}", mark(v)), target.replace("VAL#Q", "VAL:" + v)
        return self.line(q, text, slots, target.replace("{where}", where(some)), {"X": f"t{x.id}", "P": f"t{p.id}", "F": f"c{f}", "K": f"c{k}"})


def main():
    p = argparse.ArgumentParser()
    p.add_argument("lines", nargs="+")
    p.add_argument("--about", required=True)
    p.add_argument("--out", required=True)
    p.add_argument("--count", type=int, default=20000)
    p.add_argument("--seed", type=int, default=31)
    args = p.parse_args()
    random.seed(args.seed)
    about, all = json.load(open(args.about)), kinds() | kinds("shape_kinds.txt")
    bases = [Base(line, about[line["schema"]], all) for line in data.lines(args.lines) if line.get("schema") in about]
    asker, seen, made = Shapes(), set(), collections.Counter()
    with open(args.out, "w") as f:
        while len(seen) < args.count:
            line = asker.ask(random.choice(bases))
            if line and (line["db"], line["question"]) not in seen:
                seen.add((line["db"], line["question"]))
                made[line["target"][1]] += 1
                f.write(json.dumps(line | {"id": len(seen) - 1}) + "\n")
    print(f"{len(bases)} databases; {len(seen)} questions; {made.most_common(12)}")


if __name__ == "__main__":
    main()
