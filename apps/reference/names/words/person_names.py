"""Personal names: every one-word name in Latin letters in the dictionary.

The names are those of the library rigour, which takes them from Wikidata (CC0). Its own dictionary
also groups them by spelling, which takes seven seconds and 240 MB in every process; here the only
question is whether a word is a name.

    python -m apps.reference.names.words.person_names < person_names.txt

rewrites the file from the list of another release of rigour (`rust/data/names` of its source).
"""

import re
import sys
from collections.abc import Iterable
from pathlib import Path

from apps.reference.names.sorted_lines import SortedLines

FILE = Path(__file__).with_suffix(".txt")
_APOSTROPHE = re.compile("['’ʻʼ`]")  # `d'Agnese` is written `dagnese`
_ONE_WORD = re.compile("[a-z0-9]+")
_NAMES = SortedLines(FILE)


def is_person_name(word: str) -> bool:
    """Return whether people are called by a word, which is in lower case."""
    return _NAMES.get(word) is not None


def parse_one_word_names(lines: Iterable[str]) -> set[str]:
    """Return the names of one Latin word; a line is `name, name, … => what they are`."""
    return {
        name
        for line in lines
        for name in _APOSTROPHE.sub("", line.partition(" => ")[0]).split(", ")
        if _ONE_WORD.fullmatch(name)
    }


if __name__ == "__main__":
    SortedLines.write(FILE, ((name, "") for name in parse_one_word_names(sys.stdin)))
