"""What people keep in tables: kinds of things, and what is noted about them.

In everyday_kinds.txt a kind is a line and the indented lines below it.

    one/many person|thing[: verb|verb]   verbs say what somebody did who has one: "placed an order"
      n HEADER: VALUES         its name; VALUES are a list, or people, or a code such as INV-####
      c WORDS: VALUES          a category whose values stand before the noun: gold members
      k IN WORDS: VALUES       a category said with a preposition: members from Leeds
      b FORM WORDS/NOT         yes or no. FORM: adj (active), done (paid), have (parking), at (on leave)
                               or do (smoke); NOT is its opposite as one word, where there is one
      $ WORDS LOW HIGH         an amount of money          # WORDS LOW HIGH   a whole number
      d FORM WORD/NOUN         a date. FORM: done (ordered/order), did (joined/joining) or at (due/due)
      o FORM WORD/NOUN/NOT     a date that may be missing: it was not done yet
      x WORDS: VALUES          a text that may be missing  y WORDS LOW HIGH  a number that may be
      t WORDS                  a time of day: 09:30
      f WORDS: KINDS           belongs to one of another kind
      = NAMES OP FIRST, SECOND what people work out, by its names, a|b|c, from two numbers (+ - * /) or
                               as the time between two dates (~), the second of which may be now
"""
import collections
import pathlib
import re

LISTS = {
    "cities": "Leeds, Bristol, Cardiff, Oslo, Lyon, Turin, Graz, Porto, Ghent, Malmo, Tampa, Denver, Austin, Boise, Quebec, Perth, Nairobi, Kyoto",
    "countries": "France, Norway, Kenya, Japan, Brazil, Canada, Italy, Spain, India, Chile, Poland, Egypt",
    "departments": "Sales, Finance, Marketing, Support, Research, Legal, Logistics, Human Resources, IT, Purchasing",
    "colors": "red, blue, green, black, white, silver, yellow, grey",
    "rooms": "Aspen, Birch, Cedar, Dahlia, Elm, Fern, Ginkgo, Hazel, Iris, Juniper, Kale, Laurel, Maple, Nettle, Oak, Pine",
    "streets": "12 Mill Lane, 4 Abbey Road, 77 Station Street, 9 Church Walk, 31 Park Avenue, 5 High Street, 18 Canal Row, 60 Elm Drive",
    "phones": "555-0101, 555-0142, 555-0177, 555-0190, 555-0133, 555-0158, 555-0125, 555-0166",
    "mails": "ann@example.com, bob@example.org, cy@example.net, dee@example.com, eve@example.org, fay@example.net, gus@example.com",
    "notes": "call back, fragile, see file, ask for Kim, second floor, needs key, left at desk, urgent, none so far, as agreed",
    "firms": "Acme Supplies, Northwind Paper, Bluebird Foods, Harlow and Sons, Vertex Tools, Granite Works, Lumen Electric, Orchard Textiles, Kestrel Freight, Summit Glass, Pioneer Paints, Delta Plastics",
    "first": "Anna, Ben, Carla, David, Elena, Farid, Grace, Hugo, Ines, Jonas, Kavya, Liam, Maya, Noah, Olga, Pedro, Quinn, Rosa, Sven, Tara, Umar, Vera, Will, Yara, Zoe",
    "last": "Abbott, Brandt, Costa, Dubois, Ekman, Fischer, Garcia, Hughes, Ito, Jansen, Khan, Lopez, Meyer, Novak, Okafor, Perez, Rossi, Silva, Tanaka, Ueda, Vogel, Weber, Young",
}

Kind = collections.namedtuple("Kind", "one many person verbs fields formulas")
Formula = collections.namedtuple("Formula", "names op first second")
Field = collections.namedtuple("Field", "sort form words more low high")  # more: values, or the words of other forms


def values_of(text):
    text = LISTS.get(text.strip(), text)
    return [v.strip() for v in text.split(",")]


def field_of(line):
    sort, rest = line.split(None, 1)
    if sort in "$#y":
        words, low, high = rest.rsplit(None, 2)
        return Field(sort, "", words, [], int(low), int(high))
    if sort in "bdo":
        form, rest = rest.split(None, 1)
        words, *more = rest.split("/")
        return Field(sort, form, words, more, 0, 0)
    form = ""
    if sort == "k":
        form, rest = rest.split(None, 1)
    words, _, values = rest.partition(":")
    return Field(sort, form, words, values_of(values), 0, 0)


def formula_of(line):
    text, second = line.split(",")
    names, op, first = re.fullmatch(r"(.*) ([-+*/~]) (.*)", text).groups()
    return Formula(names.split("|"), op, first, second.strip())


def kinds(file="everyday_kinds.txt"):
    """The kinds of a file by their names."""
    all = {}
    for line in (pathlib.Path(__file__).parent / file).read_text().splitlines():
        if not line.startswith(" "):
            head, _, verbs = line.partition(":")
            names, person = head.strip().rsplit(None, 1)
            one, many = names.split("/")
            kind = all[one] = Kind(one, many, person == "person", [v.strip() for v in verbs.split("|") if v.strip()], [], [])
        elif line.strip().startswith("="):
            kind.formulas.append(formula_of(line.strip()[1:].strip()))
        else:
            kind.fields.append(field_of(line.strip()))
    return all
