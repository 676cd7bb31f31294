"""Learns which of a question's readings is right, and how likely that is.

    quern eval --weights fold0.bin --questions part0.jsonl … --candidates part0.candidates.jsonl
    python3 judgement.py --out ../nlq/model/judgement.json *.candidates.jsonl

Lines are what `quern eval --candidates` writes: for each reading its signs, in the
order of `embedded.Signs`, and whether its rows are right. The readings must be those
of a network that did not learn from the question's database.

Two linear models come out. The first ranks: a softmax over a question's readings. The
second is how likely the reading ranked first is right: a logistic regression over its
signs, its probability in the first model, and the lead over the next other result.
"""
import argparse
import hashlib
import json

import torch
import torch.nn.functional as F


def read(paths):
    questions = []
    for path in paths:
        for line in open(path):
            q = json.loads(line)
            if q["signs"]:
                questions.append((q["db"], torch.tensor(q["signs"]), torch.tensor(q["right"], dtype=torch.float32)))
    return questions


def fit_ranking(questions, decay):
    useful = [(x, y) for _, x, y in questions if 0 < y.sum() < len(y)]
    size = useful[0][0].shape[1]
    w = torch.zeros(size, requires_grad=True)
    with torch.no_grad():
        w[1] = 1.0
    most = max(len(y) for _, y in useful)
    x = torch.stack([F.pad(x, (0, 0, 0, most - len(y))) for x, y in useful])
    y = torch.stack([F.pad(y, (0, most - len(y))) for _, y in useful])
    there = torch.stack([F.pad(torch.ones(len(y)), (0, most - len(y))) for _, y in useful])
    optimiser = torch.optim.LBFGS([w], max_iter=200, line_search_fn="strong_wolfe")

    def loss():
        optimiser.zero_grad()
        logits = (x @ w).masked_fill(there == 0, -1e9)
        p = torch.softmax(logits, -1)
        value = -torch.log((p * y).sum(-1) + 1e-9).mean() + decay * (w ** 2).sum()
        value.backward()
        return value

    optimiser.step(loss)
    return w.detach()


def chosen(x, w):
    logits = x @ w
    p = torch.softmax(logits, -1)
    best = int(p.argmax())
    others = [float(p[i]) for i in range(len(p)) if i != best]
    lead = float(p[best]) - (max(others) if others else 0.0)
    return best, torch.cat([x[best], torch.tensor([float(p[best]), lead, 1.0])])


def fit_confidence(questions, w, decay):
    rows, right = [], []
    for _, x, y in questions:
        best, row = chosen(x, w)
        rows.append(row)
        right.append(y[best])
    rows, right = torch.stack(rows), torch.stack(right)
    v = torch.zeros(rows.shape[1], requires_grad=True)
    optimiser = torch.optim.LBFGS([v], max_iter=300, line_search_fn="strong_wolfe")

    def loss():
        optimiser.zero_grad()
        value = F.binary_cross_entropy_with_logits(rows @ v, right) + decay * (v ** 2).sum()
        value.backward()
        return value

    optimiser.step(loss)
    return v.detach()


def judge(questions, w, v):
    """(confidence, right) of every question."""
    out = []
    for _, x, y in questions:
        best, row = chosen(x, w)
        out.append((float(torch.sigmoid(row @ v)), float(y[best])))
    return out


def report(name, questions, results):
    n = len(results)
    first = sum(float(y[0]) for _, _, y in questions) / n
    any_ = sum(float(y.max()) for _, _, y in questions) / n
    results = sorted(results, reverse=True)
    surest = {part: sum(r for _, r in results[: n * part // 100]) / (n * part // 100) for part in (50, 60, 70, 80, 90, 100)}
    print(f"{name}: {n} questions, likeliest right {first:.3f}, any right {any_:.3f}, ranked first right {surest[100]:.3f}")
    print("  surest " + ", ".join(f"{p} %: {a:.3f}" for p, a in surest.items()))
    for low in range(0, 10):
        part = [r for c, r in results if low / 10 <= c < (low + 1) / 10 or low == 9 and c == 1]
        if part:
            print(f"  confidence {low / 10:.1f}: {len(part)} questions, {sum(part) / len(part):.3f} right")


def main():
    p = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    p.add_argument("lines", nargs="+")
    p.add_argument("--out", required=True)
    p.add_argument("--decay", type=float, default=1e-3)
    args = p.parse_args()
    questions = read(args.lines)
    fold = lambda db: int(hashlib.sha256(db.encode()).hexdigest(), 16) % 5
    results = []
    tested = []
    for part in range(5):
        train = [q for q in questions if fold(q[0]) != part]
        test = [q for q in questions if fold(q[0]) == part]
        w = fit_ranking(train, args.decay)
        v = fit_confidence(train, w, args.decay)
        results += judge(test, w, v)
        tested += test
    report("left out", tested, results)
    w = fit_ranking(questions, args.decay)
    v = fit_confidence(questions, w, args.decay)
    json.dump({"rank": [round(float(x), 4) for x in w], "confidence": [round(float(x), 4) for x in v]}, open(args.out, "w"))


if __name__ == "__main__":
    main()
