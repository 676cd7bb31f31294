"""The network: a relation-aware encoder and a decoder with pointers.

Package nlq/net computes the same from the exported weights. The names of
parameters are those of the exported tensors.
"""
import math

import torch
import torch.nn.functional as F
from torch import nn

import data
from pretrained import HIDDEN, activate

WIDTH = -(-data.RELATIONS // 8) * 8  # relations, as many as tensor cores like
REACH = 64  # distances that the decoder's attention tells apart

class EncoderLayer(nn.Module):
    def __init__(self, size, heads, wide, drop):
        super().__init__()
        self.heads, self.drop = heads, drop
        self.norm1, self.norm2 = nn.LayerNorm(size), nn.LayerNorm(size)
        self.qkv, self.out = nn.Linear(size, 3 * size), nn.Linear(size, size)
        each = size // heads
        self.relation_key = nn.Parameter(torch.randn(data.RELATIONS, each) * 0.05)
        self.relation_value = nn.Parameter(torch.randn(data.RELATIONS, each) * 0.05)
        self.relation_bias = nn.Parameter(torch.zeros(data.RELATIONS, heads))
        self.up, self.down = nn.Linear(size, wide), nn.Linear(wide, size)

    def forward(self, x, relation, present):
        b, n, size = x.shape
        each = size // self.heads
        q, k, v = self.qkv(self.norm1(x)).view(b, n, 3, self.heads, each).permute(2, 0, 3, 1, 4)
        # Dense products with one-hot relations: the gradient of a gather adds
        # to few rows from everywhere and is many times slower.
        key, bias, value = (F.pad(x, (0, 0, 0, WIDTH - data.RELATIONS)).to(q.dtype)
                            for x in (self.relation_key, self.relation_bias, self.relation_value))
        by_relation = (q @ key.t()).permute(0, 2, 1, 3) + bias.t() * math.sqrt(each)
        related = (by_relation @ relation.transpose(-1, -2)).permute(0, 2, 1, 3)
        score = (q @ k.transpose(-1, -2) + related).float() / math.sqrt(each)
        score = score.masked_fill(~present[:, None, None, :], HIDDEN)
        weight = F.dropout(F.softmax(score, -1), self.drop, self.training).to(v.dtype)
        per_relation = weight.permute(0, 2, 1, 3) @ relation
        z = weight @ v + (per_relation @ value).permute(0, 2, 1, 3)
        x = x + F.dropout(self.out(z.transpose(1, 2).reshape(b, n, size)), self.drop, self.training)
        y = self.down(F.dropout(activate(self.up(self.norm2(x))), self.drop, self.training))
        return x + F.dropout(y, self.drop, self.training)


class DecoderLayer(nn.Module):
    def __init__(self, size, heads, wide, drop):
        super().__init__()
        self.heads, self.drop = heads, drop
        self.norm1, self.norm2, self.norm3 = nn.LayerNorm(size), nn.LayerNorm(size), nn.LayerNorm(size)
        self.qkv, self.out = nn.Linear(size, 3 * size), nn.Linear(size, size)
        self.cross_q, self.cross_kv, self.cross_out = nn.Linear(size, size), nn.Linear(size, 2 * size), nn.Linear(size, size)
        self.up, self.down = nn.Linear(size, wide), nn.Linear(wide, size)
        self.distance = nn.Parameter(torch.zeros(heads, REACH))

    def split(self, x, parts):
        b, n, size = x.shape
        return x.view(b, n, parts, self.heads, size // parts // self.heads).permute(2, 0, 3, 1, 4)

    def attend(self, q, k, v, bias):
        score = (q @ k.transpose(-1, -2)).float() / math.sqrt(q.shape[-1]) + bias
        weight = F.dropout(F.softmax(score, -1), self.drop, self.training)
        return (weight.to(v.dtype) @ v).transpose(1, 2).flatten(2)

    def forward(self, x, memory, hidden, past=None):
        """memory: keys and values of the items; past: those of the steps before x."""
        q, k, v = self.split(self.qkv(self.norm1(x)), 3)
        if past is not None:
            k, v = torch.cat([past[0], k], 2), torch.cat([past[1], v], 2)
        total, steps = k.shape[2], q.shape[2]
        apart = torch.arange(total - steps, total, device=x.device)[:, None] - torch.arange(total, device=x.device)
        bias = self.distance[:, apart.clamp(0, REACH - 1)].float().masked_fill((apart < 0)[None], HIDDEN)[None]
        x = x + F.dropout(self.out(self.attend(q, k, v, bias)), self.drop, self.training)
        (cq,) = self.split(self.cross_q(self.norm2(x)), 1)
        x = x + F.dropout(self.cross_out(self.attend(cq, *memory, hidden)), self.drop, self.training)
        y = self.down(F.dropout(activate(self.up(self.norm3(x))), self.drop, self.training))
        return x + F.dropout(y, self.drop, self.training), (k, v)


class Network(nn.Module):
    """Sizes: size, heads, encoder and decoder layers; own: word ids with rows of their own.

    pretrained: an encoder that knows words, or None. Another network's can be lent (borrow):
    it is then no part of this one.
    """

    def __init__(self, vectors, own, symbols, states, size=128, heads=8, encoders=4, decoders=2, drop=0.2, word_drop=0.2,
                 pretrained=None, borrow=False):
        super().__init__()
        self.sizes = {"size": size, "heads": heads, "encoders": encoders, "decoders": decoders}
        self.symbols, self.drop, self.word_drop = symbols, drop, word_drop
        self.own = list(own)
        rows = torch.zeros(len(vectors), dtype=torch.long)
        rows[torch.tensor(self.own, dtype=torch.long)] = torch.arange(1, len(self.own) + 1)
        self.register_buffer("rows", rows, persistent=False)
        self.register_buffer("vectors", torch.as_tensor(vectors), persistent=False)
        self.word = nn.Embedding(len(self.own) + 1, size, padding_idx=0)
        self.vector = nn.Linear(self.vectors.shape[1], size)
        self.column, self.table = nn.Linear(2 * size, size), nn.Linear(2 * size, size)
        self.kinds, self.types, self.flags = nn.Embedding(data.KINDS, size), nn.Embedding(data.TYPES, size), nn.Embedding(data.FLAGS, size)
        self.item = nn.Embedding(3, size)
        self.encoder = nn.ModuleList([EncoderLayer(size, heads, 4 * size, drop) for _ in range(encoders)])
        self.encoder_norm = nn.LayerNorm(size)
        self.symbol, self.state, self.depth = nn.Embedding(symbols, size), nn.Embedding(states, size), nn.Embedding(4, size)
        self.pointed = nn.Linear(size, size)
        self.decoder = nn.ModuleList([DecoderLayer(size, heads, 4 * size, drop) for _ in range(decoders)])
        self.decoder_norm = nn.LayerNorm(size)
        self.write, self.point_q, self.point_k = nn.Linear(size, symbols), nn.Linear(size, size), nn.Linear(size, size)
        self.used, self.missing = nn.Linear(size, 1), nn.Linear(size, 1)
        self.knows, self.tunes, self.known = pretrained is not None, pretrained is not None and not borrow, None
        if self.knows:
            self.from_word, self.from_name = (nn.Linear(pretrained.sizes["size"], size) for _ in range(2))
            self.lender = [pretrained]  # in a list: not a part
            if self.tunes:
                self.pretrained = pretrained
        for table in (self.word, self.kinds, self.types, self.flags, self.item, self.symbol, self.state, self.depth):
            nn.init.normal_(table.weight, std=0.3)
        with torch.no_grad():
            self.word.weight[0] = 0

    def embed(self, b):
        words = b["words"].long()
        there = (words > 0).to(torch.float32)[..., None]
        count = there.sum(2).clamp_min(1)
        last = (count[..., 0].long() - 1)[..., None, None]
        vectors = self.vectors[words]
        own = self.word(self.rows[words])
        if self.training:
            own = own * (torch.rand(words.shape, device=words.device) > self.word_drop)[..., None]

        def pooled(x):
            mean = (x * there).sum(2) / count
            return mean, torch.gather(x, 2, last.expand(-1, -1, 1, x.shape[-1]))[:, :, 0]

        (vector_mean, vector_last), (own_mean, own_last) = pooled(vectors), pooled(own)
        mean, end = self.vector(vector_mean) + own_mean, self.vector(vector_last) + own_last
        both = torch.cat([mean, end], -1)
        item = b["item"].long()[..., None]
        x = torch.where(item == data.COLUMN, self.column(both).float(), self.table(both).float())
        x = torch.where(item == data.TOKEN, mean.float(), x) + self.item(b["item"].long().clamp_max(2))
        x = x + self.kinds(b["kind"].long()) * (item == data.TOKEN)
        return x + (self.types(b["type"].long()) + self.flags(b["flag"].long())) * (item == data.COLUMN)

    def learn_names(self, texts, mixed, rounded=False):
        """Encodes the texts of names as the pretrained encoder now sees them."""
        if self.knows:
            self.known = self.lender[0].names(texts["ids"], texts["own"], mixed, rounded)

    def know(self, b):
        """What the pretrained encoder says of every item; networks that vote share it, once in a batch."""
        if "items" not in b:
            b["items"] = self.lender[0](b, self.known)
        items = b["items"]
        is_word = (b["item"] == data.TOKEN)[..., None]
        return torch.where(is_word, self.from_word(items).float(), self.from_name(items).float())

    def gaps(self, memory, b):
        """For each word, and for the question: the odds that nothing in the data answers to it, as logarithms."""
        words = self.missing(memory)[..., 0].float().masked_fill(b["item"] != data.TOKEN, HIDDEN)
        return words, words.amax(1)

    def encode(self, b):
        present = b["item"] < data.NONE
        x = self.embed(b)
        if self.knows:
            x = x + self.know(b)
        one = torch.eye(WIDTH, device=x.device, dtype=torch.bfloat16 if x.is_cuda else torch.float32)
        relation = F.embedding(b["relation"].int(), one)
        x = F.dropout(x, self.drop, self.training)
        for layer in self.encoder:
            x = layer(x, relation, present)
        return self.encoder_norm(x), present

    def remember(self, memory):
        """What the decoder asks of the items, once per question."""
        return [layer.split(layer.cross_kv(memory), 2) for layer in self.decoder], self.pointed(memory), self.point_k(memory)

    def decode(self, remembered, present, last, state, depth, past=None):
        """Scores of symbols and items. last: the token before, -1 at the start."""
        keys, pointed, point_k = remembered
        at = (last - self.symbols).clamp_min(-1)
        one_hot = (at[..., None] == torch.arange(present.shape[1], device=last.device)).to(pointed.dtype)
        written = self.symbol(torch.where((last >= 0) & (at < 0), last, torch.zeros_like(last)))
        x = torch.where((at >= 0)[..., None], (one_hot @ pointed).float(), written.float())
        x = F.dropout(x + self.state(state) + self.depth(depth), self.drop, self.training)
        hidden = torch.zeros(present.shape, device=x.device).masked_fill(~present, HIDDEN)[:, None, None, :]
        now = []
        for i, layer in enumerate(self.decoder):
            x, kv = layer(x, keys[i], hidden, past[i] if past else None)
            now.append(kv)
        x = self.decoder_norm(x)
        pointers = (self.point_q(x) @ point_k.transpose(1, 2)).float() / math.sqrt(x.shape[-1])
        pointers = pointers.masked_fill(~present[:, None, :], HIDDEN)
        return torch.cat([self.write(x).float(), pointers], -1), now
