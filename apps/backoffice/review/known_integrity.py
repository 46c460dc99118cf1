"""Known false positives computed anew from their ledger: how each stands is what was recorded.

Whoever can write the database can put a row in force, but not record that two officers did.
"""

from collections import defaultdict
from collections.abc import Collection, Iterator, Sequence
from dataclasses import dataclass
from datetime import date
from typing import Any

from apps.backoffice.review.models import KnownAction, KnownEvent, KnownFalsePositive, KnownState
from apps.backoffice.review.models.known import NO_EXTENSION, PARTY, compute_pair_digest
from apps.backoffice.review.rules.known import EntryFacts
from apps.platform.ledger.verification.hash_chain import filter_verified_records
from apps.platform.ledger.verification.projections import Projection, find_differences

Events = Sequence[KnownEvent]
ENDS: dict[str, str] = {
    KnownAction.REJECTED: KnownState.REJECTED,
    KnownAction.ENDED: KnownState.ENDED,
    KnownAction.WOKEN: KnownState.WOKEN,
    KnownAction.EXPIRED: KnownState.EXPIRED,
}
UNEXTENDED = {
    name if name.endswith(("_to", "_at")) else f"{name}_id": None for name in NO_EXTENSION
}


@dataclass(frozen=True, slots=True)
class KnownNotes:
    """What is recorded of one: the reason, what officers wrote, and why it ended."""

    reason: str = ""
    note: str = ""
    answer: str = ""
    ended: str = ""
    why: str = ""


def replay_known_events(events: Events) -> dict[str, Any]:
    """Return how one stands after its events, the oldest first; a purged day is left out."""
    found: dict[str, Any] = {}
    for event in events:
        found |= _apply_event(event, found)
    return {name: value for name, value in found.items() if value != ""}


def _apply_event(event: KnownEvent, found: dict[str, Any]) -> dict[str, Any]:
    by, at, until = event.by_id, event.recorded_at, _parse_last_day(event)
    match event.action:
        case KnownAction.PROPOSED:
            first = {"proposed_by_id": by, "proposed_at": at, "expires_on": until}
            undecided = {"decided_by_id": None, "decided_at": None}
            return {"state": KnownState.PROPOSED} | first | undecided | UNEXTENDED
        case KnownAction.APPROVED:
            return {"state": KnownState.IN_FORCE, "decided_by_id": by, "decided_at": at}
        case KnownAction.EXTENSION:
            return {"extend_to": until, "extend_by_id": by, "extend_at": at, "extended_by_id": None}
        case KnownAction.EXTENDED:
            return {"expires_on": until, "extend_to": None, "extended_by_id": by}
        case KnownAction.KEPT:
            return dict(UNEXTENDED)
        case KnownAction.REJECTED:
            return {"state": KnownState.REJECTED, "decided_by_id": by, "decided_at": at}
    return {"state": ENDS[event.action]} | UNEXTENDED


def _parse_last_day(event: KnownEvent) -> date | str:
    text = event.data.get("until", "")
    return date.fromisoformat(text) if text else ""


def find_known_faults(known: KnownFalsePositive, events: Events) -> Iterator[str]:
    """Yield where a row differs from its events, the oldest first, in words."""
    if not events or events[0].action != KnownAction.PROPOSED:
        yield "that it was proposed is not recorded"
        return
    if events[0].data.get("digest") not in (None, known.facts_digest()):
        yield "what it says is not what was proposed"
    if events[0].purged and any(getattr(known, name) for name in PARTY):
        yield "its party was not erased with its proposal"
    whose = {name: getattr(known, name) for name in ("owner", "party_key", "lei", "entity")}
    if known.pair != compute_pair_digest(**whose):
        yield "pair is not of its client, party and entity"
    recorded = replay_known_events(events)
    yield from find_differences({name: getattr(known, name) for name in recorded}, recorded)


def load_known_events(pks: Collection[int]) -> dict[int, list[KnownEvent]]:
    """Return the proved events of several, the oldest first; one query."""
    asked = KnownEvent.objects.filter(known__in=pks).select_related("by").order_by("pk")
    found: dict[int, list[KnownEvent]] = defaultdict(list)
    for event in filter_verified_records(asked):
        found[event.known_id].append(event)
    return found


def get_judged_facts(events: Events) -> EntryFacts:
    """Return what the list said of the entry when officers judged it; nothing where not recorded.

    Records of 0.2.0 hold the digest of the entry alone, and a purged one holds nothing.
    """
    facts: EntryFacts = events[0].data.get("facts", {}) if events else {}
    return facts


def describe_known_events(events: Events) -> KnownNotes:
    """Return what is recorded of one in words: a code that left stands for itself."""
    told: dict[str, str] = {}
    for event in events:
        data = event.data
        if event.action == KnownAction.PROPOSED:
            told |= {"reason": data.get("reason", ""), "note": data.get("note", "")}
        elif event.action in (KnownAction.APPROVED, KnownAction.REJECTED):
            told["answer"] = data.get("note", "")
        elif event.action in ENDS:
            told |= {"ended": data.get("note", ""), "why": data.get("why", "")}
    return KnownNotes(**told)


PROJECTION = Projection(
    name="known false positive",
    rows=KnownFalsePositive.objects.all(),
    records=KnownEvent.objects.all(),
    of="known_id",
    faults=find_known_faults,
)
verify_known_false_positives = PROJECTION.compare
