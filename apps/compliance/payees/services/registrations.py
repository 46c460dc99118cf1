"""Write the result of a submission: registration, event and case, or the trace of a refusal.

Call everything here inside the one transaction of the submission.
"""

from dataclasses import dataclass
from datetime import datetime
from typing import Any
from uuid import uuid4

from django.db import IntegrityError, transaction

from apps.compliance.payees.models import Action, Registration, RegistrationEvent, RegistrationType
from apps.compliance.payees.problems import (
    RegistrationChanged,
    RegistrationInReview,
    WalletRegistered,
    build_refusal,
)
from apps.compliance.payees.registration_requests import RegistrationActor, RegistrationRequest
from apps.compliance.payees.rules.registration_findings import (
    VERSION,
    Judgement,
    RegistrationFacts,
    judge_registration,
)
from apps.compliance.payees.rules.submission_steps import (
    CHECKED,
    COOLING_OFF,
    Step,
    classify_submission,
)
from apps.compliance.payees.selectors.alias_conflicts import find_borrowed_aliases
from apps.compliance.payees.selectors.prior_registrations import (
    find_added_aliases,
    find_country_before,
    find_earlier_entity,
    find_last_counted,
)
from apps.compliance.payees.selectors.registration_checks import (
    RegistrationChecks,
    RegistrationInputs,
)
from apps.compliance.payees.selectors.registrations import lock_active_registration
from apps.compliance.payees.services.registration_cases import (
    has_too_many_open_cases,
    log_refused_registration,
    open_contest_case,
    open_review_case,
)
from apps.platform.common.problems import DomainError
from apps.reference.lei.name_agreement import is_entity_name
from apps.reference.watchlists.match_effects import schema_of_subject
from apps.reference.watchlists.models import PartyKind
from apps.reference.watchlists.services.screened_parties import PartyEncounter, remember_parties

MOST_ELSEWHERE = 10
ACTIONS = {"REGISTER": Action.REGISTERED, "UPGRADE": Action.UPGRADED, "CHANGE": Action.CHANGED}


@dataclass(frozen=True, slots=True)
class SubmissionResult:
    """The result of a submission: an active registration, or the reason of its refusal.

    `reasons` say why an officer reviews it.
    """

    step: Step
    registration: Registration | None = None
    refused: DomainError | None = None
    reasons: tuple[str, ...] = ()


def submit_registration(
    *,
    asked: RegistrationRequest,
    gathered: RegistrationInputs,
    who: RegistrationActor,
    now: datetime,
) -> SubmissionResult:
    """Write a submission whose checks were gathered beforehand.

    A refusal is returned as a value, because its records must be kept: the case of a contested
    wallet, the log entry of a listed party. Raises RegistrationChanged if the wallet changed since
    the checks, and RegistrationInReview (409) if this would open more cases for one registration
    than officers should have.
    """
    address = asked.wallet.address
    registration = lock_active_registration(wallet=address)
    # again, under the lock: the wallet may have changed while GLEIF was asked
    rule = classify_submission(registration.standing if registration else None, asked.submitted)
    if (rule.step, registration.pk if registration else None) != (gathered.step, gathered.standing):
        raise RegistrationChanged(
            "The registration changed while this was processed. Send it again."
        )
    # SAME: the registration that is there is the answer
    if registration is not None and rule.step not in CHECKED:
        return SubmissionResult(rule.step, registration)
    if gathered.checks is None:
        raise AssertionError("checks were not gathered for a step that needs them")
    if registration is not None and rule.step == "OTHER_ENTITY":
        # a listed party is logged as for any other step
        facts = _build_facts(None, asked, gathered.checks)
        if judge_registration(facts).refused:
            return _refuse_submission(
                "OTHER_ENTITY", asked, gathered.checks, judge_registration(facts), who, now
            )
        open_contest_case(
            registration=registration,
            registration_request=asked,
            checks=gathered.checks,
            facts=facts,
            who=who,
            now=now,
        )
        sentence = "The wallet is registered to another entity: a registrar can change that."
        return SubmissionResult("OTHER_ENTITY", refused=WalletRegistered(sentence))
    return _write_checked_submission(rule.step, registration, asked, gathered.checks, who, now)


