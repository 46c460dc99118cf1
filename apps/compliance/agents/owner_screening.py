"""Screen the owner of an agent like a registered legal name.

A full hit and a country under embargo refuse; other findings open a case while the agent stays
active (apps/compliance/payees/rules/registration_findings.py, DESIGN.md section 4, 2.3).
"""

from dataclasses import dataclass
from datetime import datetime
from typing import Any

from django.db import IntegrityError, transaction

from apps.backoffice.review.models import UNDECIDED, Case
from apps.backoffice.review.rules.case_keys import build_entity_key
from apps.backoffice.review.rules.evidence import freeze_evidence
from apps.backoffice.review.services import CaseOpening, open_case
from apps.backoffice.sar.entry_facts import PaymentFacts as SarPaymentFacts
from apps.backoffice.sar.models import SarEntry
from apps.backoffice.sar.sanctions_authorities import is_ofac_report_owed
from apps.backoffice.sar.services.entries import BlockedOutcome, open_entry
from apps.compliance.agents.models import Agent
from apps.compliance.agents.rules.levels import AgentOwner
from apps.compliance.payees.evidence_view import build_evidence_view, listed_parties
from apps.compliance.payees.rules.registration_findings import (
    VERSION,
    Judgement,
    RegistrationFacts,
    judge_registration,
)
from apps.compliance.payees.selectors.registration_checks import RegistrationChecks, check_party
from apps.platform.common.problems import DomainError
from apps.platform.crypto.canonical import canonical_digest
from apps.reference.lei.models import LeiRecord
from apps.reference.watchlists.match_effects import schema_of_subject
from apps.reference.watchlists.models import PartyKind
from apps.reference.watchlists.services.screened_parties import PartyEncounter, remember_parties
from apps.reference.watchlists.subjects import Subject

KIND = "agent"


class AgentRefused(DomainError):
    """The agent is not registered. The reason is not disclosed, to avoid tipping off."""

    status, code, title = 422, "agent_refused", "The agent cannot be registered"


@dataclass(frozen=True, slots=True)
class ScreenedOwner:
    """What was found of an owner, and what the rules say of it."""

    checks: RegistrationChecks
    judgement: Judgement


def screen_owner(*, owner: AgentOwner, now: datetime) -> ScreenedOwner | None:
    """Screen the stated owner, and the entity that GLEIF names for the LEI, against the lists.

    None if no owner is stated. Raises ListsUnavailable and ListsStale (503). Reads only.
    """
    # what `look_up_owner` has just fetched; no second call to GLEIF
    record = LeiRecord.objects.held([owner.lei]).get(owner.lei) if owner.lei else None
    name = owner.entity or (record.entity.legal_name if record else "")
    if not name:
        return None
    entity = record.entity if record else None
    registration_checks = check_party(
        subject=Subject(name=name, lei=owner.lei), entity=entity, now=now
    )
    facts = RegistrationFacts(
        legal_name=name,
        score=registration_checks.sanctions.score,
        matched=registration_checks.matched,
        unread=registration_checks.sanctions.unread,
        lacking=registration_checks.engine.lacking("sanction"),
        countries=registration_checks.countries,
    )
    return ScreenedOwner(registration_checks, judge_registration(facts))


def serialize_stated_owner(stated_owner: Any, owner: AgentOwner) -> dict[str, Any]:
    """Return what was stated, as cases and the log keep it."""
    return {"legalName": owner.entity, "lei": owner.lei, "agent": stated_owner["name"]}


def is_owner_under_review(agent: Agent) -> bool:
    """Return whether officers have not decided yet on the case of an agent's owner."""
    cases = Case.objects.filter(kind=KIND, ref=agent.agent_id)
    return cases.filter(status__in=UNDECIDED).exists()


def log_refused_agent(
    *,
    asked: Any,
    owner: AgentOwner,
    screened_owner: ScreenedOwner,
    caller: str,
    now: datetime,
    ref: str = "",
) -> None:
    """Enter a refused agent into the SAR log; the same again from there is entered once.

    `ref` is the id of an agent that was made before its owner was listed.
    """
    stated = serialize_stated_owner(asked, owner)
    # of one that was never made: the same statements from the same caller give the same entry
    ref = ref or canonical_digest({"owner": caller, "submitted": stated})
    if SarEntry.objects.filter(kind=KIND, ref=ref).exists():
        return
    checks, judgement = screened_owner.checks, screened_owner.judgement
    evidence = checks.evidence() | {"submitted": stated, "rules": VERSION}
    blocked = BlockedOutcome(
        kind=KIND,
        ref=ref,
        owner=caller,
        party=checks.subject.name,
        lei=owner.lei,
        reasons=[finding.reason for finding in judgement.findings],
        rules=[finding.ref for finding in judgement.findings],
        sanctions=judgement.owes_ofac(listed=is_ofac_report_owed(checks.hit_lists)),
        lists=checks.hit_lists,
        risk_score=checks.sanctions.score,
        screened_at=now,
        facts=SarPaymentFacts(picture=freeze_evidence(build_evidence_view(evidence))),
    )
    try:
        # a savepoint: the transaction goes on if the entry is there already
        with transaction.atomic():
            open_entry(blocked=blocked, now=now)
    except IntegrityError:  # the same came twice at once
        if not SarEntry.objects.filter(kind=KIND, ref=ref).exists():
            raise


def open_owner_case(
    *, agent: Agent, asked: Any, owner: AgentOwner, screened_owner: ScreenedOwner, now: datetime
) -> None:
    """Remember the owner, and open the case of an agent where rules ask for one."""
    checks = screened_owner.checks
    schema, reference = schema_of_subject(checks.subject), agent.ref
    encounters = [
        PartyEncounter(PartyKind.REGISTERED, schema, name, "", "", reference)
        # GLEIF's names as well, so that a later listing of any of them finds this agent
        for name in checks.subject.names
    ]
    remember_parties(encounters=encounters, now=now)
    if screened_owner.judgement.findings:
        evidence = screened_owner.checks.evidence() | {
            "submitted": serialize_stated_owner(asked, owner),
            "rules": VERSION,
        }
        name = screened_owner.checks.subject.name
        opening = CaseOpening(
            kind=KIND,
            ref=agent.agent_id,
            owner=agent.ref,
            title=f"Agent of {name}",
            party=name,
            lei=owner.lei,
            risk=screened_owner.judgement.risk,
            risk_score=max((sanction["score"] for sanction in evidence["sanctions"]), default=0),
            reasons=[
                {"code": finding.code, "ref": finding.ref, "sentence": finding.reason}
                for finding in screened_owner.judgement.findings
            ],
            evidence=evidence,
            entity_key=build_entity_key(listed_parties(evidence)),
        )
        open_case(opening=opening, now=now)
