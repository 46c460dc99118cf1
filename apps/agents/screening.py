"""The owner of an agent is held against the lists as a registered legal name is.

A full hit and a country under embargo refuse; what is found besides opens a case, and the agent
stands meanwhile (apps/registry/rules/findings.py, DESIGN.md section 4, 2.3).
"""

from dataclasses import dataclass
from datetime import datetime
from typing import Any

from django.db import IntegrityError, transaction

from apps.agents.models import Agent
from apps.agents.rules.levels import Owner
from apps.core.canonical import digest
from apps.core.problems import DomainError
from apps.lei.models import LeiRecord
from apps.registry.picture import listed_parties, picture
from apps.registry.register.gather import Checks, checks_of
from apps.registry.rules.findings import VERSION, Facts, Judgement, judge
from apps.review.actions import Opening, open_case
from apps.review.models import UNDECIDED, Case
from apps.review.rules.keys import entity_key, frozen
from apps.sar.actions import Blocked, open_entry
from apps.sar.authorities import owes_ofac
from apps.sar.facts import Facts as SarFacts
from apps.sar.models import SarEntry
from apps.watchlists.encounters import Encounter, remember_parties
from apps.watchlists.evidence import schema_of
from apps.watchlists.models import PartyKind
from apps.watchlists.subjects import Subject

KIND = "agent"


class AgentRefused(DomainError):
    """The agent is not registered. Nothing is said of why: no tipping-off."""

    status, code, title = 422, "agent_refused", "The agent cannot be registered"


@dataclass(frozen=True, slots=True)
class Screened:
    """What was found of an owner, and what the rules say of it."""

    checks: Checks
    judgement: Judgement


def screened(*, owner: Owner, now: datetime) -> Screened | None:
    """Hold who is stated as owner, and whom GLEIF names for the LEI, against the lists.

    None where nobody is stated. Raises ListsUnavailable and ListsStale (503). Reads only.
    """
    record = LeiRecord.objects.held([owner.lei]).get(owner.lei) if owner.lei else None
    name = owner.entity or (record.entity.legal_name if record else "")
    if not name:
        return None
    entity = record.entity if record else None
    found = checks_of(subject=Subject(name=name, lei=owner.lei), entity=entity, now=now)
    facts = Facts(
        legal_name=name,
        score=found.sanctions.score,
        matched=found.matched,
        unread=found.sanctions.unread,
        lacking=found.engine.lacking("sanction"),
        countries=found.countries,
    )
    return Screened(found, judge(facts))


def recorded(asked: Any, owner: Owner) -> dict[str, Any]:
    """Return what was stated, as cases and the log keep it."""
    return {"legalName": owner.entity, "lei": owner.lei, "agent": asked["name"]}


def under_review(agent: Agent) -> bool:
    """Tell whether officers have not decided yet on the case of an agent's owner."""
    cases = Case.objects.filter(kind=KIND, ref=agent.agent_id)
    return cases.filter(status__in=UNDECIDED).exists()


def log_refused(
    *, asked: Any, owner: Owner, found: Screened, caller: str, now: datetime, ref: str = ""
) -> None:
    """Enter a refused agent into the SAR log; the same again from there is entered once.

    `ref` is the id of an agent that was made before its owner was listed.
    """
    said = recorded(asked, owner)
    ref = ref or digest({"owner": caller, "submitted": said})
    if SarEntry.objects.filter(kind=KIND, ref=ref).exists():
        return
    checks, judgement = found.checks, found.judgement
    evidence = checks.evidence() | {"submitted": said, "rules": VERSION}
    blocked = Blocked(
        kind=KIND,
        ref=ref,
        owner=caller,
        party=checks.subject.name,
        lei=owner.lei,
        reasons=[one.reason for one in judgement.findings],
        rules=[one.ref for one in judgement.findings],
        sanctions=judgement.owes_ofac(listed=owes_ofac(checks.hit_lists)),
        lists=checks.hit_lists,
        risk_score=checks.sanctions.score,
        screened_at=now,
        facts=SarFacts(picture=frozen(picture(evidence))),
    )
    try:
        with transaction.atomic():
            open_entry(blocked=blocked, now=now)
    except IntegrityError:  # the same came twice at once
        if not SarEntry.objects.filter(kind=KIND, ref=ref).exists():
            raise


def review(*, agent: Agent, asked: Any, owner: Owner, found: Screened, now: datetime) -> None:
    """Remember the owner, and open the case of an agent where rules ask for one."""
    checks = found.checks
    schema, reference = schema_of(checks.subject), agent.ref
    met = [
        Encounter(PartyKind.REGISTERED, schema, name, "", "", reference)
        for name in checks.subject.names
    ]
    remember_parties(encounters=met, now=now)
    if found.judgement.findings:
        open_case(opening=_opening(agent, asked, owner, found), now=now)


def _opening(agent: Agent, asked: Any, owner: Owner, found: Screened) -> Opening:
    evidence = found.checks.evidence() | {"submitted": recorded(asked, owner), "rules": VERSION}
    name = found.checks.subject.name
    return Opening(
        kind=KIND,
        ref=agent.agent_id,
        owner=agent.ref,
        title=f"Agent of {name}",
        party=name,
        lei=owner.lei,
        risk=found.judgement.risk,
        risk_score=max((one["score"] for one in evidence["sanctions"]), default=0),
        reasons=[
            {"code": one.code, "ref": one.ref, "sentence": one.reason}
            for one in found.judgement.findings
        ],
        evidence=evidence,
        entity_key=entity_key(listed_parties(evidence)),
    )
