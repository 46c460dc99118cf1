"""Concludes a payee check: its sealed record, its attestation, and the answer."""

import uuid
from dataclasses import asdict
from datetime import datetime
from typing import Any

from apps.compliance.payees.models.payee_checks import VopCheck
from apps.compliance.payees.rules import payee_check
from apps.compliance.payees.vop.attestation import digest_submitted_name, sign_attestation
from apps.compliance.payees.vop.selectors import PayeeCheckInputs, PayeeCheckRequest
from apps.compliance.payees.vop.serializers import VopOut
from apps.platform.api.callers import Caller
from apps.platform.api.representation import RenderedAnswer, render_answer
from apps.platform.desk.proposal_records import snapshot_row
from apps.reference.lei.values import HeldEntity
from apps.reference.names.payee import ComparisonOutcome
from apps.reference.names.payee.rules import VERSION as NAME_RULES_VERSION


def conclude_payee_check(
    *, asked: PayeeCheckRequest, gathered: PayeeCheckInputs, caller: Caller, now: datetime
) -> RenderedAnswer:
    """Write the record of a check and return the answer (document 1 section 2.2)."""
    request_id = uuid.uuid4()
    values = _build_response(request_id, asked, gathered, now)
    body = render_answer(VopOut, values)
    judgement = gathered.judgement
    row, compared = gathered.registered, gathered.compared
    evidence = {
        "registered": snapshot_row(row) if row else None,
        "waiting": snapshot_row(gathered.waiting) if gathered.waiting else None,
        "lei": {"check": gathered.facts.lei, "status": gathered.facts.status}
        | _serialize_gleif_record(gathered.record),
        "comparison": _serialize_comparison(compared) if compared else None,
    }
    VopCheck.write(
        payload={
            "request": {
                "walletAddress": asked.wallet,
                "submittedName": asked.name,
                "submittedLei": asked.lei,
            },
            "response": body,
            "evidence": evidence,
            "versions": {"rules": payee_check.VERSION, "names": NAME_RULES_VERSION},
        },
        now=now,
        request_id=request_id,
        owner=caller.ref,
        wallet=asked.wallet,
        result=judgement.tier.result,
        score=judgement.score,
        resolved_by=judgement.resolved_by,
        rules_version=payee_check.VERSION,
    )
    return body


def _build_response(
    request_id: uuid.UUID,
    check_request: PayeeCheckRequest,
    gathered: PayeeCheckInputs,
    now: datetime,
) -> dict[str, Any]:
    judgement, facts, row = gathered.judgement, gathered.facts, gathered.registered
    values: dict[str, Any] = {
        "request_id": request_id,
        "result": judgement.tier.result,
        "proceed_safe": judgement.proceeds,
        "score": judgement.score,
        "resolved_by": judgement.resolved_by,
        "lei_status": facts.status,
        "lei_check": facts.lei,
        "message": judgement.message,
        "rule": judgement.tier.code,
        "rule_reference": judgement.tier.ref,
        "data_quality": gathered.quality,
        "checked_at": now,
    }
    if row is not None:
        values |= {"registered_name": row.legal_name, "registered_lei": row.counted_lei}
        values["registered_name_basis"] = gathered.basis(row.legal_name)
    if gathered.compared is not None:
        values["matched_name"] = gathered.compared.matched
        values["matched_name_basis"] = gathered.basis(gathered.compared.matched)
    if gathered.opinion is not None:
        values["gray_zone_reasoning"] = gathered.opinion
    return values | {"attestation": _build_attestation(request_id, check_request, gathered, now)}


def _build_attestation(
    request_id: uuid.UUID,
    check_request: PayeeCheckRequest,
    gathered: PayeeCheckInputs,
    now: datetime,
) -> dict[str, Any]:
    """Return what can be shown to others: the finding, without the name that was submitted."""
    judgement, row = gathered.judgement, gathered.registered
    claims = {
        "walletAddress": check_request.wallet,
        "submittedNameDigest": digest_submitted_name(check_request.name, request_id),
        "submittedLei": check_request.lei,
        "result": judgement.tier.result,
        "score": judgement.score,
        "resolvedBy": judgement.resolved_by,
        "registeredName": row.legal_name if row else "",
        "registeredLei": row.counted_lei if row else "",
        **_name_bases(gathered),
        "leiStatus": gathered.facts.status,
        "leiCheck": gathered.facts.lei,
        "fatfR16Compliant": judgement.compliant,
        "underReview": gathered.facts.under_review,
        "leiUnderReview": gathered.facts.lei_waits,
        "dataQuality": gathered.quality,
        "rule": judgement.tier.code,
        "versions": {"rules": payee_check.VERSION, "names": NAME_RULES_VERSION},
    }
    return {
        "fatf_r16_compliant": judgement.compliant,
        "regulatory_note": judgement.note,
        "jws": sign_attestation(request_id=request_id, claims=claims, now=now),
    }


def _name_bases(gathered: PayeeCheckInputs) -> dict[str, str]:
    """Return what the names rest on: who relies on a statement must see what was only declared."""
    row, compared = gathered.registered, gathered.compared
    bases = {"registeredNameBasis": gathered.basis(row.legal_name)} if row else {}
    return bases | ({"matchedNameBasis": gathered.basis(compared.matched)} if compared else {})


def _serialize_gleif_record(record: HeldEntity | None) -> dict[str, Any]:
    """Return what GLEIF said of the LEI on record, from where and as of when."""
    if record is None:
        return {}
    entity = record.entity
    return {
        "legalName": entity.legal_name,
        "registrationStatus": entity.registration_status,
        "entityStatus": entity.entity_status,
        "nextRenewal": entity.next_renewal.isoformat() if entity.next_renewal else None,
        "asOf": record.as_of.isoformat(),
        "source": record.source,
    }


def _serialize_comparison(compared: ComparisonOutcome) -> dict[str, Any]:
    return {
        "score": compared.score,
        "matched": compared.matched,
        "relative": compared.relative,
        "unread": compared.unread,
        "rules": [rule.code for rule in compared.charged],
        "decided": compared.decided.code,
        "words": [asdict(word) for word in compared.words],
    }
