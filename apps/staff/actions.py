"""Writes of staff sign-in: factors come and go, sign-ins end; each change of them is recorded."""

from datetime import datetime, timedelta

from django.conf import settings
from django.contrib.auth.models import User
from django.contrib.sessions.models import Session
from django.db import transaction
from django.db.models import QuerySet

from apps.core.problems import Conflict, DomainError
from apps.desk.rules import note_fault
from apps.staff import codes, vault
from apps.staff.models import STRONG, Factor, FactorKind, Happened, PeopleEvent, SignIn


class NotYours(DomainError):
    """Second factors are reset by somebody else, who may do it."""

    status, code, title = 403, "not_allowed", "Not allowed"


class NoReason(DomainError):
    """Why it is done is missing."""

    code, title = "invalid_reason", "Say why"


class LastFactor(Conflict):
    """The only second factor stays while one is required."""

    code, title = "last_factor", "This is your only second factor"


def record(*, person: User, what: Happened, by: str, now: datetime, **payload: str) -> PeopleEvent:
    """Append to the ledger what changed of how somebody signs in."""
    event: PeopleEvent = PeopleEvent.write(
        payload=dict(payload), now=now, person=person, what=what, by=by
    )
    return event


@transaction.atomic
def add_app(*, user: User, secret: str, step: int, now: datetime) -> list[str]:
    """Keep an authenticator app in place of an earlier one; return new recovery codes, if made.

    `step` is the time step of the code that proved it: that code is used up.
    """
    Factor.objects.filter(user=user, kind=FactorKind.APP).delete()
    Factor.objects.create(
        user=user,
        kind=FactorKind.APP,
        name="Authenticator app",
        secret=vault.seal(secret),
        counter=step,
        created_at=now,
    )
    return added(user=user, name="Authenticator app", now=now)


@transaction.atomic
def added(*, user: User, name: str, now: datetime) -> list[str]:
    """Record that a factor came; return recovery codes where somebody had none."""
    record(person=user, what=Happened.ADDED, by=user.get_username(), now=now, factor=name)
    if Factor.objects.filter(user=user, kind=FactorKind.RECOVERY).exists():
        return []
    return codes.new_recovery_codes(user=user, now=now)


@transaction.atomic
def renew_recovery(*, user: User, now: datetime) -> list[str]:
    """Make recovery codes in place of the old ones; return them."""
    made = codes.new_recovery_codes(user=user, now=now)
    record(person=user, what=Happened.RENEWED, by=user.get_username(), now=now)
    return made


@transaction.atomic
def remove(*, user: User, factor: Factor, now: datetime) -> None:
    """Remove an app or a passkey; with the last one the recovery codes go. Raises LastFactor."""
    User.objects.select_for_update().get(pk=user.pk)  # two at once must not remove two
    rest = Factor.objects.filter(user=user, kind__in=STRONG).exclude(pk=factor.pk)
    if not rest.exists():
        if settings.MFA_REQUIRED:
            raise LastFactor("Set up another one first: here nobody works without.")
        Factor.objects.filter(user=user).delete()
    Factor.objects.filter(pk=factor.pk).delete()
    record(person=user, what=Happened.REMOVED, by=user.get_username(), now=now, factor=factor.name)


def used_recovery(*, user: User, now: datetime) -> int:
    """Record that a recovery code was used; return how many are left."""
    left = Factor.objects.filter(user=user, kind=FactorKind.RECOVERY).count()
    record(person=user, what=Happened.RECOVERED, by=user.get_username(), now=now, left=str(left))
    return left


@transaction.atomic
def reset(*, person: User, by: User | None, operator: str = "", reason: str, now: datetime) -> int:
    """Take all second factors from somebody and end their sign-ins; return how many factors.

    `by` is who does it at the desk; an `operator` at the server has a name alone. Raises NotYours
    for oneself in production and for a superuser's by anybody but one, NoReason.
    """
    if fault := note_fault(reason, what="reason"):
        raise NoReason(fault)
    if by is not None and by.pk == person.pk and settings.PRODUCTION:
        raise NotYours("Your own second factor is reset by somebody else.")
    if by is not None and person.is_superuser and not by.is_superuser:
        raise NotYours("A superuser's second factor is reset by a superuser.")
    count = Factor.objects.filter(user=person, kind__in=STRONG).count()
    Factor.objects.filter(user=person).delete()
    name = by.get_username() if by is not None else operator
    record(person=person, what=Happened.RESET, by=name, now=now, reason=reason.strip())
    end(rows=SignIn.objects.filter(user=person))
    return count


def end(*, rows: QuerySet[SignIn]) -> int:
    """End sign-ins at once: without its session a browser is a stranger's. Returns how many."""
    found = list(rows.values_list("pk", "key"))
    keys = [key for _, key in found]
    Session.objects.filter(session_key__in=keys).delete()
    SignIn.objects.filter(pk__in=[pk for pk, _ in found]).delete()
    return len(found)


@transaction.atomic
def end_of(*, person: User, by: User, reason: str, now: datetime) -> int:
    """End all sign-ins of somebody else, and record it; raises NoReason, NotYours."""
    if fault := note_fault(reason, what="reason"):
        raise NoReason(fault)
    if person.is_superuser and not by.is_superuser:
        raise NotYours("A superuser's sign-ins are ended by a superuser.")
    count = end(rows=standing(person, now))
    name = by.get_username()
    record(person=person, what=Happened.ENDED, by=name, now=now, reason=reason, count=str(count))
    return count


def standing(user: User, now: datetime) -> QuerySet[SignIn]:
    """Return where somebody is signed in now, the newest use first."""
    known = Session.objects.filter(expire_date__gt=now).values("session_key")
    idle = now - timedelta(minutes=settings.SIGN_IN_IDLE_MINUTES)
    oldest = now - timedelta(hours=settings.SIGN_IN_HOURS)
    rows = SignIn.objects.filter(user=user, key__in=known, seen__gt=idle, since__gt=oldest)
    return rows.order_by("-seen", "-pk")
