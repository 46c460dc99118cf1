"""Politically exposed persons whom a name resembles.

What only sounds alike across scripts is a lead, no more.

Scripts that write no vowels (Arabic, Hebrew) or one sign for a syllable (Han, Hangul) let many
names sound as one. Where a list gives the party in the script of the query as well, that name
decides; where it does not, the match says that it rests on the sound alone.
"""

import re
from collections.abc import Iterator
from dataclasses import dataclass, replace

from apps.reference.names.cpu_budget import check_cpu_budget
from apps.reference.watchlists.matching.index import Hit, MatchIndex, Query
from apps.reference.watchlists.matching.score import score_pair
from apps.reference.watchlists.rules.score_limits import PARTIAL_SCORE, PEP_SCORE

LOOKED_AT = 100  # hits by name, before those are sorted out whose own spelling disagrees
CUTOFF = PEP_SCORE / 100
RENDERING = PARTIAL_SCORE / 100  # from here on a name may be another written in its script
# What sounds alike counts from here on where nothing else speaks for it. Letters without vowels
# fit many names, and a Han name has one reading: what differs in it is another name.
SOUND = {"abjad": 0.75, "kana": 0.90, "han": 0.90, "hangul": 0.90}
# Lists of office holders are long: to most names some other on them is near. Under this a name
# counts the less, unless the country bears it out.
NEAR_BELOW, NEAR_COST = 0.85, 0.05
LONE_WORD = 0.95  # one word is no name of a person unless it is the whole of both

_WORD = re.compile(r"[^\W\d_]{2,}(?:['’-][^\W\d_]+)*")
_SCRIPTS = {
    "abjad": re.compile("[\u0590-\u06ff\u0750-\u077f\u08a0-\u08ff]"),
    "kana": re.compile("[\u3040-\u30ff]"),
    "han": re.compile("[\u3400-\u9fff\U00020000-\U0003ffff]"),
    "hangul": re.compile("[\u1100-\u11ff\uac00-\ud7af]"),
}


@dataclass(frozen=True, slots=True)
class PepResemblance:
    """A matching PEP; `by_sound`: no name in the script of the query supports it.

    `near`: the name is only similar and nothing else confirms it, so its score is lower.
    """

    hit: Hit
    by_sound: bool
    near: bool = False


def find_resembling_peps(
    *, index: MatchIndex, name: str, limit: int, country: str = ""
) -> list[PepResemblance]:
    """Return politically exposed persons at 60% or more, best first, at most `limit`.

    `country` is a known one of the screened person: if it is the PEP's too, it confirms a name that
    is only similar or only sounds alike.
    """
    # many more than are wanted: those that only sound alike are dropped below
    hits = index.search(Query(name, schema="Person"), cutoff=CUTOFF, limit=LOOKED_AT)
    pep_resemblances = []
    for resemblance in _iter_resemblances(index, name, hits):
        entity = index.entity(resemblance.hit.position)
        countries = {office.country for office in entity.positions}
        countries_of_entity = {code.upper() for code in (*entity.countries, *countries) if code}
        # an empty `country` is in no set, since empty codes are left out
        borne_out = country.upper() in countries_of_entity
        if borne_out or _is_sufficient_name(name, resemblance):
            pep_resemblances.append(resemblance if borne_out else _discount_near_name(resemblance))
    pep_resemblances = [
        pep_resemblance
        # the discount may have taken a near name below the cutoff
        for pep_resemblance in pep_resemblances
        if pep_resemblance.hit.score >= CUTOFF
    ]
    pep_resemblances.sort(
        key=lambda pep_resemblance: (
            -pep_resemblance.hit.score,
            pep_resemblance.by_sound,
            pep_resemblance.hit.ref,
        )
    )
    return pep_resemblances[:limit]


def _iter_resemblances(index: MatchIndex, name: str, hits: list[Hit]) -> Iterator[PepResemblance]:
    script = detect_script(name)
    for hit in hits:
        check_cpu_budget()
        if detect_script(hit.name) == script:
            yield PepResemblance(hit, by_sound=False)
            continue
        # one decides that agrees, or that is the name found, written in that script; a nickname or
        # a short name in it says nothing against the other
        spelt = [
            (_score_names(index, name, full), full)
            for full in [name.full for name in index.entity(hit.position).names]
            if detect_script(full) == script
        ]
        best, full = max(spelt, default=(0.0, ""))
        renders = any(_score_names(index, other, hit.name) >= RENDERING for _, other in spelt)
        own = replace(hit, score=best, name=full) if best >= CUTOFF or renders else None
        if own is None:
            yield PepResemblance(hit, by_sound=True)
        # `renders` alone yields nothing: the party's own spelling disagrees with the query
        elif own.score >= CUTOFF:
            yield PepResemblance(own, by_sound=False)


def _is_sufficient_name(name: str, pep_resemblance: PepResemblance) -> bool:
    """Return whether a name alone is evidence at all."""
    if (
        min(_count_words(name), _count_words(pep_resemblance.hit.name)) == 1
        and pep_resemblance.hit.score < LONE_WORD
    ):
        return False
    lossy = detect_script(pep_resemblance.hit.name) or detect_script(name)
    return not pep_resemblance.by_sound or pep_resemblance.hit.score >= SOUND[lossy]


def _discount_near_name(pep_resemblance: PepResemblance) -> PepResemblance:
    """Take off a name that is only near what so long a list makes it worth less."""
    if pep_resemblance.hit.score >= NEAR_BELOW:
        return pep_resemblance
    return replace(
        pep_resemblance,
        hit=replace(pep_resemblance.hit, score=pep_resemblance.hit.score - NEAR_COST),
        near=True,
    )


def _count_words(name: str) -> int:
    """Return how many words a name has; a script without spaces writes more than one."""
    return 2 if detect_script(name) in ("han", "hangul") else len(_WORD.findall(name))


def _score_names(index: MatchIndex, first: str, other: str) -> float:
    return score_pair(query=first, candidate=other, schema="Person", weights=index.weights)


def detect_script(text: str) -> str:
    """Return abjad, kana, han or hangul where a text has such letters, else an empty text."""
    return next((script for script, letters in _SCRIPTS.items() if letters.search(text)), "")
