"""The pretrained encoder: what a published model knows of words, for the network.

Its lower layers see the question, and each name with its table and values, alone; the
top one sees the question and all names together. Package nlq/encoder computes the same.
The names of parameters are those of the exported tensors.
"""
import math

import torch
import torch.nn.functional as F
from torch import nn

import pieces

HIDDEN = -1e4  # the score of what is not there


def activate(x):
    """A cheap GELU, the same in Go."""
    return x * torch.sigmoid(1.702 * x)


class Layer(nn.Module):
    def __init__(self, size, heads, wide, drop):
        super().__init__()
        self.heads, self.drop = heads, drop
        self.qkv, self.out = nn.Linear(size, 3 * size), nn.Linear(size, size)
        self.norm1, self.norm2 = nn.LayerNorm(size), nn.LayerNorm(size)
        self.up, self.down = nn.Linear(size, wide), nn.Linear(wide, size)

    def forward(self, x, bias):
        b, n, size = x.shape
        q, k, v = self.qkv(x).view(b, n, 3, self.heads, size // self.heads).permute(2, 0, 3, 1, 4)
        # By hand: the fused attention with a mask gave numbers that are none.
        score = (q @ k.transpose(-1, -2)).float() / math.sqrt(size // self.heads) + bias
        z = (torch.softmax(score, -1).to(v.dtype) @ v).transpose(1, 2).reshape(b, n, size)
        x = self.norm1(x + F.dropout(self.out(z), self.drop, self.training))
        return self.norm2(x + F.dropout(self.down(activate(self.up(x))), self.drop, self.training))


class Pretrained(nn.Module):
    """Sizes: size, heads, layers, apart (how many layers see texts alone), wide."""

    def __init__(self, vectors, sizes, drop=0.1):
        super().__init__()
        self.sizes, self.drop = dict(sizes), drop
        size = sizes["size"]
        self.register_buffer("vectors", torch.as_tensor(vectors), persistent=False)
        self.place = nn.Embedding(pieces.PLACES, size)
        self.norm = nn.LayerNorm(size)
        self.layers = nn.ModuleList([Layer(size, sizes["heads"], sizes["wide"], drop) for _ in range(sizes["layers"])])

    @classmethod
    def start(cls, path, vectors):
        """An encoder that begins with the layers of a file of pieces.py; the top one joins."""
        heads, saved = pieces.read_layers(path)
        count = sum(name.endswith(".qkv.bias") for name in saved)
        size, wide = len(saved["norm.bias"]), len(saved["layers.0.up.bias"])
        sizes = {"size": size, "heads": heads, "layers": count, "apart": count - 1, "wide": wide}
        encoder = cls(vectors, sizes)
        encoder.load_state_dict({k: torch.from_numpy(v) for k, v in saved.items()})
        return encoder

    @staticmethod
    def bias(there):
        return torch.zeros(there.shape, device=there.device).masked_fill(~there, HIDDEN)[:, None, None, :]

    def apart(self, ids, there):
        """What the lower layers say of each piece of texts that are seen alone."""
        x = F.embedding(ids.clamp_min(0), self.vectors) + self.place.weight[:ids.shape[1]]
        x, bias = F.dropout(self.norm(x), self.drop, self.training), self.bias(there)
        for layer in self.layers[:self.sizes["apart"]]:
            x = layer(x, bias)
        return x

    def together(self, x, there):
        """What the top layers say of the pieces of a question and of names."""
        bias = self.bias(there)
        for layer in self.layers[self.sizes["apart"]:]:
            x = layer(x, bias)
        return x

    @torch.no_grad()
    def names(self, ids, own, mixed, rounded=False, size=8192):
        """The kept pieces of names, as the lower layers see them. rounded: as the product stores them."""
        was, parts = self.training, []
        self.eval()
        for at in range(0, len(ids), size):
            some, kept = ids[at:at + size].long(), own[at:at + size].long()
            some = some[:, :int((some >= 0).sum(1).max())]
            with mixed():
                x = self.apart(some, some >= 0)
            x = x.gather(1, kept.clamp_min(0)[..., None].expand(-1, -1, x.shape[2]))
            x = as_stored(x) if rounded else x
            parts.append(x.to(torch.bfloat16 if x.is_cuda else torch.float32))
        self.train(was)
        return torch.cat(parts)

    def forward(self, b, known):
        """A vector for each word and name of a batch: the mean of its pieces."""
        owner = torch.cat([b["piece_word"], b["name_item"]], 1).long()
        item = b["item"]
        there = (owner >= 0) & (item.gather(1, owner.clamp_min(0)) < 3) | (owner == -1)
        question = self.apart(b["piece"].long(), there[:, :b["piece"].shape[1]])
        names = known[b["name_text"].long(), b["name_place"].long()].to(question.dtype)
        x = self.together(torch.cat([question, names], 1), there)
        mine = (owner[:, None, :] == torch.arange(item.shape[1], device=item.device)[None, :, None]) & there[:, None, :]
        mine = mine.to(x.dtype)
        return mine @ x / mine.sum(-1, keepdim=True).clamp_min(1)


def as_stored(x):
    """Vectors rounded to bytes and a scale each."""
    scale = (x.abs().amax(-1, keepdim=True) / 127).clamp_min(1e-12)
    return torch.round(x / scale) * scale
