"""Readings of a word in a script without vowels: the Latin words that it may represent.

Arabic, Persian and Hebrew leave short vowels out and write long ones: a w is heard as u, o, w or v,
and a y as i, e or y. A word in Latin letters that has other consonants, or no such sound where one
is written, is another word.
"""

import re
from functools import lru_cache

from apps.reference.names.scripts.phonetics import ABJAD

_ABJAD = re.compile("[\u0590-\u06ff\u0750-\u077f]")
_DIGRAPHS = re.compile("kh|gh|sh|th|dh|ch|zh|ph|ck|tz|ts|dj")  # of passports
_LETTERS = re.compile("kh|gh|sh|th|dh|ch|zh")  # of a transliteration, letter by letter
_LETTER_OF = {
    "kh": "X", "gh": "G", "sh": "S", "th": "T", "dh": "D", "ch": "C", "zh": "J", "ph": "f",
    "ck": "k", "tz": "Z", "ts": "Z", "dj": "j",
}  # fmt: skip
_DOUBLED = re.compile(r"(.)\1+")
_ARTICLE = re.compile("^[ae]l(?=...)")
# a letter as it is transliterated, and the letters by which passports render it
_RENDERED = {
    "b": "bpv", "p": "pfb", "t": "tT", "T": "Tts", "j": "jgJcC", "C": "CcSjX", "h": "hXC",
    "X": "XkhCq", "d": "dDz", "D": "Dzd", "r": "r", "z": "zZDdT", "J": "Jjzg", "s": "sScZ",
    "S": "SCs", "f": "fv", "q": "qkgGcX", "k": "kcqgXC", "g": "gGjk", "G": "Ggqrk", "l": "l",
    "m": "m", "n": "n", "Z": "Zzsc", "w": "uowv", "y": "iyej",
}  # fmt: skip
_SOUNDS_OF = {letter: digraph for digraph, letter in _LETTER_OF.items()}
_VOWELS = "[aeiou]*"
_ALIF = "[aeiou]*[aeo][aeiou]*"
# what a word may end in, by its last letter; a consonant may have a mute e behind it
_LAST_H = "(?:[hXC][ae]*|[aeiou]*[ht]?)"
_ENDINGS = {"h": _LAST_H, "a": "[aeo]+h?", "w": "[uowv]+h?", "y": "[iyeja]+h?"}
# of compounds: the article within is heard as an l or not at all, and the names of God and faith
_WITHIN = ((re.compile("^bdal(?=..)"), "bdl"), (re.compile("(?:allh|alh|ullah|ulah)$"), "lh"),
           (re.compile("(?:uddin|udin)$"), "dyn"))  # fmt: skip
_PLAIN = str.maketrans("ةۃۀھہٹڈڑےں", "هههههتدرین")


def is_abjad(text: str) -> bool:
    """Return whether a text has letters of a script without vowels."""
    return not text.isascii() and _ABJAD.search(text) is not None


def normalize_abjad(text: str) -> str:
    """Return an Arabic text with letters of Persian and Urdu, and the last t that is an a, plain.

    Others than these have no letter of their own in Latin script, and would be left out.
    """
    return text.translate(_PLAIN)


@lru_cache(maxsize=4096)
def _build_reading_pattern(unvowelled: str) -> "re.Pattern[str]":
    bare = _reduce_to_sounds(unvowelled.lstrip(ABJAD), _LETTERS)
    for part, heard in _WITHIN:
        bare = part.sub(heard, bare)
    bare = _ARTICLE.sub("", bare)
    parts = []
    for place, letter in enumerate(bare):
        if place == len(bare) - 1:
            parts.append(_ENDINGS.get(letter) or f"{_build_sound_pattern(letter, last=True)}e?")
        elif letter == "a":
            # an alif before w or y only carries the long vowel that these write
            first = "[aeiou]*" if bare[1] in "wy" else "[aeiou]+"
            parts.append(_ALIF if place else first)
        elif letter == "h" and bare[place + 1 :] == "ay":  # Khamenei
            parts.append("h?")
        else:
            parts.append(_build_sound_pattern(letter))
    return re.compile(_VOWELS + _VOWELS.join(parts))


def _build_sound_pattern(letter: str, *, last: bool = False) -> str:
    """Return the pattern of what a letter may sound like; two may be transliterated as one."""
    if letter in "wy":
        return f"[{_RENDERED[letter]}]+"
    heard = f"[{_RENDERED.get(letter, letter)}]"
    first, second = tuple(_SOUNDS_OF.get(letter, "--"))
    if first not in _RENDERED or second not in _RENDERED:
        return heard
    behind = _LAST_H if last and second == "h" else f"[{_RENDERED[second]}]"
    return f"(?:{heard}|[{_RENDERED[first]}]{_VOWELS}{behind})"


@lru_cache(maxsize=16_384)
def can_be_read_as(unvowelled: str, latin: str) -> bool:
    """Return whether a word without vowels may be how one in Latin letters is written."""
    pattern = _build_reading_pattern(unvowelled)
    word = _reduce_to_sounds(latin, _DIGRAPHS)
    bare = _ARTICLE.sub("", word)
    # Latin spelling may have the article that the pattern leaves out
    return bool(pattern.fullmatch(word) or (bare != word and pattern.fullmatch(bare)))


def _reduce_to_sounds(text: str, digraphs: "re.Pattern[str]") -> str:
    """Return a word with one letter for each sound, and none twice."""
    return _DOUBLED.sub(r"\1", digraphs.sub(lambda found: _LETTER_OF[found.group()], text))
