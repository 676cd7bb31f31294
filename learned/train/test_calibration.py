"""Tests of calibration.py, on answers whose faults are known."""
import json
import os
import random
import tempfile
import unittest

import calibration


def trial(confidence, odds, use="lost"):
    return {"confidence": confidence, "agreement": 0.9, "rival": 0.1, "unnamed": 0, "misplaced": False,
            "words": [{"text": "w", "use": calibration.USES.index(use), "strict": False, "odds": odds}]}


def lines(seed=1):
    """Answers that are wrong where a lost word is in doubt; odds of named words say nothing."""
    r = random.Random(seed)
    for i in range(400):
        missing, odds = r.random() < 0.3, r.uniform(-6, 6)
        word = trial(r.uniform(0.5, 0.99), r.uniform(1, 6), "lost") if missing else trial(r.uniform(0.5, 0.99), odds, "named")
        yield {"db": f"db{i % 20}", "question": "?", "unanswerable": missing, "right": not missing and r.random() < 0.9, "trial": word}
    yield {"db": "db0", "question": "?", "unanswerable": True, "right": False, "trial": None}


class Calibration(unittest.TestCase):
    def written(self):
        with tempfile.TemporaryDirectory() as folder:
            path = os.path.join(folder, "trials.jsonl")
            with open(path, "w") as f:
                f.writelines(json.dumps(line) + "\n" for line in lines())
            return calibration.read([path], False)

    def test_doubt_never_speaks_for_an_answer(self):
        answers = self.written()
        self.assertEqual(len(answers), 400)
        w = calibration.fit(answers, calibration.weighed(answers, 0.2))
        worth = dict(zip(calibration.FOR + calibration.AGAINST, w.tolist()))
        self.assertTrue(all(worth[n] <= 0 for n in calibration.AGAINST), worth)
        self.assertLess(worth["lost"], 5 * worth["named"] - 0.1)

    def test_bounds_tell_the_unanswerable_apart(self):
        answers = self.written()
        judged = calibration.apart(answers, calibration.weighed(answers, 0.2))
        self.assertEqual(len(judged), len(answers))
        bound = calibration.quantile([s for s, a, _ in judged if a.right], 0.02)
        declined = [a for s, a, _ in judged if s < bound]
        missing = [a for a in answers if a.unanswerable]
        self.assertGreater(sum(a.unanswerable for a in declined), 0.8 * len(missing))

    def test_both_are_kept_beside_each_other(self):
        with tempfile.TemporaryDirectory() as folder:
            path = os.path.join(folder, "calibration.json")
            calibration.write(path, {"note": 1}, False)
            calibration.write(path, {"note": 2}, True)
            calibration.write(path, {"note": 3}, False)
            with open(path) as f:
                self.assertEqual(json.load(f), {"note": 3, "together": {"note": 2}})

    def test_steps_rise(self):
        steps = calibration.isotonic([(1, 1, 1), (0, 0, 1), (2, 0, 1), (3, 1, 2), (4, 1, 1)])
        self.assertEqual(steps, [(0, 0.0), (1, 0.5), (3, 1.0)])
        self.assertEqual([s for s, _ in calibration.smooth([(i, i) for i in range(100)], 3)], [0, 50, 99])

    def test_weights_make_the_unanswerable_a_share(self):
        answers = self.written()
        weights = calibration.weighed(answers, 0.2)
        heavy = sum(w for a, w in zip(answers, weights) if a.unanswerable)
        self.assertAlmostEqual(heavy / sum(weights), 0.2)


if __name__ == "__main__":
    unittest.main()
