"""How people ask about their tables: heads, and conditions that they are made of.

A condition has three forms: before the noun (pre: "unpaid invoices"), behind it
(post: "invoices that are unpaid") and as what is said of it (pred: "invoices are
unpaid"). A head puts them together; {NP} is a noun with its conditions, {Q} the
noun alone, {pred} what is said of it. In conditions:

    {w} the column's words    {u} its opposite in one word    {n} its noun, {an} with its article
    {v} a value    {p} a preposition    {P} a period with its preposition    {rel} who or that

In heads {T} {t} are the table as many and as one, {S} the column with names, {N}
one of numbers, {C} a category, {W} a date ({w} its verb), {B} a flag, {#S} a name,
{#K} a small number, {most} {least} superlatives; of two tables X belongs to P, {R} names
X, {D} is a category of P, {Z} a number of X, {when} a period of X and {V} its condition. Derivations are as in
patterns.py; {where} is where conditions go.
"""

FLAGS = {
    ("adj", True): {
        "pre": ["{w}"],
        "post": ["{rel} are {w}", "{rel} are {w}", "marked {w}", "marked as {w}", "flagged as {w}", "{rel} are currently {w}", "where {w} is yes"],
        "pred": ["are {w}", "are {w}", "are currently {w}", "are marked as {w}"]},
    ("adj", False): {
        "pre": ["{u}"],
        "post": ["{rel} are not {w}", "{rel} aren't {w}", "not {w}", "not marked as {w}", "{rel} are no longer {w}", "where {w} is no", "{rel} are {u}"],
        "pred": ["are not {w}", "aren't {w}", "are no longer {w}", "are {u}"]},
    ("done", True): {
        "pre": ["{w}"],
        "post": ["{rel} are {w}", "{rel} have been {w}", "already {w}", "{rel} were {w}", "marked as {w}", "{rel} are already {w}"],
        "pred": ["are {w}", "have been {w}", "were {w}", "are already {w}", "have already been {w}"]},
    ("done", False): {
        "pre": ["{u}", "{u}"],
        "post": ["{rel} are not {w}", "{rel} have not been {w}", "{rel} haven't been {w}", "not {w}", "not yet {w}", "{rel} are still not {w}",
                 "{rel} are {u}", "{rel} were not {w}", "{rel} were never {w}", "still to be {w}"],
        "pred": ["are not {w}", "have not been {w}", "haven't been {w}", "are not yet {w}", "have not yet been {w}", "are still {u}", "were not {w}", "are {u}"]},
    ("have", True): {
        "pre": [],
        "post": ["with {w}", "with {aw}", "{rel} have {aw}", "having {aw}", "where {w} is yes"],
        "pred": ["have {aw}", "come with {aw}", "do have {aw}"]},
    ("have", False): {
        "pre": [],
        "post": ["without {aw}", "with no {w}", "{rel} have no {w}", "{rel} do not have {aw}", "{rel} don't have {aw}", "lacking {aw}"],
        "pred": ["have no {w}", "do not have {aw}", "don't have {aw}", "lack {aw}"]},
    ("at", True): {
        "pre": [],
        "post": ["{w}", "{rel} are {w}", "currently {w}", "{rel} are {w} right now"],
        "pred": ["are {w}", "are currently {w}", "are {w} at the moment", "are {w} now"]},
    ("at", False): {
        "pre": [],
        "post": ["{rel} are not {w}", "not {w}", "{rel} aren't {w}", "{rel} are no longer {w}"],
        "pred": ["are not {w}", "aren't {w}", "are not currently {w}", "are no longer {w}"]},
    ("do", True): {"pre": [], "post": ["{rel} {w}"], "pred": ["{w}"]},
    ("do", False): {"pre": [], "post": ["{rel} do not {w}", "{rel} don't {w}"], "pred": ["do not {w}", "don't {w}"]},
}

