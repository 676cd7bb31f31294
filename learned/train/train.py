"""Trains one network on prepared examples and judges it on examples left out.

    python3 data.py prepared.pkl lines.jsonl.gz
    python3 train.py --data prepared.pkl --out out --name a --steps 6000

Several runs fit one GPU at a time. Everything stays on the GPU: a batch is an
index into tensors, and so is every change to it.
"""
import argparse
import concurrent.futures
import contextlib
import json
import math
import pathlib
import random
import time

import numpy as np
import torch
import torch.nn.functional as F

import data
import exported
import synonyms
from changes import Changes
from damage import Speller, damage
from examples import Examples
from judging import judge, judge_gaps
from network import HIDDEN, Network
from pieces import Pieces
from pretrained import Pretrained
from vectors import Table


SYNONYMS = data.HERE / "../synonyms.bin"


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
    p.add_argument("--said", type=float, default=0.12, help="of the matched words, replaced by synonyms")
    p.add_argument("--start", default="", help="layers that pieces.py wrote: the network gets a pretrained encoder")
    p.add_argument("--resume", default="", help="weights of the product (comma separated .bin) that training goes on from")
    p.add_argument("--voters", type=int, default=1, help="networks that share one encoder and learn from the same batches")
    p.add_argument("--tune", type=float, default=6e-5, help="rate of the pretrained encoder")
    p.add_argument("--renew", type=int, default=100, help="steps after which names are encoded anew")
    p.add_argument("--gap", type=float, default=0.0, help="weight of the loss that says which words nothing answers to")
    p.add_argument("--gap-word", type=float, default=1.0, help="weight in it of the words whose state is known")
    p.add_argument("--lost-column", type=float, default=0.12, help="of the questions, that lose a used column")
    p.add_argument("--lost-table", type=float, default=0.04, help="of the questions, that lose a used table")
    p.add_argument("--lost-word", type=float, default=0.06, help="of the questions, that get a word that says nothing")
    p.add_argument("--average", type=float, default=0.998, help="decay of the averaged weights")
    p.add_argument("--common", type=int, default=10, help="a word this frequent in training has a row of its own")
    p.add_argument("--train", default="spider-open,paraphrase-open,wikisql-open,everyday,synthetic", help="sets to learn from")
    p.add_argument("--share", default="wikisql-open=4500,everyday=6000,endings=4000,shapes=5000,synthetic=22000,foreign=2500,alike=1500",
                   help="most examples of a set in an epoch")
    p.add_argument("--until", default="synthetic=0.8", help="part of the run after which a set is left out")
    p.add_argument("--judge", default="", help="sets to decode at the end, besides the databases left out")
    p.add_argument("--parts", type=int, default=0, help="databases of --train are dealt into so many parts")
    p.add_argument("--part", type=int, default=0, help="the part left out of training and decoded at the end")
    p.add_argument("--beam", type=int, default=8)
    p.add_argument("--judge-most", type=int, default=10**9, help="questions of each set decoded at the end")
    p.add_argument("--weights", default="", help="decode with these (comma separated .pt) instead of training")
    return p.parse_args()


def descend(args, nets, b, speller, mixed, pool):
    """Sets the gradients of a batch; returns how wrong the derivations of the last network are.

    Networks that share an encoder are gone back through one by one beside the next one's way
    forth, and their encoder once, at the end.
    """
    damaged = None
    if args.gap > 0:
        damaged = damage(args, b, nets[0].symbols, speller)
        b["want"] = torch.where(damaged[0][:, None], torch.full_like(b["want"], -1), b["want"])
    if len(nets) == 1:
        total, written = loss_of(args, nets[0], b, damaged, mixed)
        total.backward()
        return written
    with mixed():
        items = nets[0].lender[0](b, nets[0].known)
    b["items"], under_way = items.detach().requires_grad_(), []
    for net in nets:
        total, written = loss_of(args, net, b, damaged, mixed)
        under_way.append(pool.submit(total.backward))
    for one in under_way:
        one.result()
    items.backward(b["items"].grad)
    return written


