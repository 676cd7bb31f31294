"""Trains the network that says which words of a question nothing in the data answers to.

    python3 doubt.py --data prepared.pkl --start ../weights0.bin --out out

It is the encoder of network.py with one number for each word. It learns from questions
that were damaged: a used column or table is hidden, or a word that names one is exchanged
for a word that has nothing to do with it; and from questions of other databases (the set
`foreign`, made by foreign.py). What stays answerable, also where a near word stands for
the name, is not in doubt. Beside it the decoder goes on learning, so that the encoder
keeps what it knows; only the encoder is exported.

The file is that of export.py with the tensors of the encoder and of `missing`. The golden
file holds inputs as package net takes them, and the number of every word.
"""
import argparse
import contextlib
import json
import math
import pathlib
import random
import struct
import time
import types
import zlib

import numpy as np
import torch
import torch.nn.functional as F
from torch import nn

import data
import export
import train
from network import Network
from vectors import Table

FOREIGN = "foreign"
SETS = ("spider-open", "paraphrase-open", "wikisql-open", "everyday", FOREIGN)
KEPT = ("word.", "vector.", "column.", "table.", "kinds.", "types.", "flags.", "item.", "encoder.", "encoder_norm.",
        "missing.")
QUANTILES = (0.97, 0.95, 0.92, 0.85)  # of good questions that are let through


class Doubter(Network):
    """The network with a number for each word: how sure it is that nothing answers to it."""

    def __init__(self, *args, **named):
        super().__init__(*args, **named)
        self.missing = nn.Linear(self.sizes["size"], 1)

    def doubts(self, memory, b):
        """The number of each word, and of the question: a soft maximum."""
        words = self.missing(memory)[..., 0].float().masked_fill(b["item"] != data.TOKEN, -30)
        return words, torch.logsumexp(words, 1)


def arguments():
    p = argparse.ArgumentParser()
    p.add_argument("--data", required=True, help="what data.py wrote")
    p.add_argument("--start", required=True, help="weights*.bin to start from")
    p.add_argument("--out", default="out")
    p.add_argument("--seed", type=int, default=2)
    p.add_argument("--steps", type=int, default=8000)
    p.add_argument("--batch", type=int, default=96)
    p.add_argument("--rate", type=float, default=5e-4)
    p.add_argument("--column", type=float, default=0.18, help="of the questions, that lose a used column")
    p.add_argument("--lost-table", type=float, default=0.08, help="of the questions, that lose a used table")
    p.add_argument("--word", type=float, default=0.22, help="of the questions, that get a word that says nothing")
    p.add_argument("--read", type=float, default=0.3, help="weight of the decoder's loss")
    p.add_argument("--named", type=float, default=2.0, help="weight of the loss of words whose state is known")
    p.add_argument("--parts", type=int, default=8)
    p.add_argument("--part", type=int, default=0, help="databases left out and judged; -1: none")
    p.add_argument("--share", default="wikisql-open=2500,everyday=7000,foreign=2200", help="most examples of a set in an epoch")
    p.add_argument("--lines", nargs="*", default=[], help="for the golden file")
    return p.parse_args()


class Examples(train.Examples):
    """Questions of other databases have no derivation and are learned from all the same."""

    def __init__(self, args, device):
        super().__init__(args, device)
        for g, (_, about) in enumerate(self.groups):
            for i, a in enumerate(about):
                if data.base(a["set"]) != FOREIGN or a["target"]:
                    continue
                if args.parts > 0 and data.part(a["db"], args.parts) == args.part:
                    if (g, i) not in self.judged:
                        self.judged.append((g, i))
                else:
                    self.learned.setdefault(FOREIGN, []).append((g, i))


def start_from(path, vectors, grammar):
    """A network that begins with exported weights."""
    raw = pathlib.Path(path).read_bytes()
    _, size = struct.unpack("<II", raw[4:12])
    header, at = json.loads(raw[12:12 + size]), 12 + size
    net = Doubter(vectors, header["own"], len(grammar.symbols), len(grammar.rules), drop=0.1, word_drop=0.1, **header["sizes"])
    state = net.state_dict()
    for t in header["tensors"]:
        n = math.prod(t["shape"])
        state[t["name"]] = torch.from_numpy(np.frombuffer(raw, "<f2", n, at).astype(np.float32).reshape(t["shape"]))
        at += 2 * n
    net.load_state_dict(state)
    return net


