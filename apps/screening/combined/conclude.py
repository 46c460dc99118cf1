"""Concludes a combined screen: the decision, its record, and everything that hangs on it."""

import logging
import time
import uuid
from datetime import datetime
from typing import Any

from apps.access.tenants import whose
from apps.core.callers import Caller
from apps.core.rendering import Wire, render
from apps.review.actions import Opening
from apps.review.actions.opening import Opens, open_case
from apps.review.rules.keys import entity_key, frozen
from apps.sar.actions import Blocked, open_entry
from apps.sar.authorities import owes_ofac
from apps.sar.facts import Facts
from apps.screening.combined.answer import answer
from apps.screening.combined.asked import Asked, to_record
from apps.screening.combined.gather import Gathered
from apps.screening.combined.picture import listed_parties, picture
from apps.screening.combined.suppressed import settled
from apps.screening.models import Screen
from apps.screening.rules import screen as rules
from apps.screening.rules.screen import Judgement
from apps.screening.rules.triage import case_ref, case_risk
from apps.screening.serializers.screen import ScreenOut
from apps.screening.ubo.nodes import encounters
from apps.watchlists.encounters import Encounter, remember_parties
from apps.watchlists.evidence import schema_of
from apps.watchlists.matcher_version import matcher
from apps.watchlists.models import PartyKind

KIND = "screen"
logger = logging.getLogger(__name__)


def conclude(
    *, asked: Asked, gathered: Gathered, caller: Caller, now: datetime, opens: Opens = open_case
) -> Wire:
    """Judge what was gathered, write everything, and return the answer (document 1 section 2.7).

    Written are the sealed record, the case of a FLAGGED one, the SAR log entry of a BLOCKED
    one, and the parties; call it inside a transaction. `opens` is given the case, and opens it
    unless it does so otherwise.
    """
    owner = whose(caller.ref)  # what its officers know holds for all that is made for a client
    gathered = settled(asked=asked, gathered=gathered, owner=owner, now=now)
    judgement = rules.judge(gathered.facts)
    values = answer(
        screen_id=uuid.uuid4(),
        asked=asked,
        gathered=gathered,
        judgement=judgement,
        now=now,
        milliseconds=int((time.perf_counter() - gathered.started) * 1000),
    )
    body = render(ScreenOut, values)
    record = _record(caller.ref, asked, gathered, judgement, body, now)
    if judgement.outcome.decision == "FLAGGED":
        _open(_opening(record, asked, gathered, judgement), opens, now)
    elif judgement.outcome.decision == "BLOCKED":
        _log_blocked(record, asked, gathered, body, now)
    _remember(asked, gathered, record, now)
    return body


def _record(
    owner: str,
    asked: Asked,
    gathered: Gathered,
    judgement: Judgement,
    body: Wire,
    now: datetime,
) -> Screen:
    lists = gathered.engine.list_set
    return Screen.write(
        payload={
            "request": to_record(asked),
            "response": body,
            "evidence": gathered.evidence(),
            "versions": {
                "lists": lists.versions,
                "rules": rules.VERSION,
                "matcher": matcher(),
            },
        },
        now=now,
        screen_id=uuid.UUID(body["screenId"]),
        owner=owner,
        decision=judgement.outcome.decision,
        risk_score=judgement.risk_score,
        rules="; ".join(finding.code for finding in judgement.findings),
        rules_version=rules.VERSION,
        reference_key=Screen.key_of(owner=owner, reference=asked.reference),
        lists=lists.id,
        sample=gathered.quality == "SAMPLE",
    )


def _open(opening: Opening, opens: Opens, now: datetime) -> None:
    opens(opening=opening, now=now)


def _opening(record: Screen, asked: Asked, gathered: Gathered, judgement: Judgement) -> Opening:
    evidence = record.data["evidence"]
    return Opening(
        kind=KIND,
        ref=str(record.screen_id),
        owner=record.owner,
        title=f"Screen of {asked.name}",
        party=asked.name,
        country=asked.country,
        lei=asked.lei,
        wallet=asked.wallet_address,
        reference=asked.reference,
        amount=asked.amount,
        currency=asked.currency if asked.amount is not None else "",
        amount_usd=gathered.facts.amount_usd,
        risk=case_risk(risk_score=judgement.risk_score, findings=judgement.findings),
        risk_score=judgement.risk_score,
        reasons=[
            {"code": one.code, "ref": case_ref(one, gathered.facts), "sentence": one.reason}
            for one in judgement.findings
        ],
        evidence=evidence
        | {"versions": record.data["versions"], "request": record.data["request"]},
        entity_key=entity_key(listed_parties(evidence)),
    )


def _log_blocked(
    record: Screen, asked: Asked, gathered: Gathered, body: Wire, now: datetime
) -> None:
    lists = gathered.blocking_lists
    open_entry(
        blocked=Blocked(
            kind=KIND,
            ref=str(record.screen_id),
            owner=record.owner,
            party=asked.name,
            lei=asked.lei,
            reasons=body["reasons"],
            rules=body["ruleReferences"],
            sanctions=rules.ofac_concerned(body["rules"], owed=owes_ofac(lists)),
            lists=lists,
            risk_score=body["riskScore"],
            screened_at=record.recorded_at,
            facts=_facts(record, asked, gathered),
        ),
        now=now,
    )


def _facts(record: Screen, asked: Asked, gathered: Gathered) -> Facts:
    """Return what an officer decides from whether a report is filed."""
    return Facts(
        amount=asked.amount,
        currency=asked.currency,
        usd=gathered.facts.amount_usd,
        source_country=asked.source_country,
        country=asked.country,
        payment_type=asked.payment_type or "",
        reference=asked.reference,
        wallet=asked.wallet_address,
        picture=_picture(record),
    )


def _picture(record: Screen) -> dict[str, Any]:
    kept = record.data
    told = {"versions": kept["versions"], "request": kept["request"]}
    try:
        return dict(frozen(picture(kept["evidence"] | told)))
    except (LookupError, TypeError, ValueError, AttributeError):
        # a payment is never let through because its picture cannot be drawn
        logger.exception("screen %s cannot be drawn", record.screen_id)
        return {}


def _remember(asked: Asked, gathered: Gathered, record: Screen, now: datetime) -> None:
    """Keep the party, so that a change of the lists can be held against it later."""
    asked_for = [
        Encounter(
            kind=PartyKind.SCREENED,
            schema=schema_of(asked.subject),
            name=name,
            country=asked.nationality,  # a payment's destination says nothing of the party itself
            birth_date=asked.birth_date,
            reference=f"{KIND}:{record.screen_id}",
            owner=record.owner,
            lei=asked.lei,
            wallet=asked.wallet_address,
            address=asked.address,
            identifiers=asked.identifiers,
            pep=gathered.facts.pep_asked,
        )
        for name in asked.subject.names
    ]
    owners = (
        [one for one in gathered.chain.everybody if one.role != "SUBJECT"] if gathered.chain else []
    )
    met = [*asked_for, *encounters(owners, owner=record.owner)]
    remember_parties(encounters=met, now=now)
