"""What makes examples harder than they are, drawn anew for every batch."""
import torch
import torch.nn.functional as F

import data


class Changes:
    """Makes examples harder: hides unused columns, forgets matches, uses near words."""

    def __init__(self, args, vectors, speller, device):
        self.args, self.speller = args, speller
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
        near = self.near[word].gather(2, which)[..., 0]
        chosen = chosen & (b["item"] == data.TOKEN) & named.any(2) & ~valued.any(2) & (how > 0.45) & (self.speller.piece[near] >= 0)
        self.speller.exchange(b, chosen, near)
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
