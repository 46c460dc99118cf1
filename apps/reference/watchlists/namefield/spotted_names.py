"""Spot listed names within a text that is not one name, or is another's name.

A name between eight other words scores little by itself, since the words count against it; so does
a name within another's (`… Logistics FZE`, `… Relief Fund`, `Bunkers for …`). Here each run of
words that is a whole listed name is picked out for review.
"""

import re
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import replace
from functools import lru_cache

from apps.reference.names.cpu_budget import check_cpu_budget
from apps.reference.names.field.word_tests import (
    is_company_name,
    is_undistinctive_word,
    split_words,
    strip_legal_forms,
)
from apps.reference.names.words.word_classes import COMMON_PERSON_NAMES, PARTICLES
from apps.reference.watchlists.matching.index import Hit, MatchIndex, Query
from apps.reference.watchlists.matching.index_builder import GROUPS
from apps.reference.watchlists.matching.name_normalization import Group, normalize_name
from apps.reference.watchlists.matching.thresholds import BELOW_MATCH
from apps.reference.watchlists.namefield.containment import (
    AS_LISTED,
    LONG_TEXT,
    LONGER_TEXT,
    NAMED,
    RunContext,
    find_designations,
    is_name_of_hit,
    is_shop_name,
    iter_agreeing_runs,
)
from apps.reference.watchlists.namefield.disguises import RUN_TOGETHER
from apps.reference.watchlists.namefield.parts import (
    READINGS,
    Kind,
    NameField,
    NamePart,
    PartHit,
)
from apps.reference.watchlists.namefield.payment_words import find_person_within
from apps.reference.watchlists.namefield.script_readings import is_spelt_by_sound

CEILING = BELOW_MATCH  # within other words a name is for a human to judge
_LONGEST = 7  # words of a listed name that is looked for
_LEAST_LETTERS = 5  # of a single word
_BLOCK, _OVERLAP = 14, 7  # words that are read as names at a time
_LEAST_BESIDE = 2  # words of a name that bears another
_MOST = 8  # runs that are searched
_BEARERS = 200  # parties that one run may name: each is judged
_LEAST_AS_READ: dict[Kind, float] = {
    **dict.fromkeys(("READING", "JAPANESE", "KOREAN"), 0.93),
    "THAI": 0.6,
    "APART": 0.85,
}
_NOT_READ = 0.4
_NEVER_SURE = READINGS | {"SEGMENT"}
_SAME = 0.995
_UNCOUNTED = PARTICLES - frozenset(["abu", "abou", "aboo", "bin", "ibn", "ben", "bint", "ould"])
_LETTER_PAIRS = {"rn": "m", "vv": "w", "cl": "d", "ii": "u"}
_LETTER_PAIR = re.compile("rn|vv|cl|ii", re.IGNORECASE)
_SPACED = re.compile(r"(?<!\S)[^\W\d_]+(?!\S)")
_TAIL_NUMBER = re.compile(r"(?<![\w-])(?=[\d-]*[A-Z])[A-Z\d]{1,2}-?[A-Z\d]{3,5}(?![\w-])")
_NATIONALITY = (1, 2)  # characters that a tail number has before its hyphen (ICAO annex 7)
_SHIPS = ("Vessel", "Aircraft")


