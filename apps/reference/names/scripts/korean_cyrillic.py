"""Korean names in Cyrillic letters, as Russian writes them: by Kontsevich's system and before.

`Ким Чжон Ын` and `Ким Чен Ын` are 김정은. Several syllables of Hangul have one spelling there, so
that a name has several readings: those of the syllables that names have most often come first.
"""

import re
from collections import defaultdict
from collections.abc import Iterator
from functools import lru_cache
from itertools import islice, product

from apps.reference.names.scripts.hangul import spell_korean_name, split_korean_name

MOST = 6  # readings of a name
_SYLLABLES_OF_A_SPELLING = 3
_CYRILLIC = re.compile(r"[а-яё]+(?:[\s-]+[а-яё]+){1,2}", re.IGNORECASE)
_BETWEEN = re.compile(r"[\s-]+")
# of family and given names, the most frequent first
_SYLLABLES = (
    "김이리박최정강조윤장임림한오서신권황안송전홍유류고문양손배백허남심노로곽성차주우구민진지엄채원천방"
    "현영준은일철혁호수희경숙순미선연여옥용인재종창춘태하해형화환훈길광국규기동대덕도두만명무병복봉상"
    "석설세소승식실아언엽예완욱운웅월의익자제중찬초충치탁택평표필학행향혜효휘흥을린란라령룡련변공함염록복률"
)
# by place in Unicode: first sounds, voiceless and voiced; vowels; last sounds. `-` is none
_SOUNDS = """
к,г кк н т,д тт р,л м п,б пп с сс -,й ч,чж,дж чч чх кх тх пх х
а э я я о,е е,э ё,е е о ва вэ ве ё у во ве ви ю ы ый,ы,и и
- к к к н н н т ль,л,р к м ль ль ль п ль м п п т т н т т к т п т
"""
_FIRST, _VOWELS, _LAST = (line.replace("-", "").split(" ") for line in _SOUNDS.strip().splitlines())
_FROM, _VOWEL_COUNT, _LAST_COUNT = ord("가"), len(_VOWELS), len(_LAST)


def _spellings_of(syllable: str) -> Iterator[str]:
    vowel_and_first, last = divmod(ord(syllable) - _FROM, _LAST_COUNT)
    first, vowel = divmod(vowel_and_first, _VOWEL_COUNT)
    sounds = (_FIRST[first], _VOWELS[vowel], _LAST[last])
    yield from map("".join, product(*(sound.split(",") for sound in sounds)))


def _build_syllables() -> dict[str, str]:
    found: dict[str, list[str]] = defaultdict(list)
    for syllable in _SYLLABLES:
        for spelling in _spellings_of(syllable):
            found[spelling].append(syllable)
    return {spelling: "".join(dict.fromkeys(written)) for spelling, written in found.items()}


_SYLLABLES_BY_SPELLING = _build_syllables()


@lru_cache(maxsize=1024)
def read_korean_in_cyrillic(text: str) -> tuple[str, ...]:
    """Return the likely list spellings of a Korean name in Cyrillic letters; none for others.

    Family name first, as in Korean, with a given name of two syllables, joined or separate.
    """
    if not _CYRILLIC.fullmatch(text.strip()):
        return ()
    family, *given = _BETWEEN.split(text.strip().casefold())
    ways = [given] if len(given) > 1 else _divide_given_name(given[0])
    written = (name for way in ways for name in _iter_hangul_names([family, *way]))
    return tuple(islice(dict.fromkeys(written), MOST))


def _divide_given_name(given: str) -> list[list[str]]:
    """Return the ways in which a given name may be two syllables (`чонын`)."""
    return [[given[:end], given[end:]] for end in range(1, len(given))]


def _iter_hangul_names(spellings: list[str]) -> Iterator[str]:
    """Yield in Latin letters the names whose syllables are spelt so, the most usual first."""
    choices = [
        _SYLLABLES_BY_SPELLING.get(spelling, "")[:_SYLLABLES_OF_A_SPELLING]
        for spelling in spellings
    ]
    for syllables in product(*choices):
        if name := split_korean_name("".join(syllables)):
            yield spell_korean_name(family=name[0], given=name[1])
