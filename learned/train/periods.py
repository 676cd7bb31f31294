"""Days and periods of time as people say them.

A phrase is a preposition, what is said of time, and how a date stands to it. The
constant of a condition is what package lex reads as one period: all of "between
May and July 2024", and of "before 2020" the year.
"""
import calendar
import datetime
import random

MONTHS = [calendar.month_name[m] for m in range(1, 13)]
ORDINALS = ["first", "second", "third", "fourth"]


def ordinal(n):
    return f"{n}{'th' if 10 < n < 14 else {1: 'st', 2: 'nd', 3: 'rd'}.get(n % 10, 'th')}"


def month_name(m):
    name = MONTHS[m - 1]
    return name[:3] if random.random() < 0.15 else name.lower() if random.random() < 0.2 else name


def day(d):
    """A day in words or digits."""
    m = month_name(d.month)
    return random.choice([
        f"{d.day} {m} {d.year}", f"{m} {d.day}, {d.year}", f"{ordinal(d.day)} {m} {d.year}", f"{m} {ordinal(d.day)}, {d.year}",
        f"{ordinal(d.day)} of {m} {d.year}", d.isoformat(), f"{d.day}.{d.month}.{d.year}", f"{d.month}/{d.day}/{d.year}", f"{m} {d.day} {d.year}"])


def month(d):
    return random.choice([f"{month_name(d.month)} {d.year}"] * 5 + [f"{month_name(d.month)} of {d.year}", d.strftime("%Y-%m")])


def quarter(d):
    q = (d.month + 2) // 3
    return random.choice([f"Q{q} {d.year}", f"{ORDINALS[q - 1]} quarter of {d.year}"])


def around_now():
    n = random.choice(["7", "10", "30", "90", "two", "three", "six"])
    unit = random.choice(["days", "weeks", "months"]) if n in ("two", "three", "six") else "days"
    return random.choice([("", "last year"), ("", "this year"), ("", "last month"), ("", "this month"), ("", "this week"), ("", "last week"),
                          ("", "today"), ("", "yesterday"), ("in the", f"last {n} {unit}"), ("in the", f"past {n} {unit}"),
                          ("within the", f"last {n} {unit}"), ("", "last quarter"), ("", "this quarter")])


def whole(d):
    """A period that is nothing but named: preposition, text."""
    pick = random.random()
    if pick < 0.3:
        return random.choice(["in", "in", "during", "in the year"]), str(d.year)
    if pick < 0.55:
        return random.choice(["in", "in", "in", "during"]), month(d)
    if pick < 0.63:
        return random.choice(["in", "during"]), month_name(d.month)
    if pick < 0.82:
        return "on", day(d)
    if pick < 0.84:
        h = (d.month + 5) // 6
        return random.choice([("in the", f"{ORDINALS[h - 1]} half of {d.year}"), ("in", f"H{h} {d.year}")])
    if pick < 0.91:
        q = quarter(d)
        return ("in" if q[0] == "Q" else "in the"), q
    return around_now()


def span(a, b):
    """From one time to another, in one phrase."""
    a, b = min(a, b), max(a, b)
    if a.year == b.year and a.month == b.month:
        b = datetime.date(b.year + (b.month == 12), b.month % 12 + 1, min(b.day, 28))
    if random.random() < 0.3:
        ends = str(a.year), str(b.year + (a.year == b.year))
    elif random.random() < 0.35:
        ends = day(a), day(b)
    elif random.random() < 0.5 or a.year != b.year:
        ends = f"{month_name(a.month)} {a.year}", f"{month_name(b.month)} {b.year}"
    else:
        ends = month_name(a.month), month_name(b.month) + (f" {b.year}" if random.random() < 0.6 else "")
    return random.choice(["between {} and {}", "from {} to {}", "from {} until {}"]).format(*ends)


OPEN = [(["before", "before", "prior to", "earlier than"], "<"), (["after", "after", "later than"], ">"),
        (["since", "since", "starting from"], ">="), (["until", "up to", "no later than"], "<=")]


def phrase(days):
    """A preposition, a text and an operator; days are dates that the column has."""
    d = random.choice(days)
    pick = random.random()
    if pick < 0.55:
        return (*whole(d), "=")
    if pick < 0.7:
        return "", span(d, random.choice(days)), "="
    words, op = random.choice(OPEN)
    text = random.choice([str(d.year), str(d.year), month(d), day(d)])
    return random.choice(words), text, op
