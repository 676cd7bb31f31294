"""How networks do on questions that were left out: their beams, and what they miss."""
import json
import time

import numpy as np
import torch

import beam
import data
from damage import damage
from examples import FOREIGN

DAMAGES = ("column", "table", "word")
QUANTILES = (0.95, 0.92, 0.85)  # of good questions that are let through


def batches(examples, most):
    """The judged examples in batches: (group, rows)."""
    by_group = {}
    for g, i in examples.judged:
        by_group.setdefault(g, []).append(i)
    for g, rows in by_group.items():
        size = max(8, min(most, most * 128**2 // examples.groups[g][0]["item"].shape[1]**2))
        yield from ((g, rows[at:at + size]) for at in range(0, len(rows), size))


def judge(args, nets, examples, grammar, mixed, path):
    """Decodes what was left out, writes the beams and counts those that equal the target."""
    start, count = time.time(), {}
    for net in nets:
        net.eval()
        net.learn_names(examples.texts, mixed)
    automaton = beam.Automaton(grammar, next(nets[0].parameters()).device)
    with open(path, "w") as f:
        for g, some in batches(examples, 256):
            about = [examples.groups[g][1][i] for i in some]
            found = beam.candidates(nets, automaton, grammar, examples.batch(g, some), about, args.beam, mixed)
            for a, candidates in zip(about, found):
                if data.base(a["set"]) == FOREIGN:
                    continue
                f.write(json.dumps({k: a[k] for k in ("db", "id", "set")} | {"beam": candidates}) + "\n")
                seen = count.setdefault(data.base(a["set"]), [0, 0, 0])
                texts = [t for _, t in candidates]
                seen[0] += 1
                seen[1] += bool(texts) and texts[0] == a["target"]
                seen[2] += a["target"] in texts
    for name, (n, first, any_) in count.items():
        print(f"{args.name}: {name}: {n} questions, target first {100 * first / n:.1f} %, in beam {100 * any_ / n:.1f} %", flush=True)
    print(f"{args.name}: decoded in {time.time() - start:.0f} s", flush=True)
    return {k: [n, f / n, a / n] for k, (n, f, a) in count.items()}


@torch.no_grad()
def judge_gaps(args, net, examples, speller, mixed):
    """How well damaged questions of left-out databases are told from whole ones, by set and damage."""
    torch.manual_seed(5)
    good, bad, right_word = {}, {}, {}

    def gaps(b):
        with mixed():
            each, whole = net.gaps(net.encode(b)[0], b)
        return each.argmax(1), whole.tolist()

    for g, some in batches(examples, 256):
        names = [data.base(examples.groups[g][1][i]["set"]) for i in some]
        _, whole = gaps(examples.batch(g, some))
        for name, x in zip(names, whole):
            (bad.setdefault(("everyday", FOREIGN), []) if name == FOREIGN else good.setdefault(name, [])).append(x)
        for kind, title in enumerate(DAMAGES):
            b = examples.batch(g, some)
            gone, words, _ = damage(args, b, net.symbols, speller, kind)
            top, whole = gaps(b)
            named = words.gather(1, top[:, None])[:, 0].tolist()
            for i, (lost, is_known) in enumerate(zip(gone.tolist(), words.any(1).tolist())):
                if lost and names[i] != FOREIGN:
                    bad.setdefault((names[i], title), []).append(whole[i])
                    if is_known:
                        right_word.setdefault((names[i], title), []).append(named[i])
    out = {}
    for (name, title), found in sorted(bad.items()):
        if name in good:
            limits = np.quantile(good[name], QUANTILES)
            out[f"{name} {title}"] = {
                "questions": len(found), "found": [round(float((np.array(found) > x).mean()), 3) for x in limits],
                "limits": [round(float(x), 2) for x in limits], "word": round(float(np.mean(right_word.get((name, title), [0]))), 3)}
            print(f"{args.name}: missing, {name}, {title}: {out[f'{name} {title}']}", flush=True)
    return out
