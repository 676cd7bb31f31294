"""Prepared examples on the device, and which of them are learned and judged."""
import pickle
import random

import torch

import data

FOREIGN = "foreign"  # the set of questions that their databases do not answer


def pairs(text):
    return {k: float(v) for k, v in (x.split("=") for x in text.split(",") if x)}


class Examples:
    """The groups on the device, and which of their examples are learned or judged."""

    def __init__(self, args, device):
        with open(args.data, "rb") as f:
            prepared = pickle.load(f)
        self.texts = {k: torch.from_numpy(v).to(device) for k, v in prepared["texts"].items()}
        groups = prepared["groups"]
        learn, judge = set(args.train.split(",")), set(args.judge.split(",")) - {""}
        self.groups, self.learned, self.judged = [], {}, []
        most = {}
        for g, group in enumerate(groups):
            tensors = {k: torch.from_numpy(v).to(device) for k, v in group["arrays"].items()}
            self.groups.append((tensors, group["about"]))
            for i, about in enumerate(group["about"]):
                base = data.base(about["set"])
                parts = [data.part(about[k], args.parts) for k in ("db", "origin")] if args.parts > 0 else []
                out = args.part in parts
                if base in learn and not out and (about["target"] or base == FOREIGN):
                    self.learned.setdefault(base, []).append((g, i))
                elif base in judge or (out and base in learn and base != "synthetic"):
                    most[base] = most.get(base, 0) + 1
                    if most[base] <= args.judge_most:
                        self.judged.append((g, i))

    def frequent(self, least):
        """Word ids that questions and schemas learned from have often."""
        count = {}
        for some in self.learned.values():
            by_group = {}
            for g, i in some:
                by_group.setdefault(g, []).append(i)
            for g, rows in by_group.items():
                tensors = self.groups[g][0]
                rows = torch.tensor(rows, device=tensors["words"].device)
                words = tensors["words"][rows][tensors["item"][rows] == data.TOKEN][:, 0]
                ids, n = torch.unique(words, return_counts=True)
                for word, times in zip(ids.tolist(), n.tolist()):
                    count[word] = count.get(word, 0) + times
        return sorted(w for w, n in count.items() if n >= least or w in (1, 2))

    def epoch(self, args, done):
        """Shuffled batches: (group, rows)."""
        share, until, chosen = pairs(args.share), pairs(args.until), {}
        for name, some in self.learned.items():
            if done >= until.get(name, 2):
                continue
            for g, i in random.sample(some, min(len(some), int(share.get(name, len(some))))):
                chosen.setdefault(g, []).append(i)
        batches = []
        for g, rows in chosen.items():
            random.shuffle(rows)
            items = self.groups[g][0]["item"].shape[1]
            size = max(8, min(args.batch, args.batch * 192**2 // items**2))
            batches += [(g, rows[i:i + size]) for i in range(0, len(rows), size)]
        random.shuffle(batches)
        return batches

    def batch(self, g, rows):
        tensors, about = self.groups[g]
        pieces, names = (max(about[i]["pieces"][k] for i in rows) for k in (0, 1))
        longest = {"piece": pieces, "piece_word": pieces, "name_text": names, "name_place": names, "name_item": names}
        chosen = torch.as_tensor(rows, device=tensors["item"].device)
        b = {k: (v[:, :longest[k]] if k in longest else v).index_select(0, chosen) for k, v in tensors.items()}
        b["foreign"] = torch.tensor([data.base(about[i]["set"]) == FOREIGN for i in rows], device=chosen.device)
        return b
