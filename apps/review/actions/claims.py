"""Who works on a case: claims with a timed lock, and the refusals of a step that was lost."""

from datetime import datetime
from typing import TYPE_CHECKING

from django.db import transaction
from django.db.models import Q

from apps.core.prepared import Lookup
from apps.core.problems import Conflict, DomainError
from apps.core.shapes import iso
from apps.review import kinds
from apps.review.actions.opening import record
from apps.review.models import Action, Case, Escalation, Status
from apps.review.rules.hours import CLAIM_LASTS
from config.review import KINDS

if TYPE_CHECKING:
    from django.contrib.auth.models import User

# each step reads its case more than once
STORED = Lookup(Case, by="pk", columns=tuple(one.attname for one in Case._meta.concrete_fields))
UNCLAIMED: dict[str, None] = {"claimed_by": None, "claimed_until": None}
AWAKE: dict[str, None] = {"snoozed_until": None}
ESCALATED = "This case was escalated: a senior officer decides or assigns it."


class AlreadyDecided(Conflict):
    """The case is closed; a decision stands."""

    code, title = "already_decided", "The case is decided"


class ClaimedByOther(Conflict):
    """Another officer holds the case."""

    code, title = "claimed_by_other", "Another officer holds the case"


class NotHeld(Conflict):
    """The case is not held by this officer."""

    code, title = "not_held", "You do not hold the case"


class Retired(Conflict):
    """Nobody has to decide the case any more."""

    code, title = "retired", "The case was retired"


class Merged(Conflict):
    """The case goes with another one."""

    code, title = "merged", "The case was merged into another"


class NotAwaiting(Conflict):
    """No first decision waits to be confirmed or returned."""

    code, title = "not_awaiting_second", "No decision waits for a second officer"


class SameOfficer(Conflict):
    """The second officer is the first one."""

    code, title = "four_eyes", "A different officer must confirm"


class NotAllowed(DomainError):
    """The officer has no permission for this step."""

    status, code, title = 403, "not_allowed", "Not allowed"


class PassedOn(NotAllowed):
    """The case was escalated to the seniors, and this officer is none."""


@transaction.atomic
def claim(*, case: Case, by: "User", now: datetime) -> Case:
    """Hold a case for 30 minutes; holding it again prolongs that. What was put aside wakes.

    Raises AlreadyDecided, ClaimedByOther, Merged, SameOfficer, NotAllowed, PassedOn.
    """
    may(by, "review.claim_case", "claim cases")
    if case.status == Status.AWAITING_SECOND:
        may_be_second(case, by)
    until = now + CLAIM_LASTS
    held = Case.objects.filter(pk=case.pk).mine(by, now)
    if held.update(claimed_until=until):
        return fresh(case)
    free = Case.objects.undecided().filter(pk=case.pk, status=case.status).free_for(by, now)
    if not free.filter(within(case, by)).update(claimed_by=by, claimed_until=until, **AWAKE):
        raise why_lost(case, by, now)
    record(case, Action.CLAIMED, by, now, {"until": iso(until)})
    return fresh(case)


@transaction.atomic
def release(*, case: Case, by: "User", now: datetime) -> Case:
    """Give a held case back to the queue; NotHeld when another, or nobody, holds it."""
    if not Case.objects.filter(pk=case.pk).mine(by, now).update(**UNCLAIMED):
        raise NotHeld("You do not hold this case any more.")
    record(case, Action.RELEASED, by, now, {})
    return fresh(case)


def fresh(case: Case) -> Case:
    """Return the case as it is stored now; its people are read when they are asked for."""
    found: Case = STORED.row(case.pk)
    return found


def may(by: "User", permission: str, what: str) -> None:
    """Raise NotAllowed unless the officer has the permission."""
    if not (by.is_active and by.has_perm(permission)):
        raise NotAllowed(f"Your account may not {what}.")


def is_senior(case: Case, by: "User") -> bool:
    """Tell whether an officer may decide what was escalated of this case's kind."""
    return case.kind in KINDS and by.has_perm(kinds.named(case.kind).confirms)


def within(case: Case, by: "User") -> Q:
    """Return what a step must find in a case's row so that it is not the seniors' alone."""
    return Q() if is_senior(case, by) else ~Q(escalation=Escalation.OFFICER)


def may_decide(case: Case, by: "User") -> None:
    """Raise NotAllowed or PassedOn unless this officer may decide the case as it stands."""
    may(by, kinds.named(case.kind).decides, "decide cases")
    if case.escalation == Escalation.OFFICER and not is_senior(case, by):
        raise PassedOn(ESCALATED)


def may_be_second(case: Case, by: "User") -> None:
    """Raise NotAllowed or SameOfficer unless this officer may be the second one."""
    may(by, kinds.named(case.kind).confirms, "confirm or return decisions")
    if case.first_by_id == by.pk and case.status == Status.AWAITING_SECOND:
        raise SameOfficer("You made the first decision: a different officer must confirm it.")


def why_lost(case: Case, by: "User", now: datetime) -> DomainError:
    """Return the refusal that fits how the case stands now."""
    found = fresh(case)
    if found.status == Status.DECIDED:
        if by.pk in (found.first_by_id, found.second_by_id):
            return AlreadyDecided("You decided this case already: nothing more was done.")
        return AlreadyDecided("This case was decided meanwhile.")
    if found.status == Status.RETIRED:
        return Retired("This case was retired meanwhile: nothing is left to decide.")
    if found.merged_into_id is not None:
        return Merged(f"This case was merged into case {found.merged_into_id}: decide that one.")
    holder = found.holder(now)
    if holder is not None and holder.pk != by.pk:
        until = f"{found.claimed_until:%H:%M} UTC"
        return ClaimedByOther(f"{holder.get_username()} holds this case until {until}.")
    if found.escalation == Escalation.OFFICER and not is_senior(found, by):
        return PassedOn(ESCALATED)
    if found.status == Status.AWAITING_SECOND and found.first_by_id == by.pk:
        return AlreadyDecided("You decided this case already: it waits for a second officer.")
    if found.status == Status.AWAITING_SECOND:
        return AlreadyDecided("A first decision was made meanwhile; it awaits a second officer.")
    if case.status == Status.AWAITING_SECOND:
        return NotAwaiting("The first decision was returned meanwhile: the case is open again.")
    return Conflict("The case changed meanwhile; look at it again.")
