"""How people ask what has to be reckoned: periods, durations, formulas, shares, comparisons.

Slots are those of everyday_patterns.py; besides:

    {M} a formula by one of its names, {F} its derivation    {N} {O} two columns of numbers
    {per} a period as it groups, {p} its part                {which} the same as one asks for it, {best} {worst}
    {on} the date by its name, where it could be another     {d} {dw} a duration by its name and as what was done
    {unit} the unit that is asked for, {u} its symbol        {A} {E} the two moments of a duration
    {day} {clock} {month} constants of parts of times         {y} {z} two periods

Targets hold what stands under the slots in lower case as tokens.
"""

# Periods: part, whether each comes once, how one groups by it, how one asks for it, as an adverb, the most and the least.
PERIODS = [
    ("yearmonth", True, ["per month", "by month", "each month", "for each month", "every month", "month by month", "in each month", "a month", "grouped by month"],
     ["which month", "which month", "what month", "in which month"], ["monthly"], ["busiest month", "best month", "strongest month"], ["quietest month", "slowest month", "weakest month"], 7),
    ("year", True, ["per year", "by year", "each year", "for each year", "every year", "year by year", "in each year", "for every year", "a year"],
     ["which year", "what year", "in which year", "in what year"], ["yearly", "annual"], ["busiest year", "best year"], ["worst year", "quietest year"], 5),
    ("yearquarter", True, ["per quarter", "by quarter", "each quarter", "for each quarter", "every quarter", "quarter by quarter"],
     ["which quarter", "what quarter", "in which quarter"], ["quarterly"], ["best quarter", "strongest quarter"], ["worst quarter", "weakest quarter"], 4),
    ("yearweek", True, ["per week", "by week", "each week", "for each week", "every week", "week by week", "a week"],
     ["which week", "in which week", "what week"], ["weekly"], ["busiest week", "best week"], ["quietest week"], 3),
    ("date", True, ["per day", "by day", "each day", "for each day", "every day", "day by day", "a day", "per date"],
     ["which day", "on which day", "what day", "on which date"], ["daily"], ["busiest day"], ["quietest day"], 3),
    ("weekday", False, ["per weekday", "by weekday", "by day of the week", "for each day of the week", "per day of the week", "on each weekday", "for every weekday"],
     ["which weekday", "which day of the week", "on which weekday", "on which day of the week", "what day of the week"], [], ["busiest weekday", "busiest day of the week"],
     ["quietest weekday", "quietest day of the week"], 4),
    ("month", False, ["per calendar month", "by calendar month", "for each month of the year", "by month of the year", "per month of the year, all years together"],
     ["which calendar month", "which month of the year", "what time of the year", "in which month of the year"], [], ["busiest month of the year"], ["quietest month of the year"], 2),
    ("hour", False, ["per hour", "by hour", "by hour of the day", "per hour of the day", "for each hour of the day", "each hour", "by time of day"],
     ["which hour", "at what hour", "which hour of the day", "at what time of day", "in which hour"], ["hourly"], ["busiest hour", "peak hour"], ["quietest hour"], 3),
]
OVER_TIME = ["over time", "over the months", "as time goes by", "through time"]

