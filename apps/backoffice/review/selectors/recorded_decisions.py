"""Decisions on cases, read only from the ledger.

An attacker who can write the database can change a case, but cannot record a decision on it:
officers and examiners see what is recorded, never the case's own columns.
"""

from collections import defaultdict
from collections.abc import Collection, Iterable
from dataclasses import dataclass
from datetime import datetime

from apps.backoffice.review.models import Action, Case, DecisionEvent, Status
from apps.platform.ledger.verification.verified_reads import filter_verified_records

UNREAD = ("case__evidence", "case__rules")  # long, and not needed for a verdict
# the steps from which a decision follows
STEPS = (Action.PROPOSED, Action.RETURNED, Action.DECIDED, Action.RETIRED)


@dataclass(frozen=True, slots=True)
class Verdict:
    """What is recorded of the decision on a case; `second` is empty where one was enough.

    `status` is a value of Status; while a first decision waits, `outcome` is empty.
    """

    status: str = Status.OPEN
    outcome: str = ""
    reason_code: str = ""
    reason: str = ""
    note: str = ""
    done: str = ""
    first: str = ""
    first_at: datetime | None = None
    second: str = ""
    second_at: datetime | None = None
    decided_at: datetime | None = None

    @property
    def grounds(self) -> list[tuple[str, str]]:
        """Return the reason with who gave it, empty while there is none."""
        officers = f"{self.first} and {self.second}" if self.second else self.first
        return [(officers, self.reason)] if self.reason else []


def load_verdicts(pks: Collection[int]) -> dict[int, Verdict]:
    """Return what is recorded of cases; two queries, and one more for those it went with.

    A case of which no step is recorded is left out: it is open.
    """
    events = _load_decision_events(pks)
    others = _find_joint_cases(events)
    known = events | _load_decision_events(others) if others else events
    return {pk: _derive_verdict(decision_events, known) for pk, decision_events in events.items()}


def _find_joint_cases(events: dict[int, list[DecisionEvent]]) -> set[int]:
    """Return the cases that these ended with and that are not among them."""
    ended = {
        event.data.get("with_case")
        for decision_events in events.values()
        for event in decision_events
    }
    return {int(pk) for pk in ended if pk} - events.keys()


def load_verdict(case: Case, events: Iterable[DecisionEvent]) -> Verdict:
    """Return what is recorded of the decision on one case, of its events, the oldest first.

    No query, but one for a case that went with another, and one for purged events.
    """
    mine = [event for event in filter_verified_records(events) if event.action in STEPS]
    others = _find_joint_cases({case.pk: mine})
    return _derive_verdict(mine, _load_decision_events(others) if others else {})


def _load_decision_events(pks: Collection[int]) -> dict[int, list[DecisionEvent]]:
    decision_events = DecisionEvent.objects.filter(case__in=pks, action__in=STEPS).order_by("pk")
    grouped_decision_events: dict[int, list[DecisionEvent]] = defaultdict(list)
    for event in filter_verified_records(
        decision_events.select_related("by", "case").defer(*UNREAD)
    ):
        grouped_decision_events[event.case_id].append(event)
    return dict(grouped_decision_events)


def _derive_verdict(events: list[DecisionEvent], known: dict[int, list[DecisionEvent]]) -> Verdict:
    first = _find_first_decision(events)
    last = next((event for event in events if event.action == Action.DECIDED), None)
    if any(event.action == Action.RETIRED for event in events):
        return _build_verdict(None, None, Status.RETIRED)
    if last is None:
        waits = first is not None
        return _build_verdict(first, None, Status.AWAITING_SECOND if waits else Status.OPEN)
    together = last.data.get("with_case")
    if together:  # ended with another case, by the officers of that one
        first = _find_first_decision(known.get(int(together), []))
    return _build_verdict(first, last, Status.DECIDED)


def _find_first_decision(events: Iterable[DecisionEvent]) -> DecisionEvent | None:
    """Return the first decision in force; none is recorded if one officer was enough."""
    decision_event = None
    for event in events:
        if event.action != Action.DECIDED:
            decision_event = event if event.action == Action.PROPOSED else None
    return decision_event


def _build_verdict(first: DecisionEvent | None, last: DecisionEvent | None, status: str) -> Verdict:
    by = first or last
    second = last if first else None
    code = last.data.get("reason_code", "") if last else ""
    return Verdict(
        status=status,
        outcome=last.outcome if last else "",
        reason_code=code,
        reason=format_recorded_reason(last) if last else "",
        note=last.data.get("note", "") if last else "",
        done=last.case.words_of(last.outcome).done if last else "",
        first=by.by.get_username() if by and by.by else "",
        first_at=by.recorded_at if by else None,
        second=second.by.get_username() if second and second.by else "",
        second_at=second.recorded_at if second else None,
        decided_at=last.recorded_at if last else None,
    )


def format_recorded_reason(event: DecisionEvent) -> str:
    """Return the reason that a step gives, in the words that were recorded with it."""
    data = event.data
    return f"{data['reason']} ({data['basis']})" if data.get("reason") else ""
