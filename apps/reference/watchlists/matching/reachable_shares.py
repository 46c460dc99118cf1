"""How much of a name can agree at best, before anything is compared letter by letter."""

import numpy as np
from numpy.typing import NDArray

from apps.reference.watchlists.matching.score import compute_agreed_share
from apps.reference.watchlists.matching.scoring_profile import ScoringProfile

Floats = NDArray[np.float32]
_HALVINGS = 8  # of the range in which the least agreement is looked for


def estimate_reachable_shares(
    *, agreed: Floats, missing: Floats, extra: Floats, prices: ScoringProfile
) -> Floats:
    """Return about the best shares that names can reach, of many names at once."""
    against = prices.missing * missing + prices.extra * extra
    # the formula of compute_agreed_share, for arrays: what is estimated must be what is priced
    against += prices.contradiction * np.minimum(missing, extra)
    flaw = 1 - agreed / (agreed + against + 1e-9)
    return 1 - flaw * (1 + prices.thin * np.maximum(0, 1 - agreed / prices.enough))


def find_least_agreement(
    raw: float, *, whole: float, given: float, rest_is_missing: bool, prices: ScoringProfile
) -> float:
    """Return the agreement below which no name can reach a raw score.

    `given` is what agrees in any case. What does not agree of the `whole` is missing, or extra.
    """
    low, high = 0.0, whole
    # the share rises with the agreement, so halving finds the bound; `low` is on the safe side
    for _halving in range(_HALVINGS):
        agreed = (low + high) / 2
        rest = whole - agreed
        share = compute_agreed_share(
            agreed=agreed + given,
            whole=agreed + given,
            missing=rest if rest_is_missing else 0,
            extra=0 if rest_is_missing else rest,
            prices=prices,
        )
        low, high = (low, agreed) if share >= raw else (agreed, high)
    return low