# One table with conditions; the period's column is {W}.
TIMES = [
    (["how many {NP} {per}{on}?", "number of {NP} {per}{on}", "{NP} {per}{on}", "count of {NP} {per}{on}", "how many {NP} were there {per}{on}?", "count {NP} {per}{on}",
      "{adv} number of {NP}{on}", "{adv} {T} count{on}", "show the number of {NP} {per}{on}", "how many {NP} do we have {per}{on}?"],
     "SEL {p} {W} count STAR {T} {where} GROUP {p} {W} {asc} END", 8),
    (["total {N} of {NP} {per}{on}", "{N} {per}{on}", "sum of {N} {per}{on}", "{adv} {N}{on}", "total {N} {per}{on}", "how much {N} {per}{on}?", "{adv} total {N} of {NP}{on}",
      "what is the total {N} {per}{on}?", "add up the {N} of {NP} {per}{on}"], "SEL {p} {W} sum {N} {where} GROUP {p} {W} {asc} END", 6),
    (["average {N} of {NP} {per}{on}", "mean {N} {per}{on}", "average {N} {per}{on}", "what was the average {N} {per}{on}?", "{adv} average {N}{on}"],
     "SEL {p} {W} avg {N} {where} GROUP {p} {W} {asc} END", 4),
    (["{M} {per}{on}", "total {M} {per}{on}", "what was the {M} {per}{on}?", "{adv} {M}{on}", "how much {M} did we have {per}{on}?", "show {M} of {NP} {per}{on}"],
     "SEL {p} {W} sum {F} {where} GROUP {p} {W} {asc} END", 5),
    (["{which} had the most {NP}{on}?", "{which} did we have the most {NP}{on}?", "{which} were there most {NP}{on}?", "what was the {best} for {NP}{on}?", "{best} for {T}{on}",
      "{which} saw the highest number of {NP}{on}?", "{which} has the largest number of {NP}{on}?"],
     "SEL {p} {W} {where} GROUP {p} {W} DESC count STAR {T} LIMIT 1 END", 6),
    (["{which} had the fewest {NP}{on}?", "what was the {worst} for {NP}{on}?", "{which} had the least {NP}{on}?"], "SEL {p} {W} {where} GROUP {p} {W} ASC count STAR {T} LIMIT 1 END", 2),
    (["{which} had the highest {N}{on}?", "{which} had the highest total {N}{on}?", "{which} brought in the most {N}{on}?", "{best} by {N}{on}", "{which} was best by total {N}{on}?"],
     "SEL {p} {W} {where} GROUP {p} {W} DESC sum {N} LIMIT 1 END", 4),
    (["{which} had the highest {M}{on}?", "{which} brought the most {M}{on}?", "{best} in terms of {M}{on}", "{which} did we make the most {M}{on}?"],
     "SEL {p} {W} {where} GROUP {p} {W} DESC sum {F} LIMIT 1 END", 3),
    (["{which} had the highest average {N}{on}?", "{which} was the average {N} highest{on}?"], "SEL {p} {W} {where} GROUP {p} {W} DESC avg {N} LIMIT 1 END", 2),
    (["{which} had more than {#K} {T}{on}?", "{which} had over {#K} {NP}{on}?"], "SEL {p} {W} {where} GROUP {p} {W} HAVING count STAR {T} > VAL#K END", 2),
    (["{which} was it when {#S} was {w}?", "{which} was {#S} {w}?"], "SEL {p} {W} WHERE {S} = VAL#S END", 1),
    (["{NP} per {C} and {one}{on}", "number of {NP} by {C} and {one}{on}", "how many {NP} per {one} and {C}{on}?"], "SEL {p} {W} {C} count STAR {T} {where} GROUP {p} {W} {C} END", 2),
    (["{S} and {one} of {NP}{on}", "show the {S} of {NP} and the {one}{on}"], "SEL {S} {p} {W} {where} END", 1),
    (["average number of {NP} {per}{on}", "how many {NP} {per} on average{on}?", "{NP} {per} on average{on}", "average {T} {per}{on}", "how many {T} do we get {per} on average{on}?",
      "on average how many {NP} are there {per}{on}?"], "SEL / count STAR {T} count DIST {p} {W} {where} END", 5),
    (["average total {N} {per}{on}", "average {N} total {per}{on}", "how much {N} {per} on average{on}?", "on average, how much {N} do we have {per}{on}?"],
     "SEL / sum {N} count DIST {p} {W} {where} END", 3),
    (["average {M} {per}{on}", "how much {M} {per} on average{on}?", "average {adv} {M}{on}"], "SEL / sum {F} count DIST {p} {W} {where} END", 3),
    (["how many different {ones} had {NP}{on}?", "in how many different {ones} were there {NP}{on}?", "number of {ones} with {NP}{on}"], "SEL count DIST {p} {W} {where} END", 2),
    (["top {#K} {ones} by number of {T}{on}", "the {#K} {ones} with the most {NP}{on}", "{#K} busiest {ones}{on}"],
     "SEL {p} {W} {where} GROUP {p} {W} DESC count STAR {T} LIMIT VAL#K END", 2),
]
# Conditions on parts of times, put behind a noun: {V} is the condition.
PART_HEADS = [
    (["how many {NP} {when}?", "number of {NP} {when}", "how many {NP} were there {when}?", "count the {NP} {when}", "how many {T} do we get {when}?"], "SEL count STAR {T} {where} AND {V} END", 5),
    (["{NP} {when}", "show {NP} {when}", "list all {NP} {when}", "which {T} were {when}?", "give me the {NP} {when}"], "SEL STAR {T} {where} AND {V} END", 5),
    (["total {N} of {NP} {when}", "{N} {when}", "how much {N} {when}?", "sum of {N} {when}"], "SEL sum {N} {where} AND {V} END", 3),
    (["average {N} of {NP} {when}", "average {N} {when}"], "SEL avg {N} {where} AND {V} END", 2),
    (["{M} {when}", "total {M} {when}", "how much {M} did we make {when}?"], "SEL sum {F} {where} AND {V} END", 2),
    (["{NP} {when} per {C}", "how many {NP} {when} per {C}?"], "SEL {C} count STAR {T} {where} AND {V} GROUP {C} END", 1),
    (["{S} of {NP} {when}", "which {S} {when}?"], "SEL {S} {where} AND {V} END", 1),
]
WEEKDAYS = ["on {D}s", "on {D}s", "on a {D}", "on any {D}", "on {D}", "{D}s only", "that fell on a {D}", "every {D}"]
WEEKENDS = ["at the {weekend}", "on {weekends}", "on the {weekend}", "at {weekends}", "on {weekdays}"]
MONTHS_OF_YEAR = ["in any {X}", "in {X} of any year", "every {X}", "each {X}", "in {X}, whatever the year", "in the month of {X} in any year"]
CLOCKS = [(["after {X}", "later than {X}", "past {X}", "after {X}"], ">"), (["before {X}", "earlier than {X}", "until {X}"], "<"), (["from {X} on", "at {X} or later"], ">="),
          (["at {X}", "at exactly {X}"], "=")]
