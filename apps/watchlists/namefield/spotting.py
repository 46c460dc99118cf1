"""Spots listed names within a text that is not one name, or is the name of another.

A name between eight other words scores little by itself, since the words speak against it; so does
one that another bears (`… Logistics FZE`, `… Relief Fund`, `Bunkers for …`). Here each run of words
that is a whole listed name is picked out, to be looked at by a human.
"""

import re
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import replace

from apps.names.field.telling import (
    is_company,
    says_little,
    without_legal_form,
    words,
)
from apps.names.words.general import COMMON_PERSON_NAMES, PARTICLES
from apps.watchlists.matching.build import GROUPS
from apps.watchlists.matching.index import Hit, MatchIndex, Query
from apps.watchlists.matching.names import Group, name_form
from apps.watchlists.matching.thresholds import BELOW_MATCH
from apps.watchlists.namefield.bearing import (
    AS_LISTED,
    LONG_TEXT,
    LONGER_TEXT,
    NAMED,
    Beside,
    bears,
    designations,
    names_a_shop,
    pointed_at,
)
from apps.watchlists.namefield.disguises import RUN_TOGETHER
from apps.watchlists.namefield.edges import person_within
from apps.watchlists.namefield.scripts import is_heard
from apps.watchlists.namefield.values import Field, Part, PartHit

CEILING = BELOW_MATCH  # within other words a name is for a human to judge
_LONGEST = 7  # words of a listed name that is looked for
_LEAST_LETTERS = 5  # of a single word
_BLOCK, _OVERLAP = 14, 7  # words that are read as names at a time
_LEAST_BESIDE = 2  # words of a name that bears another
_MOST = 8  # runs that are searched
_AS_READ, _NOT_READ = 0.93, 0.4
_SAME = 0.995
_UNCOUNTED = PARTICLES - frozenset(["abu", "abou", "aboo", "bin", "ibn", "ben", "bint", "ould"])
_LOOKALIKES = {"rn": "m", "vv": "w", "cl": "d", "ii": "u"}
_LOOKALIKE = re.compile("rn|vv|cl|ii", re.IGNORECASE)
_SPACED = re.compile(r"(?<!\S)[^\W\d_]+(?!\S)")
_SHIPS = ("Vessel", "Aircraft")


def spotted(
    *,
    index: MatchIndex,
    query: Query,
    field: Field,
    cutoff: float,
    brief: bool = False,
    near: Iterable[Hit] = (),
) -> Iterator[PartHit]:
    """Yield listed parties whose whole name stands within the longest part of a field.

    Their score is at most `CEILING`, whatever type they are. Also those written as one word, and
    those that appear once pairs of letters are read as the letter that they look like. With `brief`
    texts of a few words are looked through as well; `near` are hits that the first part brought,
    too low by themselves, and tell where in it their name may stand.
    """
    first, longest = field.parts[0].text, max((part.text for part in field.parts), key=len)
    if retouched := _retouched(index, first):
        for hit in index.search(replace(query, name=retouched), cutoff=cutoff, limit=_MOST):
            yield PartHit(hit, Part(retouched))
    yield from _run_together(index, query, field)
    beside = _beside(longest, brief)
    runs = [part.text for part in segments(index, longest, brief=brief)]
    runs += pointed_at(index=index, text=first, hits=near, beside=beside)
    runs += designations(longest) if brief else []
    runs += [beside.person] if beside.person else []
    for run in dict.fromkeys(runs):
        yield from _borne(index, query, run, beside)


def _borne(index: MatchIndex, query: Query, run: str, beside: Beside) -> Iterator[PartHit]:
    """Yield parties whose name a run of words surely is.

    It is looked for by itself: that the party is told to be of another type hides nobody.
    """
    part = Part(run, "SEGMENT")
    for hit in index.search(replace(query, name=run, known=None), cutoff=NAMED, limit=_MOST):
        schema = index.entity(hit.position).schema
        if bears(run=run.split(), beside=beside, hit=hit, schema=schema):
            yield PartHit(held(hit, part), part)


def _beside(text: str, brief: bool) -> Beside:
    if not brief:
        return Beside(len(words(text)), company=False)
    person = " ".join(words(person_within(text).lower()))
    return Beside(len(words(text)), is_company(text), names_a_shop(text), person)


