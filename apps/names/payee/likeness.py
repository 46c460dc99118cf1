"""How two words agree, and how nearly. Pure."""

import re
from dataclasses import dataclass
from functools import lru_cache

from rapidfuzz.distance import OSA

from apps.names.payee.disguises import as_read
from apps.names.payee.nicknames import are_two, called, is_first, same_given
from apps.names.payee.roles import role_of
from apps.names.payee.shortening import begins_given, is_clerks, is_shortened
from apps.names.payee.translations import are_one
from apps.names.payee.values import How, Word
from apps.names.scripts.phonetics import ABJAD, bare_bones, consonants, folded, skeleton
from apps.names.scripts.syllables import syllabic, syllables
from apps.names.words import arabic
from apps.names.words.general import ABBREVIATIONS, PERSON_NAMES
from apps.names.words.initials import stands_for
from apps.names.words.numbers import is_numeral
from apps.names.words.senses import senses_of
from apps.names.words.slavic import name_row

FURTHEST = 3
_ONE_SLIP, _TWO_SLIPS, _THREE_SLIPS = 4, 6, 11  # letters of a word in which so many may be
_TELLING_BONES, _FEW_BONES = 3, 2  # consonants that do not agree by chance; that may
_SHORTEST_CUT = 4
_SOUNDS = frozenset({"th", "ph", "ch", "fr", "kl", "cl"})  # by which given names are begun
_BEGINNING = 5
_LONGEST_ENDING = 3
_SUFFIXES = "s e es er ers ing ings or ors en y ies al ment ments ed"
_ENDINGS = frozenset(["", *_SUFFIXES.split()])
_DIPHTHONG = re.compile("ei|ey|ay|ej|aj")  # `Meier`, `Mayer`
_ONE_SYLLABLE = re.compile("[^aeiou]*[aeiou]+[^aeiou]*$")
_DIGITS = re.compile(r"\d+")
_ROYAL = """
royal koninklijke koninklijk kongelig kongelige kungliga konglig royale real regia konigliche
koniglich krolewski kiralyi
"""
_SHORTENED = {
    "st": "saint", "sankt": "saint", "sto": "santo", "sta": "santa", "mt": "mount", "ft": "fort",
    "ste": "sainte", "gebr": "gebruder", "flli": "fratelli", "gb": "uk", "greatbritain": "uk",
    "unitedkingdom": "uk", "us": "usa", "unitedstates": "usa", "unitedstatesofamerica": "usa",
}  # fmt: skip
_TITLES_OF_STATE = frozenset(_ROYAL.split())


@dataclass(frozen=True, slots=True)
class Likeness:
    """How two words agree, and the share in (0, 1] of their weight that this carries."""

    how: How
    share: float


_SAME = Likeness("same", 1.0)
_OF: dict[How, Likeness] = {
    "told": Likeness("told", 0.98),
    "spelling": Likeness("spelling", 0.85),
    "meaning": Likeness("meaning", 0.85),
    "short": Likeness("short", 0.85),
    "pet": Likeness("pet", 0.75),
    "cousins": Likeness("cousins", 0.65),
    "slip": Likeness("slip", 0.85),
    "slips": Likeness("slips", 0.7),
    "gender": Likeness("gender", 0.5),
    "initial": Likeness("initial", 0.5),
    "sound": Likeness("sound", 0.7),
}


INITIALS = _OF["initial"]


def likeness(one: Word, other: Word, *, company: bool, unvowelled: int = 0) -> Likeness | None:
    """Return how two words agree, None where they do not.

    `unvowelled` says how many of the names come from a script without vowels.
    """
    if one.plain == other.plain:
        return _SAME
    if _SHORTENED.get(one.plain, one.plain) == _SHORTENED.get(other.plain, other.plain):
        return _OF["short"]
    if one.told == other.told:
        return _OF["told"]
    if digits_of(one.plain) != digits_of(other.plain):
        return None  # `Fund1` is no slip for `Fund2`
    if is_numeral(one.plain) and is_numeral(other.plain):
        return None  # nor `VII` for `VIII`
    if unvowelled == 1:
        return _OF["sound"] if _sounds_without_vowels(one.plain, other.plain) else None
    if one.is_initial or other.is_initial:
        initial = not company and stands_for(one.plain, other.plain)
        return _OF["initial"] if initial else None
    if not company and _begins_by_two(one.plain, other.plain):
        return _OF["initial"]
    if other.plain == as_read(one) or one.plain == as_read(other):
        return None  # no slip: it is made to look so
    if company:
        how = _of_company(one.plain, other.plain)
    else:
        how = _of_person(one.plain, other.plain, mark=ABJAD if unvowelled else "")
    return _OF[how] if how else None


