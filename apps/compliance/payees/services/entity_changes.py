"""Another entity for a wallet: proposed, approved by another, in force after the cooling-off."""

from datetime import datetime
from typing import TYPE_CHECKING

from django.db import transaction

from apps.compliance.payees.models import Action, EntityChange, Registration, RegistrationEvent
from apps.compliance.payees.problems import build_refusal
from apps.compliance.payees.registration_requests import RegistrationActor, RegistrationRequest
from apps.compliance.payees.rules.registration_findings import Judgement
from apps.compliance.payees.rules.submission_steps import SubmittedEntity
from apps.compliance.payees.selectors.registration_checks import (
    RegistrationChecks,
    check_submission,
)
from apps.compliance.payees.selectors.registrations import lock_active_registration
from apps.compliance.payees.services.registration_cases import (
    lock_contest_cases,
    log_refused_registration,
    retire_contest_cases,
)
from apps.compliance.payees.services.registrations import judge_submission, replace_entity
from apps.compliance.payees.wallets import parse_wallet
from apps.platform.common.problems import Conflict
from apps.platform.jobs import job_queue

if TYPE_CHECKING:
    from django.contrib.auth.models import User

JOB = "registry.change_entity"


class EntityChangeConflict(Conflict):
    """The change conflicts with the registration or with a decision."""

    code, title = "entity_change_conflict", "This entity change is not possible"


def _build_request(change: EntityChange) -> RegistrationRequest:
    """Return a proposal as a submission for its wallet."""
    # no aliases: they belong to the entity before
    submitted_entity = SubmittedEntity(change.legal_name, change.country, change.lei, ())
    return RegistrationRequest(parse_wallet(change.registration.wallet), submitted_entity)


def screen_proposed_entity(
    change: EntityChange, *, now: datetime
) -> tuple[RegistrationChecks, Judgement]:
    """Return what lists and GLEIF have of a proposed entity now, and what the rules say of it.

    Nothing is written. Raises LeiUnknown, LeiUnavailable, ListsUnavailable and ListsStale.
    """
    request = _build_request(change)
    checks = check_submission(request, None, now)
    return checks, judge_submission(
        registration=None, registration_request=request, checks=checks, own=change.registration_id
    )


def validate_entity_change(change: EntityChange, *, now: datetime) -> None:
    """Raise EntityChangeConflict for what changes nothing or has ended, and as
    `screen_proposed_entity` does.

    A listed entity is refused as at a registration: it is entered into the SAR log, once.
    """
    row = change.registration
    if not row.active:
        raise EntityChangeConflict("This registration has ended: register the wallet again.")
    # the country alone is changed by a submission, without two people
    if (row.legal_name, row.lei) == (change.legal_name, change.lei):
        raise EntityChangeConflict("The wallet is already registered to this entity.")
    checks, judgement = screen_proposed_entity(change, now=now)
    if judgement.refused:
        request = _build_request(change)
        log_refused_registration(
            registration_request=request,
            checks=checks,
            judgement=judgement,
            who=RegistrationActor(row.owner),
            now=now,
        )
        raise build_refusal(judgement)


def propose_entity_change(
    *,
    registration: Registration,
    legal_name: str,
    country: str,
    lei: str,
    reason: str,
    by: "User",
    now: datetime,
) -> EntityChange:
    """Propose an entity change for a wallet; raises as `validate_entity_change`."""
    change = EntityChange(
        registration=registration,
        legal_name=legal_name,
        country=country,
        lei=lei,
        reason=reason,
    )
    validate_entity_change(change, now=now)
    change_conflict = EntityChangeConflict("Another entity is already proposed for this wallet.")
    change.propose(by=by, now=now, taken=change_conflict)
    return change


def approve_entity_change(
    *, change: EntityChange, by: "User", now: datetime, note: str = ""
) -> None:
    """Approve a proposal as another person: its entity counts once the cooling-off has passed.

    It is checked again; what refuses it is logged outside the transaction. Raises as
    `validate_entity_change`.
    """
    validate_entity_change(change, now=now)
    # checked first, outside the transaction: GLEIF may take seconds, and a refusal must stay logged
    _record_approval(change, by, now, note)


@transaction.atomic
def _record_approval(change: EntityChange, by: "User", now: datetime, note: str) -> None:
    change.settle(approved=True, by=by, note=note, now=now, refused=EntityChangeConflict)
    if not change.registration.active:
        raise EntityChangeConflict("This registration has ended: register the wallet again.")
    job_queue.enqueue_job(job=JOB, key=str(change.pk), now=now, eta=change.counts_from)


@transaction.atomic
def reject_entity_change(*, change: EntityChange, by: "User", now: datetime, note: str) -> None:
    """Turn a proposal down as another person, with a note that says why."""
    change.settle(approved=False, by=by, note=note, now=now, refused=EntityChangeConflict)


def apply_entity_change(key: str, now: datetime) -> None:
    """Put an approved change into force (a job); again it does nothing.

    The entity is checked at this moment as any that is registered: lists or GLEIF that are missing
    raise, and the job comes again. A listed one is logged, and the wallet stays as it was. Open
    cases in which that very entity was submitted for the wallet are answered by it.
    """
    change = EntityChange.objects.select_related("registration").get(pk=int(key))
    if change.counts_from is None:
        return
    # never before the 72 hours are over, whenever the job runs
    if now < change.counts_from:
        raise job_queue.RetryLater(change.counts_from)
    request = _build_request(change)
    checks = check_submission(request, None, now)
    with transaction.atomic():
        change.lock(refused=EntityChangeConflict)
        # cases before the registration, as a decision locks them: the other way round two could
        # deadlock
        claimed = lock_contest_cases(registration=change.registration_id, entity=request.submitted)
        row = lock_active_registration(pk=change.registration_id)
        if row is None or _is_applied(row, change):
            return
        who = RegistrationActor(row.owner, change.proposed_by)
        if replace_entity(
            row=row, asked=request, checks=checks, who=who, change=change.pk, now=now
        ):
            retire_contest_cases(claimed, change=change.pk, now=now)


def _is_applied(row: Registration, change: EntityChange) -> bool:
    """Return whether a change was applied, or refused when it was due."""
    registration_events = RegistrationEvent.objects.filter(
        registration=row, action__in=(Action.ENTITY, Action.ENTITY_REFUSED)
    )
    return any(
        registration_event.data.get("change") == change.pk
        for registration_event in registration_events
    )
