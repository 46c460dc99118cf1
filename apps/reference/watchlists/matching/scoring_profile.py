"""How agreements and disagreements between two names are priced; one profile per purpose."""

from dataclasses import dataclass, replace
from itertools import pairwise

from apps.reference.watchlists.matching.thresholds import BELOW_MATCH


@dataclass(frozen=True, slots=True, kw_only=True)
class MatchProfile:
    """The prices. Shares are of the weight of tokens, costs are of the raw score."""

    sharpness: float
    """Exponent on the similarity of two tokens: how fast a likeness loses worth."""
    missing: float
    """What a unit of weight costs that only the query has."""
    extra: float
    """What a unit of weight costs that only the listed name has."""
    contradiction: float
    """What a unit costs on top where both sides have something left over."""
    enough: float
    """The agreement at which evidence counts in full; below it each flaw weighs more."""
    thin: float
    """How much more a flaw weighs when there is no evidence at all."""
    contradicted: float
    """Contradiction above this is plain, and the score at most `contradicted_ceiling`."""
    contradicted_ceiling: float
    contradicted_slope: float
    """By how much that rises with the share that agrees."""
    replaced: float
    """By how much it falls when one word stands in the place of the other."""
    doubtful: float
    """Tokens less similar than this contradict each other in part."""
    sure_letters: float
    """A likeness of so many letters is information in full; a shorter one in part."""
    sole_ceiling: float
    sole_slope: float
    """At most the former, less the latter per unit of weight beside, when things share one word."""
    lone_ceiling: float
    """At most this when persons of several names share only one."""
    lone_slope: float
    """By how much that falls with what contradicts."""
    initial_ceiling: float
    """At most this when initials stand for all names but one, and less where many bear that."""
    kin_ceiling: float
    """At most this when one is the other's parent, lacks its first surname or is given another."""
    hollow_ceiling: float
    """At most this when nothing but particles, initials or poor likenesses agree."""
    headless_query: float
    headless_listed: float
    """What it costs when the most telling token of a name has no counterpart."""
    disorder: float
    """What it costs when the tokens of a person come in an unrelated order."""
    numbers: float
    number_missing: float
    """Other numbers; a number on one side only."""
    legal_form: float
    foreign_legal_form: float
    """Another legal form that may translate the first; one of another jurisdiction."""
    place: float
    """A country or region on one side only (`Banco Santander Mexico`)."""
    weak_alias_ceiling: float
    """At most this score for an alias of low quality: a human looks, whatever the likeness."""
    calibration: tuple[tuple[float, float], ...]
    """Raw score to score: points of a rising line, fitted on labelled pairs and benign names."""

    def calibrated(self, raw: float) -> float:
        """Map a raw score so that 0.70 is a match and from 0.45 a human looks."""
        for (raw_from, score_from), (raw_to, score_to) in pairwise(self.calibration):
            if raw <= raw_to:
                share = (raw - raw_from) / (raw_to - raw_from)
                return min(1.0, score_from + share * (score_to - score_from))
        return 1.0

    def raw(self, score: float) -> float:
        """Return the raw score that calibrates to `score`."""
        for (raw_from, score_from), (raw_to, score_to) in pairwise(self.calibration):
            if score <= score_to:
                return raw_from + (score - score_from) / (score_to - score_from) * (
                    raw_to - raw_from
                )
        return 1.0


_LIST = MatchProfile(
    sharpness=1.927,
    missing=0.179,
    extra=0.271,
    contradiction=0.666,
    enough=1.611,
    thin=1.044,
    contradicted=0.268,
    contradicted_ceiling=0.56,
    contradicted_slope=0.434,
    replaced=0.197,
    sure_letters=4,
    sole_ceiling=0.593,
    sole_slope=0.092,
    doubtful=0.79,
    lone_ceiling=0.46,
    lone_slope=0.1,
    initial_ceiling=0.56,
    kin_ceiling=0.6,
    hollow_ceiling=0.482,
    headless_query=0.5,
    headless_listed=0.5,
    disorder=0.04,
    numbers=0.15,
    number_missing=0.2,
    legal_form=0.1,
    foreign_legal_form=0.42,
    place=0.266,
    weak_alias_ceiling=BELOW_MATCH,
    calibration=((0.0, 0.0), (0.483, 0.45), (0.64, 0.70), (1.0, 1.0)),
)
PROFILES = {
    "list": _LIST,
    # PEPs are many and their names common: a match takes more evidence.
    "pep": replace(_LIST, missing=0.27, extra=0.34, thin=1.1),
}


def get_match_profile(name: str) -> MatchProfile:
    """Return the profile of a purpose; raises ValueError for one that there is not."""
    if name not in PROFILES:
        raise ValueError(f"no matching profile {name!r}: there is {', '.join(PROFILES)}")
    return PROFILES[name]
