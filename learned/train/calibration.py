"""Fits how far an answer is to be trusted, and when it is declined or comes with a note.

    quern eval --questions everyday.jsonl … --trials everyday.trials.jsonl
    python3 calibration.py --out ../calibration.json *.trials.jsonl

Lines are what `quern eval --trials` writes: the answer that a question would get if nothing
were held against it, how sure the ranking is, how far the other readings agree, what the
reading did with each word and the odds that nothing answers to the word, and whether the
answer is right. The databases must be ones that the networks did not learn from, or copies
that lack a column that the question needs.

First a linear model of all this, whose signs are held: doubt never speaks for an answer.
Then an isotonic one of its sum: a table of sums and of how many answers with at least such
a sum are right, fitted to sums of databases that the linear model was not fitted to. The
bounds are shares of right answers: of those at most DECLINED get no rows, at most NOTED
come with a note. What is printed is how the bounds do on databases apart.
"""
import argparse
import hashlib
import json
import math
import pathlib
import sys
from collections import namedtuple

import torch
import torch.nn.functional as F

from judgement import PARTS, minimise

USES = ("filler", "named", "value", "time", "does", "near", "like", "joins", "left", "lost")
SAFE = -4.0  # odds below which a word is in no doubt
CLIP = 0.001

# What speaks for an answer, and against it, in the order of package embedded.
FOR = ("confidence", "agreement")
AGAINST = ("rival", "unnamed", "strict", "misplaced") + USES[1:]

Answer = namedtuple("Answer", "db sums right unanswerable")


def logit(p):
    p = min(max(p, CLIP), 1 - CLIP)
    return math.log(p / (1 - p))


def signs(trial):
    """What speaks for and against an answer, as numbers of 0 and more but for the confidence."""
    doubt = dict.fromkeys(USES, 0.0)
    for w in trial["words"]:
        use = USES[w["use"]]
        doubt[use] = max(doubt[use], w["odds"] - SAFE)
    against = [trial["rival"], float(trial["unnamed"]), float(any(w["strict"] for w in trial["words"])), float(trial["misplaced"])]
    return [logit(trial["confidence"]), math.log(trial["agreement"] + 0.01)] + against + [doubt[u] for u in USES[1:]]


def read(paths, together):
    """Answers to questions that were read with those before them, or to the others."""
    answers = []
    for path in paths:
        with open(path) as lines:
            for line in map(json.loads, lines):
                if line["trial"] is not None and line["trial"].get("together", False) == together:
                    answers.append(Answer(line["db"], signs(line["trial"]), float(line["right"]), line["unanswerable"]))
    return answers


def weighed(answers, share):
    """A weight for each answer, so that unanswerable questions are a share of all."""
    lost = sum(a.unanswerable for a in answers)
    kept = len(answers) - lost
    if not lost or not kept:
        return [1.0] * len(answers)
    heavy = share / (1 - share) * kept / lost
    return [heavy if a.unanswerable else 1.0 for a in answers]


def fit(answers, weights, decay=1e-3):
    """What each sign is worth, and one for the constant; doubt is worth nothing or less."""
    x = torch.tensor([a.sums for a in answers], dtype=torch.float64)
    y = torch.tensor([a.right for a in answers], dtype=torch.float64)
    weight = torch.tensor(weights, dtype=torch.float64)
    direction = torch.tensor([1.0] * len(FOR) + [-1.0] * len(AGAINST), dtype=torch.float64)

    def worth(v):
        return torch.cat([direction * v[:-1] ** 2, v[-1:]])

    def loss(v):
        w = worth(v + 0.3)
        sums = x @ w[:-1] + w[-1]
        return F.binary_cross_entropy_with_logits(sums, y, weight=weight) + decay * (w[:-1] ** 2).sum()

    return worth(minimise(x.shape[1] + 1, loss) + 0.3)


def total(w, answer):
    return float(sum(a * b for a, b in zip(w.tolist(), answer.sums + [1.0])))


def isotonic(points):
    """The best rising steps through (sum, right, weight): a list of (sum, share right)."""
    blocks = []  # least sum, right, weight
    for s, y, weight in sorted(points):
        blocks.append([s, y * weight, weight])
        while len(blocks) > 1 and blocks[-2][1] / blocks[-2][2] >= blocks[-1][1] / blocks[-1][2]:
            _, right, more = blocks.pop()
            blocks[-1][1] += right
            blocks[-1][2] += more
    return [(s, right / weight) for s, right, weight in blocks]