def spot_listed_names(
    *,
    index: MatchIndex,
    query: Query,
    field: NameField,
    cutoff: float,
    brief: bool = False,
    near: Iterable[Hit] = (),
) -> Iterator[PartHit]:
    """Yield listed parties whose whole name occurs within the longest part of a field.

    Their score is at most `CEILING` for any type, and so is that of names written as one word. The
    whole field is also read with pairs of letters as the letter that they look like, and those hits
    keep their score. With `brief`, texts of a few words are searched as well; `near` are hits of
    the first part, too low by themselves, which indicate where their name may be.
    """
    first, longest = field.parts[0].text, max((part.text for part in field.written), key=len)
    if not _LETTER_PAIR.search(first):
        retouched = ""
    else:
        written = first.lower().split()
        read = [replace_letter_pairs(word) for word in written]
        listed = index.listed([*written, *read])
        # a word is read otherwise only where that makes a listed word of one that is not
        better = [
            one if one in listed and word not in listed else word
            for word, one in zip(written, read, strict=True)
        ]
        retouched = " ".join(better) if better != written else ""
    if retouched:
        for hit in index.search(replace(query, name=retouched), cutoff=cutoff, limit=_BEARERS):
            yield PartHit(hit, NamePart(retouched))
    yield from _iter_run_together_hits(index, query, field)
    beside = _build_run_context(longest, brief)
    runs = [part.text for part in find_listed_segments(index, longest, brief=brief)]
    runs += iter_agreeing_runs(index=index, text=first, hits=near, beside=beside)
    runs += find_designations(longest) if brief else []
    runs += [beside.person] if beside.person else []
    runs += _iter_tail_numbers(index, longest)
    for run in dict.fromkeys(runs):
        check_cpu_budget()
        yield from _iter_run_hits(index, query, run, beside)


def _iter_tail_numbers(index: MatchIndex, text: str) -> Iterator[str]:
    """Yield the listed tail numbers in a text, with their hyphen or without (`EPMNU`)."""
    told = _TAIL_NUMBER.findall(text.upper())
    hyphened = [
        word if "-" in word else f"{word[:size]}-{word[size:]}"
        for word in told
        for size in _NATIONALITY
    ]
    numbered = (word for word in told if not word.isalpha())
    runs = [normalize_name(name=one, group="thing").tokens for one in (*hyphened, *numbered)]
    for place in index.whole(group="thing", runs=runs) if runs else ():
        yield " ".join(runs[place])


def _iter_run_hits(
    index: MatchIndex, query: Query, run: str, beside: RunContext
) -> Iterator[PartHit]:
    """Yield parties whose name a run of words surely is.

    The run is searched by itself, so that a stated type does not hide a party.
    """
    part = NamePart(run, "SEGMENT")
    # without the known type: a contradiction would push a party below the cutoff unseen
    for hit in index.search(replace(query, name=run, known=None), cutoff=NAMED, limit=_BEARERS):
        schema = index.entity(hit.position).schema
        if is_name_of_hit(run=run.split(), beside=beside, hit=hit, schema=schema):
            yield PartHit(cap_part_score(hit, part), part)


def _build_run_context(text: str, brief: bool) -> RunContext:
    if not brief:
        return RunContext(len(split_words(text)), company=False)
    person = " ".join(split_words(find_person_within(text).lower()))
    return RunContext(len(split_words(text)), is_company_name(text), is_shop_name(text), person)


def cap_part_score(hit: Hit, part: NamePart) -> Hit:
    """Return a hit with a score of at most `CEILING` if a part is within other words.

    The same applies to a foreign name compared by sound, which many names share, and to readings of
    Thai letters or Japanese characters: their holder's own spelling is unknown.

    Korean readings of Chinese names are similar to many Korean names: only equal ones count. At
    most one reading of a Japanese name is right, and the others must not match.
    """
    if hit.score < _LEAST_AS_READ.get(part.kind, 0):
        return replace(hit, score=min(hit.score, _NOT_READ))
    if part.kind in _NEVER_SURE or (hit.score < _SAME and is_spelt_by_sound(part.text)):
        return replace(hit, score=min(hit.score, CEILING))
    return hit