CATEGORY = {
    "=": {"pre": ["{v}"],
          "post": ["with {w} {v}", "whose {w} is {v}", "{rel} are {v}", "of {w} {v}", "with the {w} {v}", "in the {v} {w}", "marked {v}", "where the {w} is {v}"],
          "pred": ["are {v}", "are {v}", "have {w} {v}", "have the {w} {v}"]},
    "<>": {"pre": [],
           "post": ["{rel} are not {v}", "with {aw} other than {v}", "whose {w} is not {v}", "except {v} ones"],
           "pred": ["are not {v}", "aren't {v}", "have {aw} other than {v}"]},
}
PLACED = {
    "=": {"pre": [], "post": ["{p} {v}", "{p} {v}", "with {w} {v}", "whose {w} is {v}", "{rel} are {p} {v}"], "pred": ["are {p} {v}", "have {w} {v}"]},
    "<>": {"pre": [], "post": ["not {p} {v}", "{rel} are not {p} {v}", "whose {w} is not {v}"], "pred": ["are not {p} {v}"]},
}
NUMBER = {
    ">": {"pre": [], "post": ["with {w} over {v}", "with {aw} above {v}", "with {w} greater than {v}", "whose {w} is more than {v}", "where {w} exceeds {v}"],
          "pred": ["have {aw} above {v}", "have {w} over {v}"]},
    "<": {"pre": [], "post": ["with {w} under {v}", "with {aw} below {v}", "whose {w} is less than {v}", "with {w} lower than {v}"],
          "pred": ["have {aw} below {v}", "have {w} under {v}"]},
    ">=": {"pre": [], "post": ["with {aw} of at least {v}", "with {w} {v} or more", "whose {w} is at least {v}"], "pred": ["have {aw} of at least {v}"]},
    "<=": {"pre": [], "post": ["with {aw} of at most {v}", "with {w} up to {v}", "whose {w} is {v} or less"], "pred": ["have {aw} of at most {v}"]},
}
DATE = {
    "done": {"post": ["{w} {P}", "{w} {P}", "{rel} were {w} {P}", "with {an} date {P}", "whose {n} date is {P}"], "pred": ["were {w} {P}", "got {w} {P}"]},
    "did": {"post": ["{rel} {w} {P}", "{rel} {w} {P}", "with {an} date {P}", "whose {n} date is {P}"], "pred": ["{w} {P}"]},
    "at": {"post": ["{w} {P}", "{w} {P}", "with {an} date {P}", "whose {n} date is {P}"], "pred": ["are {w} {P}"]},
}
MISSING = {
    ("done", True): {
        "pre": ["{u}", "{u}"],
        "post": ["{rel} have not been {w}", "{rel} haven't been {w}", "{rel} have not yet been {w}", "not yet {w}", "not {w}", "never {w}", "{rel} were never {w}",
                 "still not {w}", "{rel} are not {w} yet", "without {an} date", "with no {n} date", "whose {n} date is missing", "where the {n} date is empty",
                 "still waiting to be {w}", "{rel} are {u}"],
        "pred": ["have not been {w}", "haven't been {w}", "have not yet been {w}", "are still not {w}", "were never {w}", "are not {w} yet",
                 "have no {n} date", "still have to be {w}", "are {u}", "have never been {w}"]},
    ("done", False): {
        "pre": [], "post": ["{rel} have been {w}", "{rel} have already been {w}", "already {w}", "with {an} date", "{rel} were {w}"],
        "pred": ["have been {w}", "have already been {w}", "were {w}"]},
    ("did", True): {
        "pre": [], "post": ["{rel} have not {w}", "{rel} haven't {w} yet", "{rel} have not yet {w}", "{rel} never {w}", "without {an} date", "with no {n} date", "whose {n} date is unknown"],
        "pred": ["have not {w}", "haven't {w} yet", "have not yet {w}", "never {w}", "have no {n} date"]},
    ("did", False): {"pre": [], "post": ["{rel} have {w}", "{rel} have already {w}", "with {an} date"], "pred": ["have {w}", "have already {w}"]},
    ("", True): {
        "pre": [],
        "post": ["without {aw}", "with no {w}", "with no {w} on file", "whose {w} is unknown", "whose {w} is missing", "whose {w} is not known", "where {w} is empty",
                 "missing {aw}", "lacking {aw}", "where the {w} is blank", "{rel} have no {w}", "with unknown {w}", "with missing {w}", "{rel} do not have {aw}",
                 "where no {w} is given", "with an empty {w}"],
        "pred": ["have no {w}", "do not have {aw}", "don't have {aw}", "are missing {aw}", "lack {aw}", "have an unknown {w}", "have no {w} recorded"]},
    ("", False): {
        "pre": [], "post": ["with {aw}", "{rel} have {aw}", "whose {w} is known", "with {aw} on file", "where {w} is filled in"],
        "pred": ["have {aw}", "do have {aw}", "have {aw} recorded"]},
}