def matches(b):
    """Pairs of a word and a column or table whose name or value it is of."""
    r = b["relation"].short()
    word = (b["item"] == data.TOKEN)[:, :, None]
    column = r - data.TOKEN_COLUMN
    table = r - data.TOKEN_TABLE
    named = (column >= 1) & (column < 15) | (table >= 1) & (table <= 2)
    there = (b["item"] < data.NONE)[:, None, :] & (b["item"] != data.TOKEN)[:, None, :]
    return named & word & there


def pointed_at(b, symbols):
    """Items that the derivation points to."""
    at = b["want"].long() - symbols
    out = torch.zeros_like(b["item"], dtype=torch.bool)
    # Index 0 is a word: a symbol that is clamped there marks nothing that is asked for.
    return out.scatter_(1, at.clamp_min(0), at >= 0)


def one_of(can):
    """One of the marked items of each row at random, as a mask."""
    score = torch.rand(can.shape, device=can.device) * can
    best, which = score.max(1)
    return torch.zeros_like(can).scatter_(1, which[:, None], (best > 0)[:, None])


def hide(b, items):
    """Takes items away; says which words have lost all that they matched."""
    before = matches(b)
    b["item"] = torch.where(items, torch.full_like(b["item"], data.NONE), b["item"])
    after = matches(b)
    return before.any(2) & ~after.any(2)


def lose_column(b, chosen, symbols):
    can = pointed_at(b, symbols) & (b["item"] == data.COLUMN) & (b["flag"] & 3 == 0) & chosen[:, None]
    lost = one_of(can)
    return lost.any(1), hide(b, lost)


def lose_table(b, chosen):
    tables = b["item"] == data.TABLE
    can = tables & b["used"] & (tables.sum(1, keepdim=True) > 1) & chosen[:, None]
    lost = one_of(can)
    of = b["relation"].short() - data.COLUMN_TABLE  # 1 and 2: the column is one of the table's
    member = ((of == 1) | (of == 2)) & (b["item"] == data.COLUMN)[:, :, None] & lost[:, None, :]
    return lost.any(1), hide(b, lost | member.any(2))


def say_nothing(b, chosen, symbols, most=20000):
    """Exchanges the only word that names a used item for one that has nothing to do with it."""
    r = b["relation"].short()
    column, table = r - data.TOKEN_COLUMN, r - data.TOKEN_TABLE
    named = (column == 5) | (column == 10) | (table == 1) | (table == 2)
    named &= (b["item"] == data.TOKEN)[:, :, None] & (b["item"] < data.NONE)[:, None, :]
    used = (pointed_at(b, symbols) | b["used"] & (b["item"] == data.TABLE)) & (b["item"] != data.TOKEN)
    alone = used & (named.sum(1) == 1)
    can = (named & alone[:, None, :]).any(2) & chosen[:, None]
    word = one_of(can)
    ids = torch.randint(100, most, word.shape, device=word.device).to(b["words"].dtype)
    b["words"][:, :, 0] = torch.where(word, ids, b["words"][:, :, 0])
    spans = ((data.TOKEN_COLUMN, 19, word[:, :, None]), (data.TOKEN_TABLE, 7, word[:, :, None]),
             (data.COLUMN_TOKEN, 19, word[:, None, :]), (data.TABLE_TOKEN, 7, word[:, None, :]))
    for none, width, of_word in spans:  # the first relation of a span is none at all
        related = (r >= none) & (r < none + width) & of_word
        b["relation"] = torch.where(related, torch.full_like(b["relation"], none), b["relation"])
    return word.any(1), word


def damage(args, b, symbols, kind=None):
    """Damages some questions. Returns which, which words say nothing, and of which questions that is known.

    kind: damage every question in this one way instead, as far as it can be.
    """
    draw = torch.rand(len(b["item"]), device=b["item"].device)
    first, second, third = args.column, args.column + args.lost_table, args.column + args.lost_table + args.word
    if kind is not None:
        draw = torch.full_like(draw, (0.0, first, second)[kind])
    gone, words = lose_column(b, draw < first, symbols)
    also, lost = lose_table(b, (draw >= first) & (draw < second))
    gone, words = gone | also, words | lost
    also, said = say_nothing(b, (draw >= second) & (draw < third), symbols)
    gone, words = gone | also, words | said
    words = words & gone[:, None]
    known = ~gone | words.any(1)
    return gone, words, known


