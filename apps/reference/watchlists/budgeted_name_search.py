"""Search a party by its names within a budget of CPU time, and keep what was found so far."""

from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field

from django.conf import settings

from apps.reference.names.cpu_budget import CpuBudgetExceeded, check_cpu_budget, cpu_budget
from apps.reference.watchlists.lookup_hits import LookupHit
from apps.reference.watchlists.namefield import NameField, parse_name_field
from apps.reference.watchlists.subjects import Subject

COMPARED = 0.75  # of the budget; what is left draws the evidence of what was found until then
OVER_BUDGET = "it takes too long to compare, so it was compared only in part."


@contextmanager
def screen_cpu_budget(part: float = 1.0) -> Iterator[None]:
    """Bound the CPU time of comparing the names of one screen (SCREEN_CPU_MILLISECONDS).

    Opened around a screen, it counts for all its look-ups together; what a look-up could not
    compare any more is `unread` in what it found. Comparing ends before the budget does. `part` is
    the share of it that a search may take which others must not go without.
    """
    with cpu_budget(settings.SCREEN_CPU_MILLISECONDS * COMPARED * part / 1000):
        yield


@dataclass(slots=True)
class NameSearch:
    """The best sighting of each listed party, and why a name was not fully checked.

    A look-up whose budget is used up keeps what it found until then: a listed party that a first
    name meant is still meant. `cut` tells that a name may match further parties in part.
    """

    best: dict[str, LookupHit] = field(default_factory=dict)
    unread: dict[str, None] = field(default_factory=dict)
    cut: bool = False

    @contextmanager
    def within_budget(self) -> Iterator[None]:
        """Limit the computation within, and note if the budget was not enough."""
        try:
            # within a screen the screen's budget goes on counting; this one bounds a look-up that
            # no screen encloses
            with screen_cpu_budget():
                yield
        except CpuBudgetExceeded:
            self.unread[OVER_BUDGET] = None

    def read(self, subject: Subject) -> dict[str, NameField]:
        """Return the name fields of a subject as they are read; note what cannot be.

        Names for which the budget is not enough are left out, and identifiers still looked up.
        """
        fields: dict[str, NameField] = {}
        try:
            for name in subject.names:
                check_cpu_budget()
                fields[name] = parse_name_field(name)
                self.unread |= dict.fromkeys(fields[name].unread)
        except CpuBudgetExceeded:
            self.unread[OVER_BUDGET] = None
        return fields

    @property
    def ranked(self) -> list[LookupHit]:
        """The best sighting of each party, best first."""
        return sorted(
            self.best.values(),
            # of equal scores the one that was limited most agreed most before; the reference keeps
            # the order the same in every process
            key=lambda lookup_hit: (-lookup_hit.hit.score, -lookup_hit.cost, lookup_hit.hit.ref),
        )


@dataclass(slots=True)
class PepNameSearch(NameSearch):
    """The same for PEPs; `near` are those whose name is only similar."""

    near: set[str] = field(default_factory=set)
