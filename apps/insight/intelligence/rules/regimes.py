"""Regimes by a score of 0 to 100, and words for where they go (3 §2.6). Pure."""

from collections.abc import Sequence

VERSION = "4"  # of the method of `transition-risk`
REGIMES = ("STABLE", "ELEVATED", "STRESSED", "CRITICAL", "CRISIS")
REGIME_WIDTH = 20  # points of the score that are one regime
REGIME_EDGES = tuple(REGIME_WIDTH * at for at in range(1, len(REGIMES)))
HORIZONS = (30, 60, 90)  # days
MONTH = 30
TREND_HORIZON = 60  # forecast horizons in days
TREND_MARGIN = (
    0.15  # by how much a worse regime is likelier than a better one, or the other way round
)
DETERIORATING, STEADY, IMPROVING = "DETERIORATING", "STEADY", "IMPROVING"
TRENDS = (DETERIORATING, STEADY, IMPROVING)


def regime_index(score: float) -> int:
    """Return the place of a score's regime among REGIMES: 20 is no longer STABLE."""
    return max(0, min(len(REGIMES) - 1, int(score // REGIME_WIDTH)))


def trend_of_chances(chances: Sequence[float], now: int) -> str:
    """Return where things go, by the chances of all regimes and the place of the present one."""
    leaning = sum(chances[now + 1 :]) - sum(chances[:now])
    if leaning >= TREND_MARGIN:
        return DETERIORATING
    return IMPROVING if leaning <= -TREND_MARGIN else STEADY
