"""Questions in the words that people use for any data, for synthesise.py.

A pattern is a few ways to ask for one derivation. In braces:

    T t    a table, as many and as one           C D    columns of text
    N M    columns of numbers                     #C #N  a value of such a column
    #K     a small number, in digits or words     P X    two tables: X links to P
    K F    the column of P that F of X links to   S      a column of text of P
    Y Z    columns of X, of text and of numbers   #Y #Z  values of them

Derivations point to columns by the same letters, {T} {P} {X} to tables, and VAL
stands for the constant named behind it.
"""
import random
import re

PATTERNS = [
    # One table: all of it, some columns.
    (["show {T}", "list all {T}", "all {T}", "give me the {T}", "show me everything about {T}"], "SEL STAR {T} END"),
    (["how many {T} are there?", "number of {T}", "count the {T}", "how many {T} do we have", "total number of {T}"], "SEL count STAR {T} END"),
    (["{C} of all {T}", "list the {C} of each {t}", "what are the {C} of the {T}?", "show {C} for all {T}"], "SEL {C} END"),
    (["{C} and {D} of the {T}", "show the {C} and {D} of every {t}", "for each {t} give {C} and {D}"], "SEL {C} {D} END"),
    (["which different {C} do {T} have?", "list the distinct {C} of {T}", "unique {C} of {T}", "what {C} exist among {T}?"], "SEL DISTINCT {C} END"),
    (["how many different {C} are there in {T}?", "number of distinct {C} of {T}", "count unique {C} of the {T}"], "SEL count DIST {C} END"),
    # Filters.
    (["{T} with {C} {#C}", "show {T} where {C} is {#C}", "{T} whose {C} is \"{#C}\"", "find the {T} in {#C}"], "SEL STAR {T} WHERE {C} = VAL#C END"),
    (["how many {T} have {C} {#C}?", "number of {T} with {C} {#C}", "count {T} where {C} is {#C}", "how many {#C} {T} are there"], "SEL count STAR {T} WHERE {C} = VAL#C END"),
    (["{D} of {T} with {C} {#C}", "what is the {D} of the {t} whose {C} is {#C}?", "{D} for {#C}"], "SEL {D} WHERE {C} = VAL#C END"),
    (["{N} of {#C}", "what is the {N} of {#C}?", "how much {N} does {#C} have?"], "SEL {N} WHERE {C} = VAL#C END"),
    (["{T} with {C} other than {#C}", "{T} not in {#C}", "all {T} except those with {C} {#C}"], "SEL STAR {T} WHERE {C} <> VAL#C END"),
    (["{C} of {T} with {N} above {#N}", "{C} of {T} where {N} is more than {#N}", "which {C} have {N} greater than {#N}?", "{C} with over {#N} {N}"], "SEL {C} WHERE {N} > VAL#N END"),
    (["{T} with {N} below {#N}", "{T} where {N} is less than {#N}", "show {T} with {N} under {#N}"], "SEL STAR {T} WHERE {N} < VAL#N END"),
    (["{T} with {N} of at least {#N}", "{T} where {N} is {#N} or more"], "SEL STAR {T} WHERE {N} >= VAL#N END"),
    (["{T} with {N} of at most {#N}", "{T} where {N} is {#N} or less", "{T} with {N} up to {#N}"], "SEL STAR {T} WHERE {N} <= VAL#N END"),
    (["{C} of {T} with {N} between {#N} and {#M}", "{C} where {N} is from {#N} to {#M}"], "SEL {C} WHERE {N} between VAL#N VAL#M END"),
    (["{T} with {C} {#C} and {N} above {#N}", "{#C} {T} with more than {#N} {N}"], "SEL STAR {T} WHERE {C} = VAL#C AND {N} > VAL#N END"),
    (["{T} with {C} {#C} or {D} {#D}", "{T} whose {C} is {#C} or whose {D} is {#D}"], "SEL STAR {T} WHERE {C} = VAL#C OR {D} = VAL#D END"),
    (["how many {T} have {C} {#C} and {D} {#D}?", "number of {#C} {T} with {D} {#D}"], "SEL count STAR {T} WHERE {C} = VAL#C AND {D} = VAL#D END"),
    (["{T} without a {C}", "{T} where {C} is missing", "{T} whose {C} is empty"], "SEL STAR {T} WHERE {C} null END"),
    (["{T} that have a {C}", "{T} where {C} is known"], "SEL STAR {T} WHERE {C} !null END"),
    (["{T} whose {C} contains {#C~}", "{T} with \"{#C~}\" in the {C}", "find {T} with {C} like {#C~}"], "SEL STAR {T} WHERE {C} contains VAL#C~ END"),
    (["{D} of {T} whose {C} starts with {#C~}", "{D} where {C} begins with {#C~}"], "SEL {D} WHERE {C} starts VAL#C~ END"),
    # Aggregates.
    (["average {N} of {T}", "what is the average {N}?", "mean {N} of the {T}"], "SEL avg {N} END"),
    (["total {N} of all {T}", "sum of {N}", "what is the total {N}?", "how much {N} in total"], "SEL sum {N} END"),
    (["highest {N} of {T}", "maximum {N}", "what is the largest {N} of any {t}?"], "SEL max {N} END"),
    (["lowest {N} of {T}", "minimum {N}", "what is the smallest {N}?"], "SEL min {N} END"),
    (["minimum, average and maximum {N} of {T}", "lowest, mean and highest {N}"], "SEL min {N} avg {N} max {N} END"),
    (["average {N} of {T} with {C} {#C}", "what is the mean {N} for {#C}?", "average {N} where {C} is {#C}"], "SEL avg {N} WHERE {C} = VAL#C END"),
    (["total {N} for {#C}", "sum of {N} where {C} is {#C}", "how much {N} do {T} with {C} {#C} have in total?"], "SEL sum {N} WHERE {C} = VAL#C END"),
    (["average {N} and {M} of the {T}", "what are the mean {N} and the mean {M}?"], "SEL avg {N} avg {M} END"),
    # Groups.
    (["{T} per {C}", "number of {T} for each {C}", "how many {T} are there for each {C}?", "count {T} by {C}", "{C} and how many {T} it has"], "SEL {C} count STAR {T} GROUP {C} END"),
    (["average {N} per {C}", "average {N} by {C}", "mean {N} of {T} for each {C}", "what is the average {N} for every {C}?"], "SEL {C} avg {N} GROUP {C} END"),
    (["total {N} per {C}", "total {N} by {C}", "sum of {N} for each {C}", "how much {N} does each {C} have?"], "SEL {C} sum {N} GROUP {C} END"),
    (["highest {N} per {C}", "maximum {N} for each {C}", "largest {N} by {C}"], "SEL {C} max {N} GROUP {C} END"),
    (["lowest {N} per {C}", "minimum {N} for each {C}"], "SEL {C} min {N} GROUP {C} END"),
    (["which {C} have more than {#K} {T}?", "{C} with over {#K} {T}"], "SEL {C} GROUP {C} HAVING count STAR {T} > VAL#K END"),
    (["which {C} have at least {#K} {T}?", "{C} with {#K} or more {T}", "{C} shared by at least {#K} {T}"], "SEL {C} GROUP {C} HAVING count STAR {T} >= VAL#K END"),
    (["which {C} have an average {N} above {#N}?", "{C} whose mean {N} is over {#N}"], "SEL {C} GROUP {C} HAVING avg {N} > VAL#N END"),
    (["{T} with {D} {#D} per {C}", "how many {#D} {T} does each {C} have?"], "SEL {C} count STAR {T} WHERE {D} = VAL#D GROUP {C} END"),
    (["which {C} has the most {T}?", "most common {C} of {T}", "what {C} is the most frequent?", "{C} with the largest number of {T}"], "SEL {C} GROUP {C} DESC count STAR {T} LIMIT 1 END"),
    (["which {C} has the fewest {T}?", "least common {C} among {T}", "{C} with the smallest number of {T}"], "SEL {C} GROUP {C} ASC count STAR {T} LIMIT 1 END"),
    (["{#K} most common {C}", "top {#K} {C} by number of {T}", "the {#K} {C} with the most {T}"], "SEL {C} GROUP {C} DESC count STAR {T} LIMIT VAL#K END"),
    (["which {C} has the highest average {N}?", "{C} with the largest mean {N}"], "SEL {C} GROUP {C} DESC avg {N} LIMIT 1 END"),
    (["which {C} has the highest total {N}?", "{C} with the most {N} in total"], "SEL {C} GROUP {C} DESC sum {N} LIMIT 1 END"),
    (["top {#K} {C} by total {N}", "the {#K} {C} with the highest total {N}"], "SEL {C} GROUP {C} DESC sum {N} LIMIT VAL#K END"),
    # Order.
    (["{T} sorted by {N}", "list the {T} in order of {N}", "{T} by {N} ascending", "all {T} from the lowest to the highest {N}"], "SEL STAR {T} ASC {N} END"),
    (["{C} of {T} sorted by {N} descending", "{C} from the highest to the lowest {N}", "list {C} in descending order of {N}"], "SEL {C} DESC {N} END"),
    (["{T} in alphabetical order of {C}", "{T} ordered by {C}"], "SEL STAR {T} ASC {C} END"),
    (["{t} with the highest {N}", "show the {t} with the most {N}"], "SEL STAR {T} DESC {N} LIMIT 1 END"),
    (["{C} of the {t} with the highest {N}", "which {C} has the largest {N}?", "{C} with the most {N}"], "SEL {C} DESC {N} LIMIT 1 END"),
    (["{C} of the {t} with the lowest {N}", "which {C} has the smallest {N}?", "{C} with the least {N}"], "SEL {C} ASC {N} LIMIT 1 END"),
    (["top {#K} {T} by {N}", "the {#K} {T} with the highest {N}", "{#K} largest {T} by {N}"], "SEL STAR {T} DESC {N} LIMIT VAL#K END"),
    (["{C} of the {#K} {T} with the highest {N}", "top {#K} {C} by {N}"], "SEL {C} DESC {N} LIMIT VAL#K END"),
    (["{C} of the {#K} {T} with the lowest {N}", "the {#K} {C} with the smallest {N}", "bottom {#K} {C} by {N}"], "SEL {C} ASC {N} LIMIT VAL#K END"),
    # Nested and sets.
    (["{T} with {N} above average", "{T} whose {N} exceeds the mean"], "SEL STAR {T} WHERE {N} > SEL avg {N} END END"),
    (["{C} of {T} with {N} below the average", "which {C} have less {N} than average?"], "SEL {C} WHERE {N} < SEL avg {N} END END"),
    (["{C} that have both {D} {#D} and {D} {#E}", "which {C} have {T} in {#D} as well as in {#E}?"], "SEL {C} WHERE {D} = VAL#D INTERSECT SEL {C} WHERE {D} = VAL#E END"),
    (["{C} of {T} with {D} {#D} but not {#E}", "which {C} have {#D} {T} and no {#E} ones?"], "SEL {C} WHERE {D} = VAL#D EXCEPT SEL {C} WHERE {D} = VAL#E END"),
    # Two tables.
    (["{S} of {P} without {X}", "which {P} have no {X}? show the {S}", "{S} of the {P} that do not have any {X}", "{P} with no {X}: {S}"], "SEL {S} WHERE {K} !in SEL {F} END END"),
    (["how many {P} have no {X}?", "number of {P} without {X}"], "SEL count STAR {P} WHERE {K} !in SEL {F} END END"),
    (["{S} of {P} and the number of their {X}", "how many {X} does each {p} have? show {S} and count", "{X} per {p} {S}", "number of {X} for each {p} by {S}"], "SEL {S} count STAR {X} GROUP {K} END"),
    (["{S} of the {p} with the most {X}", "which {p} has the largest number of {X}? show its {S}", "{S} of the {p} that has the most {X}"], "SEL {S} GROUP {K} DESC count STAR {X} LIMIT 1 END"),
    (["{S} of {P} with at least {#K} {X}", "which {P} have {#K} or more {X}? list the {S}"], "SEL {S} GROUP {K} HAVING count STAR {X} >= VAL#K END"),
    (["{S} of {P} with more than {#K} {X}", "{S} of the {P} that have over {#K} {X}"], "SEL {S} GROUP {K} HAVING count STAR {X} > VAL#K END"),
    (["{Y} of the {X} of {p} {#S}", "{Y} of {X} for {#S}", "list {Y} for the {X} of {#S}"], "SEL {Y} WHERE {S} = VAL#S END"),
    (["how many {X} does {#S} have?", "number of {X} of {p} {#S}", "count the {X} of the {p} whose {S} is {#S}"], "SEL count STAR {X} WHERE {S} = VAL#S END"),
    (["{S} of {P} that have {X} with {Y} {#Y}", "which {P} have {X} whose {Y} is {#Y}? give their {S}"], "SEL {S} WHERE {Y} = VAL#Y END"),
    (["{S} of the {P} and {Y} of their {X}", "show each {p} {S} with the {Y} of its {X}"], "SEL {S} {Y} END"),
    (["total {Z} of {X} per {p} {S}", "sum of {Z} for each {p} by {S}", "total {Z} by {S}"], "SEL {S} sum {Z} GROUP {S} END"),
    (["average {Z} of the {X} of {#S}", "what is the mean {Z} of {X} for {p} {#S}?"], "SEL avg {Z} WHERE {S} = VAL#S END"),
    (["average {Z} by {S}", "average {Z} of {X} for each {S} of the {P}"], "SEL {S} avg {Z} GROUP {S} END"),
    (["{S} of the {p} of the {x} with the highest {Z}", "which {p} {S} belongs to the {x} with the largest {Z}?"], "SEL {S} DESC {Z} LIMIT 1 END"),
]
# What has to be reckoned; {#O} is the place of a percentile.
SHAPES = [
    (["total of {N} times {M}", "sum of {N} * {M} over all {T}", "what is the total {N} multiplied by {M} of the {T}?"], "SEL sum * {N} {M} END"),
    (["{C} and {N} minus {M} of the {T}", "{C} and the difference between {N} and {M} for each {t}"], "SEL {C} - {N} {M} END"),
    (["{C} and the ratio of {N} to {M} of {T}", "{N} divided by {M} for each {t}, with {C}"], "SEL {C} / {N} {M} END"),
    (["average difference between {N} and {M} of {T}", "mean of {N} minus {M}"], "SEL avg - {N} {M} END"),
    (["total {N} plus {M} per {C}", "sum of {N} and {M} together by {C}"], "SEL {C} sum + {N} {M} GROUP {C} END"),
    (["{C} with the highest {N} times {M}", "which {C} has the largest product of {N} and {M}?"], "SEL {C} DESC * {N} {M} LIMIT 1 END"),
    (["{C} of the {t} with the largest difference between {N} and {M}", "{C} with the biggest gap between {N} and {M}"], "SEL {C} DESC - {N} {M} LIMIT 1 END"),
    (["{T} where {N} is more than {M}", "{T} with a higher {N} than {M}", "which {T} have more {N} than {M}?"], "SEL STAR {T} WHERE {N} > {M} END"),
    (["median {N} of {T}", "what is the median {N}?", "the median of the {N} of all {T}", "middle {N} of the {T}"], "SEL median {N} END"),
    (["median {N} per {C}", "median {N} of the {T} by {C}", "what is the median {N} for each {C}?"], "SEL {C} median {N} GROUP {C} END"),
    (["median {N} of {T} with {C} {#C}", "what is the median {N} where {C} is {#C}?"], "SEL median {N} WHERE {C} = VAL#C END"),
    (["{#O} percentile of {N} of {T}", "what is the {#O} percentile of the {N}?", "the {#O} percentile {N} of the {T}"], "SEL percentile VAL#O {N} END"),
    (["what percentage of {T} have {C} {#C}?", "percentage of {T} in {#C}", "share of {T} whose {C} is {#C}", "what share of {T} is {#C}?"], "SEL percent {C} = VAL#C count STAR {T} END"),
    (["what percentage of total {N} is from {C} {#C}?", "share of {#C} in the {N} of all {T}", "how much of the {N} in percent comes from {#C}?"], "SEL percent {C} = VAL#C sum {N} END"),
    (["percentage of {T} by {C}", "share of {T} for each {C}", "what percent of the {T} does each {C} have?"], "SEL {C} portion count STAR {T} GROUP {C} END"),
    (["each {C}'s share of the total {N}", "percentage of {N} by {C}", "what share of the {N} comes from each {C}?", "{N} per {C} as a percentage of the total"], "SEL {C} portion sum {N} GROUP {C} END"),
    (["{T} with {N} above the average of their {C}", "{T} whose {N} is higher than the average for their {C}", "which {T} have more {N} than the average of the same {C}?"],
     "SEL STAR {T} WHERE {N} > peers avg {N} {C} END"),
    (["{D} of {T} whose {N} is below the average of their {C}", "{D} of {T} with less {N} than their {C} has on average"], "SEL {D} WHERE {N} < peers avg {N} {C} END"),
    (["{D} with the highest {N} in each {C}", "for each {C} the {D} with the largest {N}"], "SEL {C} {D} {N} WHERE {N} = peers max {N} {C} END"),
    (["number of {T} with {C} {#C} and number with {D} {#D}", "how many {T} have {C} {#C} and how many have {D} {#D}?"], "SEL only {C} = VAL#C count STAR {T} only {D} = VAL#D count STAR {T} END"),
    # Two tables.
    (["{S} of every {p} and the number of their {X}, including those without {X}", "how many {X} does every {p} have, zero included? show {S}", "{S} and number of {X} for all {P}, also those with none"],
     "SEL ZERO {S} count STAR {X} GROUP {K} END"),
    (["{S} of {P} with fewer than {#K} {X}, or none", "which {P} have fewer than {#K} {X}, counting those with none? {S}"], "SEL ZERO {S} GROUP {K} HAVING count STAR {X} < VAL#K END"),
    (["median {Z} of {X} per {p} {S}", "median {Z} of the {X} for each {S}"], "SEL {S} median {Z} GROUP {S} END"),
    (["share of total {Z} per {p} {S}", "what percentage of the {Z} of all {X} does each {S} have?"], "SEL {S} portion sum {Z} GROUP {S} END"),
    (["what percentage of the {Z} of {X} is from {S} {#S}?", "share of {p} {#S} in the total {Z} of {X}"], "SEL percent {S} = VAL#S sum {Z} END"),
    (["{S} of {P} that have both {X} with {Y} {#Y} and {X} with {Y} {#V}", "{S} of {P} with {#Y} as well as {#V} {X}"], "SEL {S} WHERE {Y} = VAL#Y INTERSECT SEL {S} WHERE {Y} = VAL#V END"),
]
PLACES = [f"{n}th" for n in (5, 10, 20, 25, 75, 80, 90, 95, 99)]
SLOT = re.compile(r"\{([#A-Za-z~]+)\}")
NUMBERS = "two three four five six seven eight nine ten".split()
ONE, TWO = set("TCDNM"), set("PXKFSYZ")


