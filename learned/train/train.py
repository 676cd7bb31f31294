"""Trains one network on prepared examples and judges it on examples left out.

    python3 data.py prepared.pkl lines.jsonl.gz
    python3 train.py --data prepared.pkl --out out --name a --steps 6000

Several runs fit one GPU at a time. Everything stays on the GPU: a batch is an
index into tensors, and so is every change to it.
"""
import argparse
import contextlib
import json
import math
import pathlib
import pickle
import random
import time

import numpy as np
import torch
import torch.nn.functional as F

import beam
import data
from network import HIDDEN, Network
from vectors import Table


def arguments():
    p = argparse.ArgumentParser()
    p.add_argument("--data", required=True, help="what data.py wrote")
    p.add_argument("--out", default="out", help="folder for weights and beams")
    p.add_argument("--name", default="a")
    p.add_argument("--seed", type=int, default=0)
    p.add_argument("--steps", type=int, default=6000, help="of training: the same number is the same work on any machine")
    p.add_argument("--batch", type=int, default=96, help="questions in a batch; fewer where schemas are large")
    p.add_argument("--rate", type=float, default=1e-3)
    p.add_argument("--decay", type=float, default=0.05)
    p.add_argument("--size", type=int, default=128)
    p.add_argument("--heads", type=int, default=8)
    p.add_argument("--encoders", type=int, default=4)
    p.add_argument("--decoders", type=int, default=2)
    p.add_argument("--drop", type=float, default=0.1)
    p.add_argument("--word-drop", type=float, default=0.2, help="of the rows that words have of their own")
    p.add_argument("--smooth", type=float, default=0.05, help="label smoothing")
    p.add_argument("--used", type=float, default=0.2, help="weight of the loss that says which items are used")
    p.add_argument("--column-drop", type=float, default=0.5, help="most of the unused columns hidden in a question")
    p.add_argument("--match-drop", type=float, default=0.15, help="of the name matches in half of the questions")
    p.add_argument("--synonyms", type=float, default=0.1, help="of the matched words, replaced by near ones")
    p.add_argument("--average", type=float, default=0.998, help="decay of the averaged weights")
    p.add_argument("--common", type=int, default=10, help="a word this frequent in training has a row of its own")
    p.add_argument("--train", default="spider-open,paraphrase-open,wikisql-open,everyday,synthetic", help="sets to learn from")
    p.add_argument("--share", default="wikisql-open=5000,everyday=6000,synthetic=22000", help="most examples of a set in an epoch")
    p.add_argument("--until", default="synthetic=0.8", help="part of the run after which a set is left out")
    p.add_argument("--judge", default="", help="sets to decode at the end, besides the databases left out")
    p.add_argument("--parts", type=int, default=0, help="databases of --train are dealt into so many parts")
    p.add_argument("--part", type=int, default=0, help="the part left out of training and decoded at the end")
    p.add_argument("--beam", type=int, default=8)
    p.add_argument("--judge-most", type=int, default=10**9, help="questions of each set decoded at the end")
    p.add_argument("--weights", default="", help="decode with these (comma separated .pt) instead of training")
    return p.parse_args()


def pairs(text):
    return {k: float(v) for k, v in (x.split("=") for x in text.split(",") if x)}


