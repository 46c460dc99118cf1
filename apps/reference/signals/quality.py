"""How good an answer is: one function for every number that rests on series. Pure.

LIVE, PARTIAL or ESTIMATED, or no number at all (DESIGN section 5, Signals). An input counts while
its newest observation is not older than the series' `max_age`, measured from the day that it is of:
a publisher whose file is no longer updated answers as before, and only the days of its values show
that. Out of the bundled sample everything counts, and makes an answer ESTIMATED.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import date, datetime, timedelta
from decimal import Decimal

from apps.platform.common.days import month_number
from apps.platform.common.problems import DomainError
from apps.reference.signals.points import Point
from apps.reference.signals.quality_labels import Label

ENOUGH = Decimal("0.6")  # of the weight, below which there is no number
RETRY_AFTER_SECONDS = 600  # due files are fetched every ten minutes
DAY = timedelta(days=1)
TOLERATED = Decimal("0.1")  # of the weight that counts, above which estimates make it ESTIMATED


class TooFewInputs(DomainError):
    """Too little is known for a number: none is returned, and nothing is charged."""

    status, code, title = 503, "no_data", "No data"
    retry_after = RETRY_AFTER_SECONDS


@dataclass(frozen=True, slots=True, kw_only=True)
class SeriesInput:
    """What one series brings to an answer.

    `point` is None if nothing was observed, or if the history is too short to use it: `short` then
    says so (`describe_short_history`).
    """

    name: str
    weight: Decimal
    point: Point | None
    required: bool = False
    short: str = ""


@dataclass(frozen=True, slots=True, kw_only=True)
class Quality:
    """How good an answer is.

    `coverage` is 0 to 1; `as_of` is the oldest observation that counts (of the required ones, if
    there are any); `reasons` are codes such as `sample`, `proxy:NAME`, `stale:NAME`, `short:NAME`;
    `missing` names the series that did not count.
    """

    label: Label
    coverage: Decimal
    as_of: datetime
    reasons: tuple[str, ...]
    missing: tuple[str, ...]


def describe_short_history(months: int, *, of: int) -> str:
    """Return why a history of so many months cannot be used."""
    return f"history too short: {months} of {of} months"


def count_months(past: Sequence[tuple[date, Decimal]]) -> int:
    """Return how many whole months a history spans."""
    if not past:
        return 0
    first, last = past[0][0], past[-1][0]
    whole = month_number(last) - month_number(first)
    return whole - ((last + DAY).day != 1 and last.day < first.day)


def is_input_counted(series_input: SeriesInput, *, as_of: datetime) -> bool:
    """Return whether an input counts: it is there, and in age or of the sample."""
    point = series_input.point
    return point is not None and (point.sample or not point.stale(as_of))


def judge_quality(inputs: Sequence[SeriesInput], *, as_of: datetime) -> Quality:
    """Return how good an answer of these inputs is at a moment.

    Raises TooFewInputs below a coverage of 0.6, and where a required input does not count.
    """
    # coverage: the share of the weight that counts
    whole = sum((input_.weight for input_ in inputs), Decimal(0))
    good = [input_ for input_ in inputs if is_input_counted(input_, as_of=as_of)]
    weight = sum((series_input.weight for series_input in good), Decimal(0))
    coverage = weight / whole if whole else Decimal(0)
    missing = tuple(input_.name for input_ in inputs if input_ not in good)
    lacking = [input_.name for input_ in inputs if input_.required and input_.name in missing]
    why = {input_.name: _explain_not_counted(input_) for input_ in inputs if input_.name in missing}
    if lacking:
        raise missing_input_error(next(input_ for input_ in inputs if input_.name == lacking[0]))
    if not good or coverage < ENOUGH:
        text = "; ".join(f"{name}: {sentence}" for name, sentence in why.items())
        raise TooFewInputs(
            f"Too little is known for a number ({_format_coverage(coverage)}). {text}."
        )
    # an answer is as old as what it is named for
    needed = [series_input for series_input in good if series_input.required] or good
    # the reasons for a label below LIVE, in the order of the inputs
    codes = []
    for input_ in inputs:
        if input_.point is None:
            codes.append(f"{'short' if input_.short else 'missing'}:{input_.name}")
        elif input_.point.sample:
            codes.append("sample")
        elif input_.point.stale(as_of):
            codes.append(f"stale:{input_.name}")
        elif input_.point.estimated:
            codes.append(f"{input_.point.kind}:{input_.name}")
    return Quality(
        label=_choose_label(good, weight, coverage),
        coverage=coverage,
        as_of=min(series_input.point.at for series_input in needed if series_input.point),
        reasons=tuple(dict.fromkeys(codes)),
        missing=missing,
    )


def missing_input_error(series_input: SeriesInput) -> TooFewInputs:
    """Return the refusal for a required input that does not count."""
    return TooFewInputs(
        f"There is no number without {series_input.name}: {_explain_not_counted(series_input)}."
    )


def _explain_not_counted(series_input: SeriesInput) -> str:
    """Return why an input does not count."""
    if series_input.short:
        return series_input.short
    if series_input.point is None:
        return "nothing is known of it"
    return f"its newest value, of {series_input.point.day}, is too old"


def _format_coverage(coverage: Decimal) -> str:
    whole = int(coverage * 100)
    return f"{whole} % of the weight, {int(ENOUGH * 100)} % is required"


def _choose_label(good: Sequence[SeriesInput], weight: Decimal, coverage: Decimal) -> Label:
    rough = [
        series_input for series_input in good if series_input.point and series_input.point.estimated
    ]
    if (
        weight
        and sum((series_input.weight for series_input in rough), Decimal(0)) / weight > TOLERATED
    ):
        return "ESTIMATED"
    return (
        "LIVE"
        if coverage == 1 and not any(series_input.required for series_input in rough)
        else "PARTIAL"
    )
