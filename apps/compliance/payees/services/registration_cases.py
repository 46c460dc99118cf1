"""What a submission leaves for people: a case for officers, an entry in the SAR log."""

from collections.abc import Sequence
from dataclasses import replace
from datetime import datetime
from typing import Any

from django.db import IntegrityError, transaction

from apps.backoffice.review.models import UNDECIDED, Case
from apps.backoffice.review.rules.case_keys import build_entity_key
from apps.backoffice.review.rules.evidence import freeze_evidence
from apps.backoffice.review.services import CaseOpening, open_case, retire_case
from apps.backoffice.sar.entry_facts import PaymentFacts as SarPaymentFacts
from apps.backoffice.sar.models import SarEntry
from apps.backoffice.sar.sanctions_authorities import is_ofac_report_owed
from apps.backoffice.sar.services.entries import BlockedOutcome, open_entry
from apps.compliance.payees.evidence_view import build_evidence_view, listed_parties
from apps.compliance.payees.models import Registration, RegistrationEvent
from apps.compliance.payees.registration_requests import RegistrationActor, RegistrationRequest
from apps.compliance.payees.rules.registration_findings import (
    VERSION,
    Judgement,
    RegistrationFacts,
    judge_registration,
)
from apps.compliance.payees.rules.submission_steps import (
    RegisteredEntity,
    SubmittedEntity,
    is_another_entity,
)
from apps.compliance.payees.selectors.registration_checks import RegistrationChecks
from apps.platform.crypto.canonical import canonical_digest
from apps.reference.watchlists.rules.score_limits import PARTIAL_SCORE

KIND = "registration"
CONTEST = "contest"  # begins the reference of a case that another submission brought
MOST_OPEN = 3  # cases of one registration, and as many of what contests it


def open_review_case(
    *, row: Registration, event: RegistrationEvent, ref: str, judgement: Judgement, now: datetime
) -> None:
    """Open the case of a registration that is under review."""
    data = event.data
    evidence = {name: data[name] for name in ("submitted", "rules")} | data["evidence"]
    opening = _build_opening(row, ref, judgement, evidence)
    open_case(opening=opening, now=now)


def open_contest_case(
    *,
    registration: Registration,
    registration_request: RegistrationRequest,
    checks: RegistrationChecks,
    facts: RegistrationFacts,
    who: RegistrationActor,
    now: datetime,
) -> None:
    """Open the case of another entity submitted for a wallet; none for a repeated submission.

    `facts` are the check results of the submitted entity.
    """
    submitted_entity = registration_request.submitted
    named = (
        f"{submitted_entity.legal_name} (LEI {submitted_entity.lei})"
        if submitted_entity.lei
        else submitted_entity.legal_name
    )
    judgement = judge_registration(
        replace(facts, legal_name=registration.legal_name, contested=named)
    )
    if (
        # made-up names cannot fill the queue, but a possible sanctions match always opens a case
        facts.score < PARTIAL_SCORE
        and _count_open_cases(f"{CONTEST}.{registration.pk}.") >= MOST_OPEN
    ):
        return
    submitted = registration_request.recorded()
    # derived from what was submitted: the same again is the same case, which opens once
    ref = f"{CONTEST}.{registration.pk}.{canonical_digest(submitted)[:16]}"
    evidence = {"submitted": submitted, "rules": VERSION, "by": who.caller} | checks.evidence()
    opening = _build_opening(registration, ref, judgement, evidence)
    # the screened party is the submitted one; the registered one is shown beside it
    opening = replace(
        opening,
        party=submitted_entity.legal_name,
        lei=submitted_entity.lei,
        country=submitted_entity.country,
    )
    open_case(opening=opening, now=now)


