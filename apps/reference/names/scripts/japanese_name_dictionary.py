"""Readings of Japanese names: the dictionary of names, places and firms in a file that is mapped.

The readings are those of SudachiDict (Works Applications, Apache-2.0), which holds UniDic (The
UniDic Consortium, BSD) and a part of NEologd (Apache-2.0). The dictionary itself takes 200 MB on
the disk of every installation; here are only the names in it, in Latin letters.

    python -m apps.reference.names.scripts.japanese_name_dictionary

rewrites the file, in an environment that has sudachipy, sudachidict-small and sudachidict-core.
"""

import re
from collections.abc import Iterable, Iterator
from functools import lru_cache
from pathlib import Path
from typing import NamedTuple

from apps.reference.names.scripts.chinese_names import HAN
from apps.reference.names.scripts.kana import romanize_kana
from apps.reference.names.sorted_lines import SortedLines

FILE = Path(__file__).with_suffix(".txt")
LONGEST = 5  # characters of a name in the file
_NAMES = SortedLines(FILE)
_WRITTEN = re.compile(f"(?=.*[{HAN}])[{HAN}\u3041-\u30f6]{{1,{LONGEST}}}")
FAMILY, GIVEN, PLACE = 0, 1, 2
_KINDS = {
    ("人名", "姓"): FAMILY,
    ("人名", "名"): GIVEN,
    ("地名", "一般"): PLACE,
    ("一般", "*"): PLACE,
}
Entry = tuple[str, tuple[str, ...], str]  # characters, parts of speech, katakana
Row = tuple[list[str], list[str], list[str]]


class Readings(NamedTuple):
    """How characters are read as a family name, a given name, and a place or firm."""

    family: tuple[str, ...] = ()
    given: tuple[str, ...] = ()
    place: tuple[str, ...] = ()


NONE = Readings()


@lru_cache(maxsize=4096)
def find_readings(written: str) -> Readings:
    """Return the readings of a name, the most usual first; none of one that is not known."""
    value = _NAMES.get(written) if len(written) <= LONGEST else None
    if value is None:
        return NONE
    return Readings(*(tuple(kind.split("/")) if kind else () for kind in value.split("|")))


def kind_of_speech(speech: tuple[str, ...]) -> int | None:
    """Return which kind of name an entry is by its parts of speech, None for no name."""
    return _KINDS.get((speech[2], speech[3])) if speech[1] == "固有名詞" else None


def collect_rows(entries: Iterable[Entry], *, kinds: Iterable[int]) -> dict[str, Row]:
    """Return the readings of the names of some kinds among the entries of a dictionary."""
    wanted = set(kinds)
    found: dict[str, Row] = {}
    for written, speech, kana in entries:
        kind = kind_of_speech(speech)
        if kind is None or kind not in wanted or not _WRITTEN.fullmatch(written):
            continue
        if reading := romanize_kana(kana):
            found.setdefault(written, ([], [], []))[kind].append(reading)
    return found


def iter_lines(*dictionaries: dict[str, Row]) -> Iterator[tuple[str, str]]:
    """Yield what is written for each name; readings of the first dictionary come first."""
    for written in {name for names in dictionaries for name in names}:
        every = [names[written] for names in dictionaries if written in names]
        kinds = zip(*every, strict=True)
        merged = (dict.fromkeys(one for readings in kind for one in readings) for kind in kinds)
        yield written, "|".join("/".join(kind) for kind in merged)


def iter_dictionary(edition: str) -> Iterator[Entry]:
    """Yield the entries of an edition of SudachiDict."""
    from sudachipy import Dictionary

    for one in Dictionary(dict=edition).entries():
        yield one.surface(), one.part_of_speech(), one.reading_form()


def main() -> None:
    """Write the file: people of the larger dictionary, places and firms of the smaller one."""
    small = collect_rows(iter_dictionary("small"), kinds=(FAMILY, GIVEN, PLACE))
    core = collect_rows(iter_dictionary("core"), kinds=(FAMILY, GIVEN))
    SortedLines.write(FILE, iter_lines(small, core))


if __name__ == "__main__":
    main()