DAY_PARTS = ["in the {X}", "in the {X}", "during the {X}", "each {X}"]
# A time of day in a column of its own: {cw} are its words.
CLOCK_WORDS = ["with {cw} {when}", "whose {cw} is {when}", "where the {cw} is {when}"]
STARTS = ["starting {when}", "that start {when}", "beginning {when}", "that begin {when}"]
ENDS = ["ending {when}", "that end {when}", "finishing {when}"]

# Durations between two columns, or since one: {A} {E} may be NOW.
DURATIONS = [
    (["average {d} of {NP}", "what is the average {d}?", "mean {d} of {NP}", "how long is the {d} on average?", "average {d} in {unit}", "what is the average {d} in {unit}?",
      "how many {unit} is the {d} on average?"], "SEL avg {u} {A} {E} {where} END", 6),
    (["{d} of each {t}", "{d} per {t}", "list the {d} of all {NP}", "what is the {d} of every {t}?", "show {S} and {d} of {NP}", "{S} and {d} in {unit} of {NP}", "how long was the {d} of each {t}?"],
     "SEL {S} {u} {A} {E} {where} END", 5),
    (["{d} of {#S}", "what is the {d} of {#S}?", "how long was the {d} of {#S}?", "{d} of {t} {#S} in {unit}", "how many {unit} was the {d} of {#S}?"], "SEL {u} {A} {E} WHERE {S} = VAL#S END", 4),
    (["{NP} with {ad} of more than {#L} {unit}", "{NP} whose {d} is more than {#L} {unit}", "{NP} with {ad} over {#L} {unit}", "{NP} with {ad} longer than {#L} {unit}",
      "which {T} have {ad} of over {#L} {unit}?"], "SEL STAR {T} {where} AND {u} {A} {E} > VAL#L END", 5),
    (["how many {NP} have {ad} of more than {#L} {unit}?", "number of {NP} with {ad} above {#L} {unit}"], "SEL count STAR {T} {where} AND {u} {A} {E} > VAL#L END", 3),
    (["{NP} with {ad} of less than {#L} {unit}", "{NP} with {ad} under {#L} {unit}", "{NP} whose {d} is shorter than {#L} {unit}"], "SEL STAR {T} {where} AND {u} {A} {E} < VAL#L END", 3),
    (["longest {d}", "what is the longest {d}?", "maximum {d} of {NP}", "longest {d} in {unit}"], "SEL max {u} {A} {E} {where} END", 3),
    (["shortest {d}", "minimum {d} of {NP}", "what was the shortest {d}?"], "SEL min {u} {A} {E} {where} END", 2),
    (["which {t} had the longest {d}?", "{t} with the longest {d}", "{S} of the {t} with the longest {d}"], "SEL {S} {where} DESC {u} {A} {E} LIMIT 1 END", 4),
    (["which {t} had the shortest {d}?", "{t} with the shortest {d}"], "SEL {S} {where} ASC {u} {A} {E} LIMIT 1 END", 2),
    (["{NP} with {ad} longer than average", "{NP} whose {d} is above average", "which {T} had a longer {d} than average?", "{T} with above average {d}"],
     "SEL STAR {T} {where} AND {u} {A} {E} > SEL avg {u} {A} {E} END END", 3),
    (["average {d} per {C}", "average {d} by {C}", "mean {d} for each {C}", "which {d} does each {C} have on average?"], "SEL {C} avg {u} {A} {E} {where} GROUP {C} END", 4),
    (["median {d}", "what is the median {d} of {NP}?", "median {d} in {unit}"], "SEL median {u} {A} {E} {where} END", 2),
    (["top {#K} {T} by {d}", "the {#K} {T} with the longest {d}"], "SEL STAR {T} {where} DESC {u} {A} {E} LIMIT VAL#K END", 2),
    (["how many {unit} passed between {An} and {En} for each {t}?", "{unit} between {An} and {En}", "{unit} from {An} to {En} of {NP}", "time between {An} and {En} in {unit}",
      "difference between {An} and {En} in {unit}"], "SEL {S} {u} {A} {E} {where} END", 5),
    (["average number of {unit} between {An} and {En}", "average {unit} from {An} to {En}", "how many {unit} on average from {An} to {En}?", "how long does it take on average from {An} to {En}?",
      "average time between {An} and {En}"], "SEL avg {u} {A} {E} {where} END", 5),
    (["{NP} where {En} is more than {#L} {unit} after {An}", "{NP} with more than {#L} {unit} between {An} and {En}", "{T} that were {Ew} more than {#L} {unit} after being {Aw}"],
     "SEL STAR {T} {where} AND {u} {A} {E} > VAL#L END", 4),
    (["how long did it take to get {#S} {Ew}?", "how many {unit} until {#S} was {Ew}?"], "SEL {u} {A} {E} WHERE {S} = VAL#S END", 1),
]
# Since a date.
SINCE = [
    (["how many {unit} ago was {#S} {w}?", "how many {unit} since {#S} was {w}?", "how long ago was {#S} {w}?", "how long has it been since {#S} was {w}?"], "SEL {u} {W} NOW WHERE {S} = VAL#S END", 3),
    (["{NP} {w} more than {#L} {unit} ago", "{T} {w} over {#L} {unit} ago", "{NP} that were {w} more than {#L} {unit} ago"], "SEL STAR {T} {where} AND {u} {W} NOW > VAL#L END", 4),
    (["how many {T} were {w} more than {#L} {unit} ago?", "number of {T} {w} over {#L} {unit} ago"], "SEL count STAR {T} {where} AND {u} {W} NOW > VAL#L END", 3),
    (["{unit} since {n} of each {t}", "how many {unit} have passed since the {n} of each {t}?", "list {S} and {unit} since {n}"], "SEL {S} {u} {W} NOW {where} END", 3),
    (["average number of {unit} since {n}", "how many {unit} since {n} on average?"], "SEL avg {u} {W} NOW {where} END", 2),
]
DUE = [
    (["{NP} overdue for more than {#L} {unit}", "{NP} that are more than {#L} {unit} overdue", "which {T} are overdue by more than {#L} {unit}?", "{T} overdue by over {#L} {unit}",
      "{NP} past due for more than {#L} {unit}", "{NP} more than {#L} {unit} late", "which {T} are more than {#L} {unit} past their due date?"], "SEL STAR {T} {where} AND {u} {W} NOW > VAL#L END", 5),
    (["how many {T} are overdue for more than {#L} {unit}?", "number of {NP} more than {#L} {unit} overdue"], "SEL count STAR {T} {where} AND {u} {W} NOW > VAL#L END", 4),
    (["how many {unit} overdue is {#S}?", "how long is {#S} overdue?", "by how many {unit} is {#S} overdue?"], "SEL {u} {W} NOW WHERE {S} = VAL#S END", 3),
    (["{S} and {unit} overdue of {NP}", "how many {unit} overdue is each {t}?", "list {T} with the {unit} they are overdue"], "SEL {S} {u} {W} NOW {where} END", 3),
]
# Of something with a day of birth.
AGES = [
    (["how old is {#S}?", "how old is {t} {#S}?", "age of {#S}", "what is {#S}'s age?", "what age is {#S}?"], "SEL years {W} NOW WHERE {S} = VAL#S END", 5),
    (["average age of {NP}", "how old are {NP} on average?", "what is the average age of the {T}?", "mean age of {NP}", "average age"], "SEL avg years {W} NOW {where} END", 5),
    (["{NP} older than {#Y}", "{NP} over {#Y} years old", "who is older than {#Y}?", "{NP} aged over {#Y}", "{T} over the age of {#Y}"], "SEL STAR {T} {where} AND years {W} NOW > VAL#Y END", 5),
    (["{NP} younger than {#Y}", "{NP} under {#Y} years old", "{T} under {#Y}"], "SEL STAR {T} {where} AND years {W} NOW < VAL#Y END", 4),
    (["how many {T} are older than {#Y}?", "number of {NP} over {#Y}", "how many {T} are over {#Y} years old?"], "SEL count STAR {T} {where} AND years {W} NOW > VAL#Y END", 4),
    (["{S} and age of {NP}", "how old is each {t}?", "list the {T} with their ages", "ages of all {T}"], "SEL {S} years {W} NOW {where} END", 4),
    (["average age per {C}", "average age by {C}"], "SEL {C} avg years {W} NOW {where} GROUP {C} END", 3),
    (["median age of {NP}", "median age"], "SEL median years {W} NOW {where} END", 2),
]

