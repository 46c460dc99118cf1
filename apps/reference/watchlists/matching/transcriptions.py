"""Foreign names that are written by their sound in kana, Chinese characters or Hangul.

Such writing has few consonants and no clusters of them: プーチン is Puchin and stands for Putin,
拉登 is Ladeng and stands for Laden. What is left are kinds of sounds: lips, teeth, hisses, throat,
the one that is l and r, m and n. One may stand for several (`ji` for di, gi, zi): all are tried.
"""

import re
from collections.abc import Iterable, Sequence
from functools import lru_cache
from itertools import islice, product

import numpy as np
from rapidfuzz.distance import OSA
from rapidfuzz.process import cdist

from apps.reference.names.scripts.phonetics import ABJAD
from apps.reference.watchlists.matching.edit_costs import Kind, TokenLikeness

HEARD = "^"
"""Prefix of tokens of a name that is written by its sound."""
MOST_WAYS = 12
SAME_SOUND, _SLOPE, _VOWEL = 0.92, 0.9, 0.22
LEAST_SOUND = 0.72
_FAR = 3
_SHORTEST = 2
_AT_ONCE_FROM = 16  # words; fewer are compared as fast one by one
_ROUNDING = 1e-9
_DIGRAPHS = {
    "tsch": "s", "shch": "s", "sch": "s", "tch": "s", "dzh": "s", "dz": "s", "cz": "s", "sz": "s",
    "sh": "s", "zh": "s", "ch": "s", "ts": "s", "tz": "s", "dj": "s", "kh": "k", "gh": "k",
    "ck": "k", "ph": "p", "th": "t", "dh": "t", "ng": "n", "x": "ks", "qu": "k", "gy": "s",
}  # fmt: skip
_DIGRAPH = re.compile("|".join(sorted(_DIGRAPHS, key=len, reverse=True)))
_SOFT_C = re.compile("c(?=[eiy])")
_KINDS = str.maketrans(
    dict.fromkeys("bpfvw", "p") | dict.fromkeys("dt", "t") | dict.fromkeys("szj", "s")
    | dict.fromkeys("kgqc", "k") | dict.fromkeys("lr", "r") | {"h": "", "m": "m", "n": "n"}
    | {"y": "i", "e": "i", "o": "u", "'": ""}
)  # fmt: skip
_LIPS = re.compile("m(?=p)")  # 兰 stands for `lam` before a p
_VU = re.compile("vu(?=[aeio])")  # ヴィ
_SILENT_R = re.compile("(?<=[aiu])r(?![aiu])")
_TWICE = re.compile(r"(.)\1+")
_VOWELS = str.maketrans("", "", "aiu")
# of the letters that a transcription is read by: the kinds that each may stand for
_SYLLABIC = re.compile(r"zh|ch|sh|ts|ng|(?<=[aeiou])er$|^u(?=[^aeiou])|^[uw](?=[aeiou])|[a-z]")
_MAY_STAND_FOR = {
    "j": "stk", "q": "sk", "x": "sk", "ch": "st", "zh": "s", "sh": "s", "ts": "st", "ng": "n",
    "r": "r", "h": ("", "k"), "er": "r", "c": "st", "z": "st",
}  # fmt: skip


@lru_cache(maxsize=65536)
def classify_sounds(token: str) -> tuple[str, ...]:
    """Return the kinds of sounds of a Latin token, with the vowels told in a, i and u.

    Also without the r behind vowels, which many do not hear (`Robert`, ロバート), and with j as y.
    """
    spelt = _DIGRAPH.sub(lambda found: _DIGRAPHS[found.group()], _SOFT_C.sub("s", token))
    sound = _LIPS.sub("n", _TWICE.sub(r"\1", spelt.translate(_KINDS)))
    written = [sound, _SILENT_R.sub("", sound)]
    if token[0] == "j":  # `Joaquin`, `Juncker`
        written.append(f"i{sound[1:]}")
    return tuple(dict.fromkeys(written))


def strip_vowels(sound: str) -> str:
    """Return the kinds of sounds without vowels."""
    return sound.translate(_VOWELS)