def smooth(steps, most=24):
    """At most so many of the steps, their ends among them."""
    if len(steps) <= most:
        return steps
    return [steps[round(i * (len(steps) - 1) / (most - 1))] for i in range(most)]


def apart(answers, weights):
    """(sum, answer, weight) of every answer, by what was fitted to other databases."""
    part = lambda a: int(hashlib.sha256(a.db.split("__")[0].encode()).hexdigest(), 16) % PARTS
    out = []
    for p in range(PARTS):
        learned = [(a, w) for a, w in zip(answers, weights) if part(a) != p]
        w = fit([a for a, _ in learned], [x for _, x in learned])
        out += [(total(w, a), a, x) for a, x in zip(answers, weights) if part(a) == p]
    return out


def quantile(values, share):
    """The value below which a share of the values lie."""
    ranked = sorted(values)
    return ranked[min(int(share * len(ranked)), len(ranked) - 1)] if ranked else -math.inf


def report(judged, decline, note):
    for name, some in (("answerable", [j for j in judged if not j[1].unanswerable]), ("unanswerable", [j for j in judged if j[1].unanswerable])):
        kept = [j for j in some if j[0] >= decline]
        silent = [j for j in kept if j[0] >= note]
        right = lambda rows: sum(int(a.right) for _, a, _ in rows)
        print(f"{name}: {len(some)}, declined {len(some) - len(kept)} ({right(some) - right(kept)} of them right), "
              f"right {right(kept)}, with a note {right(kept) - right(silent)}, wrong with a note "
              f"{len(kept) - len(silent) - right(kept) + right(silent)}, silently wrong {len(silent) - right(silent)}")


def curve(judged):
    right = [s for s, a, _ in judged if a.right]
    for share in (0.005, 0.01, 0.02, 0.03, 0.05, 0.08, 0.12, 0.2):
        bound = quantile(right, share)
        lost = [s for s, a, _ in judged if a.unanswerable]
        wrong = [s for s, a, _ in judged if not a.right and not a.unanswerable]
        below = lambda rows: sum(s < bound for s in rows)
        print(f"  right below {share:.3f}: unanswerable {below(lost)} of {len(lost)}, wrong {below(wrong)} of {len(wrong)}")


def written(w, steps, decline, note):
    names = FOR + AGAINST
    return {
        "safe": SAFE, "worth": {n: round(float(x), 4) for n, x in zip(names, w)}, "one": round(float(w[-1]), 4),
        "steps": [[round(s, 3), round(p, 4)] for s, p in steps], "decline": round(decline, 3), "note": round(note, 3),
    }


def write(path, fitted, together):
    """Writes one of the two calibrations beside the other."""
    path = pathlib.Path(path)
    there = json.loads(path.read_text()) if path.exists() else {}
    if together:
        there["together"] = fitted
    else:
        there = fitted | {k: v for k, v in there.items() if k == "together"}
    path.write_text(json.dumps(there, indent=1) + "\n")


def main():
    p = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    p.add_argument("lines", nargs="+")
    p.add_argument("--out", required=True)
    p.add_argument("--unanswerable", type=float, default=0.2, help="the share of questions that nothing answers")
    p.add_argument("--declined", type=float, default=0.015, help="of right answers, that are declined")
    p.add_argument("--decline", type=float, help="the sum below which answers are declined, instead")
    p.add_argument("--note", type=float, help="the sum below which answers come with a note, instead")
    p.add_argument("--noted", type=float, default=0.15, help="of right answers, that come with a note or are declined")
    p.add_argument("--together", action="store_true", help="fit answers to questions that were read with those before them")
    args = p.parse_args()
    answers = read(args.lines, args.together)
    if not any(a.right for a in answers):
        sys.exit("no answer is right: nothing can be fitted")
    weights = weighed(answers, args.unanswerable)
    judged = apart(answers, weights)
    right = [s for s, a, _ in judged if a.right]
    decline = quantile(right, args.declined) if args.decline is None else args.decline
    note = quantile(right, args.noted) if args.note is None else args.note
    report(judged, decline, note)
    curve(judged)
    steps = smooth(isotonic([(s, a.right, x) for s, a, x in judged]))
    write(args.out, written(fit(answers, weights), steps, decline, note), args.together)


if __name__ == "__main__":
    main()
