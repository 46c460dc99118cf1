"""Foreign names that are written by their sound in kana, Chinese characters or Hangul.

Such writing has few consonants and no clusters of them: プーチン is Puchin and stands for Putin,
拉登 is Ladeng and stands for Laden. What is left are kinds of sounds: lips, teeth, hisses, throat,
the one that is l and r, m and n. One may stand for several (`ji` for di, gi, zi): all are tried.
"""

import re
from collections.abc import Sequence
from functools import lru_cache
from itertools import islice, product

import numpy as np
from numpy.typing import NDArray
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
    # the choices multiply with each letter, so only the first ways are tried
    told = ("".join(way) for way in islice(product(*choices), MOST_WAYS))
    return tuple(dict.fromkeys(_LIPS.sub("n", _TWICE.sub(r"\1", way)) for way in told))


def _sound_choices(letter: str, *, first: bool) -> tuple[str, ...]:
    if first and letter in "uw":
        return (letter.translate(_KINDS), "p") if letter == "u" else ("p", "u")
    return tuple(_MAY_STAND_FOR.get(letter) or (letter.translate(_KINDS),))


def compute_sound_keys(token: str) -> set[str]:
    """Return what a token is filed under by its sound: its consonants, one of them left out."""
    found: set[str] = set()
    for sound in sounds_of_token(token):
        bones = strip_vowels(sound)
        if len(bones) < _SHORTEST:
            found.add(sound)
        else:
            found.add(bones)
            if len(bones) > _SHORTEST + 1:
                found |= {bones[:i] + bones[i + 1 :] for i in range(len(bones))}
    return found


def sounds_of_token(token: str) -> tuple[str, ...]:
    """Return the kinds of sounds of a token, in Latin letters or written by its sound."""
    return expand_sounds(token) if token[0] == HEARD else classify_sounds(token)


def match_by_sound(heard: str, others: Sequence[str]) -> dict[tuple[str, str], TokenLikeness]:
    """Return the likeness of a token written by its sound to each that is like it at all."""
    latin = [other for other in dict.fromkeys(others) if other[0] != ABJAD]
    likeness = score_sound_likeness(heard, latin, list(map(sounds_of_token, latin)))
    found = {}
    for other, similarity in zip(latin, likeness.tolist(), strict=True):
        if similarity:
            kind: Kind = "exact" if similarity == 1 else "transliteration"
            found[heard, other] = TokenLikeness(similarity, kind)
    return found


def score_sound_likeness(
    heard: str, others: Sequence[str], sounds: Sequence[Sequence[str]]
) -> "NDArray[np.float64]":
    """Return how like a token written by its sound and each of others are, 0 where they are not.

    `sounds` are what `sounds_of_token` returns for each: most words share theirs with others, and
    each is compared once.
    """
    distinct = list(dict.fromkeys(sound for some in sounds for sound in some))
    scores = dict(zip(distinct, _score_sounds(expand_sounds(heard), distinct), strict=True))
    found = np.array([max(map(scores.__getitem__, some)) for some in sounds])
    bare = heard.lstrip(HEARD)
    found[[other.lstrip(HEARD) == bare for other in others]] = 1.0
    return found


def _score_sounds(ways: Sequence[str], sounds: Sequence[str]) -> list[float]:
    """Return how like each sound is to the likest of the ways in which a token may be read.

    Consonants rule most of them out; they are compared first, and the vowels of the rest.
    """
    if not sounds:
        return []
    ours = [strip_vowels(way) for way in ways]
    bones = {bone: place for place, bone in enumerate(dict.fromkeys(map(strip_vowels, sounds)))}
    apart = cdist(ours, list(bones), scorer=OSA.distance, score_cutoff=_FAR, dtype=np.uint8)
    sizes = [len(bone) for bone in ours], [len(bone) for bone in bones]
    longest, shortest = np.maximum.outer(*sizes) + 1, np.minimum.outer(*sizes)
    # the most edits with which LEAST_SOUND can still be reached
    least = (SAME_SOUND - LEAST_SOUND) / _SLOPE * longest + _ROUNDING
    near: NDArray[np.bool_] = (apart < _FAR) & (apart <= least)
    columns = np.array([bones[strip_vowels(sound)] for sound in sounds])
    likely = np.flatnonzero(near[:, columns].any(axis=0))
    scores = np.zeros(len(sounds))
    if len(likely):
        columns = columns[likely]
        texts = [sounds[place] for place in likely.tolist()]
        whole = cdist(ways, texts, scorer=OSA.distance, dtype=np.int32)
        consonantal = apart[:, columns].astype(np.int32)
        vowels = np.maximum(0, whole - consonantal)
        score = SAME_SOUND - _SLOPE * (consonantal + _VOWEL * vowels) / longest[:, columns]
        too_short = (shortest[:, columns] < _SHORTEST) & (whole > 0)
        score[(consonantal >= _FAR) | too_short | (score < LEAST_SOUND)] = 0.0
        scores[likely] = score.max(axis=0)
    found: list[float] = scores.tolist()
    return found
