"""Finds the listed names worth aligning, and judges them."""

import json
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from functools import lru_cache
from itertools import pairwise
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from apps.reference.names.cpu_budget import check_cpu_budget
from apps.reference.names.words.word_classes import PERSON_NAMES
from apps.reference.watchlists.listed_entity import Schema
from apps.reference.watchlists.matching.alignment import (
    TokenJoins,
    WeightedName,
    align_tokens,
    build_token_joins,
)
from apps.reference.watchlists.matching.index_builder import SCHEMAS
from apps.reference.watchlists.matching.mapped_files import (
    Ints,
    MappedMultimap,
    MappedRows,
    hash_text,
    load_mapped_array,
    sort_distinct,
)
from apps.reference.watchlists.matching.name_normalization import Group
from apps.reference.watchlists.matching.reachable_shares import (
    Floats,
    estimate_reachable_shares,
    find_least_agreement,
)
from apps.reference.watchlists.matching.score import calibrate_score, judge_alignment
from apps.reference.watchlists.matching.scoring_profile import ScoringProfile
from apps.reference.watchlists.matching.similarity import (
    Likenesses,
    Sound,
    Token,
    build_token_from_facts,
    compare_tokens,
)
from apps.reference.watchlists.matching.token_index import TokenKin, Vocabulary
from apps.reference.watchlists.matching.token_weights import TokenFacts, is_particle
from apps.reference.watchlists.matching.upper_bounds import UpperBounds

SHORTLIST = 48
SLACK = 0.85  # the estimate leaves out initials and joins: keep what is a little below
INITIAL_WORTH = 0.5  # about the agreement of an initial with its name
_ROUNDING = 1e-3  # what sums in single precision may be off
_SHORTEST_RUN = 5
_DENSE = 4  # if one in so many names is a candidate, all are examined
_NOBODY = np.empty(0, dtype=np.int32)
_NOTHING = np.empty(0, dtype=np.float32)


@dataclass(frozen=True, slots=True)
class SoughtName:
    """The searched name, and the vocabulary's facts about its tokens.

    `known` has its tokens, and each two neighbours joined, by their number; `places` are the
    positions in `kin` of tokens of two letters or more. `candidates` caches the results at a
    cutoff: the same name is searched again as that of a ship.
    """

    form: WeightedName
    known: Mapping[str, tuple[int, Sound]]
    places: Mapping[str, int]
    kin: TokenKin
    candidates: "dict[tuple[Schema | None, float], Candidates]" = field(default_factory=dict)


@dataclass(frozen=True, slots=True)
class Candidates:
    """The listed names worth aligning, by number and as read, and the most that each can score."""

    numbers: Sequence[int]
    names: Sequence[WeightedName]
    likenesses: Likenesses
    joins: TokenJoins
    most: Sequence[float]


@dataclass(slots=True)
class ScoreFloor:
    """The score below which no further name is wanted; it rises as better ones are found."""

    score: float


