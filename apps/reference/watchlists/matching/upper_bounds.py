"""The highest score that a listed name can reach, by its words, before it is aligned.

Aligning and pricing two names is what a search spends most on, and nearly all candidates turn out
to be too low. What is returned here is never lower than what `judge_alignment` returns.
"""

from collections.abc import Iterable
from dataclasses import dataclass

from apps.reference.watchlists.matching.alignment import TokenJoins, WeightedName
from apps.reference.watchlists.matching.score import compute_agreed_share, score_run_together
from apps.reference.watchlists.matching.score_ceilings import (
    SOLID,
    USUAL_SHARE,
    contradiction_weight,
    is_distinctive_token,
)
from apps.reference.watchlists.matching.scoring_profile import ScoringProfile
from apps.reference.watchlists.matching.similarity import Likenesses, Token

_ROUNDING = 1e-9


@dataclass(slots=True)
class _Counterpart:
    """The most that one listed token can agree with a token of the query, each by itself."""

    worth: float
    heft: float
    held: float
    solid: bool


class UpperBounds:
    """Bounds of the raw scores of listed names against one query, whose tokens are `alike`."""

    def __init__(
        self,
        *,
        query: WeightedName,
        listed: Iterable[Token],
        alike: Likenesses,
        joins: TokenJoins,
        prices: ScoringProfile,
    ) -> None:
        self._query, self._joins, self._prices = query, joins, prices
        self._heft = sum(token.weight for token in query.tokens)
        self._held = sum(contradiction_weight(token) for token in query.tokens)
        self._telling = sum(is_distinctive_token(token, query.group) for token in query.tokens)
        self._letters = sum(len(token.text) for token in query.tokens)
        self._initials = any(len(token.text) == 1 for token in query.tokens)
        sought = {token.text: token for token in query.tokens}
        tokens = {token.text: token for token in listed}
        self._counterparts: dict[str, _Counterpart] = {}
        for (text, other), likeness in alike.items():
            one = sought[text]
            worth = (one.weight + tokens[other].weight) / 2 * likeness.similarity**prices.sharpness
            solid = likeness.similarity >= SOLID and is_distinctive_token(one, query.group)
            held = contradiction_weight(one)
            best = self._counterparts.get(other)
            if best is None:
                self._counterparts[other] = _Counterpart(worth, one.weight, held, solid)
                continue
            best.worth, best.heft = max(worth, best.worth), max(one.weight, best.heft)
            best.held, best.solid = max(held, best.held), solid or best.solid

    def raw(self, listed: WeightedName) -> float:
        """Return the most that the raw score of a listed name can be."""
        # joined words agree as no pair of single words does: there is no cheap bound for them
        if self._joins.touch(self._query, listed):
            return 1.0
        prices, query = self._prices, self._query
        worth = heft = held = extra = unanswered = 0.0
        solid = 0
        for token in listed.tokens:
            found = self._counterparts.get(token.text)
            if found is None:
                extra += token.weight
                unanswered += contradiction_weight(token)
                continue
            worth += found.worth
            heft += found.heft
            held += found.held
            solid += found.solid
        together = self._together(listed)
        if not worth:
            return together
        share = compute_agreed_share(
            agreed=worth,
            whole=worth,
            missing=max(0.0, self._heft - heft),
            extra=extra,
            prices=prices,
        )
        bound = share
        if min(unanswered, self._held - held) > prices.contradicted + _ROUNDING:
            plain = prices.contradicted_ceiling + prices.contradicted_slope * (share - USUAL_SHARE)
            bound = min(bound, plain)
        if query.group == "person" and solid < 2 and self._has_more(listed):
            initials = self._initials or any(len(token.text) == 1 for token in listed.tokens)
            most = max(prices.lone_ceiling, prices.initial_ceiling if initials else 0.0)
            bound = min(bound, most)
        # the sums here are in another order than in `score`: rounding must not cut a name off
        return max(bound + _ROUNDING, together)

    def _together(self, listed: WeightedName) -> float:
        """Return the score without spaces; names of other lengths have none without legal forms."""
        letters = sum(len(token.text) for token in listed.tokens)
        if abs(letters - self._letters) > 1 and not (self._query.legal or listed.legal):
            return 0.0
        return score_run_together(self._query, listed)

    def _has_more(self, listed: WeightedName) -> bool:
        """Return whether either name has more than one telling token."""
        telling = sum(is_distinctive_token(token, listed.group) for token in listed.tokens)
        return max(self._telling, telling) > 1
