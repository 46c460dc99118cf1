"""The keys under which a token is filed, so that a misspelt or re-transliterated one finds it."""

from zlib import crc32

from apps.reference.names.scripts.phonetics import ABJAD, compute_skeletons, consonant_skeleton
from apps.reference.names.words.slavic_person_names import find_slavic_name_number
from apps.reference.watchlists.matching.similarity import Token
from apps.reference.watchlists.matching.transcriptions import HEARD, compute_sound_keys

_SHORT = 3
_LONG = 7
_LONGEST = 14
_LEAST_BEGINNING, _LONGEST_BEGINNING = 4, 10


def compute_listed_keys(token: Token) -> set[int]:
    """Return the 32-bit keys under which a listed token is filed."""
    # keys by consonants name the script they are of: a token seeks those of the other kind only
    side = "a" if token.text[0] == ABJAD else "s"
    return {
        *_heard_keys(token.text),
        *_spelling_keys(token, side),
        *compute_sense_keys(token),
        *(_beginning_key(part) for part in _token_beginnings(token.text)),
    }


def compute_sought_keys(token: Token) -> list[int]:
    """Return the 32-bit keys under which tokens spelt like this one may be filed."""
    if token.text[0] == HEARD:
        return _heard_keys(token.text)
    begun = [crc32(part.encode()) for part in _token_beginnings(token.text)]
    return [
        *_spelling_keys(token, "s" if token.text[0] == ABJAD else "a"),
        *begun,
        _beginning_key(token.text),
    ]


def _heard_keys(text: str) -> list[int]:
    """Return the keys of a token by its sound; a number and what has no vowels have none."""
    if text[0] == ABJAD or not text.lstrip(HEARD).isalpha():
        return []
    return [crc32(f"h:{sound}".encode()) for sound in compute_sound_keys(text)]


def _token_beginnings(text: str) -> list[str]:
    """Return what a token begins with that may be all that another has of it."""
    if text[0] == ABJAD:
        return []
    return [text[:size] for size in range(_LEAST_BEGINNING, min(len(text), _LONGEST_BEGINNING))]


def _beginning_key(text: str) -> int:
    return crc32(f"b:{text}".encode())


def compute_sense_keys(token: Token) -> list[int]:
    """Return the keys of the words that mean the same."""
    return [crc32(f"m:{sense}".encode()) for sense in token.senses]


def _spelling_keys(token: Token, side: str) -> list[int]:
    bare = token.text.lstrip(ABJAD)
    keys = compute_deletion_keys(bare)
    if token.fold != bare:
        keys += compute_deletion_keys(token.fold)
    bones, bare_bones = compute_skeletons(token.text)
    parts = {bones, bare_bones} | _drop_each_letter(bones)
    if "th" in token.text:
        bones = consonant_skeleton(token.text.replace("th", "t"))
        parts |= {bones} | _drop_each_letter(bones)
    texts = [f"{side}:{part}" for part in parts]
    if token.key:
        texts.append("p:" + token.key)
    if row := find_slavic_name_number(token.text):
        texts.append(f"n:{row}")
    return keys + [crc32(text.encode()) for text in texts]


def _drop_each_letter(bones: str) -> set[str]:
    if len(bones) < _SHORT:
        return set()
    return {bones[:i] + bones[i + 1 :] for i in range(len(bones))}


def compute_deletion_keys(text: str) -> list[int]:
    """Return the keys of `text` with up to one letter left out, up to two where it is long.

    A key may come more than once.
    """
    kept = text[:_LONGEST]
    size = len(kept)
    if size < _SHORT:
        return [crc32(kept.encode())]
    letters = [letter.encode() for letter in kept]
    tails = [kept[i:].encode() for i in range(size + 1)]
    keys = [crc32(tails[0])]
    head = 0
    for i in range(size):
        keys.append(crc32(tails[i + 1], head))
        if size >= _LONG:
            # a checksum goes on from that of what stands before: nothing is written together
            middle = head
            for j in range(i + 1, size):
                keys.append(crc32(tails[j + 1], middle))
                middle = crc32(letters[j], middle)
        head = crc32(letters[i], head)
    return keys