class Bound:
    """A pattern's letters bound to a schema; missing: a letter that found nothing."""

    def __init__(self, schema, letters):
        self.schema, self.to, self.missing = schema, {}, False
        if letters & TWO:
            self.two(letters)
        else:
            self.one(letters)

    def take(self, letter, table, number):
        columns, used = self.schema.columns, set(self.to.values())
        fit = [c for c in self.schema.by_table[table] if columns[c]["number"] == number and c not in used and columns[c]["values"]
               and 0 < len(columns[c]["words"]) <= 4 and columns[c]["type"] != 3 and (not self.schema.key[c] or not number)]
        if not fit:
            self.missing = True
            return
        self.to[letter] = random.choice(fit)

    def one(self, letters):
        table = random.randrange(len(self.schema.tables))
        self.tables = {"T": table}
        for letter in "CDNM":
            if letter in letters:
                self.take(letter, table, letter in "NM")

    def two(self, letters):
        links = [x for x in self.schema.links if self.schema.of[x[0]] != self.schema.of[x[1]]]
        if not links:
            self.missing = True
            return
        f, k = random.choice(links)
        self.tables = {"X": self.schema.of[f], "P": self.schema.of[k]}
        self.to = {"F": f, "K": k}
        for letter, table, number in (("S", "P", False), ("Y", "X", False), ("Z", "X", True)):
            if letter in letters:
                self.take(letter, self.tables[table], number)


