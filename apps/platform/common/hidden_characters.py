"""Find characters in a text that a reader does not see."""

import re
import unicodedata

# Bidirectional controls reorder what people read; control characters and line separators hide the
# text around them; invisible ones (soft hyphens, zero widths, fillers, selectors) split a word only
# for machines; half a surrogate pair cannot be stored.
HIDDEN = (
    r"\x00-\x1f\x7f-\x9f\u00ad\u034f\u061c\u115f\u1160\u17b4\u17b5\u180b-\u180f\u200b\u200e\u200f"
    r"\u2028-\u202e\u2060-\u206f\u2800\u3164\ufe00-\ufe0f\ufeff\uffa0\ufff0-\ufffb"
)

# joiners belong to Arabic and Indic spelling, only after a letter of those scripts
_JOINED_SCRIPTS = r"\u0600-\u08ff\u0900-\u0dff\u0f00-\u109f\u1780-\u17ff\ufb50-\ufdff\ufe70-\ufefc"
# besides HIDDEN: lone surrogates, tags and variation selectors (plane 14), musical format controls
_HIDDEN = re.compile(
    rf"[{HIDDEN}\ud800-\udfff\U000e0000-\U000e0fff\U0001d173-\U0001d17a]"
    rf"|(?<![{_JOINED_SCRIPTS}])[\u200c\u200d]"
)
_LINES = str.maketrans("\t\r\n", "   ")


def has_hidden_characters(text: str) -> bool:
    """Tell whether a text holds control, bidirectional or invisible characters."""
    return _HIDDEN.search(text) is not None


def find_hidden_character(text: str, *, lines: bool = False) -> str:
    """Return a sentence about a hidden character of a text, or an empty text.

    With `lines` the text may have several lines: tabs and line breaks are then allowed.
    """
    match = _HIDDEN.search(text.translate(_LINES) if lines else text)
    if match is None:
        return ""
    return f"It contains a hidden character (U+{ord(match.group()):04X}): retype that part."


def count_visible_characters(text: str) -> int:
    """Count the visible characters of a text: a run of spaces counts as one, marks do not count."""
    shown = " ".join(text.split())
    # marks, and format and control characters
    return sum(
        unicodedata.category(character) not in ("Mn", "Me", "Cf", "Cc") for character in shown
    )
