"""How long a sign-in, a pending second factor and a held form last. Pure.

Moments in a session are whole seconds since 1970.
"""

PENDING_SECONDS = 600  # from the right password to the second factor
HELD_SECONDS = 600  # how long a form waits for the proof of its sender
SEEN_EVERY = 60  # seconds between writes of `seen`: one for each page would cost more than the page


def is_recent(at: int | None, moment: int, seconds: int) -> bool:
    """Tell whether something was less than so many seconds ago."""
    # not what lies in the future, as after a clock was set back
    return at is not None and 0 <= moment - at < seconds


def find_sign_in_end_reason(
    *, since: int, seen: int, moment: int, hours: int, idle_minutes: int
) -> str:
    """Return why a sign-in is over, in words, or an empty text."""
    if not is_recent(since, moment, hours * 3600):
        return f"A sign-in lasts {hours} hours. Sign in again."
    if not is_recent(seen, moment, idle_minutes * 60):
        return f"You were away for {idle_minutes} minutes. Sign in again."
    return ""