class Examples:
    """The groups on the device, and which of their examples are learned or judged."""

    def __init__(self, args, device):
        with open(args.data, "rb") as f:
            groups = pickle.load(f)
        learn, judge = set(args.train.split(",")), set(args.judge.split(",")) - {""}
        self.groups, self.learned, self.judged = [], {}, []
        most = {}
        for g, group in enumerate(groups):
            tensors = {k: torch.from_numpy(v).to(device) for k, v in group["arrays"].items()}
            self.groups.append((tensors, group["about"]))
            for i, about in enumerate(group["about"]):
                base = data.base(about["set"])
                parts = [data.part(about[k], args.parts) for k in ("db", "origin")] if args.parts > 0 else []
                out = args.part in parts
                if base in learn and not out and about["target"]:
                    self.learned.setdefault(base, []).append((g, i))
                elif base in judge or (out and base in learn and base != "synthetic"):
                    most[base] = most.get(base, 0) + 1
                    if most[base] <= args.judge_most:
                        self.judged.append((g, i))

    def frequent(self, least):
        """Word ids that questions and schemas learned from have often."""
        count = {}
        for some in self.learned.values():
            by_group = {}
            for g, i in some:
                by_group.setdefault(g, []).append(i)
            for g, rows in by_group.items():
                tensors = self.groups[g][0]
                rows = torch.tensor(rows, device=tensors["words"].device)
                words = tensors["words"][rows][tensors["item"][rows] == data.TOKEN][:, 0]
                ids, n = torch.unique(words, return_counts=True)
                for word, times in zip(ids.tolist(), n.tolist()):
                    count[word] = count.get(word, 0) + times
        return sorted(w for w, n in count.items() if n >= least or w in (1, 2))

    def epoch(self, args, done):
        """Shuffled batches: (group, rows)."""
        share, until, chosen = pairs(args.share), pairs(args.until), {}
        for name, some in self.learned.items():
            if done >= until.get(name, 2):
                continue
            for g, i in random.sample(some, min(len(some), int(share.get(name, len(some))))):
                chosen.setdefault(g, []).append(i)
        batches = []
        for g, rows in chosen.items():
            random.shuffle(rows)
            items = self.groups[g][0]["item"].shape[1]
            size = max(8, min(args.batch, args.batch * 192**2 // items**2))
            batches += [(g, rows[i:i + size]) for i in range(0, len(rows), size)]
        random.shuffle(batches)
        return batches

    def batch(self, g, rows):
        tensors = self.groups[g][0]
        rows = torch.as_tensor(rows, device=tensors["item"].device)
        return {k: v.index_select(0, rows) for k, v in tensors.items()}


class Changes:
    """Makes examples harder: hides unused columns, forgets matches, uses near words."""

    def __init__(self, args, vectors, device):
        self.args = args
        if args.synonyms > 0:
            self.near, self.how_near = self.neighbours(torch.as_tensor(vectors).to(device))

    @staticmethod
    def neighbours(vectors, most=20000, count=6):
        """For each of the most frequent words the nearest others, and how near they are."""
        unit = F.normalize(vectors, dim=1)
        near = torch.arange(len(vectors), device=vectors.device)[:, None].repeat(1, count)
        how = torch.zeros(len(vectors), count, device=vectors.device)
        for i in range(3, min(most, len(vectors)), 2000):
            rows = slice(i, min(i + 2000, most, len(vectors)))
            value, index = (unit[rows] @ unit[:most].T).topk(count + 1, 1)
            near[rows], how[rows] = index[:, 1:], value[:, 1:]
        return near, how

    def __call__(self, b):
        a, item, relation = self.args, b["item"], b["relation"]
        device, (size, n) = item.device, item.shape
        rand = lambda *shape: torch.rand(*shape, device=device)
        if a.column_drop > 0:
            part = rand(size, 1) * a.column_drop * (rand(size, 1) < 0.6)
            many = (item == data.COLUMN).sum(1, keepdim=True) > 6
            hide = (rand(size, n) < part) & (item == data.COLUMN) & ~b["used"] & many
            b["item"] = torch.where(hide, torch.full_like(item, data.NONE), item)
        if a.synonyms > 0:
            self.swap(b, rand(size, n) < a.synonyms * 2 * (rand(size, 1) < 0.5))
        if a.match_drop > 0:
            forget = rand(size, n, n) < a.match_drop * (rand(size, 1, 1) < 0.5)
            self.forget(b["relation"], forget, torch.randint(0, 5, (size, n, n), device=device, dtype=torch.uint8))

    def swap(self, b, chosen):
        """Replaces matched words of questions by near ones: their name matches become likeness."""
        relation, words = b["relation"], b["words"]
        named = self.named(relation)
        valued = self.valued(relation)
        word = words[:, :, 0].long()
        which = torch.randint(0, self.near.shape[1], word.shape, device=word.device)[..., None]
        how = self.how_near[word].gather(2, which)[..., 0]
        chosen = chosen & (b["item"] == data.TOKEN) & named.any(2) & ~valued.any(2) & (how > 0.45)
        words[:, :, 0] = torch.where(chosen, self.near[word].gather(2, which)[..., 0].to(words.dtype), words[:, :, 0])
        bucket = ((how > 0.45).to(torch.uint8) + (how > 0.6) + (how > 0.75))[:, :, None]
        self.set_alike(relation, named & chosen[:, :, None], bucket)

    @staticmethod
    def named(r):
        """Pairs of a word and an item whose name it is of, with no value match."""
        column = (r == data.TOKEN_COLUMN + 5) | (r == data.TOKEN_COLUMN + 10)
        return column | (r == data.TOKEN_TABLE + 1) | (r == data.TOKEN_TABLE + 2)

    @staticmethod
    def valued(r):
        at = r - data.TOKEN_COLUMN  # bytes wrap around
        return (at < 15) & (at % 5 > 0)

    @staticmethod
    def set_alike(relation, where, bucket):
        """Turns relations into likeness (0: none), both ways."""
        column = torch.where(bucket > 0, data.TOKEN_COLUMN + 14 + bucket, data.TOKEN_COLUMN)
        table = torch.where(bucket > 0, data.TOKEN_TABLE + 2 + bucket, data.TOKEN_TABLE)
        is_column = relation < data.COLUMN_TOKEN
        changed = torch.where(where, torch.where(is_column, column, table).to(relation.dtype), relation)
        shift = torch.where(is_column, data.COLUMN_TOKEN - data.TOKEN_COLUMN, data.TABLE_TOKEN - data.TOKEN_TABLE)
        back = (changed.short() + shift.short()).to(relation.dtype)
        relation.copy_(torch.where(where.transpose(1, 2), back.transpose(1, 2), changed))

    def forget(self, relation, forget, bucket):
        self.set_alike(relation, forget & self.named(relation), bucket)


def losses(args, net, b, mixed):
    want = b["want"].long()
    last = torch.cat([torch.full_like(want[:, :1], -1), want[:, :-1].clamp_min(0)], 1)
    with mixed():
        memory, present = net.encode(b)
        scores, _ = net.decode(net.remember(memory), present, last, b["state"].long(), b["depth"].long())
        used = net.used(memory)[..., 0].float()
    valid = want >= 0
    logs = F.log_softmax(scores, -1)
    missed = -logs.gather(2, want.clamp_min(0)[..., None])[..., 0]
    written = (missed * valid).sum() / valid.sum()
    there = (scores > HIDDEN / 2).float()
    even = -(logs.clamp_min(-30) * there).sum(-1) / there.sum(-1)
    smooth = (1 - args.smooth) * written + args.smooth * 0.3 * (even * valid).sum() / valid.sum()
    counted = ((b["item"] == data.COLUMN) | (b["item"] == data.TABLE)).float()
    use = F.binary_cross_entropy_with_logits(used, b["used"].float(), reduction="none")
    return smooth + args.used * (use * counted).sum() / counted.sum(), written


def learn(args, net, examples, changes, mixed):
    device = next(net.parameters()).device
    fused = {"fused": True} if device.type == "cuda" else {}
    optimiser = torch.optim.AdamW(net.parameters(), lr=args.rate, betas=(0.9, 0.98), weight_decay=args.decay, **fused)
    weights = list(net.parameters())
    averaged = [w.detach().clone() for w in weights]
    start, step, epoch, sums, shown = time.time(), 0, 0, [0.0, 0], 0.0
    net.train()
    done = 0.0
    while done < 1:
        for g, rows in examples.epoch(args, done):
            done = step / args.steps
            if done >= 1:
                break
            rate = args.rate * min(1, (step + 1) / 300) * (0.02 + 0.49 * (1 + math.cos(math.pi * done)))
            for some in optimiser.param_groups:
                some["lr"] = rate
            b = examples.batch(g, rows)
            changes(b)
            loss, written = losses(args, net, b, mixed)
            optimiser.zero_grad(set_to_none=True)
            loss.backward()
            torch.nn.utils.clip_grad_norm_(weights, 1.0)
            optimiser.step()
            step += 1
            keep = min(args.average, step / (step + 100))
            with torch.no_grad():
                torch._foreach_mul_(averaged, keep)
                torch._foreach_add_(averaged, [w.detach() for w in weights], alpha=1 - keep)
            if step % 25 == 0:
                sums = [sums[0] + written.item(), sums[1] + 1]
            if done >= shown or step == 50:
                shown = max(shown, done) + 0.05 if step != 50 else shown
                print(f"{args.name}: {100 * done:.0f} % epoch {epoch} step {step} loss {sums[0] / max(1, sums[1]):.4f} "
                      f"rate {rate:.1e} {time.time() - start:.0f} s", flush=True)
                sums = [0.0, 0]
        epoch += 1
    with torch.no_grad():
        for w, a in zip(weights, averaged):
            w.copy_(a)
    print(f"{args.name}: trained {step} steps, {epoch} epochs, {time.time() - start:.0f} s", flush=True)
    return step


def judge(args, nets, examples, grammar, mixed, path):
    """Decodes what was left out, writes the beams and counts those that equal the target."""
    start, count = time.time(), {}
    for net in nets:
        net.eval()
    automaton = beam.Automaton(grammar, next(nets[0].parameters()).device)
    by_group = {}
    for g, i in examples.judged:
        by_group.setdefault(g, []).append(i)
    with open(path, "w") as f:
        for g, rows in by_group.items():
            items = examples.groups[g][0]["item"].shape[1]
            size = max(8, min(256, 256 * 128**2 // items**2))
            for at in range(0, len(rows), size):
                some = rows[at:at + size]
                about = [examples.groups[g][1][i] for i in some]
                found = beam.candidates(nets, automaton, grammar, examples.batch(g, some), about, args.beam, mixed)
                for a, candidates in zip(about, found):
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


def build(vectors, grammar, sizes, own, drop=0.0, word_drop=0.0):
    return Network(vectors, own, len(grammar.symbols), len(grammar.rules), drop=drop, word_drop=word_drop, **sizes)


def load(path, vectors, grammar, device):
    saved = torch.load(path, map_location="cpu", weights_only=True)
    net = build(vectors, grammar, saved["sizes"], saved["own"])
    net.load_state_dict(saved["weights"])
    return net.to(device).eval()


def main():
    args = arguments()
    random.seed(args.seed)
    np.random.seed(args.seed)
    torch.manual_seed(args.seed)
    device = torch.device("cuda" if torch.cuda.is_available() else "cpu")
    torch.backends.cuda.matmul.allow_tf32 = True
    torch.backends.cudnn.allow_tf32 = True
    on_gpu = device.type == "cuda"
    mixed = (lambda: torch.autocast("cuda", dtype=torch.bfloat16)) if on_gpu else contextlib.nullcontext
    out = pathlib.Path(args.out)
    out.mkdir(parents=True, exist_ok=True)
    start = time.time()
    grammar, vectors = data.Grammar(), Table(data.VECTORS).vectors
    examples = Examples(args, device)
    print(f"{args.name}: learns from { {k: len(v) for k, v in examples.learned.items()} }, judged on {len(examples.judged)}, "
          f"{device}, ready after {time.time() - start:.0f} s", flush=True)
    if args.weights:
        nets = [load(p, vectors, grammar, device) for p in args.weights.split(",")]
    else:
        sizes = {k: getattr(args, k) for k in ("size", "heads", "encoders", "decoders")}
        net = build(vectors, grammar, sizes, examples.frequent(args.common), args.drop, args.word_drop).to(device)
        print(f"{args.name}: {sum(p.numel() for p in net.parameters())} parameters, {len(net.own)} words of its own", flush=True)
        steps = learn(args, net, examples, Changes(args, vectors, device), mixed)
        saved = {"sizes": sizes, "own": net.own, "weights": {k: v.cpu() for k, v in net.state_dict().items()}}
        saved["run"] = json.dumps({"steps": steps, "device": device.type, "arguments": vars(args)})
        torch.save(saved, out / f"{args.name}.pt")
        nets = [net]
    if examples.judged:
        result = judge(args, nets, examples, grammar, mixed, out / f"{args.name}.beam.jsonl")
        (out / f"{args.name}.json").write_text(json.dumps({"arguments": vars(args), "judged": result}, indent=1))


if __name__ == "__main__":
    main()
