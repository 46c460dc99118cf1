"""Offices: whether one is held, and whether it is one of a state. DESIGN section 4, 2.6."""

from dataclasses import dataclass
from datetime import date

from apps.compliance.screening.rules.international_bodies import INTERNATIONAL

# an office has a title and no level: these words of the title decide
_BELOW_NATION = (
    "mayor alderman councillor councilor council municipal city town county district borough "
    "provincial province regional canton cantonal landtag governor sheriff"
)
SUBNATIONAL = frozenset(_BELOW_NATION.split())
# a "Governor" of a central bank and a "Council" of ministers or of the nation are national
_NATIONAL_ANYWAY = (
    "central bank",
    "bank of",
    "council of ministers",
    "state council",
    "national council",
    "federal council",
    "security council",
    "privy council",
)
# lists rarely state that an office is current: no end may mean that, or a missing date
END_NOT_KNOWN = "The end date of this office is unknown: it counts as current."


@dataclass(frozen=True, slots=True)
class Office:
    """An office held: dates are ISO and may be partial, `country` ISO alpha-2, EU or UN."""

    title: str
    country: str = ""
    since: str = ""
    until: str = ""

    def current(self, day: date) -> bool:
        """Return whether it is held on `day`; it counts as held while no end is known."""
        # a partial date is compared by what it says: `2026` covers all of that year
        return self.since[: len("0000-00-00")] <= day.isoformat() and (
            not self.until or day.isoformat()[: len(self.until)] <= self.until
        )

    def open_ended(self, day: date) -> bool:
        """Return whether it counts as held on `day` only because no end of it is known."""
        return not self.until and self.current(day)

    def national(self) -> bool:
        """Tell whether it is an office of a state, not of a town, a region or a union of states."""
        title = self.title.casefold()
        # before the words: the European Council is a council of no state
        if self.country.upper() in INTERNATIONAL:
            return False
        if any(words in title for words in _NATIONAL_ANYWAY):
            return True
        return not SUBNATIONAL & set(title.replace(",", " ").split())
