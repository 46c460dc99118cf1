"""How a case ends: one officer's decision, or two where the stakes are high."""

from collections.abc import Collection, Mapping, Sequence
from datetime import datetime
from typing import TYPE_CHECKING, Any

from django.db import transaction

from apps.backoffice.review import case_types
from apps.backoffice.review.models import (
    Action,
    BulkClear,
    Case,
    CaseQuerySet,
    DecisionEvent,
    Outcome,
    Status,
)
from apps.backoffice.review.selectors.known_false_positives import load_known_of_case
from apps.backoffice.review.selectors.prior_decisions import (
    PriorDecisions,
    load_prior_decisions_of_cases,
)
from apps.backoffice.review.services.claims import (
    NOT_SNOOZED,
    UNCLAIMED,
    NoDecisionWaiting,
    build_lost_step_error,
    reload_case,
    require_decider,
    require_second_officer,
)
from apps.backoffice.review.services.decision_checks import (
    InvalidDecision,
    load_unaltered_case,
    require_complete_decision,
    require_current_stamp,
)
from apps.backoffice.review.services.decision_events import record_decision_event
from apps.backoffice.review.services.decision_inputs import Decision
from apps.backoffice.review.services.decision_scope import (
    MERGED,
    is_second_officer_needed,
    list_duplicates,
    lock_duplicates,
)
from apps.backoffice.review.services.known_false_positive_expiry import end_contradicted_known
from apps.backoffice.review.services.known_false_positive_proposals import (
    KnownProposal,
    propose_known_false_positives,
    reject_proposals_of_case,
)
from apps.backoffice.review.services.sar_referrals import enter_true_match
from apps.backoffice.review.unanswered_rules import find_unanswered_rules, serialize_answered_rules
from apps.platform.desk.note_validation import find_note_fault

if TYPE_CHECKING:
    from django.contrib.auth.models import User


# the consequences of a rejection depend on its reason: both officers must have found the same
SAME_REASON = "Confirm the proposed reason, or return the case with a note."


@transaction.atomic
def decide_case(
    *,
    case: Case,
    by: "User",
    outcome: str,
    reason_code: str,
    note: str,
    now: datetime,
    bulk: BulkClear | None = None,
    seen: str = "",
    template: str = "",
    known: KnownProposal | None = None,
    proof: Mapping[str, str] | None = None,
    also: Collection[str] | None = None,
) -> Case:
    """Decide an open case, or propose its outcome where a second officer must confirm.

    As part of a `bulk` one always must, and for duplicates that together need it
    (services/decision_scope.py); the reason must fit each of them. `seen` is the stamp
    (services/decision_scope.py) of the case as it was read: if it has changed since, nothing is
    decided. `template` is how the note began. What is `known` of its listed parties is proposed
    with it (services/known_false_positive_proposals.py); `proof` is recorded
    (services/decision_inputs.py). `also` are the rules that the officer answers beside the reason:
    all that it leaves open (unanswered_rules.py). A program passes None and answers by its reason
    alone.

    Raises InvalidDecision, InvalidKnownFalsePositive, KnownFalsePositiveConflict, AlreadyDecided,
    ClaimedByOther, EvidenceAltered, CaseMerged, StepNotAllowed. A final outcome calls the kind's
    function, for duplicates too, before the transaction ends: if that fails, nothing was decided.
    """
    # 1. what is decided: the case and its duplicates, locked, and the rules that are left open
    require_decider(case, by)
    others = lock_duplicates(case)
    unanswered_rules = find_unanswered_rules([case, *others], outcome=outcome, code=reason_code)
    ticked = frozenset(also or ()) & frozenset(unanswered_rules)
    decision = Decision(
        outcome, reason_code, note, proof, tuple(serialize_answered_rules(unanswered_rules)), ticked
    )
    # 2. whether the officer saw the case as it is, and said all that is needed
    require_current_stamp(case, others, seen, by, now)
    require_complete_decision(case, others, decision, template, also)
    # 3. whether one officer is enough
    prior_decisions = load_prior_decisions_of_cases([case, *others])
    bulk = bulk or _propose_if_second_needed(case, others, decision, prior_decisions, by, now)
    second = case.needs_second or bulk is not None
    # 4. compare-and-set: of two officers who decide at once one finds the case open; the other gets
    # the reason why not
    change = {"first_by": by, "first_at": now, "first_outcome": decision.outcome} | (
        {"status": Status.AWAITING_SECOND}
        if second
        else _build_final_decision_columns(decision, now)
    )
    if not _select_open_case(case, by, now).update(**change, bulk=bulk, **UNCLAIMED, **NOT_SNOOZED):
        raise build_lost_step_error(case, by, now)
    if known:
        propose_known_false_positives(case=case, proposed=known, why=decision, by=by, now=now)
    return _record_decision(
        case, Action.PROPOSED if second else Action.DECIDED, by, now, decision, prior_decisions
    )


