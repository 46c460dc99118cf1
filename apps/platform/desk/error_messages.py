"""What went wrong, in plain words from one table (config/error_messages.py); the rest is a
detail.
"""

from dataclasses import dataclass

from django.utils.html import format_html
from django.utils.safestring import SafeString

from config.error_messages import FAULTS, SELF_EXPLANATORY, UNKNOWN_FAULT


@dataclass(frozen=True, slots=True)
class ErrorMessage:
    """An error in words for people, and as the program wrote it."""

    words: str
    detail: str


def explain_error(error: str) -> ErrorMessage:
    """Return an error in words, as a job keeps it: `Class: what it says`; empty for none."""
    name, _, said = error.partition(": ")
    words = FAULTS.get(error) or FAULTS.get(name) or (UNKNOWN_FAULT if error else "")
    if name in SELF_EXPLANATORY and said:
        words = f"{words} It says: {said}"
    return ErrorMessage(words, error)


def render_error(error: str) -> SafeString | str:
    """Return an error for a page: in words, and in a line of details as it was written."""
    fault = explain_error(error)
    if not error:
        return "–"
    line = format_html('<small class="detail"><code>{}</code></small>', fault.detail)
    return format_html("{} {}", fault.words, line)
