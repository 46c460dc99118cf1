"""Whether other weights separate bad weeks from good ones worse than those in force. Pure."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from apps.insight.stability.oracle.rules.weight_updates import EACH_FROM

# hundredths of AUC that a change may lose
WORSE = 2


@dataclass(frozen=True, slots=True)
class ResolvedWeek:
    """A resolved prediction: the layers' values as they were, and how it turned out."""

    bad: bool
    values: Mapping[str, int]


def count_ordered_pairs(
    weeks: Sequence[ResolvedWeek], weights: Mapping[str, int]
) -> tuple[int, int]:
    """Return how many pairs of a bad and a good week the score orders rightly, and of how many.

    Both in half pairs; their ratio is the AUC.
    """
    bad = [_weighted_score(week, weights) for week in weeks if week.bad]
    good = [_weighted_score(week, weights) for week in weeks if not week.bad]
    # a bad week should have had the lower score; a tie counts half
    right = sum(2 if low < high else 1 for low in bad for high in good if low <= high)
    return right, 2 * len(bad) * len(good)


def _weighted_score(week: ResolvedWeek, weights: Mapping[str, int]) -> int:
    """Return the mean of a week's known layers by weight, in thousandths of their unit."""
    held_weight = sum(weights[name] for name in week.values)
    total = sum(weights[name] * value for name, value in week.values.items())
    return total * 1000 // held_weight if held_weight else 0


def explain_refusal(*, before: tuple[int, int], after: tuple[int, int], each: int) -> str:
    """Return why a change may not be proposed, or an empty text; `each` is of the rarer kind."""
    if each < EACH_FROM:
        return (
            f"Fewer than {EACH_FROM} bad or good weeks: too few to show that the change is not "
            "worse."
        )
    (right, pairs), (becomes, _) = before, after
    if 100 * (right - becomes) > WORSE * pairs:
        return (
            f"Bad weeks would be separated less well: AUC {right / pairs:.3f} becomes "
            f"{becomes / pairs:.3f}."
        )
    return ""
