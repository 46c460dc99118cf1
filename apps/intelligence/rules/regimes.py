"""Regimes by a score of 0 to 100, and words for where they go (3 §2.6). Pure."""

from collections.abc import Sequence

VERSION = "4"  # of the method of `transition-risk`
REGIMES = ("STABLE", "ELEVATED", "STRESSED", "CRITICAL", "CRISIS")
WIDTH = 20  # points of the score that are one regime
EDGES = tuple(WIDTH * at for at in range(1, len(REGIMES)))
HORIZONS = (30, 60, 90)  # days
MONTH = 30
TREND = 60  # days ahead at which it is told where things go
MARGIN = 0.15  # by how much a worse regime is likelier than a better one, or the other way round
DETERIORATING, STEADY, IMPROVING = "DETERIORATING", "STEADY", "IMPROVING"
TRENDS = (DETERIORATING, STEADY, IMPROVING)


def class_of(score: float) -> int:
    """Return the place of a score's regime among REGIMES: 20 is no longer STABLE."""
    return max(0, min(len(REGIMES) - 1, int(score // WIDTH)))


def regime_of(score: float) -> str:
    """Return the regime of a score."""
    return REGIMES[class_of(score)]


def trend_of(chances: Sequence[float], now: int) -> str:
    """Return where things go, by the chances of all regimes and the place of the present one."""
    leaning = sum(chances[now + 1 :]) - sum(chances[:now])
    if leaning >= MARGIN:
        return DETERIORATING
    return IMPROVING if leaning <= -MARGIN else STEADY
