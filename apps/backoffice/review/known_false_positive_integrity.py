"""Recompute known false positives from their ledger: each must be in its recorded state.

An attacker who can write the database can put a row in force, but cannot record that two officers
did.
"""

from collections import defaultdict
from collections.abc import Collection, Iterator, Sequence
from dataclasses import dataclass
from datetime import date
from typing import Any

from apps.backoffice.review.models import KnownAction, KnownEvent, KnownFalsePositive, KnownState
from apps.backoffice.review.models.known_false_positives import (
    NO_EXTENSION,
    PARTY,
    compute_pair_digest,
)
from apps.backoffice.review.rules.known_false_positives import EntryFacts
from apps.platform.ledger.verification.projection_checks import Projection, find_differences
from apps.platform.ledger.verification.verified_reads import filter_verified_records

Events = Sequence[KnownEvent]
ENDS: dict[str, str] = {
    KnownAction.REJECTED: KnownState.REJECTED,
    KnownAction.ENDED: KnownState.ENDED,
    KnownAction.WOKEN: KnownState.WOKEN,
    KnownAction.EXPIRED: KnownState.EXPIRED,
}
# the same columns by their attribute names: `extend_by_id`, but `extend_to` and `extend_at`
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
    """Return the state after some events, the oldest first; a purged day is left out."""
    known_fields: dict[str, Any] = {}
    for event in events:
        known_fields |= _apply_event(event, known_fields)
    return {name: value for name, value in known_fields.items() if value != ""}


def _apply_event(event: KnownEvent, fields: dict[str, Any]) -> dict[str, Any]:
    text = event.data.get("until", "")
    by, at, until = event.by_id, event.recorded_at, date.fromisoformat(text) if text else ""
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
    # ended, woken or expired: a request for a later day ends with it
    return {"state": ENDS[event.action]} | UNEXTENDED


def find_known_faults(known: KnownFalsePositive, events: Events) -> Iterator[str]:
    """Yield where a row differs from its events, the oldest first, in words."""
    if not events or events[0].action != KnownAction.PROPOSED:
        yield "its proposal is not recorded"
        return
    # None: the payload of the proposal was purged
    if events[0].data.get("digest") not in (None, known.facts_digest()):
        yield "its content differs from the proposal"
    if events[0].purged and any(getattr(known, name) for name in PARTY):
        yield "its party was not erased with its proposal"
    whose = {name: getattr(known, name) for name in ("owner", "party_key", "lei", "entity")}
    if known.pair != compute_pair_digest(**whose):
        yield "pair is not of its client, party and entity"
    recorded = replay_known_events(events)
    yield from find_differences({name: getattr(known, name) for name in recorded}, recorded)


def load_known_events(pks: Collection[int]) -> dict[int, list[KnownEvent]]:
    """Return the proved events of several, the oldest first; one query."""
    known_events = KnownEvent.objects.filter(known__in=pks).select_related("by").order_by("pk")
    grouped_known_events: dict[int, list[KnownEvent]] = defaultdict(list)
    for event in filter_verified_records(known_events):
        grouped_known_events[event.known_id].append(event)
    return grouped_known_events


def get_judged_facts(events: Events) -> EntryFacts:
    """Return what the list said of the entry when officers judged it; nothing where not recorded.

    Records of 0.2.0 hold the digest of the entry alone, and a purged one holds nothing.
    """
    facts: EntryFacts = events[0].data.get("facts", {}) if events else {}
    return facts


def describe_known_events(events: Events) -> KnownNotes:
    """Describe what is recorded of one; a removed code is shown as it is."""
    columns: dict[str, str] = {}
    for event in events:
        data = event.data
        if event.action == KnownAction.PROPOSED:
            columns |= {"reason": data.get("reason", ""), "note": data.get("note", "")}
        elif event.action in (KnownAction.APPROVED, KnownAction.REJECTED):
            columns["answer"] = data.get("note", "")
        elif event.action in ENDS:
            columns |= {"ended": data.get("note", ""), "why": data.get("why", "")}
    return KnownNotes(**columns)


PROJECTION = Projection(
    name="known false positive",
    rows=KnownFalsePositive.objects.all(),
    records=KnownEvent.objects.all(),
    of="known_id",
    faults=find_known_faults,
)
verify_known_false_positives = PROJECTION.compare
