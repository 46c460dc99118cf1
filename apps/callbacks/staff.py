"""What staff do about callbacks: each with a reason that is kept."""

from datetime import datetime, timedelta

from django.contrib.auth import get_user_model
from django.db import transaction

from apps.callbacks import resending, secrets, settling
from apps.callbacks.models import Delivery, Endpoint, Pause, Secret, Step
from apps.core.problems import Conflict
from apps.desk.rules import LONGEST_REASON, note_fault

What = Step.What


class AsItIs(Conflict):
    """It stands so already: nothing was done."""

    code, title = "as_it_is", "Nothing was done"


class NotByTwo(Conflict):
    """At a shell in production two people do it, each of whom may."""

    code, title = "two_people", "Two people do this"


def two(*, by: str, confirmed_by: str, reason: str) -> str:
    """Return who does something at a shell by the word of two people; NotByTwo otherwise.

    Whoever holds a signing secret can pass for the platform, and a shell knows nobody by name.
    """
    if not (by and confirmed_by):
        raise NotByTwo("Two people do this: say --by and --confirmed-by.")
    if by == confirmed_by:
        raise NotByTwo("Another operator than the first must confirm.")
    for name in (by, confirmed_by):
        found = get_user_model().objects.filter(username=name, is_active=True, is_staff=True)
        person = found.first()
        if person is None:
            raise NotByTwo(f"{name!r} is no active staff account.")
        if not person.has_perm("callbacks.issue_secret"):
            raise NotByTwo(f"{name!r} may not issue a signing secret.")
    if fault := note_fault(reason, most=LONGEST_REASON):
        raise NotByTwo(f"Say what it is needed for. {fault}")
    return f"{by}, confirmed by {confirmed_by}"


def _keep(what: str, *, owner: str, ref: str, by: str, reason: str, now: datetime) -> None:
    Step.objects.create(what=what, owner=owner, ref=ref, by=by, reason=reason, at=now)


@transaction.atomic
def resend(*, row: Delivery, by: str, reason: str, now: datetime) -> None:
    """Send one again; raises AsItIs while it is under way, and what `resending.resend` raises."""
    if not resending.resend(row=row, now=now):
        raise AsItIs("This callback is under way.")
    _keep(What.RESENT, owner=row.owner, ref=f"delivery:{row.pk}", by=by, reason=reason, now=now)


@transaction.atomic
def resend_failed(
    *, endpoint: Endpoint, since: datetime, by: str, reason: str, now: datetime
) -> int:
    """Send all to an endpoint again that failed since a time; returns how many."""
    if endpoint.paused_at is not None:
        raise resending.EndpointPaused("Resume the endpoint first.")
    many = resending.resend_failed(since=since, now=now, endpoint=endpoint)
    ref = f"endpoint:{endpoint.pk}"
    _keep(What.ALL_RESENT, owner=endpoint.owner, ref=ref, by=by, reason=reason, now=now)
    return many


@transaction.atomic
def pause(*, endpoint: Endpoint, by: str, reason: str, now: datetime) -> None:
    """Call an endpoint no more, until it is resumed; raises AsItIs when it is paused."""
    if not settling.pause(endpoint=endpoint, why=Pause.STAFF, now=now):
        raise AsItIs("This endpoint is paused already.")
    ref = f"endpoint:{endpoint.pk}"
    _keep(What.PAUSED, owner=endpoint.owner, ref=ref, by=by, reason=reason, now=now)


@transaction.atomic
def resume(*, endpoint: Endpoint, by: str, reason: str, now: datetime) -> None:
    """Call an endpoint again, and send what was paused; raises AsItIs when it is not paused."""
    if not settling.resume(endpoint=endpoint, now=now):
        raise AsItIs("This endpoint is not paused.")
    ref = f"endpoint:{endpoint.pk}"
    _keep(What.RESUMED, owner=endpoint.owner, ref=ref, by=by, reason=reason, now=now)


@transaction.atomic
def issue(
    *, owner: str, by: str, reason: str, now: datetime, overlap: timedelta = secrets.OVERLAP
) -> secrets.Issued:
    """Issue an owner's next secret; see `secrets.issue`. The reason is kept, the secret is not."""
    issued = secrets.issue(owner=owner, by=by, now=now, overlap=overlap)
    ref = f"secret:{Secret.objects.get(owner=owner, generation=issued.generation).pk}"
    _keep(What.ISSUED, owner=owner, ref=ref, by=by, reason=reason, now=now)
    return issued


@transaction.atomic
def end_rotation(*, row: Secret, by: str, reason: str, now: datetime) -> None:
    """Let the newest secret sign alone; raises AsItIs when it does."""
    if not secrets.end_rotation(owner=row.owner, now=now):
        raise AsItIs("Only one secret signs.")
    _keep(What.ENDED, owner=row.owner, ref=f"secret:{row.pk}", by=by, reason=reason, now=now)


def end_newest(*, owner: str, by: str, reason: str, now: datetime) -> None:
    """Let an owner's newest secret sign alone; raises AsItIs where no rotation is under way."""
    row = Secret.objects.filter(owner=owner).order_by("-generation").first()
    if row is None:
        raise AsItIs("No rotation is under way.")
    end_rotation(row=row, by=by, reason=reason, now=now)
