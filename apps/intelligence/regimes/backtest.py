"""The whole past, walked through month by month: each forecast knows what was known then. Pure."""

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from typing import Any

from apps.intelligence.regimes import chain
from apps.intelligence.regimes.past import Month
from apps.intelligence.rules import scoring
from apps.intelligence.rules.regimes import HORIZONS, MONTH, REGIMES, class_of

Method = Callable[[Sequence[Month], Month, int], list[float]]
LEARNT = 60  # months before the first forecast
BLOCK = 12  # months that are drawn together
OURS, WITHOUT = "chain with leading signals", "chain without them"
REFERENCES = ("climatology", "persistence", "plain Markov chain")
# what `transition-risk` answers with, what it is held against, and what else was tried
METHODS: dict[str, Method] = {
    OURS: lambda past, now, days: chain.chances(past, now, days),
    WITHOUT: lambda past, now, days: chain.chances(past, now, days, leads=()),
    "ordered regression": lambda past, now, days: chain.regressed(past, now.score, days),
    "climatology": lambda past, now, days: chain.climatology(past),
    "persistence": lambda past, now, days: chain.persistence(now.score),
    "plain Markov chain": lambda past, now, days: chain.plain(past, now.score, days),
}


@dataclass(frozen=True, slots=True)
class Foretold:
    """One forecast of one method, made at the end of a month, and what came."""

    method: str
    days: int
    month: Month
    chances: tuple[float, ...]
    came: int


def walk(months: Sequence[Month], told: Callable[[int, int], None]) -> Iterator[Foretold]:
    """Yield the forecasts of every method from the end of each month whose outcome is known.

    A month is among the past of its own forecast: by its end it is known; what comes after is
    not. `told(done, of)` hears how far it is.
    """
    numbered = {one.number: one for one in months}
    for at in range(LEARNT, len(months)):
        now, past = months[at], months[: at + 1]
        for days in HORIZONS:
            later = numbered.get(now.number + days // MONTH)
            if later is not None:
                for name, method in METHODS.items():
                    made = tuple(method(past, now, days))
                    yield Foretold(name, days, now, made, class_of(later.score))
        told(at + 1 - LEARNT, len(months) - LEARNT)


def report(months: Sequence[Month], told: Callable[[int, int], None]) -> dict[str, Any]:
    """Return how good each method was at each horizon; None for what cannot be told."""
    found = list(walk(months, told))
    return {
        "months": len(months),
        "from": months[0].day.isoformat() if months else None,
        "to": months[-1].day.isoformat() if months else None,
        "regimes": {
            name: sum(class_of(one.score) == at for one in months)
            for at, name in enumerate(REGIMES)
        },
        "horizons": {
            f"h{days}": _horizon([one for one in found if one.days == days]) for days in HORIZONS
        },
    }


def _horizon(found: Sequence[Foretold]) -> dict[str, Any]:
    by_method = {name: [one for one in found if one.method == name] for name in METHODS}
    brier = {
        name: [scoring.brier(one.chances, one.came) for one in some]
        for name, some in by_method.items()
    }
    return {
        "n": len(by_method[OURS]),
        "methods": {name: _scores(some, brier, name) for name, some in by_method.items()},
        "leadsAdd": {
            "whole": against(brier[OURS], brier[WITHOUT]),
            "laterHalf": against(_later(brier[OURS]), _later(brier[WITHOUT])),
        },
        "reliability": bins(
            (max(one.chances), 1, int(one.chances[one.came] == max(one.chances)))
            for one in by_method[OURS]
        ),
    }


def _later(scores: list[float]) -> list[float]:
    """Return the later half: of the past on which signals were chosen it is the smaller part."""
    return scores[len(scores) // 2 :]


def _scores(some: Sequence[Foretold], brier: dict[str, list[float]], name: str) -> dict[str, Any]:
    if not some:
        return {}
    ranked = [scoring.rps(one.chances, one.came) for one in some]
    right = [one.chances[one.came] == max(one.chances) for one in some]
    return {
        "brier": _short(sum(brier[name]) / len(some)),
        "rps": _short(sum(ranked) / len(some)),
        "accuracy": _short(sum(right) / len(some)),
        "skill": {one: against(brier[name], brier[one]) for one in REFERENCES if one != name},
        "skillByHalf": [
            _short(scoring.skill(brier[name][half], brier["climatology"][half]))
            for half in (slice(0, len(some) // 2), slice(len(some) // 2, None))
        ],
    }


def against(scores: Sequence[float], other: Sequence[float]) -> dict[str, Any]:
    """Return the skill of scores against others, with its interval."""
    within = scoring.interval(scores, other, block=BLOCK)
    return {
        "skill": _short(scoring.skill(scores, other)),
        "interval": [_short(one) for one in within] if within else None,
    }


def bins(cases: Any) -> list[dict[str, Any]]:
    """Return bins of reliability as they are told."""
    return [
        {"from": one.low, "to": one.high, "n": one.count, "said": _short(one.said),
         "came": _short(one.came)}
        for one in scoring.reliability(cases)
    ]  # fmt: skip


def _short(value: float | None) -> float | None:
    return None if value is None else round(value, 4)