def letters_of(pattern):
    texts, target = pattern
    found = set(SLOT.findall(" ".join(texts) + " " + target)) | {"#" + x for x in re.findall(r"VAL#([A-Z]~?)", target)}
    # A value is of the column of its letter; E is another of D, K and M with # are numbers.
    return {x.lstrip("#").rstrip("~").upper() for x in found if x not in ("#K", "#M", "#E", "#O", "#V")}


class Asker:
    """Fills patterns; maker says names and constants."""

    def __init__(self, maker, patterns=None):
        self.maker = maker
        self.patterns = [(texts, target, letters_of((texts, target))) for texts, target in patterns or PATTERNS]
        self.one = [p for p in self.patterns if not p[2] & TWO]
        self.two = [p for p in self.patterns if p[2] & TWO]

    def ask(self, schema, several):
        texts, target, letters = random.choice(self.two if several else self.one)
        bound = Bound(schema, letters)
        if bound.missing:
            return None
        text = random.choice(texts)
        if len(schema.tables) > 1 and not self.says_tables(text, target):
            return None
        values, known = self.values(bound, text), schema.vocabulary()
        if values is None:
            return None
        out, at, spans = "", 0, {}
        for slot in SLOT.finditer(text):
            name = slot.group(1)
            new = values[name] if name[0] == "#" else self.name(bound, name, known)
            if not new:
                return None
            out += text[at:slot.start()]
            if name[0] == "#":
                first = len(out.encode())
                spans[name] = [first, first + len(new.encode())]
            out, at = out + new, slot.end()
        out += text[at:]
        if random.random() < 0.5:
            out = out[0].upper() + out[1:]
        return self.line(bound, out, target, spans)

    @staticmethod
    def says_tables(text, target):
        """Whether every table that only a pointer names is said."""
        return all("{%s}" % t in text or "{%s}" % t.lower() in text for t in "TPX" if "STAR {%s}" % t in target)

    def values(self, bound, text):
        out, used = {}, set()
        for name in sorted(set(x for x in SLOT.findall(text) if x[0] == "#")):
            letter = name[1]
            if letter == "K":
                n = random.randint(2, 10)
                out[name] = NUMBERS[n - 2] if random.random() < 0.3 else str(n)
                continue
            if letter == "O":
                out[name] = random.choice(PLACES)
                continue
            column = bound.to[{"E": "D", "M": "N", "V": "Y"}.get(letter, letter)]
            op = "contains" if name.endswith("~") else "="
            out[name] = self.maker.constant(op, bound.schema.columns[column], used)
            if out[name] is None:
                return None
        if "#M" in out and self.number(out["#N"]) > self.number(out["#M"]):
            out["#N"], out["#M"] = out["#M"], out["#N"]
        return out

    @staticmethod
    def number(text):
        try:
            return float(text)
        except ValueError:
            return 0.0

    def name(self, bound, letter, known):
        schema = bound.schema
        if letter.upper() in bound.tables:
            words = self.maker.table_words(schema, bound.tables[letter.upper()])
            return self.maker.say("s" if letter.isupper() else "x", words, known)
        return self.maker.say(random.choice("sx"), schema.columns[bound.to[letter]]["words"], known)

    @staticmethod
    def line(bound, text, target, spans):
        out, values = [], []
        for token in target.split():
            if token.startswith("VAL"):
                out += ["VAL", "q", "q"]
                values.append(spans[token[3:]])
            elif token[0] == "{":
                letter = token[1:-1]
                out.append(f"t{bound.tables[letter]}" if letter in bound.tables else f"c{bound.to[letter]}")
            else:
                out.append(token)
        return {"db": bound.schema.name, "question": text, "target": out, "values": values}
