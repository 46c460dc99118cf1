"""How good an answer is: one function for every number that rests on series. Pure.

LIVE, PARTIAL or ESTIMATED, or no number at all (DESIGN section 5, Signals). An input counts while
its newest observation is not older than the series' `max_age`, measured from the day that it is
of: a publisher whose file stands still answers as before, and only its days tell. Out of the
bundled sample everything counts, and makes an answer ESTIMATED.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime
from decimal import Decimal
from typing import Literal

from apps.core.problems import DomainError
from apps.signals.points import Point

Label = Literal["LIVE", "PARTIAL", "ESTIMATED"]
ENOUGH = Decimal("0.6")  # of the weight, below which there is no number
AGAIN = 600  # seconds after which it is worth asking again: files are looked for every ten minutes
TOLERATED = Decimal("0.1")  # of the weight that counts, above which estimates make it ESTIMATED


class Unavailable(DomainError):
    """Too little is known for a number: none is given, and none is charged."""

    status, code, title = 503, "no_data", "No data"

    def __init__(self, detail: str) -> None:
        super().__init__(detail, retry_after=AGAIN)


@dataclass(frozen=True, slots=True, kw_only=True)
class Input:
    """What one series brings to an answer; `point` is None where nothing was observed."""

    name: str
    weight: Decimal
    point: Point | None
    required: bool = False


@dataclass(frozen=True, slots=True, kw_only=True)
class Quality:
    """How good an answer is. `coverage` is 0 to 1; `as_of` is the oldest observation that counts
    (of the required ones, where there are any); `reasons` are codes such as `sample`, `proxy:NAME`,
    `stale:NAME`; `missing` names the series that did not count.
    """

    label: Label
    coverage: Decimal
    as_of: datetime
    reasons: tuple[str, ...]
    missing: tuple[str, ...]


def counts(one: Input, *, as_of: datetime) -> bool:
    """Tell whether an input counts: it is there, and in age or of the sample."""
    point = one.point
    return point is not None and (point.sample or not point.stale(as_of))


def judge(inputs: Sequence[Input], *, as_of: datetime) -> Quality:
    """Return how good an answer of these inputs is at a moment.

    Raises Unavailable below a coverage of 0.6, and where a required input does not count.
    """
    whole = sum((one.weight for one in inputs), Decimal(0))
    good = [one for one in inputs if counts(one, as_of=as_of)]
    held = sum((one.weight for one in good), Decimal(0))
    coverage = held / whole if whole else Decimal(0)
    missing = tuple(one.name for one in inputs if one not in good)
    lacking = [one.name for one in inputs if one.required and one.name in missing]
    if lacking:
        raise Unavailable(f"There is no {lacking[0]} in age: there is no number without it.")
    if not good or coverage < ENOUGH:
        raise Unavailable(f"Too few series are in age: {', '.join(missing)} would be needed.")
    needed = [one for one in good if one.required] or good
    return Quality(
        label=_label(good, held, coverage),
        coverage=coverage,
        as_of=min(one.point.at for one in needed if one.point),
        reasons=_reasons(inputs, as_of),
        missing=missing,
    )


def _label(good: Sequence[Input], held: Decimal, coverage: Decimal) -> Label:
    rough = [one for one in good if one.point and one.point.estimated]
    if held and sum((one.weight for one in rough), Decimal(0)) / held > TOLERATED:
        return "ESTIMATED"
    return "LIVE" if coverage == 1 and not any(one.required for one in rough) else "PARTIAL"


def _reasons(inputs: Sequence[Input], as_of: datetime) -> tuple[str, ...]:
    told = []
    for one in inputs:
        if one.point is None:
            told.append(f"missing:{one.name}")
        elif one.point.sample:
            told.append("sample")
        elif one.point.stale(as_of):
            told.append(f"stale:{one.name}")
        elif one.point.estimated:
            told.append(f"{one.point.kind}:{one.name}")
    return tuple(dict.fromkeys(told))
