"""The index turned round: not whom a name finds, but who would find it.

Parties that came up are filed as listed ones are, with the weights of the live lists. Asked with a
listed party it gives all whose names, sought on that list, may bring it up: what `GroupIndex` would
take into its shortlist, without the shortlist's end, and with some slack.
"""

from itertools import pairwise
from pathlib import Path
from typing import cast

import numpy as np
from rapidfuzz.distance import OSA

from apps.reference.names.scripts.korean_chinese_syllables import is_syllabic_name
from apps.reference.watchlists.listed_entity import ListedEntity
from apps.reference.watchlists.matching.alignment import WeightedName, align_tokens
from apps.reference.watchlists.matching.candidates import (
    INITIAL_WORTH,
    GroupIndex,
    SoughtName,
    _weigh_query_tokens,
)
from apps.reference.watchlists.matching.identifiers import compute_identifier_key
from apps.reference.watchlists.matching.index import MatchIndex
from apps.reference.watchlists.matching.mapped_files import Ints, hash_text
from apps.reference.watchlists.matching.reachable_shares import (
    Floats,
    estimate_reachable_shares,
    find_least_agreement,
)
from apps.reference.watchlists.matching.score import judge_alignment
from apps.reference.watchlists.matching.similarity import (
    Token,
    build_token_from_facts,
    compare_tokens,
)
from apps.reference.watchlists.matching.thresholds import LOOK
from apps.reference.watchlists.matching.token_weights import TokenWeights

FLOOR = 0.30  # the matcher's own: what is even less alike is not sought
DRIFT = 0.05  # weights are those of the list as it was when the parties were filed
SLACK = 0.78  # the estimate leaves out initials and joins, and weights drift from list to list
WITHIN = 0.85  # a listed name with this share in a longer text may be spotted there
_SHORTEST_RUN = 5


class ReverseGroupIndex(GroupIndex):
    """The names of parties in one group, asked who of them would look for a listed name."""

    lent: TokenWeights  # of the live lists: a party's words are those of who asks, not of a list

    def askers(self, *, sought: SoughtName, cutoffs: Floats) -> set[int]:
        """Return the positions of parties whose names may find a listed one.

        `cutoffs` has by position the score that a name must reach by itself.
        """
        form = sought.form
        if not form.tokens or not len(self._entities):
            return set()
        least, usual = (self._prices.raw(one) * SLACK for one in (FLOOR, LOOK))
        names, agreed = self._agreement(sought, least=self._least(form, least))
        # a party with more known facts has a lower cutoff, as these may raise its score
        slack = np.where(cutoffs[self._entities[names]] > FLOOR, usual, least)
        likely = self._turned(form, agreed, self._heft[names]) >= slack
        within = agreed >= WITHIN * sum(token.weight for token in form.tokens)
        texts = [token.text for token in sought.form.tokens]
        whole = "".join(texts)
        keys = {hash_text(text) for text in texts if len(text) >= _SHORTEST_RUN} | {
            hash_text(whole)
        }
        runs = [one + other for one, other in pairwise(texts)]
        known = self._vocabulary.known(list(dict.fromkeys([*runs, whole])))
        together = [self._postings[number] for number, _sound in known.values()]
        found = set(
            self._entities[np.concatenate((self._runs.get(list(keys)), *together))].tolist()
        )
        found |= self._scored(form, names[likely], cutoffs)
        found |= self._spotting(form, names[within & ~likely])
        return found

    def _read_token(self, number: int) -> Token:
        text, sound = self._vocabulary.spelling(number)
        facts = self.lent.facts(token=text, group=self._group)
        return build_token_from_facts(text=text, facts=facts, sound=sound)

    def _scored(self, listed: WeightedName, names: Ints, cutoffs: Floats) -> set[int]:
        """Return the parties whose names score enough against the listed one."""
        rows = [self._tokens[name].tolist() for name in names]
        # all names at once: comparing tokens in one matrix is far quicker than name by name
        held = {number: self._token(number) for row in rows for number in row}
        pairs = compare_tokens(left=list(held.values()), right=listed.tokens, group=self._group)
        found: set[int] = set()
        for name, row in zip(names.tolist(), rows, strict=True):
            position = int(self._entities[name])
            if position in found:
                continue
            legal, ideographs = self._set_aside[self._aside[name]]
            tokens = tuple(held[number] for number in row)
            weighted_name = WeightedName(
                tokens=tokens, legal=legal, group=self._group, ideographs=ideographs
            )
            alike = pairs
            if is_syllabic_name(tuple(token.text for token in tokens)):  # judged name by name
                alike = compare_tokens(left=tokens, right=listed.tokens, group=self._group)
            alignment = align_tokens(query=weighted_name, listed=listed, likenesses=alike)
            score = self._prices.calibrated(judge_alignment(alignment, self._prices).raw)
            if score >= cutoffs[position] - DRIFT:
                found.add(position)
        return found

    def _spotting(self, listed: WeightedName, names: Ints) -> set[int]:
        """Return the parties whose longer names contain the words of the listed one."""
        wanted = [token.text for token in listed.tokens]
        found = set()
        for name in names.tolist():
            held = [self._token(number) for number in self._tokens[name].tolist()]
            if sum(_contains_word(word, held) for word in wanted) >= len(wanted) - (
                len(wanted) > 2
            ):
                found.add(int(self._entities[name]))
        return found

    def _turned(self, form: WeightedName, agreed: Floats, asked: Floats) -> Floats:
        """Return about the share that each party's name can reach as the one that is sought."""
        listed, initials = _weigh_query_tokens(form)
        # query and list have changed places: what the party's name has in addition is missing
        missing = np.maximum(asked - agreed, 0)
        extra = np.maximum(listed - agreed, 0)
        stood_for = np.minimum(missing, initials)
        missing = missing - stood_for
        agreed = agreed + stood_for * INITIAL_WORTH
        return estimate_reachable_shares(
            agreed=agreed, missing=missing, extra=extra, prices=self._prices
        )

    def _least(self, form: WeightedName, raw: float) -> float:
        """Return the agreement below which no name can reach the raw score."""
        listed, initials = _weigh_query_tokens(form)
        return find_least_agreement(
            raw,
            whole=listed,
            given=initials * INITIAL_WORTH,
            rest_is_missing=False,
            prices=self._prices,
        )


def _contains_word(word: str, tokens: list[Token]) -> bool:
    """Return whether a name contains a word, misspelt by at most one letter."""
    return any(
        token.text == word
        or (len(word) > 3 and OSA.distance(token.text, word, score_cutoff=1) <= 1)
        for token in tokens
    )


class PartyIndex(MatchIndex):
    """An opened index of parties that came up; `ref` of each is its number."""

    GROUP = ReverseGroupIndex

    def __init__(
        self, *, directory: Path, profile: str = "list", lender: MatchIndex | None = None
    ) -> None:
        super().__init__(directory=directory, profile=profile, lender=lender)
        for group in self._groups.values():
            cast(ReverseGroupIndex, group).lent = self.weights

    def askers(self, entity: ListedEntity, *, cutoffs: Floats) -> set[int]:
        """Return the positions of parties whose look-up may find a listed party.

        By a name that scores by itself what `cutoffs` has for the party, or by an identifier.
        """
        found: set[int] = set()
        for name in entity.names:
            for sought in self._sought(name.full, entity.schema):
                group = cast(ReverseGroupIndex, self._groups[sought.form.group])
                found |= group.askers(sought=sought, cutoffs=cutoffs)
        keys = [compute_identifier_key(identifier) for identifier in entity.identifiers]
        return found | set(self._identifiers.get(keys).tolist())
