"""Recomputes the evidence of recorded releases with NumPy and compares it with what Starpost computed.

    python3 bench/verdict/recompute_evidence.py test/fixtures/verdict-sequences.jsonl

Written from the formulas in docs/development/verdict-test.md, without the service's code: wealth as products of matrices instead
of running sums of logarithms. Ends with 1 where a value differs by more than 1e-9 of itself.
"""

import json
import sys

import numpy as np

ODDS = np.array([1.5, 2.5, 5.0, 12.0])


def answers(reviews, question_count):
    """A matrix of 0 and 1: reviews by questions."""
    marks = np.array([marks for _, marks in reviews], dtype=np.int64).reshape(-1, 1)
    return (marks >> np.arange(question_count)) & 1


def merge_small(strata, past_strata):
    names, counts = np.unique(past_strata, return_counts=True)
    large = set(names[counts >= 30])
    return np.array([name if name in large else "" for name in strata], dtype=object)


def match_blocks(strata, pool_strata):
    """For each review the indices of the past reviews that settle its bets; empty where none is left."""
    rest = {name: list(np.flatnonzero(pool_strata == name)) for name in set(pool_strata)}
    usable = unused = len(pool_strata)
    blocks = []
    for name in strata:
        own = rest.get(name, [])
        size = int(min(len(own), np.ceil(4 * unused / usable)))
        blocks.append([own.pop() for _ in range(size)])
        unused -= size
    return blocks


def shares(training, training_strata, name):
    common = (training.sum(axis=0) + 0.5) / (len(training) + 1)
    own = training[training_strata == name]
    return (own.sum(axis=0) + 10 * common) / (len(own) + 10)


def wealth(past, reviews, question_count, worse_by):
    """E-values after each review: (worse, fine), reviews by questions."""
    past_strata = np.array([name for name, _ in past], dtype=object)
    strata = merge_small([name for name, _ in reviews], past_strata)
    past_strata = merge_small(past_strata, past_strata)
    y, x = answers(past, question_count), answers(reviews, question_count)
    cut = len(past) // 8
    blocks = match_blocks(strata, past_strata[cut:])
    worse = np.ones((len(reviews), question_count, len(ODDS)))
    fine = np.ones((len(reviews), question_count))
    p = (y[:cut].sum(axis=0) + 0.5) / (cut + 1)
    raised = np.minimum(p + worse_by, 0.95)
    stake = np.minimum(0.95 / (1 - worse_by), worse_by / (1.25 * raised * (1 - raised)))
    for index, block in enumerate(blocks):
        if not block:
            continue
        settled = y[cut:][block]
        p = shares(y[:cut], past_strata[:cut], strata[index])[:, None]
        q = ODDS * p / (1 - p + ODDS * p)
        c = (len(block) * p + q) / (len(block) + 1)
        new = np.where(x[index][:, None] == 1, q / c, (1 - q) / (1 - c))
        old = np.where(settled[:, :, None] == 1, p / c, (1 - p) / (1 - c))
        worse[index] = new * old.prod(axis=0)
        rise = x[index] - settled.mean(axis=0)
        fine[index] = 1 + stake * (worse_by - rise)
    return worse.cumprod(axis=0).mean(axis=2), fine.cumprod(axis=0)


def recompute(sequence):
    weights = np.array(sequence["weights"])
    all_wealth = [
        wealth(past, sequence["reviews"], len(weights), sequence["worseBy"])
        for past in sequence["pasts"]
    ]
    worse = np.min([worse for worse, _ in all_wealth], axis=0) @ weights
    return worse, all_wealth[0][1].min(axis=1)


def main(path):
    with open(path, encoding="utf-8") as file:
        sequences = [json.loads(line) for line in file]
    largest = 0.0
    for sequence in sequences:
        for name, values in zip(("worse", "fine"), recompute(sequence)):
            recorded = np.array(sequence[name])
            largest = max(largest, np.max(np.abs(values - recorded) / np.abs(recorded)))
    print(f"{len(sequences)} sequences, largest relative difference {largest:.1e}")
    return 0 if largest <= 1e-9 else 1


if __name__ == "__main__":
    sys.exit(main(sys.argv[1]))
