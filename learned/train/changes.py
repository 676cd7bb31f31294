"""What makes examples harder than they are, drawn anew for every batch."""
import torch
import torch.nn.functional as F

import data


class Changes:
    """Makes examples harder: hides unused columns, forgets matches, uses near words and synonyms."""

    def __init__(self, args, vectors, speller, device, synonyms=None):
        """synonyms: by word, those to be said for it."""
        self.args, self.speller = args, speller
        self.others = self.lists(synonyms or {}, len(vectors)).to(device)
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

    @staticmethod
    def lists(synonyms, words, most=24):
        """For each word so many of its synonyms, the same again where there are fewer; 0: none."""
        all_of = torch.zeros(words, most, dtype=torch.long)
        for word, others in synonyms.items():
            if word < words:
                all_of[word] = torch.tensor((others * (most // len(others) + 1))[:most])
        return all_of

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
        if a.said > 0:
            self.say(b, rand(size, n) < a.said * 2 * (rand(size, 1) < 0.5))
        if a.match_drop > 0:
            forget = rand(size, n, n) < a.match_drop * (rand(size, 1, 1) < 0.5)
            self.forget(b["relation"], forget, torch.randint(0, 5, (size, n, n), device=device, dtype=torch.uint8))

    def swap(self, b, chosen):
        """Replaces matched words of questions by near ones: their name matches become likeness."""
        relation, words = b["relation"], b["words"]
        word = words[:, :, 0].long()
        which = torch.randint(0, self.near.shape[1], word.shape, device=word.device)[..., None]
        how = self.how_near[word].gather(2, which)[..., 0]
        near = self.near[word].gather(2, which)[..., 0]
        named, chosen = self.exchange(b, chosen & (how > 0.45), near)
        bucket = ((how > 0.45).to(torch.uint8) + (how > 0.6) + (how > 0.75))[:, :, None]
        self.set_alike(relation, named & chosen[:, :, None], bucket)

    def say(self, b, chosen):
        """Replaces matched words of questions by synonyms, as which they are matched then."""
        word = b["words"][:, :, 0].long()
        which = torch.randint(0, self.others.shape[1], word.shape, device=word.device)[..., None]
        other = self.others[word].gather(2, which)[..., 0]
        named, chosen = self.exchange(b, chosen & (other > 0), other)
        self.set_alike(b["relation"], named & chosen[:, :, None], torch.full_like(chosen, 4, dtype=torch.uint8)[:, :, None])

    def exchange(self, b, chosen, words):
        """Puts words in the place of the chosen ones that name something and are no values; returns what they name, and which they are."""
        named = self.named(b["relation"])
        valued = self.valued(b["relation"]).any(2)
        chosen = chosen & (b["item"] == data.TOKEN) & named.any(2) & ~valued & (self.speller.piece[words] >= 0)
        self.speller.exchange(b, chosen, words)
        return named, chosen

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
        """Turns relations into likeness (0: none, 4: synonyms), both ways."""
        column = torch.where(bucket > 0, data.TOKEN_COLUMN + 14 + bucket, data.TOKEN_COLUMN)
        table = torch.where(bucket > 0, data.TOKEN_TABLE + 2 + bucket, data.TOKEN_TABLE)
        is_column = relation < data.COLUMN_TOKEN
        changed = torch.where(where, torch.where(is_column, column, table).to(relation.dtype), relation)
        shift = torch.where(is_column, data.COLUMN_TOKEN - data.TOKEN_COLUMN, data.TABLE_TOKEN - data.TOKEN_TABLE)
        back = (changed.short() + shift.short()).to(relation.dtype)
        relation.copy_(torch.where(where.transpose(1, 2), back.transpose(1, 2), changed))

    def forget(self, relation, forget, bucket):
        self.set_alike(relation, forget & self.named(relation), bucket)
