"""Learns which of a question's readings is right, and how likely that is.

    quern eval --weights fold0.bin --questions part0.jsonl … --candidates part0.candidates.jsonl
    python3 judgement.py --out ../judgement.json *.candidates.jsonl

Lines are what `quern eval --candidates` writes: first the names of the signs (package
nlq/sign), then for each question the signs of its readings and whether the rows of each
are right. The readings must be those of a network that did not learn from the question's
database. Files of any sets can be mixed; all must have the same signs.

Two linear models come out. The first ranks: a softmax over a question's readings. The
second is how likely the reading ranked first is right: a logistic regression over its
signs, its probability in the first model, and the lead over the next reading. What is
printed is how both do on databases that they were not fitted to, a fifth of them at a
time.
"""
import argparse
import hashlib
import json
import os
import sys
from collections import namedtuple

import torch
import torch.nn.functional as F

PARTS = 5
Question = namedtuple("Question", "db file signs right")


def read(paths):
    """The names of the signs, and the questions that have readings."""
    names, questions = None, []
    for path in paths:
        with open(path) as lines:
            for line in map(json.loads, lines):
                if "names" in line:
                    if names not in (None, line["names"]):
                        sys.exit(f"{path} has other signs than {paths[0]}: export both with one program")
                    names = line["names"]
                elif line["signs"]:
                    signs, right = (torch.tensor(line[k], dtype=torch.float64) for k in ("signs", "right"))
                    questions.append(Question(line["db"], os.path.basename(path), signs, right))
    if names is None:
        sys.exit("the lines do not name their signs")
    return names, questions


def minimise(size, loss):
    w = torch.zeros(size, dtype=torch.float64, requires_grad=True)
    optimiser = torch.optim.LBFGS([w], max_iter=200, line_search_fn="strong_wolfe")

    def step():
        optimiser.zero_grad()
        value = loss(w)
        value.backward()
        return value

    optimiser.step(step)
    return w.detach()


def spread(rows):
    """What to divide signs by, so that the decay of their weights treats them alike."""
    s = rows.std(0)
    return torch.where(s > 1e-6, s, torch.ones_like(s))


def fit_ranking(questions, decay):
    useful = [q for q in questions if 0 < q.right.sum() < len(q.right)]
    scale = spread(torch.cat([q.signs for q in useful]))
    pad = lambda rows: torch.nn.utils.rnn.pad_sequence(rows, batch_first=True)
    x = pad([q.signs / scale for q in useful])
    y = pad([q.right for q in useful])
    there = pad([torch.ones_like(q.right) for q in useful])

    def loss(w):
        p = torch.softmax((x @ w).masked_fill(there == 0, -1e9), -1)
        return -torch.log((p * y).sum(-1) + 1e-9).mean() + decay * (w ** 2).sum()

    return minimise(x.shape[-1], loss) / scale


def chosen(question, w):
    """The reading ranked first, and what its confidence is made of."""
    p = torch.softmax(question.signs @ w, -1)
    best = int(p.argmax())
    others = torch.cat([p[:best], p[best + 1:]])
    lead = p[best] - (others.max() if len(others) else 0.0)
    return best, torch.cat([question.signs[best], torch.stack([p[best], lead, torch.ones_like(lead)])])


def fit_confidence(questions, w, decay):
    picks = [(q, *chosen(q, w)) for q in questions]
    rows = torch.stack([row for _, _, row in picks])
    right = torch.stack([q.right[best] for q, best, _ in picks])
    scale = spread(rows)
    rows = rows / scale
    return minimise(rows.shape[1], lambda v: F.binary_cross_entropy_with_logits(rows @ v, right) + decay * (v[:-1] ** 2).sum()) / scale


def judge(questions, w, v):
    """(confidence, right) of every question."""
    out = []
    for q in questions:
        best, row = chosen(q, w)
        out.append((float(torch.sigmoid(row @ v)), float(q.right[best])))
    return out


def left_out(questions, decay):
    """Questions with how they are judged by what was learned from other databases."""
    part = lambda db: int(hashlib.sha256(db.encode()).hexdigest(), 16) % PARTS
    out = []
    for p in range(PARTS):
        train, test = [q for q in questions if part(q.db) != p], [q for q in questions if part(q.db) == p]
        w = fit_ranking(train, decay)
        out += zip(test, judge(test, w, fit_confidence(train, w, decay)))
    return out


def report(name, judged):
    n = len(judged)
    first = sum(float(q.right[0]) for q, _ in judged) / n
    any_ = sum(float(q.right.max()) for q, _ in judged) / n
    results = sorted((r for _, r in judged), reverse=True)
    share = lambda rows: sum(r for _, r in rows) / max(1, len(rows))
    print(f"{name}: {n} questions, likeliest right {first:.3f}, any right {any_:.3f}, chosen right {share(results):.3f}")
    print("  surest " + ", ".join(f"{p} %: {share(results[: n * p // 100]):.3f}" for p in (50, 60, 70, 80, 90)))
    return results


def calibration(results):
    for low in range(10):
        rows = [r for c, r in results if min(int(c * 10), 9) == low]
        if rows:
            print(f"  confidence {low / 10:.1f}: {len(rows)} questions, {sum(rows) / len(rows):.3f} right")


def written(names, w, v):
    worth = {name: [round(float(a), 4), round(float(b), 4)] for name, a, b in zip(names, w, v)}
    lines = ",\n".join(f"    {json.dumps(name)}: {json.dumps(pair)}" for name, pair in worth.items())
    rest = ", ".join(f'"{k}": {round(float(x), 4)}' for k, x in zip(("probability", "lead", "one"), v[len(names):]))
    return f'{{\n  "signs": {{\n{lines}\n  }},\n  {rest}\n}}\n'


def main():
    p = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    p.add_argument("lines", nargs="+")
    p.add_argument("--out", required=True)
    p.add_argument("--decay", type=float, default=1e-2)
    args = p.parse_args()
    names, questions = read(args.lines)
    judged = left_out(questions, args.decay)
    for file in sorted({q.file for q in questions}):
        report(file, [j for j in judged if j[0].file == file])
    calibration(report("all", judged))
    w = fit_ranking(questions, args.decay)
    with open(args.out, "w") as out:
        out.write(written(names, w, fit_confidence(questions, w, args.decay)))


if __name__ == "__main__":
    main()
