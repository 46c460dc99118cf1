"""Texts: one form of each letter, nothing invisible that changes what is read, and lengths."""

import re
import unicodedata

# Ordering combining marks is quadratic in their number. The longest element that is normalized has
# 100 characters: a longer text is refused for its length, as it was sent.
MAX_NORMALIZED_LENGTH = 512
_SETS = {
    "2020": re.compile(r"[a-zA-Z0-9' ]+"),  # IVMS 101, section 5.3.1
    "2023": re.compile(r"[ -~]+"),  # IVMS 101.2023, datatypes
}
# characters that change the direction of writing: embeddings, overrides, isolates and marks
_BIDI = frozenset("\u061c\u200e\u200f\u202a\u202b\u202c\u202d\u202e\u2066\u2067\u2068\u2069")
# controls, lone surrogates, line and paragraph separators
_UNSAFE = frozenset({"Cc", "Cs", "Zl", "Zp"})


def normalize_text(text: str) -> str:
    """Return a text in NFC; one that is too long for any element is returned as it is."""
    return unicodedata.normalize("NFC", text) if len(text) <= MAX_NORMALIZED_LENGTH else text


def find_unsafe_character(text: str) -> str:
    """Return what is not allowed in any text: `control`, `direction`, or an empty text."""
    # nearly every text
    if text.isascii() and text.isprintable():
        return ""
    for character in text:
        if character in _BIDI:
            return "direction"
        if unicodedata.category(character) in _UNSAFE:
            return "control"
    return ""


def replace_unsafe_characters(text: str) -> str:
    """Return a text with each unsafe character replaced by U+FFFD, so that it can be stored."""
    if not find_unsafe_character(text):
        return text
    return "".join(
        "\ufffd" if find_unsafe_character(character) else character for character in text
    )


def is_within_charset(text: str, *, charset: str) -> bool:
    """Tell whether all characters are of the standard's set, `2020` or `2023`."""
    return _SETS[charset].fullmatch(text) is not None


def count_characters(text: str) -> int:
    """Count characters, not bytes; one of nothing but spaces counts as none."""
    return len(text) if not text.isspace() else 0