def _propose_if_second_needed(
    case: Case,
    others: Sequence[Case],
    decision: Decision,
    priors: Mapping[int, PriorDecisions],
    by: "User",
    now: datetime,
) -> BulkClear | None:
    """Return a proposal of its own where one officer would be enough for the case alone."""
    # two are needed to approve a party that was found to be this listed one before, and for what
    # the case is together with its duplicates
    needed = decision.outcome == Outcome.APPROVE and any(
        decisions.found for decisions in priors.values()
    )
    if case.needs_second or not (
        needed or is_second_officer_needed(case, others, decision.outcome)
    ):
        return None
    key = case.entity_key
    return BulkClear.objects.create(entity_key=key, proposed_by=by, proposed_at=now)


def _build_final_decision_columns(decision: Decision, now: datetime) -> dict[str, Any]:
    ended = {"status": Status.DECIDED, "decided_at": now}
    return ended | {"outcome": decision.outcome, "reason_code": decision.reason_code}


@transaction.atomic
def confirm_decision(
    *,
    case: Case,
    by: "User",
    reason_code: str,
    note: str,
    now: datetime,
    seen: str = "",
    template: str = "",
    proof: Mapping[str, str] | None = None,
) -> Case:
    """Confirm the first officer's proposal as a second, different officer.

    Outcome and reason are the first officer's; an officer with another finding returns the case.

    Raises as `decide_case`, and NoDecisionWaiting, SameOfficer; InvalidDecision for another reason.
    """
    require_second_officer(case, by)
    others = list_duplicates(case)
    require_current_stamp(case, others, seen, by, now)
    outcome = case.first_outcome
    if not outcome:
        raise NoDecisionWaiting("No first decision is waiting for confirmation.")
    unanswered_rules = find_unanswered_rules([case, *others], outcome=outcome, code=reason_code)
    event = _load_first_decision(case)
    first_answered_rules = (
        frozenset(answered_rule["ref"] for answered_rule in event.data.get("answered", ()))
        if event
        else frozenset()
    )
    ticked = frozenset(unanswered_rules) & first_answered_rules
    decision = Decision(
        outcome, reason_code, note, proof, tuple(serialize_answered_rules(unanswered_rules)), ticked
    )
    require_complete_decision(case, others, decision, template)
    # the proposal that the page showed: a returned and repeated one has another time
    waiting = _select_awaiting_case(case, by, now).filter(
        first_outcome=outcome, first_at=case.first_at
    )
    change = {"second_by": by, "second_at": now} | _build_final_decision_columns(decision, now)
    if not waiting.update(**change, **UNCLAIMED):
        raise build_lost_step_error(case, by, now)
    # compared under the row lock that the update took, so that the proposal cannot be replaced in
    # between; the error takes the update back
    if reason_code != _load_proposed_reason_code(case):
        load_unaltered_case(case)  # report a case that was changed in the meantime
        raise InvalidDecision(
            SAME_REASON, errors=[{"field": "reason_code", "message": SAME_REASON}]
        )
    return _record_decision(
        case, Action.DECIDED, by, now, decision, load_prior_decisions_of_cases([case])
    )