def loss_of(args, net, b, damaged, mixed):
    want = b["want"].long()
    last = torch.cat([torch.full_like(want[:, :1], -1), want[:, :-1].clamp_min(0)], 1)
    with mixed():
        memory, present = net.encode(b)
        scores, _ = net.decode(net.remember(memory), present, last, b["state"].long(), b["depth"].long())
        used = net.used(memory)[..., 0].float()
    valid = want >= 0
    count = valid.sum().clamp_min(1)  # a batch may have lost every target
    logs = F.log_softmax(scores, -1)
    missed = -logs.gather(2, want.clamp_min(0)[..., None])[..., 0]
    written = (missed * valid).sum() / count
    there = (scores > HIDDEN / 2).float()
    even = -(logs.clamp_min(-30) * there).sum(-1) / there.sum(-1)
    smooth = (1 - args.smooth) * written + args.smooth * 0.3 * (even * valid).sum() / count
    counted = ((b["item"] == data.COLUMN) | (b["item"] == data.TABLE)) & ~b["foreign"][:, None]
    use = F.binary_cross_entropy_with_logits(used, b["used"].float(), reduction="none")
    total = smooth + args.used * (use * counted).sum() / counted.sum().clamp_min(1)
    if damaged is not None:
        total = total + args.gap * gap_loss(args, net, memory, b, damaged, mixed)
    return total, written


def gap_loss(args, net, memory, b, damaged, mixed):
    """How wrong the network is about what is missing: of questions, and of words where that is known."""
    gone, words, known = damaged
    with mixed():
        each, whole = net.gaps(memory, b)
    question = F.binary_cross_entropy_with_logits(whole, (gone | b["foreign"]).float())
    counted = ((known & ~b["foreign"])[:, None] & (b["item"] == data.TOKEN)).float()
    word = F.binary_cross_entropy_with_logits(each.clamp_min(-30), words.float(), reduction="none")
    return question + args.gap_word * 3 * (word * counted).sum() / counted.sum().clamp_min(1)


def optimiser_of(args, nets, device):
    """Weights of the pretrained encoder learn at a rate of their own."""
    named = [(k, p) for net in nets for k, p in net.named_parameters()]
    tuned = [p for k, p in named if k.startswith("pretrained.")]
    rest = [p for k, p in named if not k.startswith("pretrained.")]
    groups = [{"params": rest, "scale": 1.0}] + ([{"params": tuned, "scale": args.tune / args.rate, "weight_decay": 0.01}] if tuned else [])
    fused = {"fused": True} if device.type == "cuda" else {}
    return torch.optim.AdamW(groups, lr=args.rate, betas=(0.9, 0.98), weight_decay=args.decay, **fused), [rest, tuned]


class Progress:
    """Prints how a run goes, twenty times."""

    def __init__(self, name):
        self.name, self.start, self.sums, self.shown = name, time.time(), [0.0, 0], 0.0

    def show(self, step, done, rate, written):
        if step % 25 == 0:
            self.sums = [self.sums[0] + written.item(), self.sums[1] + 1]
        if done >= self.shown or step == 50:
            self.shown = max(self.shown, done) + 0.05 if step != 50 else self.shown
            print(f"{self.name}: {100 * done:.0f} % step {step} loss {self.sums[0] / max(1, self.sums[1]):.4f} "
                  f"rate {rate:.1e} {time.time() - self.start:.0f} s", flush=True)
            self.sums = [0.0, 0]


def learn(args, nets, examples, changes, mixed):
    """Trains networks that share an encoder, or one."""
    device = next(nets[0].parameters()).device
    optimiser, parts = optimiser_of(args, nets, device)
    weights = [w for part in parts for w in part]
    averaged = [w.detach().clone() for w in weights]
    progress, step, done = Progress(args.name), 0, 0.0
    pool = concurrent.futures.ThreadPoolExecutor(1)
    for net in nets:
        net.train()
    while done < 1:
        for g, rows in examples.epoch(args, done):
            done = step / args.steps
            if done >= 1:
                break
            rate = args.rate * min(1, (step + 1) / 300) * (0.02 + 0.49 * (1 + math.cos(math.pi * done)))
            for some in optimiser.param_groups:
                some["lr"] = rate * some["scale"]
            if step % args.renew == 0:
                nets[0].learn_names(examples.texts, mixed)
            b = examples.batch(g, rows)
            changes(b)
            optimiser.zero_grad(set_to_none=True)
            written = descend(args, nets, b, changes.speller, mixed, pool)
            for part in parts:  # each by itself: one that is steep must not slow the other
                torch.nn.utils.clip_grad_norm_(part, 1.0 * len(nets) ** 0.5)
            optimiser.step()
            step += 1
            keep = min(args.average, step / (step + 100))
            with torch.no_grad():
                torch._foreach_mul_(averaged, keep)
                torch._foreach_add_(averaged, [w.detach() for w in weights], alpha=1 - keep)
            progress.show(step, done, rate, written)
    with torch.no_grad():
        for w, a in zip(weights, averaged):
            w.copy_(a)
    print(f"{args.name}: trained {step} steps, {time.time() - progress.start:.0f} s", flush=True)
    return step


