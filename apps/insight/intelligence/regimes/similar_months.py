"""Months of the past that were like this one. Pure.

Similarity is the cosine between the inputs' percentiles, each counted from 50, the middle of its
own history: two months are similar if the same inputs are strained and the same are calm, however
strongly. It is 0 (the opposite) to 1 (the same).
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from math import sqrt

from apps.insight.intelligence.regimes.past_months import RegimeMonth
from apps.insight.intelligence.rules.regimes import HORIZONS, MONTH, regime_index

MAX_SIMILAR_MONTHS = 5
# months between two that are shown: neighbours are one episode
LEAST_MONTHS_APART = 6
OUTCOME_MONTHS = HORIZONS[-1] // MONTH
# share of the inputs that both months must have
LEAST_SHARED_INPUTS = 0.6
MIDDLE_PLACE = 50.0


@dataclass(frozen=True, slots=True)
class SimilarMonth:
    """A month of the past, how like it was, and the one that came 90 days later."""

    month: RegimeMonth
    similarity: float
    after: RegimeMonth | None


def find_similar_months(
    past: Sequence[RegimeMonth], now: RegimeMonth, *, figures_of: int
) -> list[SimilarMonth]:
    """Return the months most similar to this one, older than 90 days and apart from each other.

    A month with an unknown outcome is not used. `figures_of` is the month that at least half of the
    current figures are of or older.
    """
    numbered = {month.number: month for month in past}
    similar_months: list[SimilarMonth] = []
    # publishers are months late: a past month after this one would share figures with the present
    present = min(now.number, figures_of)
    old = (
        month
        for month in past
        if present - month.number > OUTCOME_MONTHS and month.number + OUTCOME_MONTHS in numbered
    )
    rated = [(measure_similarity(month.places, now.places), month) for month in old]
    for rate, regime_month in sorted(rated, key=lambda pair: (-(pair[0] or 0), -pair[1].number)):
        near = any(
            abs(regime_month.number - other.month.number) < LEAST_MONTHS_APART
            for other in similar_months
        )
        if rate is not None and not near:
            similar_months.append(
                SimilarMonth(regime_month, rate, numbered.get(regime_month.number + OUTCOME_MONTHS))
            )
        if len(similar_months) == MAX_SIMILAR_MONTHS:
            break
    return similar_months


def measure_similarity(month: Mapping[str, float], other: Mapping[str, float]) -> float | None:
    """Return how like two months are, 0 to 1; None where they share too few inputs."""
    shared = sorted(month.keys() & other.keys())
    if len(shared) < LEAST_SHARED_INPUTS * max(len(month), len(other)):
        return None
    first = [month[name] - MIDDLE_PLACE for name in shared]
    second = [other[name] - MIDDLE_PLACE for name in shared]
    lengths = sqrt(sum(a * a for a in first)) * sqrt(sum(b * b for b in second))
    if not lengths:
        return None
    cosine = sum(a * b for a, b in zip(first, second, strict=True)) / lengths
    return min(1.0, max(0.0, (1 + cosine) / 2))


def describe_similar_months(similar_months: Sequence[SimilarMonth]) -> str:
    """Return a sentence on the outcomes of similar months."""
    known = [
        (similar_month.month, similar_month.after)
        for similar_month in similar_months
        if similar_month.after is not None
    ]
    if not known:
        return "No past month was similar to this one."
    steps = [regime_index(after.score) - regime_index(month.score) for month, after in known]
    worse, better = sum(step > 0 for step in steps), sum(step < 0 for step in steps)
    return (
        f"Of {len(known)} similar months {worse} were in a worse regime 90 days later, "
        f"{better} in a better one, {len(known) - worse - better} in the same."
    )
