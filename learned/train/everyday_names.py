"""How people head their tables and columns: one thing, many spellings."""
import re

# What is written shorter, and how. Most of it package lex writes out again.
SHORT = {
    "number": ["no", "num", "nr", "nbr"], "quantity": ["qty"], "amount": ["amt"], "department": ["dept"], "address": ["addr"],
    "employee": ["emp"], "customer": ["cust"], "description": ["desc"], "percent": ["pct"], "average": ["avg"], "minimum": ["min"],
    "maximum": ["max"], "count": ["cnt"], "total": ["tot"], "year": ["yr"], "years": ["yrs"], "hours": ["hrs"], "minutes": ["mins"],
    "manager": ["mgr"], "account": ["acct"], "location": ["loc"], "position": ["pos"], "product": ["prod"], "project": ["proj"],
    "reference": ["ref"], "source": ["src"], "destination": ["dest"], "student": ["stu"], "language": ["lang"], "value": ["val"],
    "weight": ["wt"], "height": ["ht"], "invoice": ["inv"], "transaction": ["txn"], "payment": ["pmt"], "manufacturer": ["mfr"],
    "date": ["dt"], "code": ["cd"], "name": ["nm"], "type": ["typ"], "group": ["grp"], "level": ["lvl"], "flag": ["flg"],
    "building": ["bldg"], "room": ["rm"], "appointment": ["appt"], "telephone": ["tel"], "certificate": ["cert"],
    "apartment": ["apt"], "course": ["crs"], "balance": ["bal"], "country": ["ctry"], "organization": ["org"],
    "temperature": ["temp"], "university": ["univ"], "document": ["doc"], "phone": ["ph", "tel"], "supplier": ["supp", "vendor"],
    "category": ["cat"], "status": ["stat", "state"], "member": ["mbr"], "volunteer": ["vol"], "order": ["ord"], "price": ["prc"],
    "vehicle": ["veh"], "patient": ["pat"], "teacher": ["tchr"], "id": ["id"], "priority": ["prio"], "comment": ["cmt"],
}
UNITS = {"weight": "kg", "height": "cm", "duration": "min", "area": "sqm", "mileage": "km", "hours": "h"}
STYLES = ["snake", "snake", "snake", "title", "title", "camel", "pascal", "lower", "upper"]


def written(words, style):
    """A name of words in a style."""
    words = [w for w in re.split(r"[\s_]+", words) if w]
    if style == "title":
        return " ".join(w[0].upper() + w[1:] for w in words)
    if style == "lower":
        return " ".join(words)
    words = [w.replace("-", "_") if style in ("snake", "upper") else w.replace("-", "") for w in words]
    if style == "camel":
        return words[0].lower() + "".join(w[0].upper() + w[1:] for w in words[1:])
    if style == "pascal":
        return "".join(w[0].upper() + w[1:] for w in words)
    return "_".join(words).upper() if style == "upper" else "_".join(words)


def without_vowels(word):
    """A word as hurried people write it: its first letter, and consonants."""
    return word[0] + re.sub("[aeiou]", "", word[1:]) if len(word) > 4 else word


class Naming:
    """How one database names things: the same way throughout, more or less."""

    def __init__(self, random_):
        self.random = random_
        self.style = random_.choice(STYLES)
        self.short = random_.choice([0, 0, 0.3, 0.8])
        self.hurried = random_.choice([0, 0, 0, 0.15])
        self.prefix = random_.random() < 0.12
        self.plural = random_.random() < 0.7
        self.currency = random_.choice(["EUR", "USD", "GBP"])
        self.head = random_.choice(["", "", "", "", "", "tbl ", "data "])

    def shorter(self, words):
        out = []
        for w in words.split():
            if w in SHORT and self.random.random() < self.short:
                w = self.random.choice(SHORT[w])
            elif self.random.random() < self.hurried:
                w = without_vowels(w)
            out.append(w)
        return " ".join(out)

    def table(self, kind):
        name = kind.many if self.plural else kind.one
        return written(self.head + name, self.style)

    def column(self, kind, words, sort=""):
        unit = self.unit(words, sort)
        if unit and self.style == "title":
            return f"{written(self.shorter(words), self.style)} ({unit})"
        words = (words + " " + unit.lower()).strip()
        if self.prefix and not words.startswith(kind.one):
            words = kind.one + " " + words
        return written(self.shorter(words), self.style)

    def unit(self, words, sort):
        """What a number is in, where the heading says so."""
        if self.random.random() > 0.2:
            return ""
        return self.currency if sort == "$" else UNITS.get(words, "")

    def flag(self, field):
        words, pick = field.words, self.random.random()
        if field.form == "have":
            words = ("has " if pick < 0.4 else "") + words
        elif field.form == "do":
            words = words + ("s" if pick < 0.5 else "r" if words.endswith("e") else "er")
        elif pick < 0.3:
            words = "is " + words
        elif pick < 0.38:
            words = words + " flag"
        elif pick < 0.43:
            words = words + " yn"
        elif field.form == "done" and pick < 0.47:
            words = "has been " + words
        return words

    def date(self, field):
        """A heading for a date: ordered, ordered_on, order_date."""
        verb, noun = field.words, field.more[0]
        forms = [noun + " date", noun + " date", "date " + verb if field.form != "at" else noun + " date"]
        if field.form != "at":
            forms += [verb, verb, verb + " on", verb + " at"]
        elif verb == "due":
            forms += ["due", "due on", "due by"]
        return self.random.choice(forms)
