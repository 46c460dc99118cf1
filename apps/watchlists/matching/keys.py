"""The keys under which a token is filed, so that a misspelt or re-transliterated one finds it."""

from zlib import crc32

from apps.watchlists.matching.phonetics import ABJAD, bare_bones, skeleton
from apps.watchlists.matching.similarity import Token

_SHORT = 3
_LONG = 7
_LONGEST = 14


def listed_keys(token: Token) -> set[int]:
    """Return the 32-bit keys under which a listed token is filed."""
    return _keys(token, own="a" if token.text[0] == ABJAD else "s", sought="")


def sought_keys(token: Token) -> set[int]:
    """Return the 32-bit keys under which tokens like this one may be filed."""
    return _keys(token, own="", sought="s" if token.text[0] == ABJAD else "a")


def _keys(token: Token, *, own: str, sought: str) -> set[int]:
    bare = token.text.lstrip(ABJAD)
    texts = deletes(bare)
    if token.fold != bare:
        texts |= deletes(token.fold)
    if token.key:
        texts.add("p:" + token.key)
    side = own or sought
    for bones in (skeleton(token.text), skeleton(token.text.replace("th", "t"))):
        if bones:
            texts |= {f"{side}:{part}" for part in _bone_deletes(bones)}
    texts.add(f"{side}:{bare_bones(token.text)}")
    return {crc32(text.encode()) for text in texts} | sense_keys(token)


def sense_keys(token: Token) -> set[int]:
    """Return the keys of the words that mean the same."""
    return {crc32(f"m:{sense}".encode()) for sense in token.senses}


def _bone_deletes(bones: str) -> set[str]:
    return {bones} | (_without_one(bones) if len(bones) >= _SHORT else set())


def deletes(text: str) -> set[str]:
    """Return `text` with up to one letter left out, up to two where it is long."""
    kept = text[:_LONGEST]
    found = {kept}
    if len(kept) >= _SHORT:
        once = _without_one(kept)
        found |= once
        if len(kept) >= _LONG:
            for shorter in once:
                found |= _without_one(shorter)
    return found


def _without_one(text: str) -> set[str]:
    return {text[:i] + text[i + 1 :] for i in range(len(text))}