@transaction.atomic
def return_decision(*, case: Case, by: "User", note: str, now: datetime, seen: str = "") -> Case:
    """Return a case, as a second officer, to the queue; the first decision is then void.

    Raises InvalidDecision, NoDecisionWaiting, SameOfficer, AlreadyDecided, ClaimedByOther,
    StepNotAllowed.
    """
    require_second_officer(case, by)
    require_current_stamp(case, list_duplicates(case), seen, by, now)
    if fault := find_note_fault(note):
        raise InvalidDecision(fault, errors=[{"field": "note", "message": fault}])
    change = {
        "status": Status.OPEN,
        "first_by": None,
        "first_at": None,
        "first_outcome": "",
        "bulk": None,
    }
    if not case.first_outcome:
        raise NoDecisionWaiting("No first decision is waiting, so there is nothing to return.")
    if (
        not _select_awaiting_case(case, by, now)
        .filter(first_at=case.first_at)
        .update(**change, **UNCLAIMED)
    ):
        raise build_lost_step_error(case, by, now)
    payload = {"note": note.strip(), "digest": load_unaltered_case(case)[1]}
    record_decision_event(case, Action.RETURNED, by, now, payload)
    reject_proposals_of_case(case=case, by=by, note=note, now=now)
    return reload_case(case)


def _record_decision(
    case: Case,
    action: Action,
    by: "User",
    now: datetime,
    decision: Decision,
    before: Mapping[int, PriorDecisions],
) -> Case:
    # after the update and before the event: `case` is the state that the events before must explain
    stored, digest = load_unaltered_case(case)
    payload: dict[str, Any] = decision.told(case) | {"digest": digest}
    payload |= _describe_known_false_positives(case, now) | before[case.pk].recorded
    record_decision_event(case, action, by, now, payload, decision.outcome)
    if action == Action.DECIDED:
        _notify_case_type(case, decision.outcome, now)
        why = {"reason_code": decision.reason_code, "note": decision.note}
        enter_true_match(case=stored, by=by, now=now, **why)
        end_contradicted_known(case=stored, said=decision, by=by, now=now)
        _close_duplicates(stored, by, now, payload, decision)
    return stored


def _load_proposed_reason_code(case: Case) -> str:
    """Return the code of the reason that the last first decision on a case gives."""
    event = _load_first_decision(case)
    return str(event.data.get("reason_code", "")) if event else ""


def _load_first_decision(case: Case) -> DecisionEvent | None:
    return case.events.filter(action=Action.PROPOSED).order_by("-pk").first()


def _describe_known_false_positives(case: Case, now: datetime) -> dict[str, list[str]]:
    """Describe the known false positives that the case showed when it was decided."""
    sentences = [status.recorded for status in load_known_of_case(case, now=now)]
    return {"known": sentences} if sentences else {}


def _close_duplicates(
    decided: Case, by: "User", now: datetime, payload: dict[str, Any], decision: Decision
) -> None:
    """Close what was merged into a case as that was closed, by the same officers."""
    if MERGED.first(decided.pk) is None:
        return
    people, moments = ("first_by_id", "second_by_id"), ("first_at", "second_at", "decided_at")
    same = (*people, *moments, "status", "first_outcome", "outcome", "reason_code")
    change = {name: getattr(decided, name) for name in same}
    for case in Case.objects.filter(merged_into=decided, status=Status.OPEN).order_by("pk"):
        Case.objects.filter(pk=case.pk).update(**change, **NOT_SNOOZED)
        same_words = payload | {"digest": load_unaltered_case(case)[1], "with_case": decided.pk}
        same_words |= decision.answered(case)
        record_decision_event(case, Action.DECIDED, by, now, same_words, decided.outcome)
        _notify_case_type(case, decided.outcome, now)
        why = {"reason_code": payload["reason_code"], "note": payload["note"]}
        enter_true_match(case=reload_case(case), by=by, now=now, **why)
        end_contradicted_known(case=case, said=decision, by=by, now=now)


def _notify_case_type(case: Case, outcome: str, now: datetime) -> None:
    if tell := case_types.get_case_type(case.kind).decided:
        tell(ref=case.ref, outcome=outcome, now=now)


def _select_open_case(case: Case, by: "User", now: datetime) -> CaseQuerySet:
    """Return the case if it is unchanged since it was read, and no other officer holds it."""
    # the columns that the checks of this step relied on
    same = {"needs_second": case.needs_second, "escalation": case.escalation, "merged_into": None}
    return Case.objects.filter(pk=case.pk, status=Status.OPEN, **same).free_for(by, now)


def _select_awaiting_case(case: Case, by: "User", now: datetime) -> CaseQuerySet:
    return Case.objects.filter(pk=case.pk).waiting_for(by).free_for(by, now)