# What people work out of columns: {M} by name, or {N} and {O} in so many words.
FORMULAS = [
    (["total {M}", "what is the total {M}?", "{M} in total", "how much {M} in total?", "{M} of {NP}", "total {M} of {NP}", "what is our {M}?", "sum of the {M} of {NP}", "overall {M}", "{M} of all {T} together"],
     "SEL sum {F} {where} END", 7),
    (["average {M} of {NP}", "what is the average {M}?", "mean {M}", "average {M} per {t}"], "SEL avg {F} {where} END", 4),
    (["{M} of each {t}", "{M} per {t}", "show the {S} and {M} of {NP}", "list {S} and {M}", "what is the {M} of every {t}?", "give me the {M} for each of the {NP}"], "SEL {S} {F} {where} END", 5),
    (["{M} of {#S}", "what is the {M} of {#S}?", "how much is the {M} of {#S}?", "{M} for {t} {#S}"], "SEL {F} WHERE {S} = VAL#S END", 4),
    (["{M} per {C}", "total {M} by {C}", "{M} for each {C}", "how much {M} per {C}?", "what is the {M} of each {C}?"], "SEL {C} sum {F} {where} GROUP {C} END", 6),
    (["average {M} per {C}", "average {M} by {C}"], "SEL {C} avg {F} {where} GROUP {C} END", 3),
    (["which {C} has the highest {M}?", "{C} with the most {M}", "which {C} brings in the most {M}?", "what {C} makes the most {M}?"], "SEL {C} {where} GROUP {C} DESC sum {F} LIMIT 1 END", 4),
    (["top {#K} {Cs} by {M}", "the {#K} {Cs} with the highest {M}"], "SEL {C} {where} GROUP {C} DESC sum {F} LIMIT VAL#K END", 3),
    (["which {t} has the highest {M}?", "{t} with the largest {M}", "{S} of the {t} with the highest {M}"], "SEL {S} {where} DESC {F} LIMIT 1 END", 4),
    (["which {t} has the lowest {M}?", "{t} with the smallest {M}"], "SEL {S} {where} ASC {F} LIMIT 1 END", 2),
    (["top {#K} {T} by {M}", "the {#K} {T} with the highest {M}", "{#K} {NP} with the largest {M}"], "SEL STAR {T} {where} DESC {F} LIMIT VAL#K END", 3),
    (["{NP} with {aM} above {#Q}", "{NP} with {M} over {#Q}", "{T} whose {M} is more than {#Q}", "which {T} have {aM} of more than {#Q}?"], "SEL STAR {T} {where} AND {F} > VAL#Q END", 4),
    (["{NP} with {aM} below {#Q}", "{T} whose {M} is less than {#Q}"], "SEL STAR {T} {where} AND {F} < VAL#Q END", 2),
    (["how many {T} have {aM} above {#Q}?", "number of {NP} with {M} over {#Q}"], "SEL count STAR {T} {where} AND {F} > VAL#Q END", 2),
    (["{NP} with above average {M}", "{T} whose {M} is above average", "which {T} have more {M} than average?"], "SEL STAR {T} {where} AND {F} > SEL avg {F} END END", 3),
    (["highest {M}", "maximum {M} of {NP}", "what is the largest {M}?"], "SEL max {F} {where} END", 2),
    (["median {M}", "what is the median {M} of {NP}?"], "SEL median {F} {where} END", 2),
]
# {N} and {O} said outright; {op} is the operator.
SAID = {
    "*": ["{N} times {O}", "{N} multiplied by {O}", "{N} x {O}", "{N} * {O}", "product of {N} and {O}"],
    "-": ["{N} minus {O}", "{N} less {O}", "difference between {N} and {O}", "{N} - {O}", "difference of {N} and {O}"],
    "+": ["{N} plus {O}", "sum of {N} and {O}", "{N} and {O} together", "{N} + {O}", "{N} and {O} combined"],
    "/": ["{N} divided by {O}", "ratio of {N} to {O}", "{N} per {O}", "{N} / {O}", "{N} over {O}"],
}
MORE_THAN = [
    (["{NP} where {N} is more than {O}", "{NP} with more {N} than {O}", "{T} whose {N} is higher than their {O}", "which {T} have a larger {N} than {O}?", "{NP} with {N} above {O}"],
     "SEL STAR {T} {where} AND {N} > {O} END", 3),
    (["how many {T} have more {N} than {O}?", "number of {NP} where {N} exceeds {O}"], "SEL count STAR {T} {where} AND {N} > {O} END", 2),
    (["{NP} where {N} is less than {O}", "{T} whose {N} is below their {O}"], "SEL STAR {T} {where} AND {N} < {O} END", 2),
    (["ratio of total {N} to total {O}", "total {N} divided by total {O}", "total {N} per total {O}"], "SEL / sum {N} sum {O} {where} END", 2),
    (["{N} per {t} on average, and in total", "average and total {N} of {NP}"], "SEL avg {N} sum {N} {where} END", 1),
]

