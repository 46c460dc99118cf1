"""Rules of staff sign-in: pure functions of moments, codes and what others told us.

Moments inside a browser's session are whole seconds since 1970.
"""

import re
from collections.abc import Iterable, Mapping

# --- codes (RFC 6238) ---------------------------------------------------------------

STEP_SECONDS = 30
EITHER_SIDE = 1  # RFC 6238 section 5.2: at most one step for clocks that differ
DIGITS = 6


def steps(moment: int) -> tuple[int, ...]:
    """Return the time steps whose codes count at a moment, the oldest first."""
    current = moment // STEP_SECONDS
    return tuple(range(current - EITHER_SIDE, current + EITHER_SIDE + 1))


def unused(step: int, last: int | None) -> bool:
    """Tell whether a step's code is still good: none counts twice, and none before a later one."""
    return last is None or step > last


def plain_code(text: str) -> str:
    """Return a code as it was meant: people type it with spaces, hyphens and in small letters."""
    return re.sub(r"[\s-]", "", text).upper()


# --- ages ---------------------------------------------------------------------------

PENDING_SECONDS = 600  # from the right password to the second factor
HELD_SECONDS = 600  # how long a form waits for its sender to be proved
SEEN_EVERY = 60  # a write for each page would cost more than the page


def recent(at: int | None, moment: int, seconds: int) -> bool:
    """Tell whether something was less than so many seconds ago; what lies ahead was not."""
    return at is not None and 0 <= moment - at < seconds


def over(*, since: int, seen: int, moment: int, hours: int, idle_minutes: int) -> str:
    """Return why a sign-in is over, in words, or an empty text."""
    if not recent(since, moment, hours * 3600):
        return f"A sign-in lasts {hours} hours. Sign in again."
    if not recent(seen, moment, idle_minutes * 60):
        return f"You were away for {idle_minutes} minutes. Sign in again."
    return ""


# --- browsers in words --------------------------------------------------------------

# the first that is found in what a browser says of itself; most claim to be others as well
BROWSERS = (
    ("Edg", "Edge"), ("OPR/", "Opera"), ("SamsungBrowser", "Samsung Internet"),
    ("Firefox", "Firefox"), ("FxiOS", "Firefox"), ("CriOS", "Chrome"), ("Chrom", "Chrome"),
    ("Safari", "Safari"), ("curl", "curl"), ("python", "Python"),
)  # fmt: skip
SYSTEMS = (
    ("iPhone", "iPhone"), ("iPad", "iPad"), ("Android", "Android"), ("CrOS", "ChromeOS"),
    ("Windows", "Windows"), ("Macintosh", "Mac"), ("Linux", "Linux"),
)  # fmt: skip


def device(agent: str) -> str:
    """Return the browser and system of a User-Agent in words, as far as it tells them."""
    browser = next((name for mark, name in BROWSERS if mark in agent), "")
    system = next((name for mark, name in SYSTEMS if mark in agent), "")
    if browser and system:
        return f"{browser} on {system}"
    return browser or system or "Unknown browser"


# --- single sign-on -----------------------------------------------------------------

# RFC 8176: what says that more than a password was used
STRONG_METHODS = frozenset({"mfa", "otp", "hwk", "swk", "fpt", "face", "sc", "pop"})


def strong(*, amr: Iterable[str], acr: str, accepted: Iterable[str]) -> bool:
    """Tell whether the provider says that a second factor was used."""
    return bool(STRONG_METHODS & set(amr)) or (bool(acr) and acr in set(accepted))


def roles(*, groups: Iterable[str], mapping: Mapping[str, str]) -> tuple[str, ...]:
    """Return the desk's roles of somebody in these groups of the provider, each once."""
    found = (mapping[group] for group in groups if group in mapping)
    return tuple(dict.fromkeys(found))
