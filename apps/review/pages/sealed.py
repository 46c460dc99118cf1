"""Verifying one case: its own links of the ledger's chain, recomputed from the rows."""

from dataclasses import dataclass, field

from apps.core.chain import sealed_fault
from apps.core.ledger import GENESIS
from apps.core.models import Seal
from apps.review.models import Case, DecisionEvent
from apps.review.projection import faults, faults_of


@dataclass(frozen=True, slots=True)
class Link:
    """One event of a case and its place in the chain; `seal` is None while it waits for one."""

    event: DecisionEvent
    seal: Seal | None
    faults: tuple[str, ...]


@dataclass(slots=True)
class Verified:
    """What was found: every link, and the faults in words; none means that nothing was touched."""

    links: list[Link] = field(default_factory=list)
    faults: list[str] = field(default_factory=list)

    @property
    def sealed(self) -> int:
        """How many events stand in the chain."""
        return sum(link.seal is not None for link in self.links)

    @property
    def waiting(self) -> int:
        """How many events are not sealed yet."""
        return len(self.links) - self.sealed


def verify(case: Case) -> Verified:
    """Recompute the links of a case's events, and hold the case's columns against them.

    It proves these links alone: that the chain around them is whole, `verify_ledger` says.
    """
    events = list(case.events.select_related("by").order_by("pk"))
    chain = Seal.objects.filter(ledger=DecisionEvent.LEDGER)
    seals = {one.record_id: one for one in chain.filter(record_id__in=[e.pk for e in events])}
    before = {
        one.position: one.digest
        for one in chain.filter(position__in=[seal.position - 1 for seal in seals.values()])
    }
    found = Verified()
    for event in events:
        seal = seals.get(event.pk)
        wrong = _faults(event, seal, before)
        found.links.append(Link(event, seal, tuple(wrong)))
        found.faults += [f"{event.get_action_display()}: {fault}" for fault in wrong]
    if any(faults(case, events)):  # looked at again: a step may have come in between
        found.faults += [f"{fault[:1].upper()}{fault[1:]}." for fault in faults_of(case.pk)]
    return found


def _faults(event: DecisionEvent, seal: Seal | None, before: dict[int, str]) -> list[str]:
    if seal is None:
        return [fault] if (fault := event.mac_fault()) else []
    found = [fault] if (fault := sealed_fault(seal, event)) else []
    previous = GENESIS if seal.position == 1 else before.get(seal.position - 1)
    if previous != seal.previous:
        found.append(f"the chain is broken before position {seal.position}")
    return found