def _begins_by_two(one: str, other: str) -> bool:
    """Return whether a given name stands by the two letters of its first sound (`Th. Weber`)."""
    short, long = sorted((one, other), key=len)
    return short in _SOUNDS and long.startswith(short) and is_first(long)


@lru_cache(maxsize=16384)
def digits_of(word: str) -> tuple[str, ...]:
    """Return the numbers in a word."""
    return () if word.isalpha() else tuple(_DIGITS.findall(word))


def _sounds_without_vowels(one: str, other: str) -> bool:
    """Return whether two words are one, of which either is written without vowels."""
    if arabic.same_name(ABJAD + one, other) or arabic.same_name(one, ABJAD + other):
        return True
    for left in (one, one.removesuffix("t")):
        for right in (other, other.removesuffix("t")):  # the t of `Fatimat` is not read
            bones = skeleton(left), skeleton(right)
            if bones[0] and bones[0] == bones[1]:
                return True
    bones = bare_bones(one), bare_bones(other)
    return bones[0] == bones[1] and len(bones[0]) >= _FEW_BONES


@lru_cache(maxsize=16384)
def _of_person(one: str, other: str, *, mark: str) -> How | None:
    """Return how two names of people agree; `mark` is that of letters without vowels."""
    if are_two(one, other):
        return "gender"
    if is_clerks(one, other):
        return "short"
    if call := called(one, other):
        return call
    if begins_given(one, other):
        return "pet"
    if arabic.same_name(mark + one, mark + other):
        return "spelling"
    if arabic.others(mark + one, mark + other):
        return None
    if name_row(one) and name_row(one) == name_row(other):
        return "spelling"
    if (sound := _syllables(one)) and sound == _syllables(other):
        return "spelling"
    return _by_letters(one, other)


def _syllables(word: str) -> str:
    """Return the sound of a word of Korean syllables, however it is put into Latin letters."""
    return syllables(word).replace("wi", "i")


def _by_letters(one: str, other: str) -> How | None:
    """Return how two names of people agree by letters; a well-known one is no slip for another."""
    written = OSA.distance(one, other, score_cutoff=FURTHEST)
    heard = folded(_DIPHTHONG.sub("ai", one)), folded(_DIPHTHONG.sub("ai", other))
    few = 2 if min(len(one), len(other)) > _ONE_SLIP else 1
    if _is_vowel_apart(one, other):
        return "slip"
    same = written <= few and same_given(one, other)
    if same and heard[0] != heard[1] and _ends_otherwise(one, other):
        return "cousins"
    if heard[0] == heard[1] or same:
        return "spelling"
    known = is_known(one), is_known(other)
    if gendered(one, other, known=any(known)):
        return "gender"
    if all(known):
        return "gender" if _nearly_one(one, other, written) else None
    if _sounds_alike(*heard, written):
        return "spelling"
    return slips(one, other, written)


def _is_vowel_apart(one: str, other: str) -> bool:
    """Return whether two syllables of Chinese or Korean differ by a vowel (`Fang`, `Feng`)."""
    if len(one) != len(other) or not (syllabic(one) and syllabic(other)):
        return False
    if not (_ONE_SYLLABLE.match(one) and _ONE_SYLLABLE.match(other)):
        return False
    apart = [(a, b) for a, b in zip(one, other, strict=True) if a != b]
    return len(apart) == 1 and set(apart[0]) <= set("aeiou")


