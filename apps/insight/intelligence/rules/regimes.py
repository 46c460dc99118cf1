"""Regimes by a score of 0 to 100, and the direction of a forecast (3 §2.6). Pure."""

from collections.abc import Sequence

# version of the method of `transition-risk`
VERSION = "4"
REGIMES = ("STABLE", "ELEVATED", "STRESSED", "CRITICAL", "CRISIS")
# points of the score that make one regime
REGIME_WIDTH = 20
REGIME_EDGES = tuple(REGIME_WIDTH * at for at in range(1, len(REGIMES)))
# days
HORIZONS = (30, 60, 90)
MONTH = 30
# horizon whose forecast gives the direction
TREND_HORIZON = 60
# by how much a worse regime must be more likely than a better one, or the other way round
TREND_MARGIN = 0.15
DETERIORATING, STEADY, IMPROVING = "DETERIORATING", "STEADY", "IMPROVING"
TRENDS = (DETERIORATING, STEADY, IMPROVING)


def regime_index(score: float) -> int:
    """Return the place of a score's regime among REGIMES: 20 is no longer STABLE."""
    return max(0, min(len(REGIMES) - 1, int(score // REGIME_WIDTH)))


def trend_of_chances(chances: Sequence[float], now: int) -> str:
    """Return the direction of a forecast from the chances of all regimes and the present one."""
    leaning = sum(chances[now + 1 :]) - sum(chances[:now])
    if leaning >= TREND_MARGIN:
        return DETERIORATING
    return IMPROVING if leaning <= -TREND_MARGIN else STEADY
