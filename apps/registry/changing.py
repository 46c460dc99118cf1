"""Another entity for a wallet: proposed, approved by another, in force after the cooling-off."""

from datetime import datetime
from typing import TYPE_CHECKING

from django.db import IntegrityError, transaction

from apps.core import jobs
from apps.core.problems import Conflict
from apps.registry.models import Action, EntityChange, Registration, RegistrationEvent
from apps.registry.proof import locked
from apps.registry.register.asked import Asked, Who
from apps.registry.register.gather import Checks, check
from apps.registry.register.refusals import refusal
from apps.registry.register.traces import answered, contests, log_refused
from apps.registry.register.write import judged, replace_entity
from apps.registry.rules.findings import Judgement
from apps.registry.rules.steps import Submitted
from apps.registry.wallets import read

if TYPE_CHECKING:
    from django.contrib.auth.models import User

JOB = "registry.change_entity"


class Contradiction(Conflict):
    """The change contradicts how the registration stands, or what is decided."""

    code, title = "entity_change_conflict", "The entity cannot be changed so"


def _asked(change: EntityChange) -> Asked:
    """Return a proposal as a submission for its wallet."""
    given = Submitted(change.legal_name, change.country, change.lei, ())
    return Asked(read(change.registration.wallet), given)


def screened(change: EntityChange, *, now: datetime) -> tuple[Checks, Judgement]:
    """Return what lists and GLEIF have of a proposed entity now, and what the rules say of it.

    Nothing is written. Raises LeiUnknown, LeiUnavailable, ListsUnavailable and ListsStale.
    """
    asked = _asked(change)
    checks = check(asked, None, now)
    return checks, judged(held=None, asked=asked, checks=checks, own=change.registration_id)


def check_change(change: EntityChange, *, now: datetime) -> None:
    """Raise Contradiction for what changes nothing or has ended, and as `screened` does.

    A listed entity is refused as at a registration: it is entered into the SAR log, once.
    """
    row = change.registration
    if not row.active:
        raise Contradiction("This registration has ended: register the wallet anew.")
    if (row.legal_name, row.lei) == (change.legal_name, change.lei):
        raise Contradiction("The wallet stands under this entity already.")
    checks, judgement = screened(change, now=now)
    if judgement.refused:
        asked = _asked(change)
        log_refused(asked=asked, checks=checks, judgement=judgement, who=Who(row.owner), now=now)
        raise refusal(judgement)


def propose(
    *,
    registration: Registration,
    legal_name: str,
    country: str,
    lei: str,
    reason: str,
    by: "User",
    now: datetime,
) -> EntityChange:
    """Propose another entity for a wallet; raises as `check_change`."""
    change = EntityChange(
        registration=registration,
        legal_name=legal_name,
        country=country,
        lei=lei,
        reason=reason,
        proposed_by=by,
        proposed_at=now,
    )
    check_change(change, now=now)
    try:
        with transaction.atomic():
            change.save()
            change.opened(by=by, now=now)
    except IntegrityError as error:
        raise Contradiction("Another entity is proposed for this wallet already.") from error
    return change


def approve(*, change: EntityChange, by: "User", now: datetime, note: str = "") -> None:
    """Approve a proposal as another person: its entity counts once the cooling-off has passed.

    It is checked again; what refuses it is logged outside the transaction. Raises as
    `check_change`.
    """
    check_change(change, now=now)
    _approve(change, by, now, note)


@transaction.atomic
def _approve(change: EntityChange, by: "User", now: datetime, note: str) -> None:
    change.settle(approved=True, by=by, note=note, now=now, refused=Contradiction)
    if not change.registration.active:
        raise Contradiction("This registration has ended: register the wallet anew.")
    jobs.enqueue(job=JOB, key=str(change.pk), now=now, eta=change.counts_from)


@transaction.atomic
def reject(*, change: EntityChange, by: "User", now: datetime, note: str) -> None:
    """Turn a proposal down as another person, with a note that says why."""
    change.settle(approved=False, by=by, note=note, now=now, refused=Contradiction)


def take_effect(key: str, now: datetime) -> None:
    """Put an approved change into force (config/jobs.py); again it does nothing.

    The entity is checked at this moment as any that is registered: lists or GLEIF that are missing
    raise, and the job comes again. A listed one is logged, and the wallet stays as it stood. Open
    cases in which that very entity was submitted for the wallet are answered by it.
    """
    change = EntityChange.objects.select_related("registration").get(pk=int(key))
    if change.counts_from is None:
        return
    if now < change.counts_from:
        raise jobs.Again(change.counts_from)
    asked = _asked(change)
    checks = check(asked, None, now)
    with transaction.atomic():
        change.lock(refused=Contradiction)
        claimed = contests(registration=change.registration_id, entity=asked.submitted)
        row = locked(pk=change.registration_id)
        if row is None or _taken(row, change):
            return
        who = Who(row.owner, change.proposed_by)
        if replace_entity(row=row, asked=asked, checks=checks, who=who, change=change.pk, now=now):
            answered(claimed, change=change.pk, now=now)


def _taken(row: Registration, change: EntityChange) -> bool:
    """Tell whether a change was put into force, or refused as it was to be."""
    done = RegistrationEvent.objects.filter(
        registration=row, action__in=(Action.ENTITY, Action.ENTITY_REFUSED)
    )
    return any(one.data.get("change") == change.pk for one in done)
