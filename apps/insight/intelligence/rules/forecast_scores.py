"""Score forecasts of ordered classes: scores, skill, intervals, reliability. Pure.

Brier 1950; Epstein 1969 for ranked probabilities; Künsch 1989 for the bootstrap of blocks.
"""

import random
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from itertools import accumulate

Chances = Sequence[float]
# cases below which a bin or an interval would show chance and nothing else
LEAST_CASES = 20
BOOTSTRAP_DRAWS = 1000
# any number would do; fixed, so that the same cases give the same interval
BOOTSTRAP_SEED = 20_260_101


@dataclass(frozen=True, slots=True)
class ReliabilityBin:
    """Forecasts of like confidence: how sure they were on average, and how often they were right.

    `low` and `high` are the bounds of the confidence, 0 to 1; `count` is how many forecasts.
    """

    low: float
    high: float
    count: int
    said: float
    came: float


def brier_score(chances: Chances, came: int) -> float:
    """Return the squared distance of a forecast from the outcome, 0 to 2; 0 is perfect."""
    return sum((chance - (at == came)) ** 2 for at, chance in enumerate(chances))


def ranked_probability_score(chances: Chances, came: int) -> float:
    """Return the ranked probability score, 0 to 1: a miss by two classes is worse than by one."""
    steps = list(accumulate(chances))[:-1]
    return sum((step - (at >= came)) ** 2 for at, step in enumerate(steps)) / len(steps)


def skill_score(scores: Sequence[float], against: Sequence[float]) -> float | None:
    """Return 1 less the ratio of two mean scores; None without cases or where nothing is to gain.

    Above 0 the forecast is better than its reference.
    """
    whole = sum(against)
    return 1 - sum(scores) / whole if whole else None


def skill_interval(
    scores: Sequence[float], against: Sequence[float], *, block: int
) -> tuple[float, float] | None:
    """Return the 95 per cent bootstrap interval of a skill, from cases in order of time.

    None with fewer than 20 cases, or fewer than two blocks.
    """
    count = len(scores)
    if count < max(LEAST_CASES, 2 * block):
        return None
    # circular block bootstrap: blocks of neighbours, wrapping around the end, keep what these have
    # in common
    own, other = _block_sums(scores, block), _block_sums(against, block)
    draw = random.Random(BOOTSTRAP_SEED)  # noqa: S311  repeatable on purpose, and no secret
    skills = []
    for _ in range(BOOTSTRAP_DRAWS):
        starts = [draw.randrange(count) for _ in range(-(-count // block))]
        whole = sum(other[at] for at in starts)
        if whole:
            skills.append(1 - sum(own[at] for at in starts) / whole)
    skills.sort()
    return (skills[len(skills) // 40], skills[-1 - len(skills) // 40]) if skills else None


def _block_sums(values: Sequence[float], block: int) -> list[float]:
    """Return the sum of the block that begins with each value."""
    total = [0.0, *accumulate([*values, *values[:block]])]
    return [total[at + block] - total[at] for at in range(len(values))]


def bin_by_confidence(
    cases: Iterable[tuple[float, int, int]], *, least: int = LEAST_CASES
) -> list[ReliabilityBin]:
    """Return bins of forecasts by how sure they were; none has fewer than `least`.

    `cases` are (confidence, how many forecasts had it, how many of those were right). Tenths with
    too few cases are merged into the next, a remainder into the last. None if all have too few.
    """
    bins: list[ReliabilityBin] = []
    binned: list[tuple[float, int, int]] = []
    low = 0.0
    rows = sorted(cases)
    for at, row in enumerate(rows):
        binned.append(row)
        # 1e-9: a confidence of 0.7 must not fall below its bound as a float
        tenth = min(int(row[0] * 10 + 1e-9), 9)
        last = at + 1 == len(rows) or min(int(rows[at + 1][0] * 10 + 1e-9), 9) > tenth
        if last and sum(count for _, count, _ in binned) >= least:
            bins.append(_build_bin(low, (tenth + 1) / 10, binned))
            low, binned = (tenth + 1) / 10, []
    if binned and bins:
        before = bins.pop()
        last_bin = (before.said, before.count, round(before.came * before.count))
        bins.append(_build_bin(before.low, 1.0, [last_bin, *binned]))
    return bins


def _build_bin(low: float, high: float, cases: Sequence[tuple[float, int, int]]) -> ReliabilityBin:
    count = sum(size for _, size, _ in cases)
    stated = sum(confidence * size for confidence, size, _ in cases) / count
    return ReliabilityBin(low, high, count, stated, sum(right for _, _, right in cases) / count)
