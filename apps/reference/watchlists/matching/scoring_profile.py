"""How agreements and disagreements between two names are priced; one profile per purpose."""

from dataclasses import dataclass, replace
from itertools import pairwise

from apps.reference.watchlists.matching.thresholds import BELOW_MATCH


@dataclass(frozen=True, slots=True, kw_only=True)
class ScoringProfile:
    """The prices. Shares are of the weight of tokens, costs are of the raw score."""

    sharpness: float
    """Exponent on the similarity of two tokens: how fast similarity loses value."""
    missing: float
    """Cost per unit of weight that only the query has."""
    extra: float
    """Cost per unit of weight that only the listed name has."""
    contradiction: float
    """Additional cost per unit if both sides have something left over."""
    enough: float
    """The agreement at which evidence counts in full; below it each flaw weighs more."""
    thin: float
    """Factor on the weight of a flaw without any evidence."""
    contradicted: float
    """Contradiction above this limits the score to `contradicted_ceiling`."""
    contradicted_ceiling: float
    contradicted_slope: float
    """Increase of that with the share that agrees."""
    replaced: float
    """Decrease of that if a word of one name replaces a word of the other."""
    doubtful: float
    """Tokens less similar than this contradict each other in part."""
    sure_letters: float
    """A similarity of this many letters counts in full; a shorter one in part."""
    sole_ceiling: float
    sole_slope: float
    """Ceiling for non-persons that share one word, less the slope per further unit of weight."""
    lone_ceiling: float
    """Ceiling for persons with several names who share only one."""
    lone_slope: float
    """Decrease of that with the contradiction."""
    initial_ceiling: float
    """Ceiling if all names but one are initials; lower if that name is common."""
    kin_ceiling: float
    """Ceiling if one is the other's parent, lacks its first surname or has another one."""
    hollow_ceiling: float
    """Ceiling if only particles, initials or weak similarities agree."""
    headless_query: float
    headless_listed: float
    """Cost if the most distinctive token of a name has no counterpart."""
    disorder: float
    """Cost if the tokens of a person's name are in an unrelated order."""
    numbers: float
    number_missing: float
    """Different numbers; a number on one side only."""
    legal_form: float
    foreign_legal_form: float
    """A legal form that may be a translation; one of another jurisdiction."""
    place: float
    """A country or region on one side only (`Banco Santander Mexico`)."""
    weak_alias_ceiling: float
    """Ceiling for a low-quality alias: it goes to review, however similar."""
    calibration: tuple[tuple[float, float], ...]
    """Raw score to score: points of a rising line, fitted on labelled pairs and benign names."""

    def calibrated(self, raw: float) -> float:
        """Map a raw score so that 0.70 is a match and 0.45 begins review."""
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


_LIST = ScoringProfile(
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


def get_match_profile(name: str) -> ScoringProfile:
    """Return the profile of a purpose; raises ValueError for one that there is not."""
    if name not in PROFILES:
        raise ValueError(f"no matching profile {name!r}: there is {', '.join(PROFILES)}")
    return PROFILES[name]