def held(hit: Hit, part: Part) -> Hit:
    """Return a hit with a score of at most `CEILING` where a part stands within other words.

    The same where a foreign name was compared by its sound, which many names share.

    Chinese names as Koreans would read them are near many of theirs: only the same counts.
    """
    if part.kind == "READING" and hit.score < _AS_READ:
        return replace(hit, score=min(hit.score, _NOT_READ))
    if part.kind == "SEGMENT" or (hit.score < _SAME and is_heard(part.text)):
        return replace(hit, score=min(hit.score, CEILING))
    return hit


def _run_together(index: MatchIndex, query: Query, field: Field) -> Iterator[PartHit]:
    """Yield parties whose name of several words stands as one word beside others."""
    written = {word.lower() for part in field.parts for word in _SPACED.findall(part.text)}
    written -= COMMON_PERSON_NAMES
    for word in sorted(one for one in written if len(one) >= RUN_TOGETHER)[:_MOST]:
        for hit in index.search(replace(query, name=word), cutoff=AS_LISTED, limit=_MOST):
            if _has_several(hit.name) and index.entity(hit.position).schema not in _SHIPS:
                part = Part(word, "SEGMENT")
                yield PartHit(held(hit, part), part)


def _has_several(name: str) -> bool:
    """Return whether a listed name has several words; `Abdur Rahman` is one given name."""
    told = words(without_legal_form(name))
    return len(told) > (2 if told and told[0].startswith("abd") else 1)


def _retouched(index: MatchIndex, text: str) -> str:
    """Return a text whose `rn`, `vv` and `cl` are read as m, w and d where only that is listed."""
    if not _LOOKALIKE.search(text):
        return ""
    written = text.lower().split()
    read = [_LOOKALIKE.sub(lambda pair: _LOOKALIKES[pair[0].lower()], word) for word in written]
    listed = index.listed([*written, *read])
    better = [
        one if one in listed and word not in listed else word
        for word, one in zip(written, read, strict=True)
    ]
    return " ".join(better) if better != written else ""


def segments(index: MatchIndex, text: str, *, brief: bool = False) -> list[Part]:
    """Return the runs of words that are a whole listed name, the longest first.

    With `brief` texts of fewer than `LONG_TEXT` words are looked through too, and all for names of
    one word.
    """
    written = words(text)
    if len(written) < (_LEAST_BESIDE if brief else LONG_TEXT):
        return []
    found: dict[str, int] = {}
    for start in range(0, max(1, len(written) - _OVERLAP), _OVERLAP):
        block = " ".join(written[start : start + _BLOCK])
        for group in filter(_beside(text, brief).may_name, GROUPS):
            tokens = name_form(name=block, group=group).tokens
            alone = brief or len(written) >= LONGER_TEXT
            least = 1 if alone and group == "thing" else 2
            found |= {" ".join(run): len(run) for run in _whole(index, group, tokens, least)}
    longest = sorted(found, key=lambda run: -found[run])
    kept: list[str] = []
    for run in longest:
        if not any(f" {run} " in f" {other} " for other in kept):
            kept.append(run)
    return [Part(run, "SEGMENT") for run in kept[:_MOST]]


def _whole(
    index: MatchIndex, group: Group, tokens: Sequence[str], least: int
) -> Iterator[Sequence[str]]:
    size = len(tokens)
    runs = [
        tokens[start : start + length]
        for length in range(least, min(_LONGEST, size - 1) + 1)
        for start in range(size - length + 1)
    ]
    runs = [_ended(run, group) for run in runs if _may_be_told(run, alone=least == 1)]
    for place in index.whole(group=group, runs=runs):
        yield runs[place]


def _ended(run: Sequence[str], group: Group) -> Sequence[str]:
    """Return a run read as a name of its own: a last `I` is a number only where a name ends."""
    if group == "person" or len(run[-1]) > 1 or not run[-1].isalpha():
        return run
    return name_form(name=" ".join(run), group=group).tokens or run


def _may_be_told(run: Sequence[str], *, alone: bool) -> bool:
    """Return whether a run can tell a party: two words, one of them telling, or three.

    Articles and titles do not count. With `alone` one word will do that is long and no common name.
    """
    counted = [word for word in run if word not in _UNCOUNTED]
    telling = [word for word in counted if not says_little(word)]
    if len(counted) > (1 if telling else 2):
        return True
    return alone and any(
        len(word) >= _LEAST_LETTERS and word.isalpha() and word not in COMMON_PERSON_NAMES
        for word in telling
    )
