"""How two words agree, and how nearly. Pure."""

import re
from dataclasses import dataclass
from functools import lru_cache

from rapidfuzz.distance import OSA

from apps.reference.names.payee.disguises import undisguise_word
from apps.reference.names.payee.nicknames import (
    are_distinct_given_names,
    is_given_name,
    is_same_given_name,
    relate_nicknames,
)
from apps.reference.names.payee.short_forms import (
    is_clerk_abbreviation,
    is_given_name_beginning,
    is_shortened_word,
)
from apps.reference.names.payee.translations import are_translations
from apps.reference.names.payee.values import How, NameWord
from apps.reference.names.payee.word_roles import is_compound_head, role_of_word
from apps.reference.names.scripts.korean_chinese_syllables import (
    is_syllabic_word,
    normalize_korean_syllables,
)
from apps.reference.names.scripts.phonetics import (
    ABJAD,
    bare_consonants,
    consonant_skeleton,
    extract_consonants,
    fold_sounds,
)
from apps.reference.names.words import arabic_names
from apps.reference.names.words.numbers import is_roman_numeral
from apps.reference.names.words.senses import find_word_senses
from apps.reference.names.words.slavic_initials import is_initial_of
from apps.reference.names.words.slavic_person_names import find_slavic_name_number
from apps.reference.names.words.word_classes import ABBREVIATIONS, PERSON_NAMES

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
class WordLikeness:
    """How two words agree, and the share in (0, 1] of their weight that this carries."""

    how: How
    share: float


_SAME = WordLikeness("same", 1.0)
_OF: dict[How, WordLikeness] = {
    "told": WordLikeness("told", 0.98),
    "spelling": WordLikeness("spelling", 0.85),
    "meaning": WordLikeness("meaning", 0.85),
    "short": WordLikeness("short", 0.85),
    "pet": WordLikeness("pet", 0.75),
    "cousins": WordLikeness("cousins", 0.65),
    "slip": WordLikeness("slip", 0.85),
    "slips": WordLikeness("slips", 0.7),
    "gender": WordLikeness("gender", 0.5),
    "initial": WordLikeness("initial", 0.5),
    "sound": WordLikeness("sound", 0.7),
}


INITIALS = _OF["initial"]


def compare_words(
    one: NameWord, other: NameWord, *, company: bool, unvowelled: int = 0
) -> WordLikeness | None:
    """Return how two words agree, None where they do not.

    `unvowelled` says how many of the names come from a script without vowels.
    """
    if one.plain == other.plain or _expand_street(one.plain) == _expand_street(other.plain):
        return _SAME
    if _SHORTENED.get(one.plain, one.plain) == _SHORTENED.get(other.plain, other.plain):
        return _OF["short"]
    if one.told == other.told:
        return _OF["told"]
    # before any likeness: numbers tell funds, branches and vehicles of one company apart
    if extract_numbers(one.plain) != extract_numbers(other.plain):
        return None  # `Fund1` is no slip for `Fund2`
    if is_roman_numeral(one.plain) and is_roman_numeral(other.plain):
        return None  # nor `VII` for `VIII`
    # only one side lacks its vowels; where both do, their letters are compared as any others
    if unvowelled == 1:
        return _OF["sound"] if _sound_alike_without_vowels(one.plain, other.plain) else None
    if one.is_initial or other.is_initial:
        initial = not company and is_initial_of(one.plain, other.plain)
        return _OF["initial"] if initial else None
    if not company and _is_two_letter_initial(one.plain, other.plain):
        return _OF["initial"]
    if other.plain == undisguise_word(one) or one.plain == undisguise_word(other):
        return None  # no slip: it is made to look so
    if company:
        how = _compare_company_words(one.plain, other.plain)
    else:
        how = _compare_person_words(one.plain, other.plain, mark=ABJAD if unvowelled else "")
    return _OF[how] if how else None


def _is_two_letter_initial(one: str, other: str) -> bool:
    """Return whether a given name is the two letters of its first sound (`Th. Weber`)."""
    short, long = sorted((one, other), key=len)
    return short in _SOUNDS and long.startswith(short) and is_given_name(long)


@lru_cache(maxsize=16384)
def extract_numbers(word: str) -> tuple[str, ...]:
    """Return the numbers in a word."""
    return () if word.isalpha() else tuple(_DIGITS.findall(word))


def _sound_alike_without_vowels(one: str, other: str) -> bool:
    """Return whether two words are one, of which either is written without vowels."""
    if arabic_names.is_same_arabic_name(ABJAD + one, other) or arabic_names.is_same_arabic_name(
        one, ABJAD + other
    ):
        return True
    for left in (one, one.removesuffix("t")):
        for right in (other, other.removesuffix("t")):  # the t of `Fatimat` is not read
            bones = consonant_skeleton(left), consonant_skeleton(right)
            if bones[0] and bones[0] == bones[1]:
                return True
    bones = bare_consonants(one), bare_consonants(other)
    return bones[0] == bones[1] and len(bones[0]) >= _FEW_BONES


@lru_cache(maxsize=16384)
def _compare_person_words(one: str, other: str, *, mark: str) -> How | None:
    """Return how two names of people agree; `mark` is that of letters without vowels."""
    if are_distinct_given_names(one, other):
        return "gender"
    if is_clerk_abbreviation(one, other):
        return "short"
    if call := relate_nicknames(one, other):
        return call
    if is_given_name_beginning(one, other):
        return "pet"
    if arabic_names.is_same_arabic_name(mark + one, mark + other):
        return "spelling"
    if arabic_names.are_different_arabic_names(mark + one, mark + other):
        return None
    if find_slavic_name_number(one) and find_slavic_name_number(one) == find_slavic_name_number(
        other
    ):
        return "spelling"
    if (sound := _normalize_syllables(one)) and sound == _normalize_syllables(other):
        return "spelling"
    return _compare_by_letters(one, other)


