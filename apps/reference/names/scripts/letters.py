"""Plain letters: undo escapes, drop invisible characters, and detect the scripts of a word."""

import html
import re
import unicodedata
from functools import lru_cache
from urllib.parse import unquote

from apps.reference.names.scripts.lookalikes import TO_CYRILLIC, TO_LATIN

_ENTITY = re.compile(r"&(?:#\d{1,7}|#x[0-9a-f]{1,6}|[a-z]{2,8}\d?);", re.IGNORECASE)
_PERCENT = re.compile(r"(?:%[0-9a-f]{2}){2,}|%[0-9a-f]{2}(?=.*%[0-9a-f]{2})", re.IGNORECASE)
_ESCAPED = re.compile(r"\\u([0-9a-f]{4})|\\x([0-9a-f]{2})", re.IGNORECASE)
_WRAPPINGS = 3  # times that a text is unescaped: &amp;#76;
_LATIN_NAME = re.compile(
    r"LATIN (?:LETTER )?(?:SMALL CAPITAL|CAPITAL LETTER|SMALL LETTER)"
    r" (?:SMALL CAPITAL |TURNED )?([A-Z])\b"
)
ALPHABETS = frozenset({"LATIN", "CYRILLIC", "GREEK", "ARMENIAN", "CHEROKEE", "LISU", "COPTIC"})


def normalize_written_text(text: str) -> str:
    """Return a text without escapes and invisible characters, in plain forms of its letters."""
    return normalize_letters(unescape_text(text))


def unescape_text(text: str) -> str:
    """Return a text without the escapes of HTML, addresses and JSON."""
    for _time in range(_WRAPPINGS):
        before = text
        if "&" in text and _ENTITY.search(text):
            text = html.unescape(text)
        if "%" in text and _PERCENT.search(text):
            text = unquote(text, errors="replace")
        if "\\" in text:
            text = _ESCAPED.sub(lambda found: chr(int(found[1] or found[2], 16)), text)
        if text == before:
            return text
    return text


def normalize_letters(text: str) -> str:
    """Return a text in plain forms of its letters, without invisible characters."""
    if text.isascii():
        return text
    readable = text.encode("utf-8", "ignore").decode()  # without lone surrogates
    composed = unicodedata.normalize("NFKC", readable)
    return "".join(map(_normalize_letter, composed))


@lru_cache(maxsize=4096)
def _normalize_letter(letter: str) -> str:
    """Return a letter without its dress: small capitals, squares; nothing for the invisible."""
    if letter.isascii():
        return letter
    if is_invisible(letter):
        return ""
    category, name = unicodedata.category(letter), unicodedata.name(letter, "")
    found = _LATIN_NAME.search(name)
    if found and (category == "So" or "LETTER SMALL CAPITAL" in name or "TURNED" in name):
        return found[1] if category == "So" else found[1].lower()
    return letter


def is_invisible(letter: str) -> bool:
    """Return whether a character shows nothing: format characters, fillers, selectors."""
    return (
        unicodedata.category(letter) == "Cf"
        or letter in "\u034f\u115f\u1160\u17b4\u17b5\u2800\u3164\uffa0"
        or (
            "\ufe00" <= letter <= "\ufe0f"
            or "\U000e0100" <= letter <= "\U000e01ef"
            or "\u180b" <= letter <= "\u180f"
        )
    )


_ORDINALS = frozenset({"FEMININE", "MASCULINE"})  # ª and º


def scripts_of(word: str) -> frozenset[str]:
    """Return the alphabets of a word; scripts that mix by custom (Han, kana) do not count."""
    return (
        frozenset(map(_script_of_letter, word)) & ALPHABETS
        if not word.isascii()
        else _script_of_ascii(word)
    )


def are_read_in_latin(one: str, other: str) -> bool:
    """Return whether two texts can only be compared as at least one may be read in Latin letters.

    Alphabets with capital letters (Cyrillic, Greek) have one reading, which lists use themselves.
    """
    if one.isascii() and other.isascii():
        return False
    return _uncased_scripts_of(one) != _uncased_scripts_of(other)


def _uncased_scripts_of(text: str) -> frozenset[str]:
    """Return the scripts of a text that know no capital letters, by their Unicode names."""
    return (
        frozenset(_script_of_letter(one) for one in text if unicodedata.category(one) == "Lo")
        - _ORDINALS
    )


def _script_of_ascii(word: str) -> frozenset[str]:
    return frozenset({"LATIN"}) if any(letter.isalpha() for letter in word) else frozenset()


@lru_cache(maxsize=4096)
def _script_of_letter(letter: str) -> str:
    return unicodedata.name(letter, "").partition(" ")[0]


def unify_script(word: str, scripts: frozenset[str]) -> str:
    """Return a mixed word in one script: Latin, unless its Latin letters are the strangers."""
    strangers = [letter for letter in word if _script_of_letter(letter) in ALPHABETS - {"LATIN"}]
    latin = [letter for letter in word if _script_of_letter(letter) == "LATIN"]
    if any(stranger not in TO_LATIN for stranger in strangers) and all(
        one in TO_CYRILLIC for one in latin
    ):
        return "".join(TO_CYRILLIC.get(letter, letter) for letter in word)
    return replace_lookalikes(word)


def replace_lookalikes(word: str) -> str:
    """Return a word with Latin letters for those of other scripts that look like them."""
    return "".join(TO_LATIN.get(letter, letter) for letter in word)
