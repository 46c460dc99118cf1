"""Several cases at once: claim and assign; and clearing one listed party's, by two officers."""

from collections.abc import Callable, Collection, Mapping, Sequence
from datetime import datetime
from typing import TYPE_CHECKING

from django.db import transaction

from apps.core.problems import Conflict
from apps.desk.rules import note_fault
from apps.review import kinds
from apps.review.actions.claims import NotAllowed, claim
from apps.review.actions.deciding import confirm, decide, send_back
from apps.review.actions.routing import assign
from apps.review.actions.soundness import BadDecision
from apps.review.answered import unanswered
from apps.review.before import Before, outcomes
from apps.review.models import BulkClear, Case, Outcome, Status
from apps.review.rules.together import MOST, bulk_fault, unticked

if TYPE_CHECKING:
    from django.contrib.auth.models import User

Refused = list[tuple[Case, str]]


class NotTogether(Conflict):
    """These cases cannot be worked on together."""

    code, title = "not_together", "The cases cannot be cleared together"


def claim_many(*, cases: Sequence[Case], by: "User", now: datetime) -> Refused:
    """Claim each case that is free; returns those that were refused, and why."""
    return _each(cases, lambda case: claim(case=case, by=by, now=now))


def assign_many(*, cases: Sequence[Case], to: "User", by: "User", now: datetime) -> Refused:
    """Assign each case that is undecided; returns those that were refused, and why."""
    return _each(cases, lambda case: assign(case=case, to=to, by=by, now=now))


def _each(cases: Sequence[Case], step: Callable[[Case], Case]) -> Refused:
    if len(cases) > MOST:
        raise NotTogether(f"Choose at most {MOST} cases.")
    refused: Refused = []
    for case in cases:
        try:
            step(case)
        except (Conflict, NotAllowed) as error:
            refused.append((case, error.detail))
    return refused


def most_together(cases: Sequence[Case]) -> int:
    """Return how many cases may be cleared at once; 0 where their kind clears one by one."""
    bulk = kinds.named(cases[0].kind).bulk if cases else None
    return bulk.cap if bulk else 0


def clear_fault(cases: Sequence[Case]) -> str:
    """Return why these cases cannot be cleared together, or an empty text."""
    bulk = kinds.named(cases[0].kind).bulk if cases else None
    risks = bulk.risks if bulk else frozenset[str]()
    alike = [case.likeness() for case in cases]
    fault = bulk_fault(alike, cap=most_together(cases), risks=risks)
    return fault or found_fault(cases, outcomes(cases))


def found_fault(cases: Sequence[Case], told: Mapping[int, Before]) -> str:
    """Return which of the cases was found to be of the listed party before, or an empty text.

    Such a one is looked at by itself; `told` is what was decided before of each.
    """
    for case in cases:
        if one := told[case.pk].found:
            who = case.party or case.title
            return (
                f"Case {one.case.pk} found {who} to be this listed party: "
                f"decide case {case.pk} by itself."
            )
    return ""


def shared_reasons(cases: Sequence[Case]) -> tuple[kinds.Reason, ...]:
    """Return the reasons that may clear all of these cases."""
    if not cases:
        return ()
    kind = kinds.named(cases[0].kind)
    offered = [{one.code for one in kind.shared(case.refs)} for case in cases]
    common = set.intersection(*offered)
    return tuple(one for one in kind.shared(cases[0].refs) if one.code in common)


def left_together(cases: Sequence[Case]) -> dict[str, str]:
    """Return the rules that every reason which may clear these cases together leaves open."""
    open_ = [
        unanswered(cases, outcome=Outcome.APPROVE, code=one.code) for one in shared_reasons(cases)
    ]
    common = set.intersection(*(set(one) for one in open_)) if open_ else set()
    return {ref: said for ref, said in (open_[0] if open_ else {}).items() if ref in common}


@transaction.atomic
def propose_clear(
    *,
    cases: Sequence[Case],
    by: "User",
    reason_code: str,
    note: str,
    now: datetime,
    also: Collection[str] | None = None,
) -> BulkClear:
    """Propose that cases of one listed party are approved, all or none of them.

    Nothing is cleared by it: a second, different officer confirms, whatever the stakes of a
    single case. Raises NotTogether, and as `decide` for any of the cases.
    """
    if fault := clear_fault(cases):
        raise NotTogether(fault)
    if reason_code not in {one.code for one in shared_reasons(cases)}:
        raise BadDecision("Choose a reason that holds for all of them.")
    bulk = BulkClear.objects.create(entity_key=cases[0].entity_key, proposed_by=by, proposed_at=now)
    for case in cases:
        decide(
            case=case,
            by=by,
            outcome=Outcome.APPROVE,
            reason_code=reason_code,
            note=note,
            now=now,
            bulk=bulk,
            also=also,
        )
    return bulk


@transaction.atomic
def confirm_clear(
    *,
    bulk: BulkClear,
    seen: Sequence[int],
    ticked: Collection[int],
    by: "User",
    reason_code: str,
    note: str,
    now: datetime,
    back: str = "",
    proof: Mapping[str, str] | None = None,
) -> int:
    """Confirm the `ticked` cases of a bulk; returns how many were closed.

    The others go back to the queue in the same transaction, with `back` as the note that says
    why. `seen` are the cases that the officer looked at: NotTogether when others wait by now, or
    nothing is ticked. BadDecision, also for another reason than was proposed, and as `confirm`
    and `send_back` for any of the cases.
    """
    returned = _returned(seen, ticked, back)
    waiting = _waiting(bulk, seen)
    clears = [case for case in waiting if case.pk not in returned]
    if len(waiting) > 1 and (fault := found_fault(clears, outcomes(clears))):
        raise NotTogether(f"{fault} Leave it unticked.")
    for case in waiting:
        if case.pk in returned:
            send_back(case=case, by=by, note=back, now=now)
        else:
            confirm(case=case, by=by, reason_code=reason_code, note=note, now=now, proof=proof)
    return len(waiting) - len(returned)


def _returned(seen: Sequence[int], ticked: Collection[int], back: str) -> Collection[int]:
    """Return the cases that are not confirmed; why they are not must then be said."""
    try:
        found = unticked(seen=seen, ticked=ticked)
    except ValueError as error:
        raise NotTogether(str(error)) from error
    if found and (fault := note_fault(back)):
        said = f"Say why the cases that are not ticked go back to the queue. {fault}"
        raise BadDecision(said, errors=[{"field": "back", "message": fault}])
    return found


@transaction.atomic
def return_clear(
    *, bulk: BulkClear, seen: Sequence[int], by: "User", note: str, now: datetime
) -> int:
    """Return what waits of a bulk to the queue, all or none; returns how many cases."""
    waiting = _waiting(bulk, seen)
    for case in waiting:
        send_back(case=case, by=by, note=note, now=now)
    return len(waiting)


def _waiting(bulk: BulkClear, seen: Sequence[int]) -> list[Case]:
    found = list(Case.objects.filter(bulk=bulk, status=Status.AWAITING_SECOND).order_by("pk"))
    if not found:
        raise NotTogether("Nothing of it waits any more.")
    if {case.pk for case in found} != set(seen):
        raise NotTogether("The cases changed while you read; look again.")
    return found
