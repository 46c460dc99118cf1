"""How listed a country is: spells on the lists, and the label of a country.

DESIGN.md section 4, Countries: a screen is judged by the lists in force at its time; a country on
several lists has the most severe label.
"""

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from datetime import date, datetime

STANDARD, NOT_PROVIDED = "STANDARD", "NOT_PROVIDED"
# the most severe first; DESIGN.md section 4, Countries
LABELS: Mapping[str, str] = {
    "FATF_CALL_FOR_ACTION": "CALL_FOR_ACTION",
    "FATF_INCREASED_MONITORING": "INCREASED_MONITORING",
    "EU_HIGH_RISK": "EU_HIGH_RISK",
}
EMBARGO = "EMBARGO"  # a list without a label of its own: it is neither FATF's nor the EU's


@dataclass(frozen=True, slots=True)
class Spell:
    """One listing as the judgement needs it; `until` is the first day off the list."""

    list: str
    country: str
    since: date
    until: date | None
    recorded_at: datetime
    ended_at: datetime | None

    def holds(self, day: date, known_at: datetime | None) -> bool:
        """Return whether it was in force on `day`, as far as was known at `known_at`."""
        if day < self.since or (known_at is not None and self.recorded_at > known_at):
            return False
        # an end that was recorded later was not known then: the replay must flag as the screen did
        end_known = known_at is None or (self.ended_at is not None and self.ended_at <= known_at)
        return self.until is None or not end_known or day < self.until


@dataclass(frozen=True, slots=True)
class Listings:
    """The listings in force on one day: country to its lists."""

    day: date
    by_country: Mapping[str, frozenset[str]]

    def label(self, country: str) -> str:
        """Return the most severe label of an ISO 3166-1 alpha-2 code; NOT_PROVIDED for none."""
        if not country:
            return NOT_PROVIDED
        lists = self.by_country.get(country.upper(), frozenset())
        return next((label for name, label in LABELS.items() if name in lists), STANDARD)

    def embargoed(self, country: str) -> bool:
        """Return whether a programme is in force against a country, whatever its label."""
        return EMBARGO in self.by_country.get(country.upper(), frozenset())

    @property
    def regions(self) -> frozenset[str]:
        """The regions of countries that a programme lists by themselves, as ISO 3166-2 codes."""
        return frozenset(code for code in self.by_country if "-" in code and self.embargoed(code))

    def standing(self, country: str) -> str:
        """Return what a country is judged by: its label, EMBARGO where only a programme lists it.

        An owner of an embargoed country counts as one of a listed country.
        """
        label = self.label(country)
        return EMBARGO if label == STANDARD and self.embargoed(country) else label


def listings_in_force(spells: Iterable[Spell], day: date, known_at: datetime | None) -> Listings:
    """Return the listings of one day, as far as they were known at `known_at` (None: now)."""
    standing_by_country: dict[str, set[str]] = {}
    for spell in spells:
        if spell.holds(day, known_at):
            standing_by_country.setdefault(spell.country, set()).add(spell.list)
    return Listings(
        day, {country: frozenset(lists) for country, lists in standing_by_country.items()}
    )
