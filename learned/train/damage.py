"""Questions that lose what they ask for, so that a network learns to miss it.

Each kind of damage hides a column, a table or a value that the derivation uses, or
exchanges the word that names one, in some questions of a batch. All are tensor
operations on the device.
"""
import torch

import data


class Speller:
    """The pieces of single words, for words that are exchanged in a question."""

    def __init__(self, table, pieces, device, most=20000):
        self.piece = torch.full((len(table.vectors),), -1, dtype=torch.long)
        for word, i in table.ids.items():
            of = pieces.of(word)
            if len(of) == 1 and of[0] != pieces.unknown:
                self.piece[i] = of[0]
        usual = torch.arange(len(self.piece))
        self.usual = usual[(self.piece >= 0) & (usual >= 100) & (usual < most)].to(device)
        self.piece = self.piece.to(device)

    def exchange(self, b, chosen, ids):
        """Puts other words in the place of the chosen ones: their ids, and their pieces."""
        b["words"][:, :, 0] = torch.where(chosen, ids.to(b["words"].dtype), b["words"][:, :, 0])
        owner = b["piece_word"].long()
        of = owner.clamp_min(0)
        changed = chosen.gather(1, of) & (owner >= 0)
        first = changed & (owner != torch.cat([torch.full_like(owner[:, :1], -9), owner[:, :-1]], 1))
        b["piece"] = torch.where(first, self.piece[ids.gather(1, of)].to(b["piece"].dtype), b["piece"])
        b["piece_word"] = torch.where(changed & ~first, torch.full_like(b["piece_word"], -2), b["piece_word"])


def names_matched(b):
    """Pairs of a word and a column or table whose name or value it is of."""
    r = b["relation"].short()
    column, table = r - data.TOKEN_COLUMN, r - data.TOKEN_TABLE
    matched = (column >= 1) & (column < 15) | (table >= 1) & (table <= 2)
    item = b["item"]
    there = ((item < data.NONE) & (item != data.TOKEN))[:, None, :]
    return matched & (item == data.TOKEN)[:, :, None] & there


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
    """Takes items away; returns which words have lost all that they matched."""
    before = names_matched(b)
    b["item"] = torch.where(items, torch.full_like(b["item"], data.NONE), b["item"])
    return before.any(2) & ~names_matched(b).any(2)


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


def forget(b, words):
    """Takes away all relations of words to columns and tables."""
    r = b["relation"].short()
    spans = ((data.TOKEN_COLUMN, 21, words[:, :, None]), (data.TOKEN_TABLE, 7, words[:, :, None]),
             (data.COLUMN_TOKEN, 21, words[:, None, :]), (data.TABLE_TOKEN, 7, words[:, None, :]))
    for none, width, of_word in spans:  # the first relation of a span is none at all
        related = (r >= none) & (r < none + width) & of_word
        b["relation"] = torch.where(related, torch.full_like(b["relation"], none), b["relation"])


def say_nothing(b, chosen, symbols, speller):
    """Exchanges the only word that names a used item, or a value of a used column that is not named, for one that has
    nothing to do with it."""
    r = b["relation"].short()
    column, table = r - data.TOKEN_COLUMN, r - data.TOKEN_TABLE
    item = b["item"]
    there = (item == data.TOKEN)[:, :, None] & (item < data.NONE)[:, None, :]
    named = ((column == 5) | (column == 10) | (table == 1) | (table == 2)) & there
    valued = ((column == 1) | (column == 2)) & there  # as text; 3 and 4: a number within bounds
    pointed = pointed_at(b, symbols)
    used = (pointed | b["used"] & (item == data.TABLE)) & (item != data.TOKEN)
    alone = used & (named.sum(1) == 1)
    unnamed = used & (item == data.COLUMN) & (named.sum(1) == 0) & (valued.sum(1) == 1)
    can = (named & alone[:, None, :]).any(2) | (valued & unnamed[:, None, :]).any(2) & pointed
    word = one_of(can & chosen[:, None])
    ids = speller.usual[torch.randint(0, len(speller.usual), word.shape, device=word.device)]
    speller.exchange(b, word, ids)
    forget(b, word)
    return word.any(1), word


def damage(args, b, symbols, speller, kind=None):
    """Damages some questions. Returns which, which words say nothing, and of which questions that is known.

    kind: damage every question in this one way instead, as far as it can be.
    """
    draw = torch.rand(len(b["item"]), device=b["item"].device)
    first, second, third = args.lost_column, args.lost_column + args.lost_table, args.lost_column + args.lost_table + args.lost_word
    if kind is not None:
        draw = torch.full_like(draw, (0.0, first, second)[kind])
    gone, words = lose_column(b, draw < first, symbols)
    also, lost = lose_table(b, (draw >= first) & (draw < second))
    gone, words = gone | also, words | lost
    also, said = say_nothing(b, (draw >= second) & (draw < third), symbols, speller)
    gone, words = gone | also, words | said
    words = words & gone[:, None]
    return gone, words, ~gone | words.any(1)
