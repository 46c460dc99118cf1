"""Arabic names of several words that are one name, however they are spaced (`Abd al-Rahman`)."""

import re
from collections.abc import Sequence

from apps.reference.names.words.word_classes import PARTICLES, PERSON_ABBREVIATIONS

_SERVANT = re.compile(r"^(abd|abdul|abdal|abdel|abdil|abdol|abdoul|abdur|abdus|abdu|abdou)$")
_ARTICLES = {"al", "el", "ul", "ol", "ar", "er", "ur", "as", "es", "us", "az", "ad", "ed", "ud"}
_FAITH = {"din", "deen", "dine", "eddin", "eddine", "aldin", "uddin", "ddin", "aldeen", "uddeen"}
_OF_GOD = {"allah", "ullah", "ollah", "ulla", "alla"}
_UNVOWELLED_ENDINGS = {"allh": "ullah", "aldyn": "uddin"}
_UNVOWELLED_SERVANT = "bd"
_JOINED_SERVANT = re.compile(r"^abd(?:[eauio]|ou)?(?:l|(?P<same>[rsnztd])(?=(?P=same)))(?=\w{3})")


def join_arabic_compounds(tokens: Sequence[str]) -> list[tuple[str, int]]:
    """Return the tokens with those of a compound as one, each with how many it is made of."""
    joined: list[tuple[str, int]] = []
    position = 0
    while position < len(tokens):
        token = tokens[position]
        position += 1
        rest = tokens[position : position + 2]
        if _SERVANT.match(token) and rest:
            # `Abd al Rahman`: the article is left out, so that all spellings become `abdulrahman`
            skip = 1 if rest[0] in _ARTICLES and len(rest) > 1 else 0
            text = "abdullah" if rest[skip] in _OF_GOD else "abdul" + rest[skip]
            joined.append((text, skip + 2))
            position += skip + 1
        elif token in _FAITH and joined:
            # `Nur al Din`: the article belongs to the compound too
            article = joined.pop()[1] if joined[-1][0] in _ARTICLES and len(joined) > 1 else 0
            text, size = joined.pop()
            joined.append((text + "uddin", size + article + 1))
        elif token in _OF_GOD and joined and joined[-1][0] not in PARTICLES:
            text, size = joined.pop()
            joined.append((text + "ullah", size + 1))
        else:
            unified = (
                _JOINED_SERVANT.sub("abdul", token)
                if token.startswith("abd") and token not in ("abdullah", "abdallah")
                else token
            )
            joined.append((PERSON_ABBREVIATIONS.get(token, unified), 1))
    return joined


def join_unvowelled_compounds(tokens: Sequence[str]) -> list[tuple[str, int]]:
    """Return tokens without vowels, those of a compound as one, and of how many each is made.

    Arabic writes apart what Latin script writes together (`Saif Allah`, `Nur al-Din`).
    """
    joined: list[tuple[str, int]] = []
    servant = 0
    for token in tokens:
        if token == _UNVOWELLED_SERVANT and not servant:
            servant = 1
        elif token in _UNVOWELLED_ENDINGS and joined and not servant:
            text, size = joined.pop()
            joined.append((text + _UNVOWELLED_ENDINGS[token], size + 1))
        else:
            joined.append((_UNVOWELLED_SERVANT * servant + token, servant + 1))
            servant = 0
    return [*joined, (_UNVOWELLED_SERVANT, 1)] if servant else joined