# What is more and what is less of a number, and the most and the least of it.
DEGREES = {
    "age": "older younger oldest youngest", "height": "taller shorter tallest shortest", "weight": "heavier lighter heaviest lightest",
    "price": "more_expensive cheaper most_expensive cheapest", "cost": "more_expensive cheaper most_expensive cheapest",
    "fee": "more_expensive cheaper most_expensive cheapest", "rent": "more_expensive cheaper most_expensive cheapest",
    "area": "larger smaller largest smallest", "capacity": "larger smaller largest smallest", "size": "larger smaller largest smallest",
    "duration": "longer shorter longest shortest", "pages": "longer shorter longest shortest", "nights": "longer shorter longest shortest",
    "salary": "better_paid worse_paid best_paid worst_paid", "value": "more_valuable less_valuable most_valuable least_valuable",
    "amount": "larger smaller largest smallest", "budget": "bigger smaller biggest smallest", "balance": "higher lower highest lowest",
}
# What somebody did, as it is asked for: when did she join?
DID = {
    "joined": "join", "started": "start", "arrived": "arrive", "moved in": "move in", "moved out": "move out", "left": "leave", "enrolled": "enrol",
    "graduated": "graduate", "retired": "retire", "signed": "sign", "visited": "visit", "expired": "expire", "ended": "end", "stopped": "stop",
}

