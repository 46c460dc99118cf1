"""Verifying one case: its own links of the ledger's chain, recomputed from the rows."""

from dataclasses import dataclass, field

from apps.backoffice.review.integrity import find_case_faults, find_recorded_case_faults
from apps.backoffice.review.models import Case, DecisionEvent
from apps.platform.ledger.models import Seal
from apps.platform.ledger.records import GENESIS
from apps.platform.ledger.verification.verified_reads import find_seal_fault


@dataclass(frozen=True, slots=True)
class VerifiedLink:
    """One event of a case and its place in the chain; `seal` is None while it waits for one."""

    event: DecisionEvent
    seal: Seal | None
    faults: tuple[str, ...]


@dataclass(slots=True)
class CaseVerification:
    """What was found: every link, and the faults in words; none means that nothing was touched."""

    links: list[VerifiedLink] = field(default_factory=list)
    faults: list[str] = field(default_factory=list)

    @property
    def sealed(self) -> int:
        """How many events are in the chain."""
        return sum(link.seal is not None for link in self.links)

    @property
    def waiting(self) -> int:
        """How many events are not sealed yet."""
        return len(self.links) - self.sealed


def verify_case_chain(case: Case) -> CaseVerification:
    """Recompute the links of a case's events, and compare the case's columns with them.

    It proves these links alone; the command `verify_ledger` verifies the whole chain.
    """
    events = list(case.events.select_related("by").order_by("pk"))
    chain = Seal.objects.filter(ledger=DecisionEvent.LEDGER)
    seals = {
        stored_seal.record_id: stored_seal
        for stored_seal in chain.filter(record_id__in=[e.pk for e in events])
    }
    before = {
        stored_seal.position: stored_seal.digest
        for stored_seal in chain.filter(position__in=[seal.position - 1 for seal in seals.values()])
    }
    case_verification = CaseVerification()
    for event in events:
        seal = seals.get(event.pk)
        wrong = _find_link_faults(event, seal, before)
        case_verification.links.append(VerifiedLink(event, seal, tuple(wrong)))
        case_verification.faults += [f"{event.get_action_display()}: {fault}" for fault in wrong]
    # checked again under the case's lock: a step may have been recorded between the two reads
    if any(find_case_faults(case, events)):
        case_verification.faults += [
            f"{fault[:1].upper()}{fault[1:]}." for fault in find_recorded_case_faults(case.pk)
        ]
    return case_verification


def _find_link_faults(event: DecisionEvent, seal: Seal | None, before: dict[int, str]) -> list[str]:
    if seal is None:
        return [fault] if (fault := event.mac_fault()) else []
    link_faults = [fault] if (fault := find_seal_fault(seal, event)) else []
    previous = GENESIS if seal.position == 1 else before.get(seal.position - 1)
    if previous != seal.previous:
        link_faults.append(f"the chain is broken before position {seal.position}")
    return link_faults
