"""Names in Hangul: written in Latin letters as Korean names are, syllable by syllable."""

import re
from collections.abc import Sequence

# first sounds, vowels and last sounds of the syllables, in their order in Unicode; `-` is none
_SOUNDS = """
k kk n t tt r m p pp s ss - j jj ch k t p h
a ae ya yae o e yo ye o wa wae oe yo u wo we wi yu u ui i
- k k k n n n t l k m l l l p l m p p t t ng t t k t p t
"""
_FIRST, _VOWELS, _LAST = (line.replace("-", "").split(" ") for line in _SOUNDS.strip().splitlines())
_EO, _YEO, _U, _YU = 4, 6, 13, 17  # places of vowels
_HANGUL = re.compile("[가-힣]+")
_FROM, _VOWEL_COUNT, _LAST_COUNT = ord("가"), len(_VOWELS), len(_LAST)
# family names as people spell them where that is not how they are spelt by rule
_USUAL = {"김": "kim", "이": "lee", "리": "ri", "박": "pak", "최": "choe", "임": "lim", "우": "woo"}
_SURNAMES = frozenset(
    "김이리박최정강조윤장임림한오서신권황안송전홍유류고문양량손배백허남심노로하곽성차주우구민진지엄채"
    "원천방공현함변염렴여려추도소석선설마길연련위표명기반라나왕금옥육륙인맹제모탁국어은편용룡예경봉"
    "사부가복태목형두감호빈제계피탄"
)
_LONG_SURNAMES = ("남궁", "황보", "제갈", "사공", "선우", "서문", "독고", "동방")
_MOST_GIVEN = 2
# in the South a family name drops or changes the r that it is written with in the North
_NORTH = dict(zip("유노양여나용육염연이임", "류로량려라룡륙렴련리림", strict=True))
_SOUTH = {north: south for south, north in _NORTH.items()}


def romanize_hangul(text: str) -> str:
    """Return a text with its Hangul syllables romanised, joined as written."""
    return _HANGUL.sub(
        # two syllables that meet in ㄹ are heard as ll (`Silla`)
        lambda run: "".join(map(_romanize_syllable, run[0])).replace("lr", "ll"),
        text,
    )


def is_hangul(text: str) -> bool:
    """Return whether a text is all Hangul."""
    return _HANGUL.fullmatch(text) is not None


def _romanize_syllable(syllable: str) -> str:
    vowel_and_first, last = divmod(ord(syllable) - _FROM, _LAST_COUNT)
    first, vowel = divmod(vowel_and_first, _VOWEL_COUNT)
    return _FIRST[first] + _VOWELS[vowel] + _LAST[last]


def split_korean_name(text: str) -> tuple[str, str] | None:
    """Return family and given name of a Korean written in Hangul, None where it is none.

    Foreign names are transcribed by sound, and mostly longer.
    """
    if not _HANGUL.fullmatch(bare := "".join(text.split())):
        return None
    written = text.split()
    for size in (2, 1) if bare.startswith(_LONG_SURNAMES) else (1,):
        family, given = bare[:size], bare[size:]
        known = size > 1 or family in _SURNAMES
        apart = len(written) == 1 or written[0] in (family, bare)
        if known and apart and 1 <= len(given) <= _MOST_GIVEN:
            return family, given
    return None


def spell_korean_name(*, family: str, given: Sequence[str]) -> str:
    """Return a Korean name in Latin letters: family name first, then the given name's words."""
    first = _USUAL.get(family) or romanize_hangul(family)
    return " ".join([first, *map(romanize_hangul, given)])


def use_southern_vowels(given: str) -> str:
    """Return a given name with the vowels that many there write as u: 정 as Jung, 현 as Hyun."""
    return "".join(map(_darken_vowel, given))


def _darken_vowel(syllable: str) -> str:
    vowel_and_first, last = divmod(ord(syllable) - _FROM, _LAST_COUNT)
    first, vowel = divmod(vowel_and_first, _VOWEL_COUNT)
    dark = {_EO: _U, _YEO: _YU}.get(vowel, vowel) if last else vowel
    return chr(_FROM + (first * _VOWEL_COUNT + dark) * _LAST_COUNT + last)


def find_alternative_surname(family: str) -> str:
    """Return a family name as the other half of Korea writes it, empty where both write it so."""
    return _NORTH.get(family) or _SOUTH.get(family) or ""
