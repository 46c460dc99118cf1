"""Finds the listed names worth aligning, and judges them."""

import json
from collections import Counter
from collections.abc import Iterator
from functools import lru_cache
from itertools import pairwise
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from apps.watchlists.matching.alignment import Form, align, form_of
from apps.watchlists.matching.build import SCHEMAS
from apps.watchlists.matching.keys import sense_keys, sought_keys
from apps.watchlists.matching.lexicon import TokenFacts, TokenWeights
from apps.watchlists.matching.names import Group
from apps.watchlists.matching.phonetics import ABJAD
from apps.watchlists.matching.profile import Profile
from apps.watchlists.matching.score import judge, score_of, share_of
from apps.watchlists.matching.similarity import (
    SAME_SENSE,
    Token,
    by_skeleton,
    estimated,
    likenesses,
    with_facts,
)
from apps.watchlists.matching.store import Ints, Keyed, Ragged, Strings, mapped, text_key
from apps.watchlists.values import Schema

SHORTLIST = 48
SLACK = 0.85  # the estimate leaves out initials and joins: keep what is a little below
_SHORTEST_RUN = 5
_HALVINGS = 8


class GroupIndex:
    """The mapped names of one group (persons, or things) and their vocabulary."""

    def __init__(
        self, *, directory: Path, group: Group, weights: TokenWeights, prices: Profile
    ) -> None:
        self._group, self._weights, self._prices = group, weights, prices
        self._texts = Strings(directory=directory, name="texts")
        self._folds = Strings(directory=directory, name="folds")
        self._bones = Strings(directory=directory, name="bones")
        self._senses = Ragged(directory=directory, name="senses")
        self._tokens = Ragged(directory=directory, name="tokens")
        self._postings = Ragged(directory=directory, name="postings")
        self._near = Keyed(directory=directory, name="near")
        self._exact = Keyed(directory=directory, name="exact")
        self._runs = Keyed(directory=directory, name="runs")
        self._token_weights = mapped(directory / "weights.npy")
        self._counts = mapped(directory / "counts.npy")
        self._places = mapped(directory / "places.npy")
        self._heft = mapped(directory / "heft.npy")
        self._entities = mapped(directory / "entities.npy")
        self._numbers = mapped(directory / "numbers.npy")
        self._schemas = mapped(directory / "schemas.npy")
        self._weak = mapped(directory / "weak.npy")
        self._aside = mapped(directory / "aside.npy")
        aside = json.loads((directory / "aside.json").read_text())
        self._set_aside = [(tuple(legal), ideographs) for legal, ideographs in aside]
        self._token = lru_cache(maxsize=16384)(self._read_token)

    def facts(self, text: str) -> TokenFacts | None:
        """Return what the list knows of a token, or None where it does not have it."""
        for number in self._exact.get([text_key(text)]).tolist():
            if self._texts[number].decode() == text:
                return self._facts(number)
        return None

    def _facts(self, number: int) -> TokenFacts:
        return TokenFacts(
            weight=float(self._token_weights[number]),
            count=int(self._counts[number]),
            senses=frozenset(self._senses[number].tolist()),
            place=bool(self._places[number]),
        )

    def _read_token(self, number: int) -> Token:
        return with_facts(text=self._texts[number].decode(), facts=self._facts(number))

    def search(
        self, *, name: str, schema: Schema | None, cutoff: float
    ) -> Iterator[tuple[int, int, float]]:
        """Yield entity position, number of its name and score of the names that may match."""
        query = form_of(name=name, group=self._group, weights=self._weights)
        if not query.tokens or not len(self._entities):
            return
        shortlist = self._shortlist(query, schema, self._prices.raw(cutoff))
        rows = [self._tokens[name_id].tolist() for name_id in shortlist]
        tokens = {number: self._token(number) for row in rows for number in row}
        pairs = likenesses(left=query.tokens, right=list(tokens.values()), group=self._group)
        for name_id, row in zip(shortlist, rows, strict=True):
            legal, ideographs = self._set_aside[self._aside[name_id]]
            listed = Form(
                tokens=tuple(tokens[number] for number in row),
                legal=legal,
                group=self._group,
                ideographs=ideographs,
            )
            alignment = align(query=query, listed=listed, likenesses=pairs)
            raw = judge(alignment, self._prices).raw
            score = score_of(raw=raw, weak=bool(self._weak[name_id]), prices=self._prices)
            yield int(self._entities[name_id]), int(self._numbers[name_id]), score

    def _shortlist(self, query: Form, schema: Schema | None, raw: float) -> list[int]:
        names, agreed = self._agreement(query, least=self._least_agreement(query, raw * SLACK))
        estimate = self._estimate(query, agreed, self._heft[names])
        keep = estimate >= raw * SLACK
        joined = self._joined(query)
        names = np.concatenate((names[keep], joined))
        estimate = np.concatenate((estimate[keep], np.ones(len(joined))))
        if schema not in (None, "Unknown", "Person"):
            wanted = (SCHEMAS.index(schema), SCHEMAS.index("Unknown"))
            keep = np.isin(self._schemas[names], wanted)
            names, estimate = names[keep], estimate[keep]
        if len(names) > SHORTLIST:
            names = names[np.argpartition(-estimate, SHORTLIST)[:SHORTLIST]]
        return np.unique(names).tolist()

    def _agreement(self, query: Form, *, least: float) -> tuple[Ints, NDArray[np.float32]]:
        """Return the names that agree with the query by at least `least`, and by how much."""
        agreed = np.zeros(len(self._entities), dtype=np.float32)
        strongest = np.empty(len(self._entities), dtype=np.float32)
        touched = [np.empty(0, dtype=np.int32)]
        for token, times in Counter(query.tokens).items():
            postings = self._near_postings(token) if len(token.text) > 1 else []
            if not postings:
                continue
            for strength, posting in postings:
                strongest[posting] = strength * times
            names = np.concatenate([posting for _strength, posting in postings])
            agreed[names] = agreed[names] + strongest[names]
            touched.append(names)
        names = np.concatenate(touched)
        names = np.unique(names[agreed[names] >= least])
        return names, agreed[names]

    def _near_postings(self, token: Token) -> list[tuple[float, Ints]]:
        """Return the names that bear a token like this one, weakest likeness first."""
        numbers = self._near.get(sought_keys(token))
        similarity = self._similarities(token, numbers)
        like = np.flatnonzero(similarity)
        heft = (token.weight + self._token_weights[numbers[like]]) / 2
        worth = heft * similarity[like] ** self._prices.sharpness
        order = np.argsort(worth)
        return [
            (strength, self._postings[number])
            for strength, number in zip(
                worth[order].tolist(), numbers[like[order]].tolist(), strict=True
            )
        ]

    def _similarities(self, token: Token, numbers: Ints) -> NDArray[np.float64]:
        if not len(numbers):
            return np.empty(0, dtype=np.float64)
        texts = self._texts.take(numbers)
        similarity = estimated(
            token=token,
            texts=texts,
            folds=self._folds.take(numbers),
            bones=self._bones.take(numbers),
        )
        if token.senses:
            same = np.isin(numbers, self._near.get(sense_keys(token)))
            similarity[same] = np.maximum(similarity[same], SAME_SENSE)
        for place, text in enumerate(texts):
            if (text[0] == ABJAD) != token.unvowelled:
                found = by_skeleton(token.text, text)
                similarity[place] = found.similarity if found else 0.0
        return similarity

    def _joined(self, query: Form) -> Ints:
        """Return names that write together what the query writes apart, or the other way round."""
        texts = [token.text for token in query.tokens]
        whole = "".join(texts)
        keys = {text_key(text) for text in (*texts, whole) if len(text) >= _SHORTEST_RUN}
        tokens = self._exact.get([text_key(one + other) for one, other in pairwise(texts)])
        together = [self._postings[number][:SHORTLIST] for number in tokens.tolist()]
        return np.concatenate((self._runs.get(keys)[:SHORTLIST], *together))

    def _estimate(
        self, query: Form, agreed: "NDArray[np.float32]", heft: "NDArray[np.float32]"
    ) -> "NDArray[np.float32]":
        """Return about the best share that names can reach, from their agreement and weight."""
        prices = self._prices
        missing = np.maximum(sum(token.weight for token in query.tokens) - agreed, 0)
        extra = np.maximum(heft - agreed, 0)
        against = prices.missing * missing + prices.extra * extra
        against += prices.contradiction * np.minimum(missing, extra)
        flaw = 1 - agreed / (agreed + against + 1e-9)
        return 1 - flaw * (1 + prices.thin * np.maximum(0, 1 - agreed / prices.enough))

    def _least_agreement(self, query: Form, raw: float) -> float:
        """Return the agreement below which no name can reach the raw score."""
        whole = sum(token.weight for token in query.tokens)
        low, high = 0.0, whole
        for _halving in range(_HALVINGS):
            agreed = (low + high) / 2
            share = share_of(
                agreed=agreed, whole=agreed, missing=whole - agreed, extra=0, prices=self._prices
            )
            low, high = (low, agreed) if share >= raw else (agreed, high)
        return low