class GroupIndex:
    """The mapped names of one group: persons, or things."""

    def __init__(
        self,
        *,
        directory: Path,
        group: Group,
        vocabulary: Vocabulary,
        prices: ScoringProfile,
        persons: "GroupIndex | None" = None,
    ) -> None:
        self._group, self._vocabulary, self._prices = group, vocabulary, prices
        self._senses = MappedRows(directory=directory, name="senses")
        self._tokens = MappedRows(directory=directory, name="tokens")
        self._postings = MappedRows(directory=directory, name="postings")
        self._runs = MappedMultimap(directory=directory, name="runs")
        self._token_weights = load_mapped_array(directory / "weights.npy")
        self.counts = load_mapped_array(directory / "counts.npy")
        # for `personal`: both groups ask the persons' names whether people are called by a token
        self._borne = (persons or self).counts
        self._places = load_mapped_array(directory / "places.npy")
        self._heft = load_mapped_array(directory / "heft.npy")
        self._entities = load_mapped_array(directory / "entities.npy")
        self._numbers = load_mapped_array(directory / "numbers.npy")
        self._schemas = load_mapped_array(directory / "schemas.npy")
        self._weak = load_mapped_array(directory / "weak.npy")
        self._aside = load_mapped_array(directory / "aside.npy")
        aside = json.loads((directory / "aside.json").read_text())
        self._set_aside = [(tuple(legal), ideographs) for legal, ideographs in aside]
        # per index: the cache goes with the list set whose numbers it holds
        self._token = lru_cache(maxsize=16384)(self._read_token)
        self._form = lru_cache(maxsize=16384)(self._read_form)
        self._spare: list[tuple[Floats, Floats]] = []

    def facts(self, number: int, text: str) -> TokenFacts | None:
        """Return what the group knows of a token, None where no name of it has the token."""
        if not self.counts[number]:
            return None
        return TokenFacts(
            weight=float(self._token_weights[number]),
            count=int(self.counts[number]),
            senses=frozenset(self._senses[number].tolist()),
            place=bool(self._places[number]),
            particle=is_particle(text, self._group),
            personal=text in PERSON_NAMES or bool(self._borne[number]),
        )

    def whole(self, texts: Sequence[str], sizes: Sequence[int]) -> list[int]:
        """Return places of texts that, run together, are a listed name of so many tokens."""
        places, names = self._runs.find([hash_text(text) for text in texts])
        lengths = self._tokens.starts[names + 1] - self._tokens.starts[names]
        return (
            sort_distinct(places[lengths == np.array(sizes)[places]]).tolist()
            if len(places)
            else []
        )

    def run_together(self, texts: Sequence[str]) -> list[int]:
        """Return places of texts that are a listed name of several tokens without blanks."""
        places, names = self._runs.find([hash_text(text) for text in texts])
        several = self._tokens.starts[names + 1] - self._tokens.starts[names] > 1
        return sort_distinct(places[several]).tolist() if len(places) else []

    def is_alone(self, number: int) -> bool:
        """Return whether a token is a whole listed name."""
        names = self._postings[number]
        return bool((self._tokens.starts[names + 1] - self._tokens.starts[names] == 1).any())

    def _read_token(self, number: int) -> Token:
        text, sound = self._vocabulary.spelling(number)
        facts = self.facts(number, text)
        assert facts is not None, "a name of the group has the token"
        return build_token_from_facts(text=text, facts=facts, sound=sound)

    def search(
        self, *, sought: SoughtName, schema: Schema | None, cutoff: float, wanted: ScoreFloor
    ) -> Iterator[tuple[int, int, float]]:
        """Yield entity position, number of its name and score of the names that may match.

        Those that can score most come first; what cannot be `wanted` any more is left out.
        """
        if not sought.form.tokens or not len(self._entities):
            return
        asked = schema, cutoff
        # a search of the same name with other facts, or as a ship's, shares this work
        if asked not in sought.candidates:
            query = sought.form
            shortlist = self._shortlist(sought, schema, self._prices.raw(cutoff))
            names = [self._form(name_id) for name_id in shortlist]
            tokens = {token.text: token for name in names for token in name.tokens}
            check_cpu_budget()
            pairs = compare_tokens(
                left=query.tokens, right=list(tokens.values()), group=self._group
            )
            joins = build_token_joins(query, names)
            # cheap bounds first: most candidates are never aligned
            bounds = UpperBounds(
                query=query, listed=tokens.values(), alike=pairs, joins=joins, prices=self._prices
            )
            most = [self._prices.calibrated(bounds.raw(listed)) for listed in names]
            sought.candidates[asked] = Candidates(shortlist, names, pairs, joins, most)
        candidate = sought.candidates[asked]
        for at in sorted(range(len(candidate.names)), key=lambda at: -candidate.most[at]):
            check_cpu_budget()
            # in falling order: no later one can score more
            if candidate.most[at] < wanted.score:
                return
            alignment = align_tokens(
                query=sought.form,
                listed=candidate.names[at],
                likenesses=candidate.likenesses,
                joins=candidate.joins,
            )
            raw = judge_alignment(alignment, self._prices).raw
            name_id = candidate.numbers[at]
            score = calibrate_score(raw=raw, weak=bool(self._weak[name_id]), prices=self._prices)
            yield int(self._entities[name_id]), int(self._numbers[name_id]), score

    def _read_form(self, name_id: int) -> WeightedName:
        legal, ideographs = self._set_aside[self._aside[name_id]]
        return WeightedName(
            tokens=tuple(self._token(number) for number in self._tokens[name_id].tolist()),
            legal=legal,
            group=self._group,
            ideographs=ideographs,
        )

    def _shortlist(self, sought: SoughtName, schema: Schema | None, raw: float) -> list[int]:
        query = sought.form
        names, agreed = self._agreement(sought, least=self._least_agreement(query, raw * SLACK))
        joined = self._joined(sought)
        if not len(names) and not len(joined):
            return []
        estimate = self._estimate(query, agreed, self._heft[names])
        keep = estimate >= raw * SLACK
        names = np.concatenate((names[keep], joined))
        # 2.0 is above any share: what agrees only when run together has no estimate and must stay
        estimate = np.concatenate((estimate[keep], np.full(len(joined), 2.0)))
        # persons are a group of their own; the other types share one and are told apart here
        if schema not in (None, "Unknown", "Person"):
            held = self._schemas[names]
            keep = (held == SCHEMAS.index(schema)) | (held == SCHEMAS.index("Unknown"))
            names, estimate = names[keep], estimate[keep]
        if len(names) > SHORTLIST:
            # a partition is enough, since the shortlist is sorted by its own bounds later
            names = names[np.argpartition(-estimate, SHORTLIST)[:SHORTLIST]]
        # ascending: the numbers lie in memory like this, and results do not depend on the partition
        return sort_distinct(names).tolist()

    def _agreement(self, sought: SoughtName, *, least: float) -> tuple[Ints, Floats]:
        """Return the names that agree with the query by at least `least`, and by how much."""
        kin = sought.kin
        heft = np.zeros(len(sought.places), dtype=np.float32)
        times = np.zeros(len(sought.places))
        for token in sought.form.tokens:
            place = sought.places.get(token.text)
            if place is not None:
                heft[place] = token.weight
                times[place] += 1
        similarity = kin.meant if self._group == "thing" else kin.spelt
        like = (similarity > 0) & (times[kin.places] > 0) & (self.counts[kin.numbers] > 0)
        places, numbers = kin.places[like], kin.numbers[like]
        both = (heft[places] + self._token_weights[numbers]) / 2
        # the same price as in `score`, so that the estimate is comparable with a raw score
        worth = both * similarity[like] ** self._prices.sharpness * times[places]
        if not len(places):
            return _NOBODY, _NOTHING
        # by token and then by worth: the strongest likeness of a name is written last
        order = np.lexsort((worth, places))
        places, worth = places[order], worth[order]
        last = np.flatnonzero(np.append(places[1:] != places[:-1], True))
        # even the best token of each place together would not reach it: no posting need be read
        if worth[last].sum() < least - _ROUNDING:
            return _NOBODY, _NOTHING
        names, lengths = self._postings.take(numbers[order])
        return self._summed(names, worth.repeat(lengths), lengths.cumsum()[last].tolist(), least)

    def _summed(
        self, names: Ints, worth: "NDArray[np.float64]", ends: list[int], least: float
    ) -> tuple[Ints, Floats]:
        """Sum over the tokens, which end at `ends`, the strongest likeness that each name has."""
        agreed, strongest = self._scratch()
        start = 0
        for end in ends:
            some = names[start:end]
            strongest[some] = worth[start:end]
            # after the assignment the last of equal positions has won, which is the strongest: only
            # that one is added, however often the name was filed
            agreed[some] += strongest[some]
            start = end
        if least > 0 and len(names) * _DENSE > len(agreed):  # quicker than one by one
            found = np.flatnonzero(agreed >= least).astype(np.int32)
            sums = agreed[found]
            agreed.fill(0)
        else:
            found = sort_distinct(names[agreed[names] >= least])
            sums = agreed[found]
            # only what was touched: clearing the whole array for a few names would take longer
            agreed[names] = 0
        self._spare.append((agreed, strongest))
        return found, sums

    def _scratch(self) -> tuple[Floats, Floats]:
        """Return two arrays of a number per name, the first all zero: allocating them is slow."""
        try:
            return self._spare.pop()  # no other thread has them until they are returned
        except IndexError:
            size = len(self._entities)
            return np.zeros(size, dtype=np.float32), np.empty(size, dtype=np.float32)

    def _joined(self, sought: SoughtName) -> Ints:
        """Return names that write together what the query writes apart, or the other way round."""
        texts = [token.text for token in sought.form.tokens]
        whole = "".join(texts)
        keys = {hash_text(text) for text in texts if len(text) >= _SHORTEST_RUN} | {
            hash_text(whole)
        }
        names = self._runs.get(list(keys))[:SHORTLIST]
        # in the order of the text: a set would give another shortlist in another process
        runs = dict.fromkeys(one + other for one, other in pairwise(texts))
        known = [sought.known[run][0] for run in runs if run in sought.known]
        together = [self._postings[number][:SHORTLIST] for number in known]
        return np.concatenate((names, *together)) if together else names

    def _estimate(self, query: WeightedName, agreed: Floats, heft: Floats) -> Floats:
        """Return about the best share that names can reach, from their agreement and weight.

        Initials are taken to stand for as many names that nothing else stands for.
        """
        whole, initials = _weigh_query_tokens(query)
        missing = np.maximum(whole - agreed, 0)
        extra = np.maximum(heft - agreed, 0)
        stood_for = np.minimum(extra, initials)
        extra = extra - stood_for
        agreed = agreed + stood_for * INITIAL_WORTH
        return estimate_reachable_shares(
            agreed=agreed, missing=missing, extra=extra, prices=self._prices
        )

    def _least_agreement(self, query: WeightedName, raw: float) -> float:
        """Return the agreement below which no name can reach the raw score."""
        whole, initials = _weigh_query_tokens(query)
        return find_least_agreement(
            raw,
            whole=whole,
            given=initials * INITIAL_WORTH,
            rest_is_missing=True,
            prices=self._prices,
        )


def _weigh_query_tokens(query: WeightedName) -> tuple[float, int]:
    """Return the weight of the tokens of a query but for a person's initials, and their number."""
    initials = 0
    if query.group == "person":
        initials = sum(len(token.text) == 1 for token in query.tokens)
    return sum(t.weight for t in query.tokens if not initials or len(t.text) > 1), initials