MIDDLES = [
    (["median {N} of {NP}", "what is the median {N}?", "median {N}", "the median of {N} of {NP}", "give me the median {N} of {NP}", "middle value of {N} of {NP}", "median for {N}"], "SEL median {N} {where} END", 6),
    (["median {N} per {C}", "median {N} by {C}", "what is the median {N} for each {C}?", "median {N} of {NP} per {C}"], "SEL {C} median {N} {where} GROUP {C} END", 5),
    (["average and median {N} of {NP}", "mean and median {N}"], "SEL avg {N} median {N} {where} END", 2),
    (["which {C} has the highest median {N}?", "{C} with the highest median {N}"], "SEL {C} {where} GROUP {C} DESC median {N} LIMIT 1 END", 2),
    (["{NP} with {N} above the median", "{T} whose {N} is above the median {N}", "which {T} have a higher {N} than the median?"], "SEL STAR {T} WHERE {N} > SEL median {N} END END", 2),
    (["{#P} percentile of {N}", "what is the {#P} percentile of {N} of {NP}?", "the {#P} percentile {N}"], "SEL percentile VAL#P {N} {where} END", 4),
    (["{#P} percentile of {N} per {C}", "{#P} percentile of {N} by {C}"], "SEL {C} percentile VAL#P {N} {where} GROUP {C} END", 2),
    (["{#R} of {N}", "what is the {#R} of {N} of {NP}?", "{#R} of the {N}"], "SEL percentile VAL#R {N} {where} END", 3),
]
QUARTILES = ["first quartile", "third quartile", "lower quartile", "upper quartile", "second quartile"]

