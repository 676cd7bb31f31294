"""Trained weights to the file that the product reads, and examples to check it by.

    python3 export.py --weights out/a.pt --out ../weights.bin \\
        --lines lines.jsonl.gz --golden ../testdata/golden.json

The file, little endian:

    "QNET"            magic
    uint32            version, 1
    uint32            length of the header
    header            JSON: sizes, own (word ids with rows of their own), symbols,
                      states, relations, vectors (crc32 of vectors.bin), pieces
                      (crc32 of pieces.bin) and pretrained (the encoder's sizes)
                      of networks that have these, and tensors: a list of
                      {name, shape, type}
    tensors           in the order of the list, without gaps

Type "f16" is half precision. Type "i8" is a float32 scale per row, then a byte
per number: the number is the byte times the scale of its row. Tensors of one
dimension are always f16, other tensors of the pretrained encoder always i8. A network
that has borrowed its encoder has the tensors from_word and from_name, and no encoder.

The golden file holds inputs as package net takes them, the scores of every step
of a target, what is missing, and the beam: computed from the weights as exported, in
float32, and from names rounded as the product stores them.
"""
import argparse
import contextlib
import json
import struct
import tempfile
import zlib

import numpy as np
import torch

import beam
import data
import train
from pieces import Pieces, Texts
from vectors import Table

VERSION = 1


def pack(tensor, kind):
    """Bytes of a tensor, and the tensor that a reader makes of them."""
    x = tensor.detach().float().numpy()
    if x.ndim < 2 or kind == "f16":
        half = x.astype("<f2")
        return "f16", half.tobytes(), half.astype(np.float32)
    scales = (np.abs(x).max(axis=1) / 127).astype("<f4")
    whole = np.rint(x / np.where(scales > 0, scales, 1)[:, None]).clip(-127, 127).astype("<i1")
    return "i8", scales.tobytes() + whole.tobytes(), whole.astype(np.float32) * scales[:, None]


def write(net, grammar, pieces, path, kind):
    """Writes the weights, and sets the network's to those that a reader sees."""
    tensors, body, state = [], bytearray(), {}
    for name, value in net.state_dict().items():
        if name.startswith("used.") or name.startswith("missing.") and not net.tunes:  # of training only
            state[name] = value
            continue
        stored, bytes_, seen = pack(value, "i8" if name.startswith("pretrained.") else kind)
        tensors.append({"name": name, "shape": list(value.shape), "type": stored})
        body += bytes_
        state[name] = torch.from_numpy(np.ascontiguousarray(seen))
    net.load_state_dict(state)
    with open(data.VECTORS, "rb") as f:
        checksum = zlib.crc32(f.read())
    known = {"pieces": pieces.sum} if net.knows else {}
    known |= {"pretrained": net.pretrained.sizes} if net.tunes else {}
    header = json.dumps({
        "sizes": net.sizes, "own": net.own, "symbols": grammar.symbols, "states": len(grammar.rules),
        "relations": data.RELATIONS, "vectors": checksum, **known, "tensors": tensors,
    }).encode()
    with open(path, "wb") as f:
        f.write(b"QNET" + struct.pack("<II", VERSION, len(header)) + header + body)
    return 12 + len(header) + len(body)


def plain_input(line, raw, table, pieces):
    """A question as package net takes it, and what its names are made of."""
    names = [pieces.name(*x) for x in data.named(raw)]
    return {
        "pieces": [pieces.of(t[0]) for t in line["tokens"]], "names": [{"ids": ids, "own": own} for ids, own in names],
        "texts": [{"table": t, "words": w, "values": [str(v) for v in values[:3]]} for t, w, values in data.named(raw)],
        "words": [table.id(data.lower(t[0])) for t in line["tokens"]], "kinds": line["kinds"],
        "columns": [{"words": [table.id(w) for w in c["words"]], "type": c["type"], "flags": c["flags"], "table": c["table"]}
                    for c in raw["columns"]],
        "tables": [[table.id(w) for w in t["words"]] for t in raw["tables"]],
        "token_columns": line["columns"], "token_tables": line["tables"], "links": raw["links"],
    }


