"""Rules of everything that is written at the desk."""

SHORTEST_NOTE = 10
LONGEST_NOTE = 4000


def note_fault(note: str, *, what: str = "sentence") -> str:
    """Return what is wrong with a note for the examiner, or an empty text."""
    if len(note.strip()) < SHORTEST_NOTE:
        return f"Write a {what} of at least {SHORTEST_NOTE} characters."
    if len(note) > LONGEST_NOTE:
        return f"Keep it under {LONGEST_NOTE} characters."
    return ""