SHARES = [
    (["what share of {T} are {v}?", "what percentage of {T} is {v}?", "percentage of {T} that are {v}", "share of {v} {T}", "how many percent of the {T} are {v}?", "what percent of {T} have {C} {v}?",
      "what proportion of {T} is {v}?", "what fraction of the {T} are {v}? in percent"], "SEL percent {C} = VAL#C count STAR {T} END", 5),
    (["what share of {T} are {b}?", "what percentage of {T} is {b}?", "percentage of {T} that are {b}", "how many percent of {T} are {b}?"], "SEL percent {B} = 'true' count STAR {T} END", 3),
    (["what share of {T} are not {b}?", "percentage of {T} that are not {b}"], "SEL percent {B} = 'false' count STAR {T} END", 2),
    (["what share of the {N} comes from {v} {T}?", "what percentage of {N} is from {C} {v}?", "how much of the {N} in percent comes from {v}?", "percentage of total {N} from {v} {T}", "share of {v} in total {N}",
      "what percent of the total {N} do {v} {T} make up?", "what part of our {N} comes from {v}?"], "SEL percent {C} = VAL#C sum {N} END", 5),
    (["what share of {M} comes from {v} {T}?", "percentage of {M} from {v}", "what percent of total {M} is {v}?"], "SEL percent {C} = VAL#C sum {F} END", 3),
    (["share of {T} per {C}", "percentage of {T} by {C}", "what percentage of {T} does each {C} have?", "distribution of {T} by {C} in percent", "how are the {T} split by {C} in percent?", "percent of {T} for each {C}"],
     "SEL {C} portion count STAR {T} {where} GROUP {C} END", 4),
    (["share of total {N} per {C}", "percentage of {N} by {C}", "what percentage of the {N} does each {C} have?", "each {C}'s share of the {N}", "how much does each {C} contribute to total {N} in percent?",
      "{N} by {C} as a percentage of the total", "what share of {N} comes from each {C}?"], "SEL {C} portion sum {N} {where} GROUP {C} END", 5),
    (["share of {M} per {C}", "{M} by {C} in percent of the total", "what share of {M} does each {C} have?"], "SEL {C} portion sum {F} {where} GROUP {C} END", 3),
    (["percentage of {b} {T} per {C}", "what share of {T} is {b} for each {C}?", "share of {T} that are {b} by {C}"], "SEL {C} percent {B} = 'true' count STAR {T} GROUP {C} END", 2),
]

# Two periods compared; {y} is the earlier.
COMPARED = [
    (["{G} in {z} compared to {y}|zy", "compare {G} in {y} and {z}", "{G} in {y} versus {z}", "{G} {y} vs {z}", "{G} in {y} and in {z}", "compare {y} and {z} by {G}", "{G}: {y} against {z}",
      "how does {G} in {z} compare with {y}?|zy"], "only", 5),
    (["change in {G} from {y} to {z}", "how much did {G} change from {y} to {z}?", "growth of {G} from {y} to {z}", "how much did {G} grow between {y} and {z}?", "difference in {G} between {y} and {z}",
      "by how much did {G} increase from {y} to {z}?", "increase in {G} from {y} to {z}", "how has {G} developed from {y} to {z}?", "did {G} go up from {y} to {z}?", "by how much did {G} drop from {y} to {z}?"],
     "change", 6),
]

