"""Rules of staff sign-in: pure functions of moments, codes and what others told us.

Moments inside a browser's session are whole seconds since 1970.
"""

import re
import unicodedata
from collections.abc import Iterable, Mapping

# --- codes (RFC 6238) ---------------------------------------------------------------

STEP_SECONDS = 30
EITHER_SIDE = 1  # RFC 6238 section 5.2: at most one step for clocks that differ
DIGITS = 6


def list_time_steps(moment: int) -> tuple[int, ...]:
    """Return the time steps whose codes count at a moment, the oldest first."""
    current = moment // STEP_SECONDS
    return tuple(range(current - EITHER_SIDE, current + EITHER_SIDE + 1))


def is_step_unused(step: int, last: int | None) -> bool:
    """Tell whether a step's code is still good: none counts twice, and none before a later one."""
    return last is None or step > last


def normalize_code(text: str) -> str:
    """Return a code as it was meant: people type it with spaces, hyphens and in small letters."""
    return re.sub(r"[\s-]", "", text).upper()


# --- ages ---------------------------------------------------------------------------

PENDING_SECONDS = 600  # from the right password to the second factor
HELD_SECONDS = 600  # how long a form waits for its sender to be proved
SEEN_EVERY = 60  # a write for each page would cost more than the page


def is_recent(at: int | None, moment: int, seconds: int) -> bool:
    """Tell whether something was less than so many seconds ago; what lies ahead was not."""
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


# --- user names ---------------------------------------------------------------------

# letters of other alphabets and digits that are drawn as Latin letters (Unicode TR 39), by the
# letter that they are taken for; behind them what two signs together are taken for
_DRAWN_AS = str.maketrans(
    {
        **dict(zip("аеёорсухіїјѕһԁԛԝкмнтвгпьлѵ", "aeeopcyxiijshdqwkmhtbrnblv", strict=True)),
        **dict(zip("αβγεηικνορτυχωϲϳ", "abyenikvoptuxwcj", strict=True)),
        **dict(zip("ıłøđħŧ01", "ilodhtol", strict=True)),
        "i": "l",
        "|": "l",
        "!": "l",
        "5": "s",
        "$": "s",
    }
)
_TOGETHER = (("rn", "m"), ("vv", "w"), ("cl", "d"))


def fold_lookalikes(name: str) -> str:
    """Return one form for all user names that a reader takes for each other."""
    plain = unicodedata.normalize("NFKD", unicodedata.normalize("NFKC", name).casefold())
    letters = "".join(one for one in plain if not unicodedata.combining(one))
    shown = "".join(one for one in letters if unicodedata.category(one) not in ("Cf", "Zs"))
    found = shown.translate(_DRAWN_AS)
    for signs, letter in _TOGETHER:
        found = found.replace(signs, letter)
    return found


_AT_EDGES = "._-+@"  # signs that a user name may hold, and nobody sees at its end


def find_user_name_fault(name: str, *, others: Iterable[str]) -> str:
    """Return why nobody may have this user name beside the others, or an empty text."""
    scripts = {unicodedata.name(one, "?").split()[0] for one in name if one.isalpha()}
    if len(scripts) > 1:
        return "A user name is written in one alphabet."
    if any(unicodedata.category(one) in ("Cc", "Cf", "Cs", "Zl", "Zp") for one in name):
        return "A user name holds no hidden characters."
    form = fold_lookalikes(name.strip(_AT_EDGES))
    for other in others:
        if fold_lookalikes(other.strip(_AT_EDGES)) == form:
            return f"This user name is too much like {other}."
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


def describe_device(agent: str) -> str:
    """Return the browser and system of a User-Agent in words, as far as it tells them."""
    browser = next((name for mark, name in BROWSERS if mark in agent), "")
    system = next((name for mark, name in SYSTEMS if mark in agent), "")
    if browser and system:
        return f"{browser} on {system}"
    return browser or system or "Unknown browser"


# --- single sign-on -----------------------------------------------------------------

# RFC 8176: what says that more than a password was used
STRONG_METHODS = frozenset({"mfa", "otp", "hwk", "swk", "fpt", "face", "sc", "pop"})


def is_second_factor_claimed(*, amr: Iterable[str], acr: str, accepted: Iterable[str]) -> bool:
    """Tell whether the provider says that a second factor was used."""
    return bool(STRONG_METHODS & set(amr)) or (bool(acr) and acr in set(accepted))


def map_groups_to_roles(*, groups: Iterable[str], mapping: Mapping[str, str]) -> tuple[str, ...]:
    """Return the desk's roles of somebody in these groups of the provider, each once."""
    found = (mapping[group] for group in groups if group in mapping)
    return tuple(dict.fromkeys(found))
