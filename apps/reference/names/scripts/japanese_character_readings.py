"""Readings of single characters in Japanese given names, for names that no dictionary has.

Parents choose characters and readings freely: a dictionary has 清司 as Seiji, but some people are
called Kiyoshi. Readings of the characters in other names show which are likely. The table is
estimated from the given names of `japanese_name_dictionary.py` (its source and licence are there):
each is divided among its characters in all ways, and those that agree with other names win
(expectation maximisation). Of names that were left out, the right reading was among the first six
for 88 %.

    python -m apps.reference.names.scripts.japanese_character_readings

rewrites the file, where `japanese_name_dictionary.py` can be written.
"""

import re
from collections import defaultdict
from collections.abc import Iterable, Iterator, Mapping
from functools import cache, lru_cache
from heapq import nlargest
from itertools import combinations, pairwise
from math import prod
from pathlib import Path

from apps.reference.names.scripts.chinese_names import HAN
from apps.reference.names.scripts.kana import romanize_kana
from apps.reference.names.sorted_lines import SortedLines

FILE = Path(__file__).with_suffix(".txt")
LIKELY = 0.05  # a reading that is rarer is not tried, unless it is the likeliest
_MOST, _TRIED = 6, 20
_LONGEST = 3  # characters
_TURNS = 8
_LONGEST_READING = 5  # kana of a character
_RARE = 1e-6
_LEAST_SHARE, _LEAST_NAMES = 0.02, 2
_SEVERAL = re.compile(f"[{HAN}]{{2,{_LONGEST}}}")
_SMALL = "ャュョァィゥェォ"  # they belong to the kana before

Place = tuple[str, bool]  # a character, and whether it is the last one of its name
Shares = Mapping[Place, Mapping[str, float]]


@lru_cache(maxsize=4096)
def guess_given_name(written: str) -> tuple[str, ...]:
    """Return the likely readings of a given name from those of its characters, likeliest first."""
    if not 1 <= len(written) <= _LONGEST:
        return ()
    ways = {"": 1.0}
    for place in _iter_places(written):
        known = _load_shares().get(place)
        if known is None:
            return ()
        longer: dict[str, float] = defaultdict(float)
        for begun, likelihood in ways.items():
            for kana, share in known.items():
                longer[begun + kana] += likelihood * share
        # a beam: readings multiply with each character
        ways = {kana: longer[kana] for kana in nlargest(_TRIED, longer, key=longer.__getitem__)}
    ranked = nlargest(_MOST, ways, key=ways.__getitem__)
    likeliest = [kana for kana in ranked if ways[kana] >= LIKELY] or ranked[:1]
    return tuple(dict.fromkeys(map(romanize_kana, likeliest)))


def _iter_places(written: str) -> Iterator[Place]:
    return ((letter, number == len(written)) for number, letter in enumerate(written, start=1))


@cache
def _load_shares() -> dict[Place, dict[str, float]]:
    found: dict[Place, dict[str, float]] = {}
    for line in FILE.read_text(encoding="utf-8").splitlines():
        key, readings = line.split("\t")
        shares = (one.split(":") for one in readings.split("/"))
        found[key[0], len(key) > 1] = {kana: int(share) / 100 for kana, share in shares}
    return found


def estimate_shares(names: Iterable[tuple[str, str]]) -> Iterator[tuple[str, str]]:
    """Yield the rows of the file from names and their readings in katakana."""
    divided = [
        (tuple(_iter_places(written)), ways)
        for written, kana in names
        if _SEVERAL.fullmatch(written) and (ways := list(_iter_divisions(kana, len(written))))
    ]
    shares: Shares = {}
    # expectation: divide each reading by the present shares; maximisation: shares by the counts
    for _turn in range(_TURNS):
        counts: dict[Place, dict[str, float]] = defaultdict(lambda: defaultdict(float))
        for places, ways in divided:
            likelihoods = [_likelihood(places, way, shares) for way in ways]
            whole = sum(likelihoods)
            for way, likelihood in zip(ways, likelihoods, strict=True):
                for place, kana in zip(places, way, strict=True):
                    counts[place][kana] += likelihood / whole
        shares = {
            place: {kana: times / sum(readings.values()) for kana, times in readings.items()}
            for place, readings in counts.items()
        }
    for place, readings in shares.items():
        kept = {kana: share for kana, share in readings.items() if share >= _LEAST_SHARE}
        if kept and sum(counts[place].values()) >= _LEAST_NAMES:
            ordered = sorted(kept.items(), key=lambda one: (-one[1], one[0]))
            letter, last = place
            yield (
                letter + "-" * last,
                "/".join(f"{kana}:{round(100 * share)}" for kana, share in ordered),
            )


def _likelihood(places: tuple[Place, ...], way: tuple[str, ...], shares: Shares) -> float:
    if not shares:
        return 1.0
    return prod(shares[place].get(kana, _RARE) for place, kana in zip(places, way, strict=True))


def _iter_divisions(kana: str, count: int) -> Iterator[tuple[str, ...]]:
    """Yield the ways to divide a reading among so many characters."""
    cuts = [place for place in range(1, len(kana)) if kana[place] not in _SMALL]
    for some in combinations(cuts, count - 1):
        way = tuple(kana[start:end] for start, end in pairwise((0, *some, len(kana))))
        if max(map(len, way)) <= _LONGEST_READING:
            yield way


def main() -> None:
    """Write the file from the given names of the larger dictionary."""
    from apps.reference.names.scripts.japanese_name_dictionary import (
        GIVEN,
        iter_dictionary,
        kind_of_speech,
    )

    given = {
        (written, kana)
        for written, speech, kana in iter_dictionary("core")
        if kind_of_speech(speech) == GIVEN
    }
    SortedLines.write(FILE, estimate_shares(sorted(given)))


if __name__ == "__main__":
    main()
