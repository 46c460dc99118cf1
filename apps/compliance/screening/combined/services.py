"""Conclude a combined screen: the decision, its record, and what follows from it."""

import logging
import time
import uuid
from datetime import datetime
from typing import Any

from apps.access.keys.tenant_names import get_tenant_of_owner
from apps.backoffice.review.rules.evidence import freeze_evidence
from apps.backoffice.review.services import CaseOpening
from apps.backoffice.review.services.case_creation import CaseOpener, open_case
from apps.backoffice.sar.entry_facts import PaymentFacts
from apps.backoffice.sar.sanctions_authorities import is_ofac_report_owed
from apps.backoffice.sar.services.entries import BlockedOutcome, open_entry
from apps.compliance.screening.combined.cases import KIND, build_case_opening, versions_of
from apps.compliance.screening.combined.evidence_view import build_evidence_view
from apps.compliance.screening.combined.known_false_positives import apply_known_false_positives
from apps.compliance.screening.combined.party_encounters import build_encounters
from apps.compliance.screening.combined.requests import ScreenRequest, serialize_screen_request
from apps.compliance.screening.combined.response import build_screen_response
from apps.compliance.screening.combined.selectors import ScreenInputs
from apps.compliance.screening.models import Screen
from apps.compliance.screening.rules import screen
from apps.compliance.screening.rules.screen import Judgement
from apps.compliance.screening.serializers.screen import ScreenOut
from apps.compliance.screening.ubo.screened_nodes import build_owner_encounters
from apps.platform.api.callers import Caller
from apps.platform.api.representation import RenderedAnswer, render_answer
from apps.reference.watchlists.services.screened_parties import remember_parties

logger = logging.getLogger(__name__)


def conclude_screen(
    *,
    asked: ScreenRequest,
    gathered: ScreenInputs,
    caller: Caller,
    now: datetime,
    opens: CaseOpener = open_case,
) -> RenderedAnswer:
    """Judge what was gathered, write everything, and return the answer (document 1 section 2.7).

    Written are the sealed record, the case of a FLAGGED one, the SAR log entry of a BLOCKED
    one, and the parties; call it inside a transaction. `opens` opens the case: a caller that
    screens several parties may collect the openings instead.
    """
    # known false positives are a client's, also for screens that are hidden from its keys
    owner = get_tenant_of_owner(caller.ref)
    gathered = apply_known_false_positives(
        screen_request=asked, gathered=gathered, owner=owner, now=now
    )
    judgement = screen.judge_screen(gathered.facts)
    values = build_screen_response(
        screen_id=uuid.uuid4(),
        screen_request=asked,
        gathered=gathered,
        judgement=judgement,
        now=now,
        milliseconds=int((time.perf_counter() - gathered.started) * 1000),
    )
    # rendered before it is recorded: the record holds the answer exactly as the client gets it
    body = render_answer(ScreenOut, values)
    record = _write_screen(caller.ref, asked, gathered, judgement, body, now)
    if judgement.outcome.decision == "FLAGGED":
        parts = {"versions": record.data["versions"], "request": record.data["request"]}
        opening = build_case_opening(
            screen_request=asked,
            gathered=gathered,
            judgement=judgement,
            owner=record.owner,
            ref=str(record.screen_id),
            evidence=record.data["evidence"] | parts,
        )
        _open_case(opening, opens, now)
    elif judgement.outcome.decision == "BLOCKED":
        _log_blocked(record, asked, gathered, body, now)
    # in the same transaction: a list that goes live later finds every party that has a screen
    _remember_parties(asked, gathered, record, now)
    return body


def _write_screen(
    owner: str,
    screen_request: ScreenRequest,
    gathered: ScreenInputs,
    judgement: Judgement,
    body: RenderedAnswer,
    now: datetime,
) -> Screen:
    lists = gathered.engine.list_set
    return Screen.write(
        payload={
            "request": serialize_screen_request(screen_request),
            "response": body,
            "evidence": gathered.evidence(),
            "versions": versions_of(gathered),
        },
        now=now,
        screen_id=uuid.UUID(body["screenId"]),
        owner=owner,
        decision=judgement.outcome.decision,
        risk_score=judgement.risk_score,
        rules="; ".join(finding.code for finding in judgement.findings),
        rules_version=screen.VERSION,
        reference_key=Screen.key_of(owner=owner, reference=screen_request.reference),
        lists=lists.id,
        sample=gathered.quality == "SAMPLE",
    )


# a step of its own, at which tests of crashes end the process
def _open_case(opening: CaseOpening, opens: CaseOpener, now: datetime) -> None:
    opens(opening=opening, now=now)


def _log_blocked(
    record: Screen,
    screen_request: ScreenRequest,
    gathered: ScreenInputs,
    body: RenderedAnswer,
    now: datetime,
) -> None:
    lists = gathered.blocking_lists
    open_entry(
        blocked=BlockedOutcome(
            kind=KIND,
            ref=str(record.screen_id),
            owner=record.owner,
            party=screen_request.name,
            lei=screen_request.lei,
            reasons=body["reasons"],
            rules=body["ruleReferences"],
            sanctions=screen.is_ofac_concerned(body["rules"], owed=is_ofac_report_owed(lists)),
            lists=lists,
            risk_score=body["riskScore"],
            screened_at=record.recorded_at,
            facts=PaymentFacts(
                amount=screen_request.amount,
                currency=screen_request.currency,
                usd=gathered.facts.amount_usd,
                source_country=screen_request.source_country,
                country=screen_request.country,
                payment_type=screen_request.payment_type or "",
                reference=screen_request.reference,
                wallet=screen_request.wallet_address,
                picture=_freeze_evidence_view(record),
            ),
        ),
        now=now,
    )


def _freeze_evidence_view(record: Screen) -> dict[str, Any]:
    data = record.data
    parts = {"versions": data["versions"], "request": data["request"]}
    try:
        return dict(freeze_evidence(build_evidence_view(data["evidence"] | parts)))
    except (LookupError, TypeError, ValueError, AttributeError):
        # a block must be stored even if its evidence cannot be shown: an error would roll it back
        logger.exception("the evidence of screen %s cannot be shown", record.screen_id)
        return {}


def _remember_parties(
    screen_request: ScreenRequest, gathered: ScreenInputs, record: Screen, now: datetime
) -> None:
    """Remember the party, so that a later change of the lists can be screened against it."""
    asked_for = build_encounters(screen_request=screen_request, screen=record)
    # the subject of the chain is the party itself, which is remembered under the given names
    owners = (
        [node for node in gathered.chain.everybody if node.role != "SUBJECT"]
        if gathered.chain
        else []
    )
    encounters = [*asked_for, *build_owner_encounters(owners, owner=record.owner)]
    remember_parties(encounters=encounters, now=now)
