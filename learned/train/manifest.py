"""Writes what a run of training was made from and what came out.

    python3 manifest.py --out ../manifest.json --nets out/net*.pt \\
        --inputs data/*.jsonl.gz grammar.json ../vectors.bin --outputs ../weights*.bin

The file, JSON:

    versions    Python's and the libraries'
    inputs      name: {"sha256", "bytes"} of every file that was read
    networks    name: {"steps", "device", "arguments"} as train.py kept them
    outputs     name: {"sha256", "bytes"} of every file that was made
    unknown     what was not recorded, in words; a run of today leaves it empty
"""
import argparse
import hashlib
import json
import pathlib
import platform

import numpy as np
import torch


def described(paths):
    """Hash and size of each file, by its name."""
    out = {}
    for path in sorted(map(pathlib.Path, paths), key=lambda p: p.name):
        if path.name in out:
            raise ValueError(f"two files are called {path.name}")
        raw = path.read_bytes()
        out[path.name] = {"sha256": hashlib.sha256(raw).hexdigest(), "bytes": len(raw)}
    return out


def manifest(inputs, nets, outputs):
    networks = {}
    for path in map(pathlib.Path, nets):
        networks[path.stem] = json.loads(torch.load(path, map_location="cpu", weights_only=True)["run"])
    return {
        "versions": {"python": platform.python_version(), "torch": str(torch.__version__), "numpy": np.__version__},
        "inputs": described(inputs), "networks": networks, "outputs": described(outputs), "unknown": [],
    }


def main():
    p = argparse.ArgumentParser()
    p.add_argument("--out", required=True)
    p.add_argument("--inputs", nargs="+", required=True)
    p.add_argument("--nets", nargs="+", required=True)
    p.add_argument("--outputs", nargs="+", required=True)
    args = p.parse_args()
    text = json.dumps(manifest(args.inputs, args.nets, args.outputs), indent=2)
    pathlib.Path(args.out).write_text(text + "\n")


if __name__ == "__main__":
    main()