# One table. The second derivation is for a table without names.
ONE = [
    (["show {NP}", "list {NP}", "list all {NP}", "show me all {NP}", "find {NP}", "{NP}", "all {NP}", "give me the {NP}", "I need the {NP}", "display all {NP}",
      "show me the {NP}", "get all {NP}", "can you show me the {NP}?", "please list all {NP}", "I want to see {NP}", "what are the {NP}?", "give me a list of {NP}"], "SEL STAR {T} {where} END", 4),
    (["which {Q} {pred}?", "which {Q} {pred}?", "which of the {Q} {pred}?", "what {Q} {pred}?", "tell me which {Q} {pred}", "which are the {NP}?"], "SEL {S} {where} END|SEL STAR {T} {where} END", 5),
    (["{S} of {NP}", "{S} of all {NP}", "what is the {S} of the {NP}?", "give the {S} of {NP}", "list the {S} of {NP}"], "SEL {S} {where} END", 2),
    (["who {one}?", "who {one}?", "who {one} right now?", "who are the {NP}?", "names of {NP}"], "SEL {S} {where} END", 3),
    (["how many {Q} {pred}?", "how many {Q} {pred}?", "how many {NP} are there?", "number of {NP}", "count the {NP}", "how many {NP} do we have?", "how many {NP}?",
      "count of {NP}", "what is the number of {NP}?", "how many of the {Q} {pred}?"], "SEL count STAR {T} {where} END", 5),
    (["{C} of {NP}", "show the {C} of {NP}", "what is the {C} of {NP}?", "what {C} do {NP} have?"], "SEL {C} {where} END", 1),
    (["{S} and {C} of {NP}", "list {S} and {C} of all {NP}", "show {S} and {C} for {NP}"], "SEL {S} {C} {where} END", 1),
    (["{S} and {N} of {NP}", "show {S} and {N} for all {NP}"], "SEL {S} {N} {where} END", 1),
    (["which {C} do {NP} have?", "what different {C} are there among {NP}?", "distinct {C} of {NP}"], "SEL DISTINCT {C} {where} END", 1),
    (["total {N} of {NP}", "what is the total {N} of {NP}?", "sum of {N} for {NP}", "how much {N} do {NP} have in total?", "sum up the {N} of all {NP}", "{N} of {NP} in total"],
     "SEL sum {N} {where} END", 3),
    (["average {N} of {NP}", "what is the average {N} of {NP}?", "mean {N} for {NP}", "what {N} do {NP} have on average?"], "SEL avg {N} {where} END", 3),
    (["highest {N} of {NP}", "what is the largest {N} of {NP}?", "maximum {N} among {NP}"], "SEL max {N} {where} END", 1),
    (["lowest {N} of {NP}", "what is the smallest {N} of {NP}?", "minimum {N} among {NP}"], "SEL min {N} {where} END", 1),
    (["number of {NP} per {C}", "how many {NP} are there for each {C}?", "{NP} per {C}", "count {NP} by {C}", "how many {NP} by {C}", "{NP} by {C}"],
     "SEL {C} count STAR {T} {where} GROUP {C} END", 3),
    (["total {N} of {NP} per {C}", "sum of {N} of {NP} by {C}", "total {N} by {C} for {NP}"], "SEL {C} sum {N} {where} GROUP {C} END", 2),
    (["average {N} of {NP} per {C}", "mean {N} by {C} for {NP}", "what is the average {N} of {NP} for each {C}?"], "SEL {C} avg {N} {where} GROUP {C} END", 2),
    (["which {C} has the most {NP}?", "{C} with the most {NP}", "which {C} has the largest number of {NP}?", "what is the most common {C} of {NP}?"],
     "SEL {C} {where} GROUP {C} DESC count STAR {T} LIMIT 1 END", 2),
    (["which {C} have more than {#K} {NP}?", "{C} with more than {#K} {NP}"], "SEL {C} {where} GROUP {C} HAVING count STAR {T} > VAL#K END", 1),
    (["top {#K} {NP} by {N}", "the {#K} {NP} with the highest {N}", "{#K} {NP} with the largest {N}"], "SEL STAR {T} {where} DESC {N} LIMIT VAL#K END", 2),
    (["which of the {NP} has the highest {N}?", "{S} of the {NP} with the highest {N}", "which {t} among {NP} has the largest {N}?"],
     "SEL {S} {where} DESC {N} LIMIT 1 END", 1),
    (["{#K} {most} {NP}", "the {#K} {most} {NP}", "show the {#K} {most} {NP}", "top {#K} {most} {NP}"], "SEL STAR {T} {where} DESC {N} LIMIT VAL#K END", 1),
    (["{#K} {least} {NP}", "the {#K} {least} {NP}", "list the {#K} {least} {NP}"], "SEL STAR {T} {where} ASC {N} LIMIT VAL#K END", 1),
    (["which of the {NP} is the {most}?", "which is the {most} of the {NP}?"], "SEL {S} {where} DESC {N} LIMIT 1 END", 2),
    (["which of the {NP} is the {least}?", "which is the {least} of the {NP}?"], "SEL {S} {where} ASC {N} LIMIT 1 END", 2),
    (["{NP} sorted by {N}", "list {NP} ordered by {N}", "{NP} from lowest to highest {N}"], "SEL STAR {T} {where} ASC {N} END", 1),
    (["{NP} with the highest {N} first", "list {NP} by {N}, highest first"], "SEL STAR {T} {where} DESC {N} END", 1),
    (["{NP}, newest first", "list {NP}, latest {W} first", "{NP} sorted by {W}, most recent first"], "SEL STAR {T} {where} DESC {W} END", 1),
    (["{NP}, oldest first", "list {NP} in order of {W}", "{NP} sorted by {W}"], "SEL STAR {T} {where} ASC {W} END", 1),
    (["latest {W} of {NP}", "most recent {W} of {NP}", "when was the last {W} of {NP}?"], "SEL max {W} {where} END", 1),
    (["earliest {W} of {NP}", "first {W} of {NP}", "when was the first {W} of {NP}?"], "SEL min {W} {where} END", 1),
]
# One table without conditions: what they would be about is the question.
PLAIN = [
    (["how many {T} are {b} and how many are not?", "number of {T} by {b}", "split the {T} by {b}", "count {T} for each {b} status"], "SEL {B} count STAR {T} GROUP {B} END"),
    (["is {#S} {b}?", "is the {t} {#S} {b}?", "is {t} {#S} {b}", "check whether {#S} is {b}"], "SEL {B} WHERE {S} = VAL#S END"),
    (["average {N} of {b} and other {T}", "average {N} of the {T} by {b}", "mean {N} of {T} that are {b} and those that are not"], "SEL {B} avg {N} GROUP {B} END"),
    (["when was {#S} {w}?", "when was the {t} {#S} {w}?", "{W} of {#S}", "what is the {W} of {#S}?", "on what day was {#S} {w}?"], "SEL {W} WHERE {S} = VAL#S END"),
    (["which {t} was {w} last?", "which {t} was {w} most recently?", "most recently {w} {t}", "last {w} {t}"], "SEL {S} DESC {W} LIMIT 1 END"),
    (["which {t} was {w} first?", "first {w} {t}", "which {t} has the earliest {W}?"], "SEL {S} ASC {W} LIMIT 1 END"),
    (["the {#K} most recently {w} {T}", "last {#K} {T} by {W}", "{#K} latest {T} by {W}"], "SEL STAR {T} DESC {W} LIMIT VAL#K END"),
    (["which {t} is the {most}?", "what is the {most} {t}?", "which is the {most} {t}?", "what's the {most} {t}"], "SEL {S} DESC {N} LIMIT 1 END"),
    (["which {t} is the {least}?", "what is the {least} {t}?", "which is the {least} {t}?"], "SEL {S} ASC {N} LIMIT 1 END"),
    (["show the {most} {t}", "the {most} {t}", "{most} {t}"], "SEL STAR {T} DESC {N} LIMIT 1 END"),
    (["when did {#S} {did}?", "when did {t} {#S} {did}?", "what day did {#S} {did}"], "SEL {W} WHERE {S} = VAL#S END"),
    (["who {w} first?", "who was the first to {did}?"], "SEL {S} ASC {W} LIMIT 1 END"),
    (["who {w} last?", "who {w} most recently?", "who was the last to {did}?"], "SEL {S} DESC {W} LIMIT 1 END"),
    (["what {C} is {#S}?", "what is the {C} of {#S}?", "{C} of {#S}", "which {C} does {#S} have?"], "SEL {C} WHERE {S} = VAL#S END"),
    (["what is the {O} of {#S}?", "{O} of {#S}", "give me the {O} for {#S}", "{#S} {O}"], "SEL {O} WHERE {S} = VAL#S END"),
    (["how many {T} have {aO}?", "how many {T} have {aO} on file?", "number of {T} with {aO}"], "SEL count STAR {T} WHERE {O} !null END"),
    (["how many {Os} are missing?", "number of missing {Os}", "how many {T} have no {O}?"], "SEL count STAR {T} WHERE {O} null END"),
    (["how many {T} are {v} or {v2}?", "number of {v} or {v2} {T}", "count {T} that are either {v} or {v2}"], "SEL count STAR {T} WHERE {C} = VAL#C OR {C} = VAL#D END"),
    (["{v} and {v2} {T}", "show the {v} or {v2} {T}", "list {T} with {C} {v} or {v2}"], "SEL STAR {T} WHERE {C} = VAL#C OR {C} = VAL#D END"),
]
# Two tables: X has a column F that points to K of P; {NPX} is X with conditions.
TWO = [
    (["which {P} have no {X}?", "{P} without any {X}", "{P} with no {X}", "{P} {who} never had {ax}", "which {P} have never had {ax}?", "{P} {who} have no {X} at all",
      "which {P} do not have any {X}?", "{P} without {X}", "{S} of {P} without {X}", "{P} not having a single {x}"], "SEL {S} WHERE {K} !in SEL {F} END END", 4),
    (["who has no {X}?", "who has never {verb}?", "who never {past}?", "who has not {verb}?", "who has not {verb} yet?", "who hasn't {verb}?"], "SEL {S} WHERE {K} !in SEL {F} END END", 4),
    (["which {P} have never {verb}?", "{P} {who} have never {verb}", "{P} {who} never {past}", "which {P} have not {verb} yet?", "{P} {who} haven't {verb}",
      "list the {P} {who} have not {verb}"], "SEL {S} WHERE {K} !in SEL {F} END END", 4),
    (["how many {P} have no {X}?", "number of {P} without any {X}", "how many {P} have never {verb}?", "how many {P} never had {ax}?", "count {P} with no {X}"],
     "SEL count STAR {P} WHERE {K} !in SEL {F} END END", 3),
    (["which {P} have no {NPX}?", "{P} without any {NPX}", "{P} with no {NPX}", "{P} {who} have no {NPX}"], "SEL {S} WHERE {K} !in SEL {F} {where} END END", 4),
    (["how many {P} have no {NPX}?", "number of {P} without {NPX}"], "SEL count STAR {P} WHERE {K} !in SEL {F} {where} END END", 2),
    (["which {P} have {NPX}?", "{P} with {NPX}", "{S} of the {P} {who} have {NPX}", "which {P} have at least one of the {NPX}?"], "SEL DISTINCT {S} {where} END", 3),
    (["who has {NPX}?", "who has any {NPX}?"], "SEL DISTINCT {S} {where} END", 1),
    (["how many {P} have {NPX}?", "number of {P} with {NPX}"], "SEL count DIST {K} {where} END", 2),
    (["{NPX} of {#S}", "show the {NPX} of {#S}", "list {NPX} for {#S}", "all {NPX} of {p} {#S}"], "SEL STAR {X} WHERE {S} = VAL#S {and} END", 2),
    (["how many {NPX} does {#S} have?", "number of {NPX} of {#S}", "how many {NPX} did {#S} have?", "count the {NPX} of {#S}"], "SEL count STAR {X} WHERE {S} = VAL#S {and} END", 3),
    (["total {Z} of {NPX} for {#S}", "what is the total {Z} of the {NPX} of {#S}?", "sum of {Z} of {#S} for {NPX}"], "SEL sum {Z} WHERE {S} = VAL#S {and} END", 2),
    (["how many {NPX} does each {p} have?", "number of {NPX} per {p}", "{NPX} per {p}", "count {NPX} for each {p}"], "SEL {S} count STAR {X} {where} GROUP {K} END", 3),
    (["total {Z} of {NPX} per {p}", "total {Z} of {NPX} for each {p}", "how much {Z} of {NPX} does each {p} have?"], "SEL {S} sum {Z} {where} GROUP {K} END", 2),
    (["average {Z} of {NPX} per {p}", "average {Z} of {NPX} by {p}"], "SEL {S} avg {Z} {where} GROUP {K} END", 1),
    (["which {p} has the most {NPX}?", "{p} with the most {NPX}", "who has the most {NPX}?", "which {p} has the largest number of {NPX}?"],
     "SEL {S} {where} GROUP {K} DESC count STAR {X} LIMIT 1 END", 3),
    (["top {#K} {P} by number of {NPX}", "the {#K} {P} with the most {NPX}"], "SEL {S} {where} GROUP {K} DESC count STAR {X} LIMIT VAL#K END", 1),
    (["top {#K} {P} by total {Z} of {NPX}", "{#K} {P} with the highest total {Z} of {NPX}"], "SEL {S} {where} GROUP {K} DESC sum {Z} LIMIT VAL#K END", 1),
    (["which {P} have more than {#K} {NPX}?", "{P} with more than {#K} {NPX}"], "SEL {S} {where} GROUP {K} HAVING count STAR {X} > VAL#K END", 1),
    (["which {p} has the highest total {Z} of {NPX}?", "{p} with the highest total {Z} of {NPX}"], "SEL {S} {where} GROUP {K} DESC sum {Z} LIMIT 1 END", 1),
    # A period of X.
    (["{P} {who} have not {verb} {when}", "which {P} have not {verb} {when}?", "who has not {verb} {when}?", "{P} with no {X} {when}", "{P} without {X} {when}",
      "which {P} had no {X} {when}?", "who has had no {X} {when}?", "{P} {who} did not have {ax} {when}"], "SEL {S} WHERE {K} !in SEL {F} WHERE {V} END END", 4),
    (["how many {P} have not {verb} {when}?", "number of {P} with no {X} {when}", "how many {P} had no {X} {when}?"], "SEL count STAR {P} WHERE {K} !in SEL {F} WHERE {V} END END", 2),
    (["who {past} {when}?", "which {P} {past} {when}?", "which {P} had {ax} {when}?", "{P} {who} had {X} {when}"], "SEL DISTINCT {S} WHERE {V} END", 2),
    (["how many {X} did {#S} have {when}?", "number of {X} of {#S} {when}"], "SEL count STAR {X} WHERE {S} = VAL#S AND {V} END", 2),
    (["total {Z} of {X} {when} per {p}", "total {Z} per {p} {when}"], "SEL {S} sum {Z} WHERE {V} GROUP {K} END", 1),
    (["which {p} had the most {X} {when}?", "who had the most {X} {when}?"], "SEL {S} WHERE {V} GROUP {K} DESC count STAR {X} LIMIT 1 END", 2),
    # One of X, or each.
    (["which {p} does {x} {#R} belong to?", "{p} of {#R}", "what is the {p} of {x} {#R}?", "which {p} is {#R} for?", "who is the {p} of {#R}?"], "SEL {S} WHERE {R} = VAL#R END", 2),
    (["{R} and {p} of {NPX}", "list {NPX} with their {p}", "show the {R} and the {p} of {NPX}"], "SEL {R} {S} {where} END", 2),
    (["number of {X} per {p} {D}", "how many {X} are there for each {p} {D}?", "{X} by {p} {D}", "count {X} by {D} of the {p}"], "SEL {D} count STAR {X} GROUP {D} END", 2),
    (["total {Z} of {X} per {p} {D}", "total {Z} by {p} {D}", "sum of {Z} of {X} by {D} of the {p}"], "SEL {D} sum {Z} GROUP {D} END", 2),
    # Conditions of P.
    (["{X} of {NPP}", "show the {X} of {NPP}", "list all {X} of {NPP}"], "SEL STAR {X} {where} END", 2),
    (["how many {X} do {NPP} have?", "number of {X} of {NPP}", "count the {X} of {NPP}"], "SEL count STAR {X} {where} END", 2),
    (["total {Z} of the {X} of {NPP}", "sum of {Z} of {X} for {NPP}", "what is the total {Z} of {X} of {NPP}?"], "SEL sum {Z} {where} END", 2),
    (["average {Z} of the {X} of {NPP}", "what is the average {Z} of {X} for {NPP}?"], "SEL avg {Z} {where} END", 1),
    (["{NPP} without {X}", "which {NPP} have no {X}?", "{NPP} with no {X}", "{NPP} {who} have never {verb}"], "SEL {S} {where} AND {K} !in SEL {F} END END", 3),
    (["how many {NPP} have no {X}?", "number of {NPP} without any {X}"], "SEL count STAR {P} {where} AND {K} !in SEL {F} END END", 1),
]
