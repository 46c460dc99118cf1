"""Names in the characters of the Japanese: as people, places and firms are read by a dictionary.

Family names have mostly one reading, given names often several: those of the dictionary come first,
then what their characters say in other names. A family name that it does not have is not read.
"""

import re
from collections.abc import Iterator
from dataclasses import dataclass
from functools import lru_cache
from itertools import islice, product
from math import prod
from typing import NamedTuple

from apps.reference.names.scripts.chinese_names import HAN, simplify_han
from apps.reference.names.scripts.cjk_legal_forms import strip_cjk_legal_forms
from apps.reference.names.scripts.cjk_trade_words import WORDS
from apps.reference.names.scripts.japanese_character_readings import guess_given_name
from apps.reference.names.scripts.japanese_name_dictionary import LONGEST, find_readings
from apps.reference.names.scripts.kana import is_kana, romanize_kana

MOST = 6  # readings of a name
_LONGEST_PERSON, _LONGEST_COMPANY = 10, 24  # characters that are read
_HAN = re.compile(f"[{HAN}]")
_PERSON = re.compile(f"[{HAN}\u3041-\u30f6]+(?:\\s+[{HAN}\u3041-\u30f6]+)?")
_DIGITS = re.compile("[0-9A-Za-z]+")
_APART = re.compile(r"[\s・、,.()（）&]+")
_USUAL_FAMILY = 2  # characters: most family names have so many
# other forms of characters, of which the dictionary has the usual one
_USUAL_FORMS = str.maketrans("髙﨑濵栁邉𠮷", "高崎浜柳辺吉")
# forms of today's Japan, where Chinese characters were made simpler in another way
_CHINESE_FORMS = str.maketrans(
    "発気鉄団険薬総証製機連協労営産業実図戦広験", "发气铁团险药总证制机连协劳营产业实图战广验"
)
# words of business and offices, beside those that Chinese have too
BUSINESS_WORDS = {
    "水産": "fishery", "農林": "agriculture forestry", "鉱業": "mining", "食品": "foods",
    "印刷": "printing", "運輸": "transport", "運送": "transport", "港湾": "port",
    "商店": "store", "商会": "trading", "電鉄": "railway", "鉄道": "railway",
    "倉庫": "warehouse", "不動産": "real estate", "県庁": "prefecture", "県": "prefecture",
    "市役所": "city", "市": "city", "町": "town", "会": "kai", "會": "kai", "一家": "ikka",
    "組": "gumi", "総業": "enterprise", "工務店": "construction", "製作所": "works",
    "工業所": "works", "信用金庫": "credit union", "ホールディングス": "holdings",
    "グループ": "group", "ガス": "gas", "情報": "information", "広告": "advertising",
    "商工": "commerce industry", "電工": "electric", "土木": "civil engineering",
    "薬品": "pharmaceutical",
}  # fmt: skip
_LONGEST_WORD = max(map(len, (*WORDS, *BUSINESS_WORDS)))


@dataclass(frozen=True, slots=True)
class JapaneseReading:
    """A name in Latin letters in each of its readings, the most usual first.

    `complete` says that the dictionary has the name and these are all of its readings there, and
    `family` that the name begins with a family name of two characters or more, as only Japanese
    have them.
    """

    spellings: tuple[str, ...] = ()
    complete: bool = False
    family: bool = False


UNREAD = JapaneseReading()


@lru_cache(maxsize=1024)
def read_japanese_name(text: str) -> JapaneseReading:
    """Return how Japanese read a name: as a person's, else as that of a firm or an office."""
    plain = " ".join(text.translate(_USUAL_FORMS).strip(" .,、").split())
    if not _HAN.search(plain):
        return UNREAD
    person = _read_person(plain)
    if person and person.complete:
        return person
    return _read_company(plain) or person or UNREAD


