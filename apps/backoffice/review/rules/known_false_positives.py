"""How long a known false positive holds, whom it is about, and what wakes it. Pure."""

from collections.abc import Collection, Iterator, Mapping, Sequence
from dataclasses import dataclass
from datetime import date, timedelta
from typing import Literal, TypeVar

YEARS, MOST_YEARS = 1, 2  # for how long it is proposed, and for how long at most
EXPIRY_WARNING = timedelta(days=30)  # how long before its expiry seniors see it on Today
ENDED_SHOWN_FOR = timedelta(days=14)  # how long Today shows one that ended
WakeReason = Literal["", "CHANGED", "LEFT"]
EntryFacts = Mapping[str, Sequence[str]]  # a list's facts about a party, by kind, in order
Key = TypeVar("Key")
WAKE_REASON_LABELS: dict[str, str] = {
    "CHANGED": "The listed entry has changed since.",
    "LEFT": "The listed party is no longer on the list.",
    "LISTED": "The party was found to be the listed party.",
    "ERASED": "The party was erased under an order.",
}


@dataclass(frozen=True, slots=True)
class PartyDifference:
    """A fact of the party that differs from what was known; `then` is empty if it was not given.

    `agrees`: the new value agrees with the listed party.
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


def add_years(day: date, years: int) -> date:
    """Return the same day some years later; the 28th for a 29 February that does not exist."""
    try:
        return day.replace(year=day.year + years)
    except ValueError:
        # 29 February in a year without one
        return day.replace(year=day.year + years, day=28)


def get_usual_expiry(today: date) -> date:
    """Return the default last day of a proposal."""
    return add_years(today, YEARS)


def get_latest_expiry(today: date) -> date:
    """Return the latest expiry that may be requested."""
    return add_years(today, MOST_YEARS)


def find_expiry_fault(*, until: date, today: date) -> str:
    """Return what is wrong with the last day on which it would hold, or an empty text."""
    if until <= today:
        return "Choose a day in the future."
    if until > get_latest_expiry(today):
        return (
            f"Choose a day within {MOST_YEARS} years: at the latest "
            f"{get_latest_expiry(today):%d %b %Y}."
        )
    return ""


def is_expired(*, until: date, today: date) -> bool:
    """Tell whether it holds no more; on its last day it still does."""
    return today > until


def find_wake_reason(*, then: str, now: str | None) -> WakeReason:
    """Return why an entry ends a finding about it, by its digests then and now, or "".

    `now` is None, or empty, if the party is no longer listed.
    """
    if not now:
        return "LEFT"
    return "CHANGED" if now != then else ""


def has_all_facts(whole: EntryFacts, part: EntryFacts) -> bool:
    """Tell whether one entry has every fact of another, and at least one."""
    return bool(part) and all(
        set(facts) <= set(whole.get(what, ())) for what, facts in part.items()
    )


def find_covering_entries(now: EntryFacts, *, judged: Mapping[Key, EntryFacts]) -> tuple[Key, ...]:
    """Return the judged entries that together match the present facts of a listed party exactly.

    None if the list has more or different facts than were judged.
    """
    inside = {key: facts for key, facts in judged.items() if has_all_facts(now, facts)}
    # one judged entry with exactly these facts is enough
    for key, facts in inside.items():
        if has_all_facts(facts, now):
            return (key,)
    # else several together, where the list has merged them into one party
    together: dict[str, set[str]] = {}
    for facts in inside.values():
        for what, facts_of_entry in facts.items():
            together.setdefault(what, set()).update(facts_of_entry)
    return tuple(inside) if has_all_facts({k: tuple(v) for k, v in together.items()}, now) else ()


def get_list_of_entity(entity: str) -> str:
    """Return the list of a party by its key, `list:id`."""
    return entity.partition(":")[0]


def find_party_differences(
    then: Mapping[str, str], now: Mapping[str, str], agrees: Collection[str] = ()
) -> Iterator[PartyDifference]:
    """Yield what of the party both know and says otherwise now: what, then, now.

    What was not given then is yielded too: the finding cannot rest on it. `agrees` names what
    agrees with the listed party now.
    """
    for label, value in now.items():
        if label in then and then[label] != value:
            yield PartyDifference(label, then[label], value, label in agrees)
        elif label not in then:
            yield PartyDifference(label, "", value, label in agrees)
