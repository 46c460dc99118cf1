"""Actions of staff on callbacks, each with a reason that is kept."""

from datetime import datetime, timedelta

from django.contrib.auth import get_user_model
from django.db import transaction

from apps.payments.callbacks import signing_secrets
from apps.payments.callbacks.models import Delivery, Endpoint, Pause, Secret, Step
from apps.payments.callbacks.services import endpoint_pauses, resend
from apps.platform.common.problems import Conflict
from apps.platform.desk.note_validation import LONGEST_REASON, find_note_fault

What = Step.What


class NothingToDo(Conflict):
    """No change: this is already the current value."""

    code, title = "as_it_is", "Nothing was done"


class TwoPeopleRequired(Conflict):
    """At a shell in production two people do it, each of whom may."""

    code, title = "two_people", "Two people do this"


def require_two_people(*, by: str, confirmed_by: str, reason: str) -> str:
    """Return the name for an action at a shell in the names of two people, or TwoPeopleRequired.

    The holder of a signing secret can impersonate the platform, and a shell does not authenticate.
    """
    if not (by and confirmed_by):
        raise TwoPeopleRequired("This takes two people: give --by and --confirmed-by.")
    if by == confirmed_by:
        raise TwoPeopleRequired("Another operator than the first must confirm.")
    for name in (by, confirmed_by):
        users = get_user_model().objects.filter(username=name, is_active=True, is_staff=True)
        person = users.first()
        if person is None:
            raise TwoPeopleRequired(f"{name!r} is not an active staff account.")
        if not person.has_perm("callbacks.issue_secret"):
            raise TwoPeopleRequired(f"{name!r} may not issue a signing secret.")
    if fault := find_note_fault(reason, most=LONGEST_REASON):
        raise TwoPeopleRequired(f"State the reason. {fault}")
    return f"{by}, confirmed by {confirmed_by}"


def _record_step(what: str, *, owner: str, ref: str, by: str, reason: str, now: datetime) -> None:
    Step.objects.create(what=what, owner=owner, ref=ref, by=by, reason=reason, at=now)


@transaction.atomic
def resend_with_reason(*, row: Delivery, by: str, reason: str, now: datetime) -> None:
    """Send one again; raises NothingToDo while it is under way, and what `resend.resend_callback`
    raises.
    """
    if not resend.resend_callback(row=row, now=now):
        raise NothingToDo("This callback is being sent.")
    _record_step(
        What.RESENT, owner=row.owner, ref=f"delivery:{row.pk}", by=by, reason=reason, now=now
    )


@transaction.atomic
def resend_failed_with_reason(
    *, endpoint: Endpoint, since: datetime, by: str, reason: str, now: datetime
) -> int:
    """Send all to an endpoint again that failed since a time; returns how many."""
    if endpoint.paused_at is not None:
        raise resend.EndpointPaused("Resume the endpoint first.")
    many = resend.resend_failed_callbacks(since=since, now=now, endpoint=endpoint)
    ref = f"endpoint:{endpoint.pk}"
    _record_step(What.ALL_RESENT, owner=endpoint.owner, ref=ref, by=by, reason=reason, now=now)
    return many


@transaction.atomic
def pause_with_reason(*, endpoint: Endpoint, by: str, reason: str, now: datetime) -> None:
    """Call an endpoint no more, until it is resumed; raises NothingToDo when it is paused."""
    if not endpoint_pauses.pause_endpoint(endpoint=endpoint, why=Pause.STAFF, now=now):
        raise NothingToDo("This endpoint is already paused.")
    ref = f"endpoint:{endpoint.pk}"
    _record_step(What.PAUSED, owner=endpoint.owner, ref=ref, by=by, reason=reason, now=now)


@transaction.atomic
def resume_with_reason(*, endpoint: Endpoint, by: str, reason: str, now: datetime) -> None:
    """Call an endpoint again, and send what was paused; raises NothingToDo when it is not
    paused.
    """
    if not endpoint_pauses.resume_endpoint(endpoint=endpoint, now=now):
        raise NothingToDo("This endpoint is not paused.")
    ref = f"endpoint:{endpoint.pk}"
    _record_step(What.RESUMED, owner=endpoint.owner, ref=ref, by=by, reason=reason, now=now)


@transaction.atomic
def issue_with_reason(
    *, owner: str, by: str, reason: str, now: datetime, overlap: timedelta = signing_secrets.OVERLAP
) -> signing_secrets.IssuedSecret:
    """Issue an owner's next secret; see `signing_secrets.issue_secret`. The reason is kept, the
    secret is not.
    """
    issued = signing_secrets.issue_secret(owner=owner, by=by, now=now, overlap=overlap)
    # the secret itself is kept nowhere, so the step names its row
    ref = f"secret:{Secret.objects.get(owner=owner, generation=issued.generation).pk}"
    _record_step(What.ISSUED, owner=owner, ref=ref, by=by, reason=reason, now=now)
    return issued


@transaction.atomic
def end_rotation_with_reason(*, row: Secret, by: str, reason: str, now: datetime) -> None:
    """Let the newest secret sign alone; raises NothingToDo when it does."""
    if not signing_secrets.end_secret_rotation(owner=row.owner, now=now):
        raise NothingToDo("Only one secret signs.")
    _record_step(What.ENDED, owner=row.owner, ref=f"secret:{row.pk}", by=by, reason=reason, now=now)


def end_newest_rotation(*, owner: str, by: str, reason: str, now: datetime) -> None:
    """Let an owner's newest secret sign alone; raises NothingToDo where no rotation is under
    way.
    """
    row = Secret.objects.filter(owner=owner).order_by("-generation").first()
    if row is None:
        raise NothingToDo("No rotation is under way.")
    end_rotation_with_reason(row=row, by=by, reason=reason, now=now)