def losses(args, net, b, foreign, symbols, mixed):
    gone, words, known = damage(args, b, symbols)
    b["want"] = torch.where(gone[:, None], torch.full_like(b["want"], -1), b["want"])
    want = b["want"].long()
    last = torch.cat([torch.full_like(want[:, :1], -1), want[:, :-1].clamp_min(0)], 1)
    with mixed():
        memory, present = net.encode(b)
        scores, _ = net.decode(net.remember(memory), present, last, b["state"].long(), b["depth"].long())
        each, whole = net.doubts(memory, b)
    valid = want >= 0
    missed = -F.log_softmax(scores, -1).gather(2, want.clamp_min(0)[..., None])[..., 0]
    read = (missed * valid).sum() / valid.sum().clamp_min(1)
    bad, known = gone | foreign, known & ~foreign
    question = F.binary_cross_entropy_with_logits(whole, bad.float())
    counted = (known[:, None] & (b["item"] == data.TOKEN)).float()
    word = F.binary_cross_entropy_with_logits(each, words.float(), reduction="none")
    word = (word * counted).sum() / counted.sum().clamp_min(1)
    return question + args.named * 3 * word + args.read * read, (question.item(), word.item(), read.item())


def is_foreign(examples, g, rows, device):
    about = examples.groups[g][1]
    return torch.tensor([data.base(about[i]["set"]) == FOREIGN for i in rows], device=device)


def learn(args, net, examples, changes, symbols, mixed):
    device = next(net.parameters()).device
    optimiser = torch.optim.AdamW(net.parameters(), lr=args.rate, betas=(0.9, 0.98), weight_decay=0.05)
    weights = list(net.parameters())
    averaged = [w.detach().clone() for w in weights]
    step, start, sums = 0, time.time(), np.zeros(4)
    net.train()
    while step < args.steps:
        for g, rows in examples.epoch(args, step / args.steps):
            if step >= args.steps:
                break
            rate = args.rate * min(1, (step + 1) / 300) * (0.02 + 0.49 * (1 + math.cos(math.pi * step / args.steps)))
            for some in optimiser.param_groups:
                some["lr"] = rate
            b = examples.batch(g, rows)
            changes(b)
            loss, parts = losses(args, net, b, is_foreign(examples, g, rows, device), symbols, mixed)
            optimiser.zero_grad(set_to_none=True)
            loss.backward()
            torch.nn.utils.clip_grad_norm_(weights, 1.0)
            optimiser.step()
            step += 1
            keep = min(0.998, step / (step + 100))
            with torch.no_grad():
                torch._foreach_mul_(averaged, keep)
                torch._foreach_add_(averaged, [w.detach() for w in weights], alpha=1 - keep)
            sums += (*parts, 1)
            if step % 500 == 0 or step == 50:
                print(f"step {step} question {sums[0] / sums[3]:.4f} word {sums[1] / sums[3]:.4f} read {sums[2] / sums[3]:.4f} "
                      f"{time.time() - start:.0f} s", flush=True)
                sums = np.zeros(4)
    with torch.no_grad():
        for w, a in zip(weights, averaged):
            w.copy_(a)


