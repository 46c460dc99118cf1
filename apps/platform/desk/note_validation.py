"""Rules for all texts that users write at the desk."""

from apps.platform.common.hidden_characters import count_visible_characters, find_hidden_character

SHORTEST_NOTE = 10  # visible characters
LONGEST_NOTE = 4000  # characters that a ledger keeps
LONGEST_REASON = 500  # characters that a column keeps: of proposals, keys and holds


def find_note_fault(note: str, *, what: str = "sentence", most: int = LONGEST_NOTE) -> str:
    """Return what is wrong with a note for the examiner, or an empty text.

    Only visible characters count, and hidden ones are refused.
    """
    if fault := find_text_fault(note, most=most):
        return fault
    if count_visible_characters(note) < SHORTEST_NOTE:
        return f"Write a {what} of at least {SHORTEST_NOTE} characters."
    return ""


def find_text_fault(text: str, *, most: int) -> str:
    """Return what is wrong with a text that may be empty, or an empty text; nothing is cut."""
    if fault := find_hidden_character(text, lines=True):
        return fault
    if len(text) > most:
        return f"It has {len(text)} characters: at most {most} are kept."
    return ""