def build(vectors, grammar, sizes, own, drop=0.0, word_drop=0.0, **known):
    return Network(vectors, own, len(grammar.symbols), len(grammar.rules), drop=drop, word_drop=word_drop, **sizes, **known)


def load(path, vectors, grammar, pieces, device, lender=None):
    """A trained network; lender: the encoder of another, when it has borrowed one."""
    saved = torch.load(path, map_location="cpu", weights_only=True)
    own = Pretrained(pieces.vectors, saved["pretrained"]) if saved.get("pretrained") else None
    borrow = own is None and bool(saved.get("borrowed"))
    net = build(vectors, grammar, saved["sizes"], saved["own"], pretrained=lender if borrow else own, borrow=borrow)
    net.load_state_dict(saved["weights"])
    return net.to(device).eval()


def load_all(paths, vectors, grammar, pieces, device):
    """Networks that vote; those that have borrowed an encoder have that of the first."""
    nets = []
    for path in paths:
        nets.append(load(path, vectors, grammar, pieces, device, nets[0].pretrained if nets and nets[0].knows else None))
    return nets


def make(args, examples, vectors, grammar, pieces, device):
    """Networks to be trained: one that has an encoder of its own, if any, and those that share it."""
    sizes = {k: getattr(args, k) for k in ("size", "heads", "encoders", "decoders")}
    if args.resume:
        nets = resumed(args, vectors, grammar, pieces, device)
    else:
        own, nets = examples.frequent(args.common), []
        pretrained = Pretrained.start(args.start, pieces.vectors) if args.start else None
        for i in range(args.voters):
            nets.append(build(vectors, grammar, sizes, own, args.drop, args.word_drop, pretrained=pretrained, borrow=i > 0).to(device))
    print(f"{args.name}: {sum(p.numel() for net in nets for p in net.parameters())} parameters, {len(nets[0].own)} words of their own", flush=True)
    return nets


def resumed(args, vectors, grammar, pieces, device):
    """Networks as the product has them; all read the encoder of the first."""
    nets, pretrained = [], None
    for path in args.resume.split(","):
        header, state = exported.read(path)
        if not nets:
            pretrained = Pretrained(pieces.vectors, header["pretrained"]) if "pretrained" in header else None
        net = build(vectors, grammar, header["sizes"], header["own"], args.drop, args.word_drop, pretrained=pretrained, borrow=bool(nets))
        exported.load_into(net, state)
        nets.append(net.to(device))
    return nets


def save(args, net, steps, path):
    saved = {"sizes": net.sizes, "own": net.own, "weights": {k: v.cpu() for k, v in net.state_dict().items()},
             "pretrained": net.pretrained.sizes if net.tunes else None, "borrowed": net.knows and not net.tunes}
    device = next(net.parameters()).device
    saved["run"] = json.dumps({"steps": steps, "device": device.type, "arguments": vars(args)})
    torch.save(saved, path)


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
    grammar, table, pieces = data.Grammar(), Table(data.VECTORS), Pieces(data.PIECES)
    examples = Examples(args, device)
    print(f"{args.name}: learns from { {k: len(v) for k, v in examples.learned.items()} }, judged on {len(examples.judged)}, "
          f"{device}, ready after {time.time() - start:.0f} s", flush=True)
    speller = Speller(table, pieces, device)
    if args.weights:
        nets = load_all(args.weights.split(","), table.vectors, grammar, pieces, device)
    else:
        nets = make(args, examples, table.vectors, grammar, pieces, device)
        steps = learn(args, nets, examples, Changes(args, table.vectors, speller, device, synonyms.others(SYNONYMS, table)), mixed)
        for i, net in enumerate(nets):
            save(args, net, steps, out / (f"{args.name}.pt" if i == 0 else f"{args.name}-{i}.pt"))
    if examples.judged:
        result = judge(args, nets, examples, grammar, mixed, out / f"{args.name}.beam.jsonl")
        gaps = judge_gaps(args, nets[0], examples, speller, mixed) if args.gap > 0 else {}
        (out / f"{args.name}.json").write_text(json.dumps({"arguments": vars(args), "judged": result, "missing": gaps}, indent=1))


if __name__ == "__main__":
    main()
