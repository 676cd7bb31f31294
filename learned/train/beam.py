"""Constrained beam search over many questions at once.

Every step is a handful of tensor operations: the automaton is tables, a
hypothesis is a row. Package nlq/net searches one question the same way: the
likeliest unfinished hypotheses go on, finished ones are set aside, and the
search ends when no unfinished one can still become one of the best.
"""
import torch
import torch.nn.functional as F

import data

DEEP = 2 * data.STEPS + 8  # states of a stack: a token adds at most two
LEAST = -1e9


class Automaton:
    """The grammar as tables on a device. Columns of them: symbols, then column, table, word."""

    def __init__(self, grammar, device):
        self.symbols, self.max_span, self.max_depth = len(grammar.symbols), grammar.raw["max_span"], grammar.raw["max_depth"]
        rows = len(grammar.rules) + 1  # the last: nothing more to derive
        kinds = self.symbols + 3
        most = 4
        self.allowed = torch.zeros(rows, kinds, dtype=torch.bool)
        self.pushed = torch.zeros(rows, kinds, most, dtype=torch.long)
        self.count = torch.zeros(rows, kinds, dtype=torch.long)
        self.deeper = torch.zeros(rows, dtype=torch.long)
        self.linking, self.last = torch.zeros(rows, dtype=torch.bool), torch.zeros(rows, dtype=torch.bool)
        for i, rule in enumerate(grammar.rules):
            entries = {grammar.ids[s]: p for s, p in rule["symbols"].items()}
            entries |= {self.symbols + k: rule[n] for k, n in enumerate(("column", "table", "word")) if rule[n] is not None}
            for kind, pushed in entries.items():
                self.allowed[i, kind] = True
                self.count[i, kind] = len(pushed)
                self.pushed[i, kind, :len(pushed)] = torch.tensor(pushed, dtype=torch.long)
            self.deeper[i], self.linking[i], self.last[i] = rule["depth"], rule["linking"], rule["last"]
        self.start = grammar.raw["start"][0]
        for name in ("allowed", "pushed", "count", "deeper", "linking", "last"):
            setattr(self, name, getattr(self, name).to(device))

    def begin(self, rows, device):
        stack = torch.full((rows, DEEP), -1, dtype=torch.long, device=device)
        stack[:, 0] = self.start
        return stack, torch.ones(rows, dtype=torch.long, device=device)

    def top(self, stack, size):
        return torch.where(size > 0, stack.gather(1, (size - 1).clamp_min(0)[:, None])[:, 0], len(self.allowed) - 1)

    def depth(self, stack, size):
        live = torch.arange(DEEP, device=stack.device)[None] < size[:, None]
        return (self.deeper[stack.clamp_min(0)] * live).sum(1).clamp_max(self.max_depth)

    def mask(self, top, last, item, linked):
        """Which symbols and items may follow, for each row."""
        allowed = self.allowed[top]
        s, n = self.symbols, item.shape[1]
        place = torch.arange(n, device=item.device)[None]
        column = (item == data.COLUMN) & (~self.linking[top][:, None] | linked)
        first = (last - s)[:, None]
        word = (item == data.TOKEN) & (~self.last[top][:, None] | ((place >= first) & (place < first + self.max_span)))
        items = column & allowed[:, s, None] | (item == data.TABLE) & allowed[:, s + 1, None] | word & allowed[:, s + 2, None]
        return torch.cat([allowed[:, :s], items], 1)

    def kind(self, token, item):
        """The column of the tables for a token."""
        at = (token - self.symbols).clamp_min(0)
        what = item.gather(1, at[:, None])[:, 0].long()
        pointer = self.symbols + torch.where(what == data.COLUMN, 0, torch.where(what == data.TABLE, 1, 2))
        return torch.where(token < self.symbols, token, pointer)

    def advance(self, stack, size, top, kind):
        stack, size = stack.clone(), size - 1
        count = self.count[top, kind]
        for i in range(self.pushed.shape[2]):
            at = (size + i).clamp(0, DEEP - 1)[:, None]
            value = torch.where((count > i)[:, None], self.pushed[top, kind, i][:, None], stack.gather(1, at))
            stack.scatter_(1, at, value)
        return stack, size + count