def _refuse_submission(
    step: Step,
    registration_request: RegistrationRequest,
    checks: RegistrationChecks,
    judgement: Judgement,
    who: RegistrationActor,
    now: datetime,
) -> SubmissionResult:
    log_refused_registration(
        registration_request=registration_request,
        checks=checks,
        judgement=judgement,
        who=who,
        now=now,
    )
    return SubmissionResult(step, refused=build_refusal(judgement))


def _write_checked_submission(
    step: Step,
    registration: Registration | None,
    registration_request: RegistrationRequest,
    checks: RegistrationChecks,
    who: RegistrationActor,
    now: datetime,
) -> SubmissionResult:
    facts = _build_facts(registration, registration_request, checks)
    judgement = judge_registration(facts)
    if judgement.refused:
        return _refuse_submission(step, registration_request, checks, judgement, who, now)
    if (
        registration is not None
        and judgement.findings
        and has_too_many_open_cases(registration, facts)
    ):
        raise RegistrationInReview(
            "Officers are reviewing the registration. Send this again once they have decided."
        )
    row = _apply_submission(
        registration or _new_registration(registration_request, who, now),
        registration_request,
        checks,
        now,
    )
    _mark_pending(row, facts, judgement, now)
    _record_event(row, ACTIONS[step], registration_request, checks, judgement, who, now)
    return SubmissionResult(
        step, row, reasons=tuple(finding.reason for finding in judgement.findings)
    )


def judge_submission(
    *,
    registration: Registration | None,
    registration_request: RegistrationRequest,
    checks: RegistrationChecks,
    beside: tuple[tuple[str, str], ...] = (),
    own: int | None = None,
) -> Judgement:
    """Apply the rules to a submission; nothing is written.

    `beside` are registrations under the same LEI that will be active by then, as (wallet, name);
    `own` is the registration whose entity would be replaced.
    """
    return judge_registration(
        _build_facts(registration, registration_request, checks, own=own, beside=beside)
    )


def replace_entity(
    *,
    row: Registration,
    asked: RegistrationRequest,
    checks: RegistrationChecks,
    who: RegistrationActor,
    change: int,
    now: datetime,
) -> bool:
    """Put another entity behind a wallet, as two people decided; a listed one is logged: False.

    `row` is locked. What was proved of the wallet was proved of the entity before.
    """
    facts = _build_facts(None, asked, checks, own=row.pk)
    judgement = judge_registration(facts)
    if judgement.refused:
        log_refused_registration(
            registration_request=asked, checks=checks, judgement=judgement, who=who, now=now
        )
        payload = {"change": change, "reason": "The change of entity could not be made."}
        RegistrationEvent.keep(row, Action.ENTITY_REFUSED, now=now, payload=payload)
        return False
    row.name_it(asked.submitted.legal_name)
    # what was proved of the wallet was proved by the entity before
    row.proved_at, row.effective_at, row.pending = None, now, {}
    _apply_submission(row, asked, checks, now)
    _mark_pending(row, facts, judgement, now)
    _record_event(row, Action.ENTITY, asked, checks, judgement, who, now, change)
    return True


def _mark_pending(
    row: Registration, facts: RegistrationFacts, judgement: Judgement, now: datetime
) -> None:
    """Put a registration under review, and note what of it counts only once that has ended."""
    if judgement.findings:
        row.look_at(now=now)
    if not row.under_review:
        return
    # what waited before goes on waiting: this submission does not answer it
    names = [*row.pending.get("names", ()), *facts.added, *(alias for alias, _ in facts.borrowed)]
    waits = {
        "names": [name for name in dict.fromkeys(names) if name in row.aliases],
        "lei": bool(facts.lei) and not facts.gleif_agrees,
        "entity": bool(facts.earlier) or bool(row.pending.get("entity")),
        "country": facts.differs or facts.moved or row.country_waits,
    }
    if facts.earlier:
        # as after an approved change: the entity before has time to object
        row.effective_at = now + COOLING_OFF
    row.pending = {name: value for name, value in waits.items() if value}