@lru_cache(maxsize=4096)
def expand_sounds(token: str) -> tuple[str, ...]:
    """Return the kinds of sounds that a token written by its sound may stand for."""
    letters = _SYLLABIC.findall(_VU.sub("v", token.lstrip(HEARD)))
    choices = [_sound_choices(letter, first=not place) for place, letter in enumerate(letters)]
    told = ("".join(way) for way in islice(product(*choices), MOST_WAYS))
    return tuple(dict.fromkeys(_LIPS.sub("n", _TWICE.sub(r"\1", way)) for way in told))


def _sound_choices(letter: str, *, first: bool) -> tuple[str, ...]:
    if first and letter in "uw":
        return (letter.translate(_KINDS), "p") if letter == "u" else ("p", "u")
    return tuple(_MAY_STAND_FOR.get(letter) or (letter.translate(_KINDS),))


def compute_sound_keys(token: str) -> set[str]:
    """Return what a token is filed under by its sound: its consonants, one of them left out."""
    found: set[str] = set()
    for sound in _sounds_of_token(token):
        bones = strip_vowels(sound)
        if len(bones) < _SHORTEST:
            found.add(sound)
        else:
            found.add(bones)
            if len(bones) > _SHORTEST + 1:
                found |= {bones[:i] + bones[i + 1 :] for i in range(len(bones))}
    return found


def _sounds_of_token(token: str) -> tuple[str, ...]:
    return expand_sounds(token) if token[0] == HEARD else classify_sounds(token)


@lru_cache(maxsize=65536)
def score_sound_likeness(heard: str, other: str) -> float:
    """Return how like a token written by its sound and another are, 0 where they are not."""
    bare = heard.lstrip(HEARD)
    if bare == other.lstrip(HEARD):
        return 1.0
    best = max(
        _score_sounds(sound, two)
        for sound in expand_sounds(heard)
        for two in _sounds_of_token(other)
    )
    return best if best >= LEAST_SOUND else 0.0


def match_by_sound(heard: str, others: Sequence[str]) -> dict[tuple[str, str], TokenLikeness]:
    """Return the likeness of a token written by its sound to each that is like it at all."""
    found = {}
    for other in _filter_by_consonants(heard, [other for other in others if other[0] != ABJAD]):
        similarity = score_sound_likeness(heard, other)
        if similarity:
            kind: Kind = "exact" if similarity == 1 else "transliteration"
            found[heard, other] = TokenLikeness(similarity, kind)
    return found


def _filter_by_consonants(heard: str, others: Sequence[str]) -> Iterable[str]:
    """Return the tokens that their consonants do not rule out.

    They are compared all at once, which takes a third of the time.
    """
    if len(others) < _AT_ONCE_FROM:
        return others
    ours = list(dict.fromkeys(strip_vowels(way) for way in expand_sounds(heard)))
    bones = [
        (place, bone) for place, other in enumerate(others) for bone in _consonants_of_token(other)
    ]
    apart = cdist(ours, [bone for _place, bone in bones], scorer=OSA.distance, dtype=np.uint8)
    lengths = np.maximum.outer([len(one) for one in ours], [len(bone) for _place, bone in bones])
    near = (apart <= (SAME_SOUND - LEAST_SOUND) / _SLOPE * (lengths + 1) + _ROUNDING).any(axis=0)
    found = dict.fromkeys(others[bones[at][0]] for at in np.flatnonzero(near).tolist())
    same = heard.lstrip(HEARD)
    return found | dict.fromkeys(other for other in others if other.lstrip(HEARD) == same)


@lru_cache(maxsize=65536)
def _consonants_of_token(token: str) -> tuple[str, ...]:
    return tuple(dict.fromkeys(strip_vowels(sound) for sound in _sounds_of_token(token)))


def _score_sounds(one: str, other: str) -> float:
    bones = strip_vowels(one), strip_vowels(other)
    if min(map(len, bones)) < _SHORTEST and one != other:
        return 0.0
    apart = OSA.distance(*bones, score_cutoff=_FAR)
    if apart >= _FAR:
        return 0.0
    vowels = max(0, OSA.distance(one, other) - apart)
    longest = max(len(bones[0]), len(bones[1])) + 1
    return SAME_SOUND - _SLOPE * (apart + _VOWEL * vowels) / longest