def _iter_run_together_hits(index: MatchIndex, query: Query, field: NameField) -> Iterator[PartHit]:
    """Yield parties whose name of several words is written as one word next to others."""
    written = {word.lower() for part in field.written for word in _SPACED.findall(part.text)}
    written -= COMMON_PERSON_NAMES
    long_words = sorted(one for one in written if len(one) >= RUN_TOGETHER)
    listed = index.run_together(long_words)
    for word in sorted(long_words, key=lambda long_word: long_word not in listed)[:_MOST]:
        check_cpu_budget()
        for hit in index.search(replace(query, name=word), cutoff=AS_LISTED, limit=_BEARERS):
            # `Abdur Rahman` is one given name
            told = split_words(strip_legal_forms(hit.name))
            has_several_words = len(told) > (2 if told and told[0].startswith("abd") else 1)
            if has_several_words and index.entity(hit.position).schema not in _SHIPS:
                part = NamePart(word, "SEGMENT")
                yield PartHit(cap_part_score(hit, part), part)


def replace_letter_pairs(text: str) -> str:
    """Return a text whose `rn`, `vv`, `cl` and `ii` are the letters that they look like."""
    return _LETTER_PAIR.sub(lambda pair: _LETTER_PAIRS[pair[0].lower()], text)


def find_listed_segments(index: MatchIndex, text: str, *, brief: bool = False) -> list[NamePart]:
    """Return the runs of words that are a whole listed name, the longest first.

    With `brief` texts of fewer than `LONG_TEXT` words are looked through too, and all for names of
    one word.
    """
    written = split_words(text)
    if len(written) < (_LEAST_BESIDE if brief else LONG_TEXT):
        return []
    found: dict[str, int] = {}
    # blocks overlap by as many words as the longest name that is looked for: none is cut
    for start in range(0, max(1, len(written) - _OVERLAP), _OVERLAP):
        check_cpu_budget()
        block = " ".join(written[start : start + _BLOCK])
        for group in filter(_build_run_context(text, brief).may_name, GROUPS):
            tokens = normalize_name(name=block, group=group).tokens
            alone = brief or len(written) >= LONGER_TEXT
            least = 1 if alone and group == "thing" else 2
            found |= {
                " ".join(run): len(run) for run in _iter_whole_names(index, group, tokens, least)
            }
    longest = sorted(found, key=lambda run: -found[run])
    kept: list[str] = []
    for run in longest:
        # blanks around them, so that only whole words count
        if not any(f" {run} " in f" {other} " for other in kept):
            kept.append(run)
    return [NamePart(run, "SEGMENT") for run in kept[:_MOST]]


def _iter_whole_names(
    index: MatchIndex, group: Group, tokens: Sequence[str], least: int
) -> Iterator[Sequence[str]]:
    size = len(tokens)
    runs = [
        tokens[start : start + length]
        # shorter than the block: the whole of a text is searched anyway
        for length in range(least, min(_LONGEST, size - 1) + 1)
        for start in range(size - length + 1)
    ]
    runs = [
        _read_as_whole_name(run, group)
        for run in runs
        if _can_identify_party(run, alone=least == 1)
    ]
    for place in index.whole(group=group, runs=runs):
        yield runs[place]


def _read_as_whole_name(run: Sequence[str], group: Group) -> Sequence[str]:
    """Return a run read as a name of its own: a last `I` is a number only where a name ends."""
    if group == "person" or len(run[-1]) > 1 or not run[-1].isalpha():
        return run
    return normalize_name(name=" ".join(run), group=group).tokens or run


def _can_identify_party(run: Sequence[str], *, alone: bool) -> bool:
    """Return whether a run can tell a party: two words, one of them telling, or three.

    Articles and titles do not count. With `alone` one word will do that is long and no common name.
    """
    counted = sum(word not in _UNCOUNTED for word in run)
    telling = [word for word in run if _is_distinctive_word(word)]
    if counted > (1 if telling else 2):
        return True
    return alone and any(
        len(word) >= _LEAST_LETTERS and word.isalpha() and word not in COMMON_PERSON_NAMES
        for word in telling
    )


@lru_cache(maxsize=4096)
def _is_distinctive_word(word: str) -> bool:
    """Return whether a word counts and says more than what everybody is called."""
    return word not in _UNCOUNTED and not is_undistinctive_word(word)
