"""The mean of four quarters: Delegated Regulation (EU) 2022/1288, Article 6(3). Pure.

An impact is the average of the impacts at the four ends of quarters of a year, 31 March to 31
December.
"""

from collections.abc import Sequence
from datetime import date
from decimal import Decimal

from apps.insight.esg.sfdr.rules.formulas import NOTHING_CONCERNED, IndicatorOutcome, OutcomePart

QUARTER_ENDS = ((3, 31), (6, 30), (9, 30), (12, 31))


def is_full_year(ends: Sequence[date]) -> bool:
    """Tell whether these days are the four quarter ends of one year, each once."""
    month_ends = sorted((end.year, end.month, end.day) for end in ends)
    return bool(month_ends) and month_ends == [(month_ends[0][0], *end) for end in QUARTER_ENDS]


def average_outcomes(outcomes: Sequence[IndicatorOutcome], *, absolute: bool) -> IndicatorOutcome:
    """Return the mean of an indicator over quarters.

    A quarter without holdings of the kind adds nothing to an `absolute` figure and is left out of
    the mean of a ratio. A quarter with missing inputs is left out of both, and lowers the coverage.
    """
    concerned = [outcome for outcome in outcomes if outcome.applies]
    if not concerned or len(outcomes) == 1:
        return outcomes[0] if concerned else NOTHING_CONCERNED
    # emissions of a quarter without companies are zero, whereas a ratio of nothing is no value
    idle = len(outcomes) - len(concerned) if absolute else 0
    count = len(concerned) + idle
    values = [outcome.value for outcome in concerned if outcome.value is not None]
    covered = sum(
        (outcome.covered for outcome in concerned if outcome.value is not None), Decimal(0)
    )
    guessed = sum((outcome.estimated for outcome in concerned), Decimal(0))
    # a quarter without a known lower bound adds 0 to the sum, which keeps the mean a lower bound
    least_values = [
        indicator_outcome.least
        for indicator_outcome in concerned
        if indicator_outcome.least is not None
    ]
    average_least = sum(least_values, Decimal(0)) / count if least_values else None
    return IndicatorOutcome(
        sum(values, Decimal(0)) / (len(values) + idle) if values else None,
        (covered + 100 * idle) / count,
        guessed / count,
        tuple(sorted({name for outcome in concerned for name in outcome.missing})),
        tuple(_average_parts(concerned, idle)),
        least=average_least,
    )


def _average_parts(concerned: Sequence[IndicatorOutcome], idle: int) -> list[OutcomePart]:
    names = dict.fromkeys(
        part.name for indicator_outcome in concerned for part in indicator_outcome.parts
    )
    outcome_parts = []
    for name in names:
        same = [
            part
            for indicator_outcome in concerned
            for part in indicator_outcome.parts
            if part.name == name
        ]
        values = [part.value for part in same if part.value is not None]
        covered = sum((part.covered for part in same), Decimal(0)) + 100 * idle
        value = sum(values, Decimal(0)) / (len(values) + idle) if values else None
        outcome_parts.append(OutcomePart(name, value, covered / (len(concerned) + idle)))
    return outcome_parts
