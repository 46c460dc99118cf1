"""Several cases at once: claim and assign; and clearing one listed party's, by two officers."""

from collections.abc import Callable, Collection, Mapping, Sequence
from datetime import datetime
from typing import TYPE_CHECKING

from django.db import transaction

from apps.backoffice.review import case_types
from apps.backoffice.review.models import BulkClear, Case, Outcome, Status
from apps.backoffice.review.rules.bulk_and_merge import MOST, find_bulk_fault, list_unticked_cases
from apps.backoffice.review.selectors.prior_decisions import (
    PriorDecisions,
    load_prior_decisions_of_cases,
)
from apps.backoffice.review.services.case_decisions import (
    confirm_decision,
    decide_case,
    return_decision,
)
from apps.backoffice.review.services.case_routing import assign_case
from apps.backoffice.review.services.claims import StepNotAllowed, claim_case
from apps.backoffice.review.services.decision_checks import InvalidDecision
from apps.backoffice.review.unanswered_rules import find_unanswered_rules
from apps.platform.common.problems import Conflict
from apps.platform.desk.note_validation import find_note_fault

if TYPE_CHECKING:
    from django.contrib.auth.models import User

RefusedCases = list[tuple[Case, str]]


class BulkNotPossible(Conflict):
    """These cases cannot be worked on together."""

    code, title = "not_together", "The cases cannot be cleared in bulk"


def claim_cases(*, cases: Sequence[Case], by: "User", now: datetime) -> RefusedCases:
    """Claim each case that is free; returns those that were refused, and why."""
    return _apply_to_each(cases, lambda case: claim_case(case=case, by=by, now=now))


def assign_cases(*, cases: Sequence[Case], to: "User", by: "User", now: datetime) -> RefusedCases:
    """Assign each case that is undecided; returns those that were refused, and why."""
    return _apply_to_each(cases, lambda case: assign_case(case=case, to=to, by=by, now=now))


def _apply_to_each(cases: Sequence[Case], step: Callable[[Case], Case]) -> RefusedCases:
    if len(cases) > MOST:
        raise BulkNotPossible(f"Choose at most {MOST} cases.")
    refused: RefusedCases = []
    # no transaction around them: a case that somebody else took must not undo the others
    for case in cases:
        try:
            step(case)
        except (Conflict, StepNotAllowed) as error:
            refused.append((case, error.detail))
    return refused


def get_bulk_limit(cases: Sequence[Case]) -> int:
    """Return how many cases may be cleared at once; 0 where their kind clears one by one."""
    bulk = case_types.get_case_type(cases[0].kind).bulk if cases else None
    return bulk.cap if bulk else 0


def find_bulk_clear_fault(cases: Sequence[Case]) -> str:
    """Return why these cases cannot be cleared together, or an empty text."""
    bulk = case_types.get_case_type(cases[0].kind).bulk if cases else None
    risks = bulk.risks if bulk else frozenset[str]()
    alike = [case.likeness() for case in cases]
    fault = find_bulk_fault(alike, cap=get_bulk_limit(cases), risks=risks)
    return fault or find_true_match_fault(cases, load_prior_decisions_of_cases(cases))


def find_true_match_fault(cases: Sequence[Case], priors: Mapping[int, PriorDecisions]) -> str:
    """Return which of the cases was found to be the listed party before, or an empty text.

    Such a case is decided on its own; `priors` are the earlier decisions of each.
    """
    for case in cases:
        if prior_case := priors[case.pk].found:
            who = case.party or case.title
            return (
                f"Case {prior_case.case.pk} found {who} to be this listed party: "
                f"decide case {case.pk} on its own."
            )
    return ""


def list_shared_reasons(cases: Sequence[Case]) -> tuple[case_types.Reason, ...]:
    """Return the reasons that may clear all of these cases."""
    if not cases:
        return ()
    kind = case_types.get_case_type(cases[0].kind)
    offered = [{reason.code for reason in kind.shared(case.refs)} for case in cases]
    common = set.intersection(*offered)
    return tuple(reason for reason in kind.shared(cases[0].refs) if reason.code in common)