def _read_person(text: str) -> JapaneseReading | None:
    """Return the readings of family name and given name, wherever the one may end."""
    if not _PERSON.fullmatch(text) or len(text) > _LONGEST_PERSON:
        return None
    apart = text.split()
    splits = (
        [(apart[0], apart[1])]
        if len(apart) > 1
        else [(text[:size], text[size:]) for size in range(1, len(text))]
    )
    splits = [one for one in splits if find_readings(one[0]).family]
    known = [one for one in splits if is_kana(one[1]) or find_readings(one[1]).given]
    usual = [one for one in splits if len(one[0]) == _USUAL_FAMILY]
    ranked: list[tuple[_Rank, str]] = []
    # the surest divisions that there are: a given name that is known, else a family name of two
    for family, given in known or usual or splits:
        for place, first in enumerate(find_readings(family).family):
            for other, (second, guessed) in enumerate(_iter_given_readings(given)):
                rank = _Rank(guessed, len(family) != _USUAL_FAMILY, place + other)
                ranked.append((rank, f"{first} {second}"))
    if not ranked:
        return None
    spellings = tuple(dict.fromkeys(spelling for _rank, spelling in sorted(ranked)))
    sure = {spelling for rank, spelling in ranked if not rank.guessed}
    family_known = any(len(family) > 1 for family, _given in splits)
    return JapaneseReading(spellings[:MOST], 0 < len(sure) <= MOST, family_known)


class _Rank(NamedTuple):
    """What makes a reading less likely than another: the smallest is the likeliest."""

    guessed: bool
    unusual: bool  # length of the family name
    place: int


def _iter_given_readings(written: str) -> Iterator[tuple[str, bool]]:
    """Yield the readings of a given name, and whether they are guessed from its characters."""
    if is_kana(written):
        yield romanize_kana(written), False
        return
    known = find_readings(written).given
    yield from ((reading, False) for reading in known)
    yield from ((one, True) for one in guess_given_name(written) if one not in known)


def _read_company(text: str) -> JapaneseReading | None:
    """Return the readings of a name of words of business, places, family names and kana."""
    bare, forms = strip_cjk_legal_forms(text)
    if len(bare) > _LONGEST_COMPANY:
        return None
    found: list[_Piece] = []
    for stretch in filter(None, _APART.split(bare)):
        pieces = _divide_company_name(stretch)
        if pieces is None:
            return None
        found += pieces
    business = bool(forms) or any(one.business for one in found)
    if not found or not (business or len(found) == 1):
        return None
    ways = [one.readings for one in found]
    spellings = tuple(dict.fromkeys(" ".join(way) for way in islice(product(*ways), MOST)))
    # complete only if no reading was left out
    return JapaneseReading(spellings, prod(map(len, ways)) <= MOST)


class _Piece(NamedTuple):
    """A piece of a company's name: its readings, and whether it is a word of business."""

    readings: tuple[str, ...]
    business: bool = False


@lru_cache(maxsize=1024)
def _divide_company_name(stretch: str) -> tuple[_Piece, ...] | None:
    """Return pieces that are all known, the longest first; None where there are none.

    A family name of one character counts only before words of business: 林建設.
    """
    if not stretch:
        return ()
    for end in range(min(len(stretch), max(LONGEST, _LONGEST_WORD)), 0, -1):
        piece = _read_piece(stretch[:end])
        behind = _divide_company_name(stretch[end:]) if piece.readings else None
        if behind is not None:
            return (piece, *behind)
    behind = _divide_company_name(stretch[1:])
    family = find_readings(stretch[0]).family
    if family and behind and all(one.business for one in behind):
        return (_Piece(family), *behind)
    return None


def _read_piece(written: str) -> _Piece:
    """Return how a word of business, a name or kana is read."""
    if word := BUSINESS_WORDS.get(written) or WORDS.get(
        simplify_han(written.translate(_CHINESE_FORMS))
    ):
        return _Piece((word,), business=True)
    if _DIGITS.fullmatch(written):
        return _Piece((written.lower(),))
    if is_kana(written):
        return _Piece((romanize_kana(written),))
    known = find_readings(written)
    return _Piece(tuple(dict.fromkeys((*known.place, *known.family))) if len(written) > 1 else ())