@torch.no_grad()
def judge(args, net, examples, symbols, mixed):
    """How well damaged questions of left-out databases are told from whole ones, by set and damage."""
    net.eval()
    torch.manual_seed(5)
    good, bad, right_word = {}, {}, {}
    by_group = {}
    for g, i in examples.judged:
        by_group.setdefault(g, []).append(i)

    def scores(b):
        with mixed():
            memory, _ = net.encode(b)
            each, whole = net.doubts(memory, b)
        return each, whole.tolist()

    for g, rows in by_group.items():
        items = examples.groups[g][0]["item"].shape[1]
        size = max(8, min(256, 256 * 128**2 // items**2))
        for at in range(0, len(rows), size):
            some = rows[at:at + size]
            names = [data.base(examples.groups[g][1][i]["set"]) for i in some]
            _, whole = scores(examples.batch(g, some))
            for name, x in zip(names, whole):
                (bad.setdefault(("everyday", FOREIGN), []) if name == FOREIGN else good.setdefault(name, [])).append(x)
            for kind, title in enumerate(("column", "table", "word")):
                b = examples.batch(g, some)
                gone, words, _ = damage(args, b, symbols, kind)
                each, whole = scores(b)
                top = each.argmax(1)
                for i, name in enumerate(names):
                    if gone[i] and name != FOREIGN:
                        bad.setdefault((name, title), []).append(whole[i])
                        if words[i].any():
                            right_word.setdefault((name, title), []).append(bool(words[i, top[i]]))
    out = {}
    for (name, title), found in sorted(bad.items()):
        if name not in good:
            continue
        limits = np.quantile(good[name], QUANTILES)
        out[f"{name} {title}"] = {
            "questions": len(found), "found": [round(float((np.array(found) > x).mean()), 3) for x in limits],
            "limits": [round(float(x), 2) for x in limits], "word": round(float(np.mean(right_word.get((name, title), [0]))), 3),
        }
        print(f"{name}, {title}: {out[f'{name} {title}']}", flush=True)
    return out


def write(net, grammar, path):
    """Writes the encoder and the head, and sets the network's weights to what a reader sees."""
    tensors, body, state = [], bytearray(), net.state_dict()
    for name, value in net.state_dict().items():
        if name.startswith(KEPT):
            stored, bytes_, seen = export.pack(value, "f16")
            tensors.append({"name": name, "shape": list(value.shape), "type": stored})
            body += bytes_
            state[name] = torch.from_numpy(np.ascontiguousarray(seen))
    net.load_state_dict(state)
    header = json.dumps({
        "sizes": net.sizes, "own": net.own, "symbols": grammar.symbols, "states": len(grammar.rules), "relations": data.RELATIONS,
        "vectors": zlib.crc32(pathlib.Path(data.VECTORS).read_bytes()), "tensors": tensors,
    }).encode()
    pathlib.Path(path).write_bytes(b"QNET" + struct.pack("<II", export.VERSION, len(header)) + header + body)
    print(path, 12 + len(header) + len(body), "bytes", flush=True)


@torch.no_grad()
def golden(net, grammar, table, lines, count=5):
    raws, chosen = {}, []
    for line in lines:
        if "schema" in line:
            raws[line["schema"]] = line
        elif line["db"] in raws and len(raws[line["db"]]["columns"]) < 30:
            chosen.append(line)
    chosen.sort(key=lambda x: (len(x["tokens"]) + len(raws[x["db"]]["columns"]), x["db"], x["id"]))
    encoder, out = data.Encoder(grammar, table), []
    for i in np.linspace(0, len(chosen) - 1, count).round().astype(int):
        line = chosen[i]
        arrays = encoder.encode(line, data.Schema(raws[line["db"]], table))
        b = {k: torch.from_numpy(v[None]) for k, v in arrays.items()}
        memory, _ = net.encode(b)
        words, _ = net.doubts(memory, b)
        out.append({
            "question": line["question"], "input": export.plain_input(line, None, raws[line["db"]], table),
            "doubts": [round(x, 4) for x in words[0, :len(line["tokens"])].tolist()],
        })
    return out


def main():
    args = arguments()
    random.seed(args.seed)
    np.random.seed(args.seed)
    torch.manual_seed(args.seed)
    device = torch.device("cuda" if torch.cuda.is_available() else "cpu")
    torch.backends.cuda.matmul.allow_tf32 = True
    mixed = (lambda: torch.autocast("cuda", dtype=torch.bfloat16)) if device.type == "cuda" else contextlib.nullcontext
    out = pathlib.Path(args.out)
    out.mkdir(parents=True, exist_ok=True)
    grammar, table = data.Grammar(), Table(data.VECTORS)
    args.train, args.judge, args.until, args.judge_most = ",".join(SETS), "", "", 1500
    if args.part < 0:
        args.parts = 0
    examples = Examples(args, device)
    print({k: len(v) for k, v in examples.learned.items()}, "judged on", len(examples.judged), device, flush=True)
    net = start_from(args.start, table.vectors, grammar).to(device)
    wishes = types.SimpleNamespace(synonyms=0.15, column_drop=0.5, match_drop=0.15)
    symbols = len(grammar.symbols)
    learn(args, net, examples, train.Changes(wishes, table.vectors, device), symbols, mixed)
    result = judge(args, net, examples, symbols, mixed) if examples.judged else {}
    net = net.cpu().eval()
    write(net, grammar, out / "doubt.bin")
    if args.lines:
        (out / "doubt.json").write_text(json.dumps(golden(net, grammar, table, data.lines(args.lines)), separators=(",", ":")))
    (out / "doubt.report.json").write_text(json.dumps({"arguments": vars(args), "judged": result}, indent=1, default=str))


if __name__ == "__main__":
    main()