def lock_contest_cases(*, registration: int, entity: SubmittedEntity) -> list[Case]:
    """Lock and return the open cases in which this entity was submitted for a wallet.

    They cannot be decided during the transaction; they are locked before the registration, as a
    decision does (review.services).
    """
    waits = Case.objects.filter(kind=KIND, ref__startswith=f"{CONTEST}.{registration}.")
    cases = waits.filter(status__in=UNDECIDED).order_by("pk").select_for_update()
    registered_entity = RegisteredEntity(entity.legal_name, entity.lei)
    return [
        case for case in cases if not is_another_entity(registered_entity, _parse_submitted(case))
    ]


def _parse_submitted(case: Case) -> SubmittedEntity:
    submitted = case.evidence["submitted"]
    return SubmittedEntity(submitted["legalName"], submitted["country"], submitted.get("lei", ""))


def retire_contest_cases(cases: Sequence[Case], *, change: int, now: datetime) -> None:
    """Retire cases of `lock_contest_cases`: two people have put that entity behind the wallet."""
    for case in cases:
        retire_case(
            case=case, why=f"The wallet now belongs to that entity: change {change}.", now=now
        )


def has_too_many_open_cases(registration: Registration, facts: RegistrationFacts) -> bool:
    """Return whether a registration has so many open cases that new findings wait.

    A party that may be listed is always reviewed.
    """
    return facts.score < PARTIAL_SCORE and _count_open_cases(f"{registration.pk}.") >= MOST_OPEN


def _count_open_cases(start: str) -> int:
    """Return the number of open cases whose reference has this prefix."""
    cases = Case.objects.filter(kind=KIND, ref__startswith=start)
    return cases.filter(status__in=UNDECIDED).count()


def _build_opening(
    row: Registration, ref: str, judgement: Judgement, evidence: dict[str, Any]
) -> CaseOpening:
    stands = {
        "legalName": row.legal_name,
        "lei": row.lei,
        "country": row.country,
        "aliases": list(row.aliases),
        "registeredAt": row.registered_at.isoformat(),
    }
    return CaseOpening(
        kind=KIND,
        ref=ref,
        owner=row.owner,
        title=f"Registration of {row.legal_name}",
        party=row.legal_name,
        country=row.country,
        lei=row.lei,
        wallet=row.wallet,
        risk=judgement.risk,
        risk_score=max(
            (sanction["score"] for sanction in evidence.get("sanctions", ())), default=0
        ),
        reasons=[
            {"code": finding.code, "ref": finding.ref, "sentence": finding.reason}
            for finding in judgement.findings
        ],
        evidence=evidence | {"stands": stands, "registration": row.pk},
        entity_key=build_entity_key(listed_parties(evidence)),
    )


def log_refused_registration(
    *,
    registration_request: RegistrationRequest,
    checks: RegistrationChecks,
    judgement: Judgement,
    who: RegistrationActor,
    now: datetime,
) -> None:
    """Enter a refused registration into the SAR log; the same submission again is entered once."""
    submitted, findings = registration_request.submitted, judgement.findings
    # by caller and content, so that sending it again and again makes one entry
    ref = canonical_digest({"owner": who.caller, "submitted": registration_request.recorded()})
    if SarEntry.objects.filter(kind=KIND, ref=ref).exists():
        return
    evidence = checks.evidence() | {"submitted": registration_request.recorded(), "rules": VERSION}
    blocked = BlockedOutcome(
        kind=KIND,
        ref=ref,
        owner=who.caller,
        party=submitted.legal_name,
        lei=submitted.lei,
        reasons=[finding.reason for finding in findings],
        rules=[finding.ref for finding in findings],
        sanctions=judgement.owes_ofac(listed=is_ofac_report_owed(checks.hit_lists)),
        lists=checks.hit_lists,
        risk_score=checks.sanctions.score,
        screened_at=now,
        facts=SarPaymentFacts(
            country=submitted.country,
            wallet=registration_request.wallet.address,
            picture=freeze_evidence(build_evidence_view(evidence)),
        ),
    )
    try:
        with transaction.atomic():
            open_entry(blocked=blocked, now=now)
    except IntegrityError:  # the same submission came twice at once
        if not SarEntry.objects.filter(kind=KIND, ref=ref).exists():
            raise
