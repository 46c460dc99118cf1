"""Claim and release cases: a claim is a timed lock."""

from datetime import datetime
from typing import TYPE_CHECKING

from django.db import transaction
from django.db.models import Q

from apps.backoffice.review import case_types
from apps.backoffice.review.case_types import CASE_TYPES
from apps.backoffice.review.models import Action, Case, Escalation, Status
from apps.backoffice.review.rules.hours import CLAIM_LASTS
from apps.backoffice.review.services.decision_events import record_decision_event
from apps.platform.common.clock import format_utc
from apps.platform.common.problems import Conflict, DomainError
from apps.platform.db.compiled_statements import CompiledLookup

if TYPE_CHECKING:
    from django.contrib.auth.models import User

# a statement that is composed once: each step reads its case several times
STORED = CompiledLookup(
    Case,
    by="pk",
    columns=tuple(concrete_field.attname for concrete_field in Case._meta.concrete_fields),
)
UNCLAIMED: dict[str, None] = {"claimed_by": None, "claimed_until": None}
NOT_SNOOZED: dict[str, None] = {"snoozed_until": None}
ESCALATED = "This case was escalated: a senior officer must decide or assign it."


class AlreadyDecided(Conflict):
    """The case is closed by a decision."""

    code, title = "already_decided", "The case is already decided"


class ClaimedByOther(Conflict):
    """Another officer holds the case."""

    code, title = "claimed_by_other", "Another officer has claimed the case"


class CaseNotHeld(Conflict):
    """The case is not held by this officer."""

    code, title = "not_held", "You have not claimed the case"


class CaseRetired(Conflict):
    """The case needs no decision any more."""

    code, title = "retired", "The case was retired"


class CaseMerged(Conflict):
    """The case goes with another one."""

    code, title = "merged", "The case was merged into another"


class NoDecisionWaiting(Conflict):
    """No first decision waits to be confirmed or returned."""

    code, title = "not_awaiting_second", "No decision is waiting for a second officer"


class SameOfficer(Conflict):
    """The second officer is the first one."""

    code, title = "four_eyes", "A different officer must confirm"


class StepNotAllowed(DomainError):
    """The officer has no permission for this step."""

    status, code, title = 403, "not_allowed", "Not allowed"


class EscalatedToSeniors(StepNotAllowed):
    """The case was escalated to the seniors, and this officer is none."""


@transaction.atomic
def claim_case(*, case: Case, by: "User", now: datetime) -> Case:
    """Hold a case for 30 minutes; holding it again extends that. A snoozed case wakes.

    Raises AlreadyDecided, ClaimedByOther, CaseMerged, SameOfficer, StepNotAllowed,
    EscalatedToSeniors.
    """
    require_permission(by, "review.claim_case", "claim cases")
    if case.status == Status.AWAITING_SECOND:
        require_second_officer(case, by)
    until = now + CLAIM_LASTS
    # a claim that is extended is no new step: nothing is recorded
    cases = Case.objects.filter(pk=case.pk).mine(by, now)
    if cases.update(claimed_until=until):
        return reload_case(case)
    # compare-and-set: of two officers who claim at once one finds the case free
    free = Case.objects.undecided().filter(pk=case.pk, status=case.status).free_for(by, now)
    if not free.filter(build_escalation_filter(case, by)).update(
        claimed_by=by, claimed_until=until, **NOT_SNOOZED
    ):
        raise build_lost_step_error(case, by, now)
    record_decision_event(case, Action.CLAIMED, by, now, {"until": format_utc(until)})
    return reload_case(case)


@transaction.atomic
def release_case(*, case: Case, by: "User", now: datetime) -> Case:
    """Return a held case to the queue; CaseNotHeld if another officer, or none, holds it."""
    if not Case.objects.filter(pk=case.pk).mine(by, now).update(**UNCLAIMED):
        raise CaseNotHeld("Your claim on this case has ended.")
    record_decision_event(case, Action.RELEASED, by, now, {})
    return reload_case(case)


def reload_case(case: Case) -> Case:
    """Return the case as it is stored now; its people are loaded on access."""
    stored: Case = STORED.row(case.pk)
    return stored


def require_permission(by: "User", permission: str, what: str) -> None:
    """Raise StepNotAllowed unless the officer has the permission."""
    if not (by.is_active and by.has_perm(permission)):
        raise StepNotAllowed(f"Your account may not {what}.")


def is_senior_for_case(case: Case, by: "User") -> bool:
    """Tell whether an officer may decide what was escalated of this case's kind."""
    return case.kind in CASE_TYPES and by.has_perm(case_types.get_case_type(case.kind).confirms)


def build_escalation_filter(case: Case, by: "User") -> Q:
    """Return what a step must find in a case's row so that it is not the seniors' alone."""
    return Q() if is_senior_for_case(case, by) else ~Q(escalation=Escalation.OFFICER)


def require_decider(case: Case, by: "User") -> None:
    """Raise StepNotAllowed or EscalatedToSeniors unless this officer may decide the case now."""
    require_permission(by, case_types.get_case_type(case.kind).decides, "decide cases")
    if case.escalation == Escalation.OFFICER and not is_senior_for_case(case, by):
        raise EscalatedToSeniors(ESCALATED)


def require_second_officer(case: Case, by: "User") -> None:
    """Raise StepNotAllowed or SameOfficer unless this officer may be the second one."""
    require_permission(
        by, case_types.get_case_type(case.kind).confirms, "confirm or return decisions"
    )
    if case.first_by_id == by.pk and case.status == Status.AWAITING_SECOND:
        raise SameOfficer("You made the first decision: a different officer must confirm it.")


def build_lost_step_error(case: Case, by: "User", now: datetime) -> DomainError:
    """Return the refusal that fits the current state of the case."""
    stored = reload_case(case)
    # the most final state first: that is what the officer must know
    if stored.status == Status.DECIDED:
        if by.pk in (stored.first_by_id, stored.second_by_id):
            return AlreadyDecided("You have already decided this case. Nothing was changed.")
        return AlreadyDecided("This case has been decided in the meantime.")
    if stored.status == Status.RETIRED:
        return CaseRetired("This case has been retired in the meantime. Nothing is left to decide.")
    if stored.merged_into_id is not None:
        return CaseMerged(
            f"This case was merged into case {stored.merged_into_id}: decide that one."
        )
    holder = stored.holder(now)
    if holder is not None and holder.pk != by.pk:
        until = f"{stored.claimed_until:%H:%M} UTC"
        return ClaimedByOther(f"{holder.get_username()} has claimed this case until {until}.")
    if stored.escalation == Escalation.OFFICER and not is_senior_for_case(stored, by):
        return EscalatedToSeniors(ESCALATED)
    if stored.status == Status.AWAITING_SECOND and stored.first_by_id == by.pk:
        return AlreadyDecided(
            "You have already decided this case. It is waiting for a second officer."
        )
    if stored.status == Status.AWAITING_SECOND:
        return AlreadyDecided(
            "A first decision has been made in the meantime and is waiting for a second officer."
        )
    if case.status == Status.AWAITING_SECOND:
        return NoDecisionWaiting(
            "The first decision has been returned in the meantime. The case is open again."
        )
    return Conflict("The case has changed in the meantime. Review it again.")
