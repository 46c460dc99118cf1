"""What went wrong, in plain words from one table (config/words.py); the rest is a detail."""

from dataclasses import dataclass

from django.utils.html import format_html
from django.utils.safestring import SafeString

from config.words import FAULTS, TELLING, UNKNOWN


@dataclass(frozen=True, slots=True)
class Fault:
    """An error in words for people, and as the program wrote it."""

    words: str
    detail: str


def told(error: str) -> Fault:
    """Return an error in words, as a job keeps it: `Class: what it says`; empty for none."""
    name, _, said = error.partition(": ")
    words = FAULTS.get(error) or FAULTS.get(name) or (UNKNOWN if error else "")
    if name in TELLING and said:
        words = f"{words} It says: {said}"
    return Fault(words, error)


def drawn(error: str) -> SafeString | str:
    """Return an error for a page: in words, and in a line of details as it was written."""
    fault = told(error)
    if not error:
        return "–"
    line = format_html('<small class="detail"><code>{}</code></small>', fault.detail)
    return format_html("{} {}", fault.words, line)
