"""Spots listed names within a text that is too long for one name.

A name between eight other words scores little by itself, since the words speak against it. Here
each run of words that is a whole listed name is picked out, to be looked at by a human.
"""

import re
from collections.abc import Iterator, Sequence
from dataclasses import replace

from apps.watchlists.matching.build import GROUPS
from apps.watchlists.matching.index import Hit, MatchIndex, Query
from apps.watchlists.matching.names import Group, name_form
from apps.watchlists.matching.thresholds import BELOW_MATCH
from apps.watchlists.matching.words import COMMON_PERSON_NAMES, PARTICLES
from apps.watchlists.namefield.disguises import RUN_TOGETHER
from apps.watchlists.namefield.values import Field, Part, PartHit
from apps.watchlists.namefield.words import says_little, without_legal_form, words

LEAST_WORDS = 5  # a shorter text is compared as one name well enough
CEILING = BELOW_MATCH  # within other words a name is for a human to judge
_LONGEST = 7  # words of a listed name that is looked for
_LEAST_LETTERS = 5  # of a single word
_BLOCK, _OVERLAP = 14, 7  # words that are read as names at a time
_LEAST_FOR_ONE = 7  # words of a text in which a single word is looked for
_AS_LISTED = 0.9  # score from which a run is the listed name, not one like it
_MOST = 8  # runs that are searched
_AS_READ, _NOT_READ = 0.93, 0.4
_UNCOUNTED = PARTICLES - frozenset(["abu", "abou", "aboo", "bin", "ibn", "ben", "bint", "ould"])
_LOOKALIKES = {"rn": "m", "vv": "w", "cl": "d", "ii": "u"}
_LOOKALIKE = re.compile("rn|vv|cl|ii", re.IGNORECASE)
_SPACED = re.compile(r"(?<!\S)[^\W\d_]+(?!\S)")
_SHIPS = ("Vessel", "Aircraft")


def spotted(*, index: MatchIndex, query: Query, field: Field, cutoff: float) -> Iterator[PartHit]:
    """Yield listed parties whose whole name stands within the longest part of a field.

    Their score is at most `CEILING`. A ship or aircraft is left out: their names are words.
    Also those written as one word, and those that appear once pairs of letters are read as the
    letter that they look like.
    """
    if retouched := _retouched(index, field.parts[0].text):
        for hit in index.search(replace(query, name=retouched), cutoff=cutoff, limit=_MOST):
            yield PartHit(hit, Part(retouched))
    yield from _run_together(index, query, field)
    for part in segments(index, max((part.text for part in field.parts), key=len)):
        for hit in index.search(replace(query, name=part.text), cutoff=_AS_LISTED, limit=_MOST):
            if index.entity(hit.position).schema not in _SHIPS:
                yield PartHit(held(hit, part), part)


def held(hit: Hit, part: Part) -> Hit:
    """Return a hit with a score of at most `CEILING` where a part stands within other words.

    Chinese names as Koreans would read them are near many of theirs: only the same counts.
    """
    if part.kind == "READING" and hit.score < _AS_READ:
        return replace(hit, score=min(hit.score, _NOT_READ))
    return replace(hit, score=min(hit.score, CEILING)) if part.kind == "SEGMENT" else hit


def _run_together(index: MatchIndex, query: Query, field: Field) -> Iterator[PartHit]:
    """Yield parties whose name of several words stands as one word beside others."""
    written = {word.lower() for part in field.parts for word in _SPACED.findall(part.text)}
    written -= COMMON_PERSON_NAMES
    for word in sorted(one for one in written if len(one) >= RUN_TOGETHER)[:_MOST]:
        for hit in index.search(replace(query, name=word), cutoff=_AS_LISTED, limit=_MOST):
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


def segments(index: MatchIndex, text: str) -> list[Part]:
    """Return the runs of words that are a whole listed name, the longest first."""
    written = words(text)
    if len(written) < LEAST_WORDS:
        return []
    found: dict[str, int] = {}
    for start in range(0, max(1, len(written) - _OVERLAP), _OVERLAP):
        block = " ".join(written[start : start + _BLOCK])
        for group in GROUPS:
            tokens = name_form(name=block, group=group).tokens
            least = 1 if len(written) >= _LEAST_FOR_ONE and group == "thing" else 2
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
    runs = [run for run in runs if _may_be_told(run, alone=least == 1)]
    for place in index.whole(group=group, runs=runs):
        yield runs[place]


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
