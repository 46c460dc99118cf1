"""A headline that is no composite: scores of 0 to 100, weighed, whose shares sum to it. Pure."""

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import date
from decimal import Decimal
from typing import Any

from apps.intelligence import telling
from apps.intelligence.known import Known, rounded
from apps.signals import holding
from apps.signals.composing import LONG, place, split
from apps.signals.quality import Input, Quality


@dataclass(frozen=True, slots=True, kw_only=True)
class Scored:
    """One input: its strain of 0 to 100, of its last figure however old; None without any."""

    series: str
    weight: Decimal
    score: Decimal | None
    required: bool = False


@dataclass(frozen=True, slots=True, kw_only=True)
class Weighed:
    """The headline, what each input adds (see ComponentOut), and how good it is."""

    score: Decimal
    components: list[dict[str, Any]]
    quality: Quality


def weigh(known: Known, inputs: Sequence[Scored]) -> Weighed:
    """Return the weighted mean of what is known; the weights of the rest go to it.

    What is too old is held where it is more strained (apps/signals/holding.py). Raises Unavailable
    below a coverage of 0.6 and without a required input.
    """
    quality = known.judge([_input(known, one) for one in inputs])
    rated = [(one, one.score) for one in inputs
             if one.score is not None and one.series in known.points]  # fmt: skip
    kept = _held(known, rated)
    good = [pair for pair in rated if known.point(pair[0].series) or pair[0].series in kept]
    held = sum((one.weight for one, _ in good), Decimal(0))
    old = sum((one.weight for one, _ in good if one.series in kept), Decimal(0))
    shares = split([one.weight * score for one, score in good], held=held)
    return Weighed(
        score=sum(shares, Decimal(0)),
        components=[
            _told(known, one, score, share, held)
            for (one, score), share in zip(good, shares, strict=True)
        ],
        quality=holding.told(quality, kept, share=old / held),
    )


def _held(known: Known, rated: Sequence[tuple[Scored, Decimal]]) -> list[str]:
    told = {one.series: (one.weight, score) for one, score in rated}
    old = {name: told.pop(name) for name in [*told] if not known.point(name)}
    return holding.held(told.values(), old)


def _input(known: Known, one: Scored) -> Input:
    found = known.input(one.series, one.weight, required=one.required)
    if one.score is not None:
        return found
    return Input(name=one.series, weight=one.weight, point=None, required=one.required)


def _told(
    known: Known, one: Scored, score: Decimal, share: Decimal, held: Decimal
) -> dict[str, Any]:
    point = known.points[one.series]
    told = telling.seen(point, score=rounded(score, telling.HUNDREDTH))
    return told | {"weight": rounded(one.weight / held, telling.HUNDREDTH), "contribution": share}


def place_now(known: Known, series: str, *, direction: int = 1) -> Decimal | None:
    """Return the place of the newest value in its own history; None where that spans too little."""
    return last_place(known.history(series), direction=direction)


def last_place(
    past: Sequence[tuple[date, Decimal | float]], *, direction: int = 1
) -> Decimal | None:
    """Return the place of the last of these values among all; None under ten years of them."""
    if not past or past[-1][0] - past[0][0] < LONG:
        return None
    values = [Decimal(value) for _, value in past]
    return place(values[-1], sorted(values), direction)