def choose(lines, count):
    """Questions of different lengths, from short to long, and their schemas."""
    raws, chosen = {}, []
    for line in lines:
        if "schema" in line:
            raws[line["schema"]] = line
        elif line.get("target"):
            chosen.append(line)
    chosen.sort(key=lambda x: (len(x["tokens"]) + len(raws[x["db"]]["columns"]), x["db"], x["id"]))
    places = sorted(set(np.linspace(0, (len(chosen) - 1) * 0.97, min(count, len(chosen))).round().astype(int)))
    return [(chosen[i], raws[chosen[i]["db"]]) for i in places]


@torch.no_grad()
def golden(net, grammar, table, pieces, lines, count):
    encoder, out = data.Encoder(grammar, table, pieces), []
    automaton = beam.Automaton(grammar, "cpu")
    for line, raw in choose(lines, count):
        texts = Texts(pieces)
        schema = data.Schema(raw, table, texts)
        arrays = encoder.encode(line, schema)
        if arrays is None or "want" not in arrays:
            continue
        net.learn_names({k: torch.from_numpy(v) for k, v in texts.arrays().items()}, contextlib.nullcontext, rounded=True)
        b = {k: torch.from_numpy(v[None]) for k, v in arrays.items()}
        want = b["want"].long()
        last = torch.cat([torch.full_like(want[:, :1], -1), want[:, :-1]], 1)
        memory, present = net.encode(b)
        scores, _ = net.decode(net.remember(memory), present, last, b["state"].long(), b["depth"].long())
        about = {"tokens": len(line["tokens"]), "columns": schema.c}
        found = beam.candidates([net], automaton, grammar, b, [about], 8, contextlib.nullcontext)[0]
        out.append({
            "question": line["question"], "input": plain_input(line, raw, table, pieces), "target": line["target"],
            "scores": rounded(scores[0]), "beam": [{"tokens": t, "log": round(s, 4)} for s, t in found], **known(net, memory, b),
        })
    return out


def known(net, memory, b):
    """What the pretrained encoder says of the items, in part, and what is missing."""
    out = {"pooled": rounded(net.lender[0](b, net.known)[0, :, :8])} if net.tunes else {}
    return out | ({"missing": rounded(net.gaps(memory, b)[0][:, b["item"][0] == data.TOKEN])[0]} if net.tunes else {})


def rounded(rows):
    return [[round(x, 4) for x in row] for row in rows.tolist()]


def write_golden(net, grammar, table, pieces, lines, count, path):
    examples = golden(net, grammar, table, pieces, lines, count)
    with open(path, "w") as f:
        json.dump(examples, f, separators=(",", ":"))
    print(path, len(examples), "examples")


def main():
    p = argparse.ArgumentParser()
    p.add_argument("--weights", required=True)
    p.add_argument("--lender", help="the network whose encoder this one has borrowed")
    p.add_argument("--out", required=True)
    p.add_argument("--type", default="f16", choices=["f16", "i8"])
    p.add_argument("--lines", nargs="*", default=[])
    p.add_argument("--golden")
    p.add_argument("--count", type=int, default=6)
    args = p.parse_args()
    table, grammar, pieces = Table(data.VECTORS), data.Grammar(), Pieces(data.PIECES)
    lender = None
    if args.lender:
        lends = train.load(args.lender, table.vectors, grammar, pieces, "cpu")
        with tempfile.NamedTemporaryFile() as f:  # its weights become those that a reader sees
            write(lends, grammar, pieces, f.name, args.type)
        lender = lends.pretrained
    net = train.load(args.weights, table.vectors, grammar, pieces, "cpu", lender)
    print(args.out, write(net, grammar, pieces, args.out, args.type), "bytes")
    if args.golden:
        write_golden(net, grammar, table, pieces, data.lines(args.lines), args.count, args.golden)


if __name__ == "__main__":
    main()
