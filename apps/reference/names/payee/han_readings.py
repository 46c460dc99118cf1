"""Names of people in Chinese characters as others than Mandarin speakers read and spell them. Pure.

Mandarin in Pinyin is how such a name is read anyhow; here are Wade-Giles (Taiwan), Cantonese as
Hong Kong's registers spell it, and Japanese, each where all of a name is known.
"""

import re
from collections.abc import Iterator
from functools import cache, lru_cache
from itertools import product

from rigour.text import ascii_text

from apps.reference.names.payee.han_reading_table import CANTONESE, JAPANESE_FAMILY, JAPANESE_GIVEN
from apps.reference.names.scripts import chinese_names

_MOST = 8  # readings of one name
_LEAST, _LONGEST = 2, 6  # characters
_NAME = re.compile("[々〆ぁ-ヶ\u3400-\u9fff\uf900-\ufaff]+")
# Pinyin, and what Wade-Giles writes without its apostrophes; the first that fits counts
_FIRST = (
    ("zhi", "chih"), ("chi", "chih"), ("shi", "shih"), ("ri", "jih"), ("zi", "tzu"), ("ci", "tzu"),
    ("si", "szu"), ("ju", "chü"), ("qu", "chü"), ("xu", "hsü"), ("yu", "yü"),
)  # fmt: skip
_INITIALS = {
    "zh": "ch", "b": "p", "d": "t", "g": "k", "j": "ch", "q": "ch", "x": "hs", "z": "ts",
    "c": "ts", "r": "j",
}  # fmt: skip
_INITIAL = re.compile("zh|ch|sh|[bpmfdtnlgkhjqxrzcs]")
_FINALS = {
    "ong": "ung", "iong": "iung", "yong": "yung", "ian": "ien", "yan": "yen", "ie": "ieh",
    "ye": "yeh", "ue": "üeh", "uo": "o", "er": "erh",
}  # fmt: skip
_WHOLE = {
    "guo": "kuo", "kuo": "kuo", "huo": "huo", "shuo": "shuo", "gui": "kuei", "kui": "kuei",
    "he": "ho", "ke": "ko", "ge": "ko", "e": "o", "ye": "yeh",
}  # fmt: skip


@lru_cache(maxsize=4096)
def list_latin_readings(text: str) -> tuple[str, ...]:
    """Return other Latin spellings of a person's name in characters: family name, given name."""
    bare = "".join(text.split())
    if not _LEAST <= len(bare) <= _LONGEST or not _NAME.fullmatch(bare):
        return ()
    found = dict.fromkeys([*_iter_japanese_readings(bare), *_iter_chinese_readings(text)])
    # the readings of characters multiply
    return tuple(found)[:_MOST]


def _iter_japanese_readings(text: str) -> Iterator[str]:
    families, givens = _parse_reading_table(JAPANESE_FAMILY), _parse_reading_table(JAPANESE_GIVEN)
    for size in range(1, len(text)):
        for family in families.get(text[:size], ()):
            yield from (f"{family} {given}" for given in givens.get(text[size:], ()))


def _iter_chinese_readings(text: str) -> Iterator[str]:
    known = chinese_names.split_chinese_name(text)
    if known is None:
        return
    family, given = known
    yield f"{_romanize_wade_giles(family)} {''.join(map(_romanize_wade_giles, given))}"
    table = _parse_reading_table(CANTONESE)
    letters = [table.get(family, ()), *(table.get(one, ()) for one in given)]
    for first, *rest in product(*letters):
        yield f"{first} {''.join(rest)}"


def _romanize_wade_giles(characters: str) -> str:
    """Return characters in Wade-Giles, as passports print it: without apostrophes and points."""
    syllables = (ascii_text(characters) or "").lower().split()
    return "".join(map(convert_to_wade_giles, syllables)).replace("ü", "u")


def convert_to_wade_giles(syllable: str) -> str:
    """Return a syllable of Pinyin, without its tone, in Wade-Giles without apostrophes."""
    if syllable in _WHOLE:
        return _WHOLE[syllable]
    for pinyin, written in _FIRST:
        # behind j, q, x and y Pinyin writes u for ü
        if syllable == pinyin or (pinyin[-1] == "u" and syllable.startswith(pinyin)):
            rest = syllable[len(pinyin) :]
            return written + {"an": "an", "e": "eh", "n": "n", "": ""}.get(rest, rest)
    found = _INITIAL.match(syllable)
    initial = found[0] if found else ""
    final = syllable[len(initial) :]
    return _INITIALS.get(initial, initial) + _FINALS.get(final, final)


@cache
def _parse_reading_table(rows: str) -> dict[str, tuple[str, ...]]:
    fields = rows.split()
    found: dict[str, tuple[str, ...]] = {}
    for name, read in zip(fields[::2], fields[1::2], strict=True):
        found[name] = tuple(dict.fromkeys((*found.get(name, ()), *read.split("/"))))
    return found
