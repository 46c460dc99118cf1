"""Recompute cases from their events: a case must show what was recorded of it.

Facts, status, outcome, reason, both officers with their times, the merge and the escalation are
compared. Claims, assignments and snoozes are not: they only say who works on a case now.
"""

from collections.abc import Iterator, Sequence
from typing import Any

from apps.backoffice.review.models import Action, Case, DecisionEvent, Status
from apps.platform.ledger.verification.projection_checks import (
    Projection,
    describe_difference,
    find_differences,
)

DECISION = (
    "status", "first_by_id", "first_at", "first_outcome", "second_by_id", "second_at", "outcome",
    "decided_at",
)  # fmt: skip
UNDECIDED: dict[str, Any] = {
    "status": Status.OPEN, "first_by_id": None, "first_at": None, "first_outcome": "",
    "second_by_id": None, "second_at": None, "outcome": "", "decided_at": None,
}  # fmt: skip
Events = Sequence[DecisionEvent]


def find_case_faults(case: Case, events: Events) -> Iterator[str]:
    """Yield where a case differs from its events, the oldest first, in words."""
    if not events or events[0].action != Action.OPENED:
        yield "its opening is not recorded"
        return
    known = case.facts_digest()
    if {event.data["digest"] for event in events if event.data.get("digest")} - {known}:
        yield "its evidence differs from the record"
    yield from find_decision_faults(case, events)
    # a merged case is decided in one step, with the other case, which has both officers
    if case.needs_second and _is_decided_at_once(events) and _find_current_merge(events) is None:
        yield "it was decided by one officer but requires two"
    yield from find_routing_faults(case, events)


def find_decision_faults(case: Case, events: Events) -> Iterator[str]:
    """Yield where a decision, its officers or their times are not what the events say."""
    merged = _find_current_merge(events)
    expected = dict(UNDECIDED)
    for event in events:
        first = {
            "first_by_id": event.by_id,
            "first_at": event.recorded_at,
            "first_outcome": event.outcome,
        }
        if event.action == Action.PROPOSED:
            expected |= {"status": Status.AWAITING_SECOND, **first}
        elif event.action == Action.RETURNED:
            expected |= UNDECIDED
        elif event.action == Action.RETIRED:
            # a waiting first decision keeps its columns
            expected["status"] = Status.RETIRED
        elif event.action == Action.DECIDED:
            if expected["status"] == Status.AWAITING_SECOND:
                expected |= {"second_by_id": event.by_id, "second_at": event.recorded_at}
            else:
                expected |= first
            expected |= {"outcome": event.outcome, "decided_at": event.recorded_at}
            expected["status"] = Status.DECIDED
    if merged is not None and expected["status"] == Status.DECIDED:
        into = case.merged_into
        if into is None:
            return  # `find_routing_faults` says so
        # decided with the case that it was merged into, by the same officers; `decided_at` is
        # compared with its own event
        expected |= {name: getattr(into, name) for name in DECISION if name != "decided_at"}
    recorded = {name: expected[name] for name in DECISION}
    yield from find_differences({name: getattr(case, name) for name in DECISION}, recorded)
    reasons = [e.data.get("reason_code") for e in events if e.action == Action.DECIDED]
    # a purged event says no reason any more
    if reasons and reasons[-1] is not None and case.reason_code != reasons[-1]:
        yield describe_difference("reason_code", case.reason_code, reasons[-1])


def _is_decided_at_once(events: Events) -> bool:
    """Tell whether it was decided while no first decision waited."""
    waits = False
    for event in events:
        if event.action == Action.DECIDED:
            return not waits
        if event.action in (Action.PROPOSED, Action.RETURNED):
            waits = event.action == Action.PROPOSED
    return False


def find_routing_faults(case: Case, events: Events) -> Iterator[str]:
    """Yield where a merge or an escalation is not what the events say."""
    merged = _find_current_merge(events)
    into = merged.data.get("into", case.merged_into_id) if merged else None
    if case.merged_into_id != into or (merged and case.merged_into_id is None):
        yield describe_difference("merged_into", case.merged_into_id, into)
    # assigning ends an escalation, unless the case is past due: the payload then says `overdue`
    escalated: DecisionEvent | None = None
    for event in events:
        if event.action == Action.ESCALATED:
            escalated = event
        elif event.action == Action.ASSIGNED and escalated is not None:
            # a case past due is escalated without a user; once the payload of its assignment is
            # purged nothing says whether that escalation stayed, so the row is taken as it is
            unknown = event.purged and escalated.by_id is None
            stays = bool(case.escalation) if unknown else bool(event.data.get("overdue"))
            escalated = escalated if stays else None
    if bool(case.escalation) != bool(escalated):
        recorded = "an escalation" if escalated else "none"
        yield describe_difference("escalation", case.escalation, recorded)
    elif escalated and escalated.data.get("cause", case.escalation) != case.escalation:
        yield describe_difference("escalation", case.escalation, escalated.data["cause"])


def _find_current_merge(events: Events) -> DecisionEvent | None:
    """Return the event of the current merge."""
    actions = (Action.MERGED, Action.SPLIT, Action.RETIRED)
    last = next((e for e in reversed(list(events)) if e.action in actions), None)
    return last if last and last.action == Action.MERGED else None


PROJECTION = Projection(
    name="case",
    rows=Case.objects.all(),
    records=DecisionEvent.objects.all(),
    of="case_id",
    faults=find_case_faults,
    gone="it is recorded, but the case is missing",
)
verify_cases, find_recorded_case_faults = PROJECTION.compare, PROJECTION.faults_of
