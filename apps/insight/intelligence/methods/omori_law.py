"""Fit the Omori-Utsu law to the aftershocks in a history."""

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass

import numpy as np

# least size of shocks and of aftershocks, in standard deviations
MAIN, AFTER = 2.0, 1.0
# months after a shock in which moves are counted as its aftershocks
REACH_MONTHS = 12
# fewest shocks, and fewest aftershocks, for a fit
LEAST_SHOCKS = 5
# grid of c, in months, from 0.1 to 5
DELAYS = tuple(index / 10 for index in range(1, 51))
# grid of p, from 0 (no decay) to 3
POWERS = tuple(index / 20 for index in range(61))
# half of 5.99, which chi squared of two degrees passes in one case of twenty
LEAST_LIKELIHOOD_GAIN = 3.0


@dataclass(frozen=True, slots=True)
class Shock:
    """A shock of the past: its month, its size in per cent."""

    month: int
    size: float


@dataclass(frozen=True, slots=True, kw_only=True)
class OmoriLaw:
    """Aftershocks in a month are k·(t + c)^-p, t months after a shock of the mean size.

    `background` is the number in an average month, `gain` the log-likelihood of the law over that
    of a constant rate.
    """

    k: float
    c: float
    p: float
    shocks: tuple[Shock, ...]
    aftershocks: int
    deviation: float
    mean_size: float
    background: float
    gain: float

    @property
    def decays(self) -> bool:
        """Whether the decay is significant: a likelihood ratio test with two parameters, at 5 %."""
        return self.gain > LEAST_LIKELIHOOD_GAIN

    def rate(self, month: int) -> float:
        """Return the expected aftershocks in a month after a shock; the first month is 1."""
        return self.k * (month + self.c) ** -self.p


def monthly_changes(months: Mapping[int, float]) -> dict[int, float]:
    """Return each month's change over the month before, in per cent."""
    return {
        at: 100 * (value / months[at - 1] - 1) for at, value in months.items() if months.get(at - 1)
    }


def find_shocks(moves: Mapping[int, float], deviation: float) -> list[Shock]:
    """Return moves of two deviations or more without a larger one in the twelve months before."""
    return [
        Shock(at, abs(move))
        for at, move in sorted(moves.items())
        if abs(move) >= MAIN * deviation
        # a move that follows a larger one is an aftershock of that
        and all(abs(moves.get(at - back, 0.0)) <= abs(move) for back in range(1, REACH_MONTHS + 1))
    ]


def fit_omori_law(months: Mapping[int, float]) -> OmoriLaw | None:
    """Return the law of a history; None with fewer than five shocks or aftershocks.

    Maximum likelihood of Poisson counts, on a grid of c and p; k follows from both.
    """
    moves = monthly_changes(months)
    deviation = float(np.std(list(moves.values()))) if moves else 0.0
    mains = find_shocks(moves, deviation)
    bound = AFTER * deviation
    counts, watched = [0] * REACH_MONTHS, [0] * REACH_MONTHS
    for main in mains:
        for back in range(REACH_MONTHS):
            move = moves.get(main.month + back + 1)
            if move is not None:
                # months without a value, or after the end of the history, were not observed
                watched[back] += 1
                counts[back] += abs(move) >= bound
    if len(mains) < LEAST_SHOCKS or sum(counts) < LEAST_SHOCKS or not deviation:
        return None
    best = max(
        ((c, p) for c in DELAYS for p in POWERS),
        key=lambda parameters: _log_likelihood(counts, watched, *parameters),
    )
    return OmoriLaw(
        k=_fit_height(counts, watched, *best),
        c=best[0],
        p=best[1],
        shocks=tuple(mains),
        aftershocks=sum(counts),
        deviation=deviation,
        mean_size=sum(main.size for main in mains) / len(mains),
        background=sum(abs(move) >= AFTER * deviation for move in moves.values()) / len(moves),
        gain=_log_likelihood(counts, watched, *best) - _log_likelihood(counts, watched, 1.0, 0.0),
    )


def _fit_height(counts: Sequence[int], watched: Sequence[int], c: float, p: float) -> float:
    # the k of maximum likelihood for given c and p: expected counts sum to the observed ones
    return sum(counts) / sum(n * (at + c) ** -p for at, n in enumerate(watched, 1))


def _log_likelihood(counts: Sequence[int], watched: Sequence[int], c: float, p: float) -> float:
    k = _fit_height(counts, watched, c, p)
    expected = [n * k * (at + c) ** -p for at, n in enumerate(watched, 1)]
    return sum(
        seen * math.log(expected_count) - expected_count
        for seen, expected_count in zip(counts, expected, strict=True)
        if expected_count > 0
    )