PEERS = [
    (["{NP} with {aN} above the average of their {C}", "{T} whose {N} is above the average for their {C}", "which {T} have a higher {N} than the average of their own {C}?", "{NP} with more {N} than the average of their {C}",
      "{T} with above average {N} within their {C}", "which {T} are above the average {N} of the same {C}?"], "SEL STAR {T} {where} AND {N} > peers avg {N} {C} END", 5),
    (["{S} of {T} with {N} above the average of their {C}", "{S} of the {T} that exceed the average {N} in their {C}"], "SEL {S} {where} AND {N} > peers avg {N} {C} END", 3),
    (["{NP} with {aN} below the average of their {C}", "{T} whose {N} is lower than the average of their {C}"], "SEL STAR {T} {where} AND {N} < peers avg {N} {C} END", 3),
    (["how many {T} have {aN} above the average of their {C}?", "number of {T} above their {C}'s average {N}"], "SEL count STAR {T} {where} AND {N} > peers avg {N} {C} END", 2),
    (["the {t} with the highest {N} in each {C}", "for each {C}, which {t} has the highest {N}?", "{S} of the {t} with the highest {N} per {C}", "who has the highest {N} in each {C}?"],
     "SEL {C} {S} {N} {where} AND {N} = peers max {N} {C} END", 3),
    (["the {t} with the lowest {N} in each {C}", "for each {C}, which {t} has the lowest {N}?"], "SEL {C} {S} {N} {where} AND {N} = peers min {N} {C} END", 2),
]

# Two tables: X belongs to P.
EMPTY = [
    (["for every {p}, how many {X}?", "how many {X} does every {p} have?", "number of {X} for every {p}, including those with none", "how many {X} does each {p} have, including zero?",
      "for each {p} the number of {X}, also if there are none", "all {P} with their number of {X}, including {P} without any", "list every {p} and how many {X} they have, zero included",
      "{X} per {p}, also for {P} with none", "how many {X} for each {p}, even if 0?", "count the {X} of every {p}, show 0 where there are none", "every {p} with the number of their {X}",
      "for every single {p} count the {X}", "all {P} and how many {X} each of them has", "number of {X} per {p} including {P} with no {X}"], "SEL ZERO {S} count STAR {X} GROUP {K} END", 8),
    (["how many {NPX} does every {p} have?", "for every {p} the number of {NPX}", "number of {NPX} for each {p}, including zero", "for every {p}, how many {NPX}, also if none?"],
     "SEL ZERO {S} count STAR {X} {where} GROUP {K} END", 4),
    (["total {Z} of {X} for every {p}, including those without {X}", "for every {p} the total {Z} of their {X}", "total {Z} for every {p}, also those with none"], "SEL ZERO {S} sum {Z} GROUP {K} END", 3),
    (["which {P} have fewer than {#K} {X}?", "{P} with fewer than {#K} {X}", "{P} with less than {#K} {X}", "who has fewer than {#K} {X}?"], "SEL ZERO {S} GROUP {K} HAVING count STAR {X} < VAL#K END", 4),
    (["which {P} have at most {#K} {X}?", "{P} with no more than {#K} {X}", "{P} with {#K} {X} or fewer"], "SEL ZERO {S} GROUP {K} HAVING count STAR {X} <= VAL#K END", 3),
    (["which {p} has the fewest {X}?", "{p} with the fewest {X}, including none", "which {p} has the smallest number of {X}?"], "SEL ZERO {S} GROUP {K} ASC count STAR {X} LIMIT 1 END", 3),
]
BOTH = [
    (["which {P} have both {v} and {v2} {X}?", "{P} with both {v} and {v2} {X}", "{P} {who} have {v} as well as {v2} {X}", "who has both {v} and {v2} {X}?", "{P} {who} have {v} {X} and also {v2} {X}",
      "{S} of {P} with {X} of {C} {v} and of {C} {v2}"], "SEL {S} WHERE {C} = VAL#C INTERSECT SEL {S} WHERE {C} = VAL#D END", 5),
    (["which {P} have {v} but no {v2} {X}?", "{P} with {v} {X} but not {v2} ones", "who has {v} but no {v2} {X}?"], "SEL {S} WHERE {C} = VAL#C EXCEPT SEL {S} WHERE {C} = VAL#D END", 3),
    (["which {P} have {v} or {v2} {X}?", "{P} with either {v} or {v2} {X}"], "SEL DISTINCT {S} WHERE {C} = VAL#C OR {C} = VAL#D END", 2),
]
# Of X in time; {W} is a date of X.
TWO_TIMES = [
    (["{X} of {#S} {per}", "how many {X} did {#S} have {per}?", "number of {X} of {#S} {per}", "{adv} {X} of {#S}", "how many {X} per {one} does {#S} have?"],
     "SEL {p} {W} count STAR {X} WHERE {S} = VAL#S GROUP {p} {W} {asc} END", 4),
    (["{Z} of {#S} {per}", "total {Z} {per} for {#S}", "{adv} {Z} of {#S}"], "SEL {p} {W} sum {Z} WHERE {S} = VAL#S GROUP {p} {W} {asc} END", 3),
    (["{which} did {#S} have the most {X}?", "{which} had the most {X} of {#S}?"], "SEL {p} {W} WHERE {S} = VAL#S GROUP {p} {W} DESC count STAR {X} LIMIT 1 END", 2),
    (["{X} per {p_} and {one}", "number of {X} by {p_} and {one}", "how many {X} does each {p_} have {per}?"], "SEL {S} {p} {W} count STAR {X} GROUP {K} {p} {W} END", 3),
    (["{MX} {per} for {#S}", "{MX} of {#S} {per}"], "SEL {p} {W} sum {FX} WHERE {S} = VAL#S GROUP {p} {W} {asc} END", 2),
    (["average number of {X} per {p_}", "how many {X} does a {p_} have on average?", "how many {X} per {p_} on average?", "average {X} per {p_}"], "SEL / count STAR {X} count DIST {F} END", 4),
    (["average total {Z} per {p_}", "how much {Z} does a {p_} have on average?", "average {Z} total per {p_}"], "SEL / sum {Z} count DIST {F} END", 2),
]
# A formula over two tables: what one has so many of, and what each costs in the other.
SPREAD = [
    (["total {V}", "what is the total {V}?", "{V} in total", "our {V}", "how much {V} did we make?", "total {V} of all {X}", "overall {V}"], "SEL sum {G} END", 5),
    (["{V} per {p}", "{V} by {p}", "how much {V} per {p}?", "total {V} of each {p}", "what is the {V} of every {p}?"], "SEL {S} sum {G} GROUP {K} END", 5),
    (["{V} of {#S}", "how much {V} did {#S} bring in?", "total {V} from {#S}", "{V} for {p} {#S}"], "SEL sum {G} WHERE {S} = VAL#S END", 4),
    (["which {p} brought the most {V}?", "{p} with the highest {V}", "best {p} by {V}", "which {p} has the highest {V}?"], "SEL {S} GROUP {K} DESC sum {G} LIMIT 1 END", 4),
    (["top {#K} {P} by {V}", "the {#K} {P} with the highest {V}", "{#K} best {P} by {V}"], "SEL {S} sum {G} GROUP {K} DESC sum {G} LIMIT VAL#K END", 4),
    (["{V} per {D}", "{V} by {D}", "{V} by {p} {D}"], "SEL {D} sum {G} GROUP {D} END", 3),
    (["{V} {per}", "total {V} {per}", "{adv} {V}", "how much {V} did we make {per}?"], "SEL {p} {W} sum {G} GROUP {p} {W} {asc} END", 4),
    (["{which} had the highest {V}?", "{best} by {V}", "{which} did we make the most {V}?"], "SEL {p} {W} GROUP {p} {W} DESC sum {G} LIMIT 1 END", 3),
    (["average {V} per {x}", "average {V} of the {X}"], "SEL avg {G} END", 2),
    (["{V} of {NPX}", "total {V} of {NPX}"], "SEL sum {G} {where} END", 3),
    (["{R} and {V} of each {x}", "{V} of each {x}", "what is the {V} of every {x}?"], "SEL {R} {G} END", 3),
]
AMOUNTS = {"quantity", "qty", "items", "hours", "nights", "days", "copies", "participants", "boxes", "units"}
PRICES = {"price", "unit price", "hourly cost", "hourly rate", "daily rate", "fee", "rent", "cost", "value"}
VALUES = ["revenue", "sales", "turnover", "value", "sales value", "takings", "amount", "order value", "income"]