def find_shared_unanswered_rules(cases: Sequence[Case]) -> dict[str, str]:
    """Return the rules that every reason which may clear these cases together leaves open."""
    open_ = [
        find_unanswered_rules(cases, outcome=Outcome.APPROVE, code=shared_reason.code)
        for shared_reason in list_shared_reasons(cases)
    ]
    # only what no choice of reason can answer: the page asks for it before a reason is chosen
    common = set.intersection(*(set(rules_of_case) for rules_of_case in open_)) if open_ else set()
    return {ref: sentence for ref, sentence in (open_[0] if open_ else {}).items() if ref in common}


@transaction.atomic
def propose_bulk_clear(
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
    single case. Raises BulkNotPossible, and as `decide_case` for any of the cases.
    """
    if fault := find_bulk_clear_fault(cases):
        raise BulkNotPossible(fault)
    if reason_code not in {shared_reason.code for shared_reason in list_shared_reasons(cases)}:
        raise InvalidDecision("Choose a reason that applies to all of them.")
    bulk = BulkClear.objects.create(entity_key=cases[0].entity_key, proposed_by=by, proposed_at=now)
    for case in cases:
        decide_case(
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
def confirm_bulk_clear(
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

    The others go back to the queue in the same transaction, with `back` as the note that says why.
    `seen` are the cases that the officer reviewed: BulkNotPossible when others wait by now, or
    nothing is ticked. InvalidDecision, also for another reason than was proposed, and as
    `confirm_decision` and `return_decision` for any of the cases.
    """
    returned = _check_returned_cases(seen, ticked, back)
    waiting = _load_waiting_cases(bulk, seen)
    clears = [case for case in waiting if case.pk not in returned]
    # a bulk of one is the proposal for a single case, which may be confirmed despite such a finding
    # (case_decisions.py)
    if len(waiting) > 1 and (
        fault := find_true_match_fault(clears, load_prior_decisions_of_cases(clears))
    ):
        raise BulkNotPossible(f"{fault} Leave it unticked.")
    for case in waiting:
        if case.pk in returned:
            return_decision(case=case, by=by, note=back, now=now)
        else:
            confirm_decision(
                case=case, by=by, reason_code=reason_code, note=note, now=now, proof=proof
            )
    return len(waiting) - len(returned)


def _check_returned_cases(
    seen: Sequence[int], ticked: Collection[int], back: str
) -> Collection[int]:
    """Return the cases that are not confirmed; `back` must then say why."""
    try:
        unticked_cases = list_unticked_cases(seen=seen, ticked=ticked)
    except ValueError as error:
        raise BulkNotPossible(str(error)) from error
    if unticked_cases and (fault := find_note_fault(back)):
        text = f"Say why the unticked cases go back to the queue. {fault}"
        raise InvalidDecision(text, errors=[{"field": "back", "message": fault}])
    return unticked_cases


@transaction.atomic
def return_bulk_clear(
    *, bulk: BulkClear, seen: Sequence[int], by: "User", note: str, now: datetime
) -> int:
    """Return what waits of a bulk to the queue, all or none; returns how many cases."""
    waiting = _load_waiting_cases(bulk, seen)
    for case in waiting:
        return_decision(case=case, by=by, note=note, now=now)
    return len(waiting)


def _load_waiting_cases(bulk: BulkClear, seen: Sequence[int]) -> list[Case]:
    cases = list(Case.objects.filter(bulk=bulk, status=Status.AWAITING_SECOND).order_by("pk"))
    if not cases:
        raise BulkNotPossible("Nothing is left to confirm.")
    # the officer confirms what the page showed: a case that joined or left since must be seen first
    if {case.pk for case in cases} != set(seen):
        raise BulkNotPossible("The cases have changed in the meantime. Review them again.")
    return cases
