"""Verifying one case: its own links of the ledger's chain, recomputed from the rows."""

from dataclasses import dataclass, field

from apps.core.ledger import GENESIS, link
from apps.core.models import Seal
from apps.review.models import Action, Case, DecisionEvent


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
    """Recompute the links of a case's events and the digest of what was known; three queries.

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
        faults = _faults(event, seal, before) if seal else ()
        found.links.append(Link(event, seal, faults))
        found.faults += [f"{event.get_action_display()}: {fault}" for fault in faults]
    found.faults += _facts(case, events)
    return found


def _faults(event: DecisionEvent, seal: Seal, before: dict[int, str]) -> tuple[str, ...]:
    found = []
    if not event.purged and event.content_hash() != seal.content:
        found.append("what was written was altered")
    expected = link(
        ledger=seal.ledger,
        position=seal.position,
        previous=seal.previous,
        record=event,
        content=seal.content,
        sealed_at=seal.sealed_at,
    )
    if expected != seal.digest:
        found.append("the record or its seal was altered")
    previous = GENESIS if seal.position == 1 else before.get(seal.position - 1)
    if previous != seal.previous:
        found.append(f"the chain is broken before position {seal.position}")
    return tuple(found)


def _facts(case: Case, events: list[DecisionEvent]) -> list[str]:
    opened = [event for event in events if event.action == Action.OPENED]
    if not opened:
        return ["The opening of the case is not recorded."]
    known = case.facts_digest()
    stated = {event.data["digest"] for event in events if event.data.get("digest")}
    return ["What the case shows is not what was recorded."] if stated - {known} else []
