"""Facts about a token: its frequency in the list, its meaning and its weight."""

import math
from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass
from functools import lru_cache
from zlib import crc32

from apps.reference.names.scripts.phonetics import ABJAD, consonant_skeleton
from apps.reference.names.words import senses as thing_senses
from apps.reference.names.words.word_classes import (
    COMMON_PERSON_NAMES,
    PARTICLES,
    PERSON_NAMES,
    THING_PARTICLES,
)
from apps.reference.watchlists.matching.name_normalization import Group

_UNVOWELLED_COMMON = frozenset(consonant_skeleton(name) for name in COMMON_PERSON_NAMES)
_UNVOWELLED_PARTICLES = frozenset({"al", "bn", "abn", "bw", "abw", "abi", "wld", "fy", "w", "mn"})
_PSEUDO_NAMES = 2000.0
_RARE = 1e-4
_SHORT = {2: 4e-3, 3: 8e-4}  # there are not many syllables and acronyms of so few letters
_COMMON = 4e-3
_GENERIC = 2e-2
_PLACE = 4e-3
_FLOOR = 0.15
_DESIGNATIONS = frozenset({"DOMAIN:ALQAEDA", "DOMAIN:HEZBOLLAH", "DOMAIN:IRGC"})
_PARTICLE_WEIGHT = 0.12
INITIAL_SHARE = 0.4
_FACTS = 4096  # tokens whose facts are kept


@dataclass(frozen=True, slots=True)
class TokenFacts:
    """One token in one group: its weight in (0, 1], how many listed parties bear it, its senses.

    `personal` where people are called by it as well.
    """

    weight: float
    count: int
    senses: frozenset[int]
    place: bool = False
    particle: bool = False
    personal: bool = False


def senses_of_token(*, token: str, group: Group) -> frozenset[str]:
    """Return what a company word means across languages (`trading` and `handel` are one sense).

    Names of persons have none: a dictionary of them merges too much to tell people apart by.
    """
    return thing_senses.find_word_senses(token) if group == "thing" else frozenset()


def has_place_sense(senses: Iterable[str]) -> bool:
    """Return whether a token is the name of a country or region."""
    return any(sense.startswith("LOC:") for sense in senses)


def is_business_term(token: str) -> bool:
    """Return whether a token says what kind of body or business a company is (`Logistics`)."""
    return bool(
        _kinds_of_senses(senses_of_token(token=token, group="thing")) & {"SYMBOL", "DOMAIN"}
    )


def _kinds_of_senses(senses: Iterable[str]) -> set[str]:
    """Return the kinds of senses; the name of one body, in many spellings, is of none."""
    return {sense.partition(":")[0] for sense in senses if sense not in _DESIGNATIONS}


def hash_senses(senses: Iterable[str]) -> frozenset[int]:
    """Return senses as the integers that the index keeps."""
    return frozenset(crc32(sense.encode()) >> 1 for sense in senses)


def estimate_prior(*, token: str, group: Group, senses: Iterable[str]) -> float:
    """Return how often one name in general bears the token, before any list is seen."""
    rare = _SHORT.get(len(token), _RARE)
    if group == "person":
        if token.startswith(ABJAD):
            return _COMMON if consonant_skeleton(token) in _UNVOWELLED_COMMON else _RARE
        return _COMMON if token in COMMON_PERSON_NAMES else rare
    kinds = _kinds_of_senses(senses)
    if "SYMBOL" in kinds:
        return _GENERIC
    return _PLACE if kinds & {"LOC", "DOMAIN"} else rare


def is_particle(token: str, group: Group = "person") -> bool:
    """Return whether the token is an article, or a title or the like of a person."""
    if token.startswith(ABJAD):
        return token[1:] in _UNVOWELLED_PARTICLES
    return token in (PARTICLES if group == "person" else THING_PARTICLES)


def weigh_token(*, token: str, group: Group, count: int, names: int, base: float) -> float:
    """Return the weight of a token: its information, the list's count blended with the prior."""
    if is_particle(token, group):
        return _PARTICLE_WEIGHT
    # as if so many names had been seen before the list: a short list does not make its own words
    # rare or common (additive smoothing)
    total = names + _PSEUDO_NAMES
    rarest = math.log(total / (_PSEUDO_NAMES * _RARE + 0.5))
    information = math.log(total / (count + _PSEUDO_NAMES * base + 0.5))
    share = max(_FLOOR, min(1.0, information / rarest))
    return share * INITIAL_SHARE if len(token.lstrip(ABJAD)) == 1 else share


class TokenWeights:
    """Facts of any token of a group, from the list where it has the token, else from the prior.

    `profile` names the prices that the list is judged by.
    """

    def __init__(
        self,
        *,
        names: Mapping[Group, int],
        listed: "Callable[[Group, str], TokenFacts | None]",
        profile: str = "list",
    ) -> None:
        self.profile = profile
        self._names = names
        self._listed = listed
        self._found = lru_cache(maxsize=_FACTS)(self._look_up)

    @classmethod
    def general(cls) -> "TokenWeights":
        """Weights of general knowledge alone, for comparing two names without any list."""
        return cls(names={}, listed=lambda _group, _token: None)

    def facts(self, *, token: str, group: Group) -> TokenFacts:
        """Return the facts of `token`; a token that no list has is rare."""
        return self._found(group, token)

    def _look_up(self, group: Group, token: str) -> TokenFacts:
        found = self._listed(group, token)
        return self.unlisted(token=token, group=group) if found is None else found

    def unlisted(self, *, token: str, group: Group) -> TokenFacts:
        """Return the facts of a token that no name of the list has."""
        senses = senses_of_token(token=token, group=group)
        base = estimate_prior(token=token, group=group, senses=senses)
        heaviness = weigh_token(
            token=token, group=group, count=0, names=self._names.get(group, 0), base=base
        )
        return TokenFacts(
            weight=heaviness,
            count=0,
            senses=hash_senses(senses),
            place=has_place_sense(senses),
            particle=is_particle(token, group),
            personal=token in PERSON_NAMES,
        )
