"""How long a known false positive holds, whom it is about, and what wakes it. Pure."""

from collections.abc import Collection, Iterator, Mapping
from dataclasses import dataclass
from datetime import date, timedelta
from typing import Literal

YEARS, MOST_YEARS = 1, 2  # for how long it is proposed, and for how long at most
WARNED = timedelta(days=30)  # seniors are told that one expires, so long before
TOLD = timedelta(days=14)  # and that one ended, for so long
Woken = Literal["", "CHANGED", "LEFT"]
WORDS: dict[str, str] = {
    "CHANGED": "The listed entry has changed since.",
    "LEFT": "The listed party is no longer on the list.",
    "LISTED": "The party was found to be the listed one.",
    "ERASED": "The party was erased under an order.",
}


@dataclass(frozen=True, slots=True)
class Difference:
    """One thing of the party that is known otherwise now; `then` is empty where it was not given.

    `agrees` tells that it agrees with the listed party now.
    """

    what: str
    then: str
    now: str
    agrees: bool = False

    @property
    def sentence(self) -> str:
        """What was, and what is; plain text."""
        was = f"was {self.then}" if self.then else "was not given"
        also = ", which agrees with the listed party" if self.agrees else ""
        return f"{self.what} {was}, here it is {self.now}{also}."


def years_after(day: date, years: int) -> date:
    """Return the same day some years later; of 29 February the 28th where there is none."""
    try:
        return day.replace(year=day.year + years)
    except ValueError:
        return day.replace(year=day.year + years, day=28)


def usual(today: date) -> date:
    """Return the last day that is proposed unless an officer says another."""
    return years_after(today, YEARS)


def latest(today: date) -> date:
    """Return the latest last day that may be asked for."""
    return years_after(today, MOST_YEARS)


def expiry_fault(*, until: date, today: date) -> str:
    """Return what is wrong with the last day on which it would hold, or an empty text."""
    if until <= today:
        return "Choose a day that is still to come."
    if until > latest(today):
        return f"Choose a day within {MOST_YEARS} years: at the latest {latest(today):%d %b %Y}."
    return ""


def expired(*, until: date, today: date) -> bool:
    """Tell whether it holds no more; on its last day it still does."""
    return today > until


def woken(*, then: str, now: str | None) -> Woken:
    """Return why an entry wakes what was said of it, by its digests then and now, or "".

    `now` is None, or empty, where the party is no longer listed.
    """
    if not now:
        return "LEFT"
    return "CHANGED" if now != then else ""


def differing(
    then: Mapping[str, str], now: Mapping[str, str], agrees: Collection[str] = ()
) -> Iterator[Difference]:
    """Yield what of the party both know and says otherwise now: what, then, now.

    What was not given then is yielded too: the finding cannot rest on it. `agrees` names what
    agrees with the listed party now. Of an early record, without what was known, that alone is.
    """
    for label, value in now.items():
        if label in then and then[label] != value:
            yield Difference(label, then[label], value, label in agrees)
        elif label not in then and (then or label in agrees):
            yield Difference(label, "", value, label in agrees)
