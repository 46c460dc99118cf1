"""Clean written text: undo escapes, drop invisible characters, plain forms of letters. Pure."""

import html
import re
import unicodedata
from functools import lru_cache
from urllib.parse import unquote

_ENTITY = re.compile(r"&(?:#\d{1,7}|#x[0-9a-f]{1,6}|[a-z]{2,8}\d?);", re.IGNORECASE)
_PERCENT = re.compile(r"(?:%[0-9a-f]{2}){2,}|%[0-9a-f]{2}(?=.*%[0-9a-f]{2})", re.IGNORECASE)
_ESCAPED = re.compile(r"\\u([0-9a-f]{4})|\\x([0-9a-f]{2})", re.IGNORECASE)
_WRAPPINGS = 3  # times that a text is unescaped: &amp;#76;
_LATIN_NAME = re.compile(
    r"LATIN (?:LETTER )?(?:SMALL CAPITAL|CAPITAL LETTER|SMALL LETTER)"
    r" (?:SMALL CAPITAL |TURNED )?([A-Z])\b"
)


def normalize_written_text(text: str) -> str:
    """Return a text without escapes and invisible characters, in plain forms of its letters."""
    return normalize_letters(unescape_text(text))


def unescape_text(text: str) -> str:
    """Return a text without the escapes of HTML, addresses and JSON."""
    # forms escape what was escaped before; the bound keeps a text from growing the work
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