SUMMED = [
    (["top {#K} {P} by total {Z}", "the {#K} {P} with the highest total {Z}", "{#K} best {P} by {Z}", "our {#K} biggest {P} by {Z}", "top {#K} {P} by {Z} of their {X}", "which {#K} {P} have the largest total {Z}?"],
     "SEL {S} sum {Z} GROUP {K} DESC sum {Z} LIMIT VAL#K END", 5),
    (["top {#K} {P} by {MX}", "the {#K} {P} with the most {MX}", "{#K} best {P} by {MX}"], "SEL {S} sum {FX} GROUP {K} DESC sum {FX} LIMIT VAL#K END", 4),
    (["which {p} has the highest {MX}?", "{p} with the most {MX}", "who brought in the most {MX}?", "best {p} by {MX}"], "SEL {S} GROUP {K} DESC sum {FX} LIMIT 1 END", 4),
    (["{MX} per {p}", "{MX} by {p}", "total {MX} of each {p}", "how much {MX} per {p}?"], "SEL {S} sum {FX} GROUP {K} END", 4),
    (["{MX} of {#S}", "total {MX} from {#S}", "how much {MX} did {#S} bring in?"], "SEL sum {FX} WHERE {S} = VAL#S END", 3),
    (["{MX} by {p} {D}", "{MX} per {D} of the {p}", "total {MX} for each {p} {D}"], "SEL {D} sum {FX} GROUP {D} END", 3),
    (["each {p}'s share of {Z}", "share of total {Z} per {p}", "what percentage of the {Z} does each {p} account for?"], "SEL {S} portion sum {Z} GROUP {K} END", 3),
    (["median {Z} of {X} per {p}", "median {Z} by {p}"], "SEL {S} median {Z} GROUP {K} END", 2),
    (["{P} with total {Z} above {#Q}", "which {P} have more than {#Q} {Z} in total?"], "SEL {S} GROUP {K} HAVING sum {Z} > VAL#Q END", 3),
]
