"""Reads back what export.py writes, so that training can go on from the weights of the product."""
import json
import struct

import numpy as np
import torch


def read(path):
    """The header of a file of weights, and its tensors by name."""
    with open(path, "rb") as f:
        raw = f.read()
    if raw[:4] != b"QNET":
        raise ValueError(f"{path} holds no weights")
    size = struct.unpack("<I", raw[8:12])[0]
    header, at, state = json.loads(raw[12:12 + size]), 12 + size, {}
    for about in header["tensors"]:
        shape, count = about["shape"], int(np.prod(about["shape"]))
        if about["type"] == "f16":
            value = np.frombuffer(raw, "<f2", count, at).astype(np.float32)
            at += 2 * count
        else:
            rows = shape[0]
            scales = np.frombuffer(raw, "<f4", rows, at)
            value = np.frombuffer(raw, "<i1", count, at + 4 * rows).astype(np.float32).reshape(rows, -1) * scales[:, None]
            at += 4 * rows + count
        state[about["name"]] = torch.from_numpy(value.reshape(shape).copy())
    return header, state


def load_into(net, state):
    """Sets the weights of a network; the heads that only training has, and a file lacks, begin with nothing."""
    missing, unexpected = net.load_state_dict(state, strict=False)
    lost = [name for name in missing if not name.startswith(("used.", "missing."))]
    if lost or unexpected:
        raise ValueError(f"other weights than the network's: {lost} {unexpected}")
    with torch.no_grad():
        for name in missing:
            net.get_parameter(name).zero_()