def _normalize_syllables(word: str) -> str:
    """Return the sound of a word of Korean syllables, however it is put into Latin letters."""
    return normalize_korean_syllables(word).replace("wi", "i")


def _compare_by_letters(one: str, other: str) -> How | None:
    """Return how two personal names agree by letters; two known names are not a typing error."""
    written = OSA.distance(one, other, score_cutoff=FURTHEST)
    heard = fold_sounds(_DIPHTHONG.sub("ai", one)), fold_sounds(_DIPHTHONG.sub("ai", other))
    few = 2 if min(len(one), len(other)) > _ONE_SLIP else 1
    if _differ_by_vowel(one, other):
        return "slip"
    same = written <= few and is_same_given_name(one, other)
    if same and heard[0] != heard[1] and _have_distinct_endings(one, other):
        return "cousins"
    if heard[0] == heard[1] or same:
        return "spelling"
    known = is_common_given_name(one), is_common_given_name(other)
    if differ_by_gender(one, other, known=any(known)):
        return "gender"
    if all(known):
        # two given names that begin as one (`Patrick`, `Patricia`) or differ by a letter
        begins = one[:_BEGINNING] == other[:_BEGINNING] and abs(len(one) - len(other)) <= 2
        by_letter = written == 1 and one[0] == other[0] and min(len(one), len(other)) >= _ONE_SLIP
        return "gender" if by_letter or (begins and "a" in (one[-1], other[-1])) else None
    if _have_same_consonants(*heard, written):
        return "spelling"
    return classify_slip(one, other, written)


def _differ_by_vowel(one: str, other: str) -> bool:
    """Return whether two syllables of Chinese or Korean differ by a vowel (`Fang`, `Feng`)."""
    if len(one) != len(other) or not (is_syllabic_word(one) and is_syllabic_word(other)):
        return False
    if not (_ONE_SYLLABLE.match(one) and _ONE_SYLLABLE.match(other)):
        return False
    apart = [(a, b) for a, b in zip(one, other, strict=True) if a != b]
    return len(apart) == 1 and set(apart[0]) <= set("aeiou")


def _have_distinct_endings(one: str, other: str) -> bool:
    """Return whether two given names of one origin are two by how they end (`Jane`, `Janet`)."""
    if fold_sounds(one.rstrip("e")) == fold_sounds(other.rstrip("e")):
        return False
    return one[-1] != other[-1] and bool({one[-1], other[-1]} & set("aeo"))


def is_common_given_name(word: str) -> bool:
    """Return whether a folded word is a given name that many people bear."""
    return word in PERSON_NAMES or is_given_name(word)


def _have_same_consonants(one: str, other: str, written: int) -> bool:
    bones = extract_consonants(one)
    return (
        bones == extract_consonants(other) and len(bones) >= _TELLING_BONES and written <= FURTHEST
    )


def differ_by_gender(one: str, other: str, *, known: bool) -> bool:
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


def classify_slip(one: str, other: str, written: int) -> How | None:
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
def _compare_company_words(one: str, other: str) -> How | None:
    if ABBREVIATIONS.get(one, one) == ABBREVIATIONS.get(other, other):
        return "short"
    if {one, other} <= _TITLES_OF_STATE or are_translations(one, other):
        return "meaning"
    short, long = sorted((one, other), key=len)
    if len(short) >= _SHORTEST_CUT and long.startswith(short) and role_of_word(long) != "name":
        return "short"
    if is_clerk_abbreviation(one, other) or is_shortened_word(one, other):
        return "short"
    if (
        len(short) >= _SHORTEST_CUT
        and long.startswith(short)
        and is_compound_head(long[len(short) :])
    ):
        return "short"  # `Bloemen`, `Bloemenhandel`
    senses = find_word_senses(one), find_word_senses(other)
    if senses[0] and senses[1]:
        return "meaning" if senses[0] & senses[1] else None
    if role_of_word(one) != "name" and role_of_word(other) != "name":
        pairs = enumerate(zip(one, other, strict=False))
        shared = next((n for n, (a, b) in pairs if a != b), min(len(one), len(other)))
        # one stem with two English endings (`Build`, `Building`, `Builders`)
        endings = one[shared:] in _ENDINGS and other[shared:] in _ENDINGS
        return "short" if shared >= _SHORTEST_CUT and endings else None
    written = OSA.distance(one, other, score_cutoff=FURTHEST)
    if written == 1 and _are_different_saints(one, other):
        return "slips"
    if written > 1 and _have_same_consonants(fold_sounds(one), fold_sounds(other), written):
        return "spelling"
    return classify_slip(one, other, written)


def _are_different_saints(one: str, other: str) -> bool:
    """Return whether two words are given names, and two (`St Mary's`, `St Mark's`)."""
    one, other = (word if is_given_name(word) else word.removesuffix("s") for word in (one, other))
    return (
        one != other
        and is_given_name(one)
        and is_given_name(other)
        and not is_same_given_name(one, other)
    )


def _expand_street(word: str) -> str:
    """Return a word of a German address in full; registers write it either way (`Hauptstr.`)."""
    return f"{word}asse" if word.endswith("str") and len(word) > _SHORTEST_CUT else word