def _ends_otherwise(one: str, other: str) -> bool:
    """Return whether two given names of one origin are two by how they end (`Jane`, `Janet`)."""
    if folded(one.rstrip("e")) == folded(other.rstrip("e")):
        return False
    return one[-1] != other[-1] and bool({one[-1], other[-1]} & set("aeo"))


def _nearly_one(one: str, other: str, written: int) -> bool:
    """Return whether two given names begin as one (`Patrick`, `Patricia`) or differ by a letter."""
    begins = one[:_BEGINNING] == other[:_BEGINNING] and abs(len(one) - len(other)) <= 2
    by_letter = written == 1 and one[0] == other[0] and min(len(one), len(other)) >= _ONE_SLIP
    return by_letter or (begins and "a" in (one[-1], other[-1]))


def is_known(word: str) -> bool:
    """Return whether a folded word is a given name that many people bear."""
    return word in PERSON_NAMES or is_first(word)


def _sounds_alike(one: str, other: str, written: int) -> bool:
    bones = consonants(one)
    return bones == consonants(other) and len(bones) >= _TELLING_BONES and written <= FURTHEST


def gendered(one: str, other: str, *, known: bool) -> bool:
    """Return whether two names differ by how they end for a man and a woman (`Mario`, `Maria`).

    `known` says that one is a given name; of others only `-a` behind a whole name counts.
    """
    short, long = sorted((one, other), key=len)
    if len(short) < _ONE_SLIP:
        return False
    if len(short) == len(long):
        return known and short[:-1] == long[:-1] and {short[-1], long[-1]} <= set("aoei")
    if long[-1] not in "ae" or len(long) - len(short) > _LONGEST_ENDING:
        return False
    return long.startswith(short) if known else long in (f"{short}a", f"{short}ova")


def slips(one: str, other: str, written: int) -> How | None:
    """Return whether so many edits may be slips of the pen in words as long as these.

    Two are none where the first letters differ.
    """
    longest = max(len(one), len(other))
    if written == 1 and longest >= _ONE_SLIP:
        return "slip"
    if one[0] != other[0]:
        return None
    if written == 2 and longest >= _TWO_SLIPS:
        return "slips"
    return "slips" if written == FURTHEST and longest >= _THREE_SLIPS else None


@lru_cache(maxsize=16384)
def _of_company(one: str, other: str) -> How | None:
    if ABBREVIATIONS.get(one, one) == ABBREVIATIONS.get(other, other):
        return "short"
    if _street(one) == _street(other):
        return "short"
    if {one, other} <= _TITLES_OF_STATE or are_one(one, other):
        return "meaning"
    short, long = sorted((one, other), key=len)
    if len(short) >= _SHORTEST_CUT and long.startswith(short) and role_of(long) != "name":
        return "short"
    if is_clerks(one, other) or is_shortened(one, other):
        return "short"
    senses = senses_of(one), senses_of(other)
    if senses[0] and senses[1]:
        return "meaning" if senses[0] & senses[1] else None
    if role_of(one) != "name" and role_of(other) != "name":
        return _stems(one, other)
    written = OSA.distance(one, other, score_cutoff=FURTHEST)
    if written == 1 and _are_saints(one, other):
        return "slips"
    if written > 1 and _sounds_alike(folded(one), folded(other), written):
        return "spelling"
    return slips(one, other, written)


def _are_saints(one: str, other: str) -> bool:
    """Return whether two words are given names, and two (`St Mary's`, `St Mark's`)."""
    one, other = (word if is_first(word) else word.removesuffix("s") for word in (one, other))
    return one != other and is_first(one) and is_first(other) and not same_given(one, other)


def _street(word: str) -> str:
    """Return a word of a German address in full (`Hauptstr.`)."""
    return f"{word}asse" if word.endswith("str") and len(word) > _SHORTEST_CUT else word


def _stems(one: str, other: str) -> How | None:
    """Return whether two words of business are one word with two endings (`trader`, `traders`)."""
    pairs = enumerate(zip(one, other, strict=False))
    shared = next((n for n, (a, b) in pairs if a != b), min(len(one), len(other)))
    endings = one[shared:] in _ENDINGS and other[shared:] in _ENDINGS
    return "short" if shared >= _SHORTEST_CUT and endings else None