def pick(x, rows):
    return x.index_select(0, rows)


@torch.no_grad()
def search(networks, automaton, b, width, mixed):
    """The likeliest derivations of every question in b: lists of (log probability, tokens)."""
    questions, n = b["item"].shape
    device, k = b["item"].device, width
    rows = questions * k
    spread = torch.arange(questions, device=device).repeat_interleave(k)
    item, linked = b["item"][spread].long(), b["linked"][spread]
    remembered, present = [], None
    with mixed():
        for net in networks:
            memory, present = net.encode(b)
            keys, pointed, point_k = net.remember(memory)
            remembered.append(([(key[spread], value[spread]) for key, value in keys], pointed[spread], point_k[spread]))
    present = present[spread]
    stack, size = automaton.begin(rows, device)
    score = torch.full((questions, k), LEAST, device=device)
    score[:, 0] = 0
    tokens = torch.zeros(rows, 0, dtype=torch.long, device=device)
    last = torch.full((rows,), -1, dtype=torch.long, device=device)
    past = [None] * len(networks)
    done = torch.full((questions, k), LEAST, device=device)
    texts = torch.full((questions, k, data.STEPS), -1, dtype=torch.long, device=device)
    for step in range(data.STEPS):
        top = automaton.top(stack, size)
        state, depth = top.clamp_max(len(automaton.allowed) - 2), automaton.depth(stack, size)
        mask = automaton.mask(top, last, item, linked)
        chance = 0
        for i, net in enumerate(networks):
            with mixed():
                scores, past[i] = net.decode(remembered[i], present, last[:, None], state[:, None], depth[:, None], past[i])
            chance = chance + F.softmax(scores[:, -1].masked_fill(~mask, LEAST), -1) / len(networks)
        logs = chance.clamp_min(1e-12).log().masked_fill(~mask, LEAST)
        total = (score.view(rows, 1) + logs).view(questions, -1)
        best, at = total.topk(2 * k, 1)
        from_row = (at // logs.shape[1] + torch.arange(questions, device=device)[:, None] * k)
        token = at % logs.shape[1]
        flat = from_row.view(-1)
        kind = automaton.kind(token.view(-1), item[flat])
        ended = ((size[flat] - 1 + automaton.count[top[flat], kind]) == 0).view(questions, 2 * k)
        grown = torch.cat([tokens[flat], token.view(-1, 1)], 1)
        # Finished ones compete with those finished before.
        all_done = torch.cat([done, torch.where(ended, best, LEAST)], 1)
        padded = F.pad(grown, (0, data.STEPS - grown.shape[1]), value=-1).view(questions, 2 * k, -1)
        done, chosen = all_done.topk(k, 1)
        texts = torch.cat([texts, padded], 1).gather(1, chosen[..., None].expand(-1, -1, data.STEPS))
        # Unfinished ones go on.
        score, chosen = torch.where(ended, LEAST, best).topk(k, 1)
        token = token.gather(1, chosen).view(-1)
        parent = from_row.gather(1, chosen).view(-1)
        kind = automaton.kind(token, item[parent])
        stack, size = automaton.advance(pick(stack, parent), pick(size, parent), pick(top, parent), kind)
        tokens = torch.cat([pick(tokens, parent), token[:, None]], 1)
        last = token
        past = [[(pick(key, parent), pick(value, parent)) for key, value in p] for p in past]
        if bool((score[:, 0] <= done[:, k - 1]).all()):
            break
    return texts.cpu().tolist(), done.cpu().tolist()


def names(text, about, symbols):
    """Tokens as the grammar writes them."""
    q, c, out = about["tokens"], about["columns"], []
    for token in text:
        if token < 0:
            break
        at = token - len(symbols)
        out.append(symbols[token] if at < 0 else f"q{at}" if at < q else f"c{at - q}" if at < q + c else f"t{at - q - c}")
    return out


def candidates(networks, automaton, grammar, b, about, width, mixed):
    """For each question of a batch its derivations with their log probabilities, best first."""
    texts, scores = search(networks, automaton, b, width, mixed)
    return [
        [(s, names(t, a, grammar.symbols)) for t, s in zip(some, values) if s > LEAST / 2]
        for some, values, a in zip(texts, scores, about)
    ]
