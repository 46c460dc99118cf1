"""How Thai syllables are read: a table from a corpus, loaded once and shared.

The table is derived from the syllable statistics of the Thai Language Toolkit (Wirote Aroonmanakun,
Chulalongkorn University, BSD-3-Clause). The toolkit itself takes 240 MB of each process and a fifth
of a second for each name; the syllables that its corpus has are all that names need.

    python -m apps.reference.names.scripts.thai_syllables PhSTrigram.sts

rewrites the file from the one of that name in another release of the toolkit.
"""

import re
import sys
from collections import Counter
from collections.abc import Iterable
from functools import cache
from pathlib import Path

from apps.reference.names.sorted_lines import SortedLines

FILE = Path(__file__).with_suffix(".txt")
_SYLLABLE = re.compile("[\u0e01-\u0e4e]+")
_SOUNDS = re.compile("[a-zNOUx@]+")
_UNHEARD = re.compile(r"[0-9'~^?|]")  # tones, and marks between syllables


@cache
def load_syllables() -> dict[str, tuple[tuple[str, int], ...]]:
    """Return the sounds of each syllable, and how often the corpus has it so."""
    found = {}
    for line in FILE.read_text(encoding="utf-8").splitlines():
        written, readings = line.split("\t")
        fields = (one.split(":") for one in readings.split("/"))
        found[written] = tuple((sounds, int(times)) for sounds, times in fields)
    return found


def count_readings(lines: Iterable[str]) -> dict[str, Counter[str]]:
    """Return the readings of syllables; a line is `before-syllable-after/sounds` and a count."""
    found: dict[str, Counter[str]] = {}
    for line in filter(str.strip, lines):
        key, times = line.rsplit("\t", 1)
        form, sounds = key.rsplit("/", 1)
        _before, written, _after = form.split("-", 2)
        heard = _UNHEARD.sub("", sounds)
        if _SYLLABLE.fullmatch(written) and _SOUNDS.fullmatch(heard):
            found.setdefault(written, Counter())[heard] += int(times)
    return found


if __name__ == "__main__":
    counted = count_readings(Path(sys.argv[1]).read_text(encoding="cp874").splitlines())
    rows = (
        (written, "/".join(f"{sounds}:{times}" for sounds, times in readings.most_common()))
        for written, readings in counted.items()
    )
    SortedLines.write(FILE, rows)
