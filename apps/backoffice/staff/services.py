"""Add, remove and reset second factors, and end sign-ins; each change is recorded."""

from datetime import datetime, timedelta

from django.conf import settings
from django.contrib.auth.models import User
from django.contrib.sessions.models import Session
from django.db import transaction
from django.db.models import QuerySet

from apps.backoffice.staff import second_factor_codes, secret_encryption
from apps.backoffice.staff.integrity import changed_by, record_person
from apps.backoffice.staff.models import (
    STRONG,
    Factor,
    FactorKind,
    PeopleEvent,
    PeopleEventType,
    SignIn,
)
from apps.platform.common.problems import Conflict, DomainError
from apps.platform.desk.note_validation import find_note_fault


class ResetNotAllowed(DomainError):
    """Second factors must be reset by another user with the permission."""

    status, code, title = 403, "not_allowed", "Not allowed"


class ReasonMissing(DomainError):
    """Why it is done is missing."""

    code, title = "invalid_reason", "Reason required"


class LastFactorRequired(Conflict):
    """The only second factor stays while one is required."""

    code, title = "last_factor", "This is your only second factor"


def record_people_event(
    *, person: User, what: PeopleEventType, by: str, now: datetime, **payload: str
) -> PeopleEvent:
    """Append to the ledger a change of how a user signs in."""
    event: PeopleEvent = PeopleEvent.write(
        payload=dict(payload), now=now, person=person, what=what, by=by
    )
    return event


@transaction.atomic
def add_authenticator_app(*, user: User, secret: str, step: int, now: datetime) -> list[str]:
    """Keep an authenticator app in place of an earlier one; return new recovery codes, if made.

    `step` is the time step of the code that proved it: that code is used up.
    """
    Factor.objects.filter(user=user, kind=FactorKind.APP).delete()
    Factor.objects.create(
        user=user,
        kind=FactorKind.APP,
        name="Authenticator app",
        secret=secret_encryption.encrypt_secret(secret),
        counter=step,
        created_at=now,
    )
    return record_added_factor(user=user, name="Authenticator app", now=now)


@transaction.atomic
def record_added_factor(*, user: User, name: str, now: datetime) -> list[str]:
    """Record a new factor; return recovery codes if the user had none."""
    record_people_event(
        person=user, what=PeopleEventType.ADDED, by=user.get_username(), now=now, factor=name
    )
    has_codes = Factor.objects.filter(user=user, kind=FactorKind.RECOVERY).exists()
    recovery_codes = (
        [] if has_codes else second_factor_codes.create_recovery_codes(user=user, now=now)
    )
    record_person(user.pk, now=now)
    return recovery_codes


@transaction.atomic
def renew_recovery_codes(*, user: User, now: datetime) -> list[str]:
    """Make recovery codes in place of the old ones; return them."""
    recovery_codes = second_factor_codes.create_recovery_codes(user=user, now=now)
    record_people_event(person=user, what=PeopleEventType.RENEWED, by=user.get_username(), now=now)
    record_person(user.pk, now=now)
    return recovery_codes


@transaction.atomic
def remove_factor(*, user: User, factor: Factor, now: datetime) -> None:
    """Remove an app or a passkey; with the last one the recovery codes go. Raises
    LastFactorRequired.
    """
    # locked: of two requests each would see the other's factor, and remove the last but one
    User.objects.select_for_update().get(pk=user.pk)
    rest = Factor.objects.filter(user=user, kind__in=STRONG).exclude(pk=factor.pk)
    if not rest.exists():
        if settings.MFA_REQUIRED:
            raise LastFactorRequired("Set up another one first. A second factor is required here.")
        Factor.objects.filter(user=user).delete()
    Factor.objects.filter(pk=factor.pk).delete()
    record_people_event(
        person=user,
        what=PeopleEventType.REMOVED,
        by=user.get_username(),
        now=now,
        factor=factor.name,
    )
    record_person(user.pk, now=now)


def record_used_recovery_code(*, user: User, now: datetime) -> int:
    """Record that a recovery code was used; return how many are left."""
    left = Factor.objects.filter(user=user, kind=FactorKind.RECOVERY).count()
    record_people_event(
        person=user, what=PeopleEventType.RECOVERED, by=user.get_username(), now=now, left=str(left)
    )
    return left


@transaction.atomic
def reset_second_factors(
    *, person: User, by: User | None, operator: str = "", reason: str, now: datetime
) -> int:
    """Reset all second factors of a user and end their sign-ins; return how many factors.

    `by` is the user who does it at the desk; an `operator` at the server has only a name. Raises
    ResetNotAllowed for one's own in production, and for a superuser's unless by a superuser;
    ReasonMissing.
    """
    if fault := find_note_fault(reason, what="reason"):
        raise ReasonMissing(fault)
    if by is not None and by.pk == person.pk and settings.PRODUCTION:
        raise ResetNotAllowed("Someone else must reset your own second factor.")
    if by is not None and person.is_superuser and not by.is_superuser:
        raise ResetNotAllowed("Only a superuser can reset a superuser's second factor.")
    count = Factor.objects.filter(user=person, kind__in=STRONG).count()
    Factor.objects.filter(user=person).delete()
    name = by.get_username() if by is not None else operator
    record_people_event(
        person=person, what=PeopleEventType.RESET, by=name, now=now, reason=reason.strip()
    )
    with changed_by(name):
        record_person(person.pk, now=now)
    # whoever stole the device or the factor may be signed in with it
    end_sign_ins(rows=SignIn.objects.filter(user=person))
    return count


def end_sign_ins(*, rows: QuerySet[SignIn]) -> int:
    """End sign-ins at once, by deleting their sessions; returns how many."""
    sessions = list(rows.values_list("pk", "key"))
    keys = [key for _, key in sessions]
    Session.objects.filter(session_key__in=keys).delete()
    SignIn.objects.filter(pk__in=[pk for pk, _ in sessions]).delete()
    return len(sessions)


@transaction.atomic
def end_sign_ins_of_person(*, person: User, by: User, reason: str, now: datetime) -> int:
    """End all sign-ins of another user, and record it; raises ReasonMissing, ResetNotAllowed."""
    if fault := find_note_fault(reason, what="reason"):
        raise ReasonMissing(fault)
    if person.is_superuser and not by.is_superuser:
        raise ResetNotAllowed("Only a superuser can end a superuser's sign-ins.")
    count = end_sign_ins(rows=list_current_sign_ins(person, now))
    name = by.get_username()
    record_people_event(
        person=person, what=PeopleEventType.ENDED, by=name, now=now, reason=reason, count=str(count)
    )
    return count


def list_current_sign_ins(user: User, now: datetime) -> QuerySet[SignIn]:
    """Return a user's current sign-ins, the most recently used first."""
    known = Session.objects.filter(expire_date__gt=now).values("session_key")
    idle = now - timedelta(minutes=settings.SIGN_IN_IDLE_MINUTES)
    oldest = now - timedelta(hours=settings.SIGN_IN_HOURS)
    rows = SignIn.objects.filter(user=user, key__in=known, seen__gt=idle, since__gt=oldest)
    return rows.order_by("-seen", "-pk")
