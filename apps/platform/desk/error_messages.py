"""Explain errors in plain words from one table (config/error_messages.py).

The original text is shown as a detail.
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
    """Explain an error that a job keeps as `Class: message`; empty for none."""
    name, _, detail = error.partition(": ")
    words = FAULTS.get(error) or FAULTS.get(name) or (UNKNOWN_FAULT if error else "")
    if name in SELF_EXPLANATORY and detail:
        words = f"{words} It says: {detail}"
    return ErrorMessage(words, error)


def render_error(error: str) -> SafeString | str:
    """Render an error for a page: in plain words, with the original text as details."""
    fault = explain_error(error)
    if not error:
        return "–"
    line = format_html('<small class="detail"><code>{}</code></small>', fault.detail)
    return format_html("{} {}", fault.words, line)