def _build_facts(
    registration: Registration | None,
    registration_request: RegistrationRequest,
    checks: RegistrationChecks,
    own: int | None = None,
    beside: tuple[tuple[str, str], ...] = (),
) -> RegistrationFacts:
    submitted, entity = registration_request.submitted, checks.entity
    elsewhere = Registration.objects.none()
    if checks.lei:
        elsewhere = Registration.objects.under_another_name(
            lei=checks.lei, name=submitted.legal_name
        )
        # the registration that is replaced does not contradict its successor
        elsewhere = elsewhere.exclude(pk=own or 0)
    # of a new registration the last one that counted: ending it does not make its names new
    stood = registration or (
        None if own else find_last_counted(registration_request.wallet.address)
    )
    new = find_added_aliases(stood, registration_request)
    return RegistrationFacts(
        legal_name=submitted.legal_name,
        score=checks.sanctions.score,
        matched=checks.matched,
        unread=checks.sanctions.unread,
        lacking=checks.engine.lacking("sanction"),
        lei=checks.lei,
        lei_status=checks.lei_status,
        gleif_name=entity.legal_name if entity else "",
        gleif_agrees=entity is None or is_entity_name(submitted.legal_name, entity),
        elsewhere=(*elsewhere.values_list("wallet", "legal_name")[:MOST_ELSEWHERE], *beside),
        added=tuple(new),
        earlier=find_earlier_entity(registration, registration_request, own),
        countries=checks.countries,
        borrowed=tuple(find_borrowed_aliases(stood, registration_request, entity)),
        country=submitted.country,
        before=find_country_before(stood, registration_request),
        at_gleif=entity.countries if entity else (),
    )


def _new_registration(
    registration_request: RegistrationRequest, who: RegistrationActor, now: datetime
) -> Registration:
    return Registration(
        wallet=registration_request.wallet.address,
        wallet_key=registration_request.wallet.address.lower(),
        family=registration_request.wallet.family,
        owner=who.caller,
        registered_at=now,
        effective_at=now,
    )


def _apply_submission(
    row: Registration,
    registration_request: RegistrationRequest,
    checks: RegistrationChecks,
    now: datetime,
) -> Registration:
    """Set the submitted data of the entity; a name in another spelling stays unchanged."""
    submitted = registration_request.submitted
    # a name in another spelling stays as it was registered
    if row.pk is None:
        row.name_it(submitted.legal_name)
    row.country = submitted.country
    if submitted.aliases is not None:
        row.aliases = list(submitted.aliases)
    verified = bool(checks.lei)
    row.kind = RegistrationType.GLEIF_VERIFIED if verified else RegistrationType.SELF_DECLARED
    # its queue counts from when this LEI is in its state
    if row.lei != checks.lei:
        row.lei, row.lei_since = checks.lei, None
    row.lei_stands(checks.lei_status, now=now)
    row.gleif_name = checks.entity.legal_name[:500] if checks.entity else ""
    row.lei_seen_at = now if verified else None
    return row


def _record_event(
    row: Registration,
    action: Action,
    registration_request: RegistrationRequest,
    checks: RegistrationChecks,
    judgement: Judgement,
    who: RegistrationActor,
    now: datetime,
    change: int | None = None,
) -> None:
    payload: dict[str, Any] = {
        **({"change": change} if change else {}),
        **({"via": who.via} if who.via else {}),
        "submitted": registration_request.recorded(),
        "findings": [
            {"code": finding.code, "reason": finding.reason} for finding in judgement.findings
        ],
        "evidence": checks.evidence(),
        "rules": VERSION,
    }
    try:
        with transaction.atomic():  # another may have registered the wallet just now
            event = RegistrationEvent.keep(
                row, action, now=now, by=who.by, caller=who.caller, payload=payload
            )
    except IntegrityError as error:
        raise RegistrationChanged(
            "The wallet was registered in the meantime. Send it again."
        ) from error
    if judgement.findings:
        # a random part: each submission that finds something is a case of its own
        open_review_case(
            row=row, event=event, ref=f"{row.pk}.{uuid4().hex[:12]}", judgement=judgement, now=now
        )
    _remember_parties(row, checks, now)


def _remember_parties(row: Registration, checks: RegistrationChecks, now: datetime) -> None:
    """Remember the parties, so that a later change of the lists can be screened against them."""
    schema = schema_of_subject(checks.subject)
    encounters = [
        PartyEncounter(
            PartyKind.REGISTERED,
            schema,
            name,
            row.country,
            reference=f"registration:{row.pk}",
            owner=row.owner,
            lei=row.lei,
            wallet=row.wallet,
        )
        for name in checks.subject.names
    ]
    remember_parties(encounters=encounters, now=now)
