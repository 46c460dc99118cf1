"""Open the cases of outgoing bank payments."""

from collections.abc import Mapping
from datetime import datetime
from typing import Any

from apps.access.keys.tenant_names import OPERATOR
from apps.backoffice.review.models import Case
from apps.backoffice.review.rules.risks import find_highest_risk
from apps.backoffice.review.services import CaseOpening, open_case
from apps.compliance.screening.combined.party_findings import (
    build_case_reasons,
    highest_risk,
    own_entity_key,
)
from apps.compliance.screening.combined.request_rows import build_request_rows
from apps.payments.banking.models import Send
from apps.payments.banking.rules.reconciliation import DOUBTED, Difference
from apps.payments.banking.rules.send_troubles import TROUBLE_BY_STATE, SendTrouble
from apps.payments.banking.screening.recipients import ScreeningOutcome
from apps.payments.banking.screening.send_findings import SendFindings
from apps.payments.banking.services.deposit_cases import KIND
from apps.platform.crypto.canonical import canonical_digest

SEND_KIND = "bank_send"


def send_case_ref(row: Send) -> str:
    """Return the reference of a hold's case: a payment may be held again, for other findings."""
    return str(row.send_id) if row.steps == 1 else f"{row.send_id}.{row.steps}"


def find_first_case(row: Send) -> Case | None:
    """Return the case of a payment's first hold; None if it was not held when requested."""
    return Case.objects.filter(kind=SEND_KIND, ref=str(row.send_id)).first()


def open_send_case(
    row: Send,
    send_findings: SendFindings,
    *,
    now: datetime,
    facts: Mapping[str, Any],
    score: int = 0,
) -> None:
    """Open the case of a payment that officers must review before it is sent.

    It shows the findings that hold the payment now. A screen that flags the recipient or its bank
    adds its own reasons, and determines the severity.
    """
    own = send_findings.own
    name = next(
        (screen.opening.party for screen in send_findings.screens if screen.side == own),
        row.recipient.name,
    )
    risk, most = highest_risk(send_findings.screens)
    opening = CaseOpening(
        kind=SEND_KIND,
        ref=send_case_ref(row),
        owner=row.owner,
        title=f"Payment by the bank to {name}",
        party=name,
        country=row.recipient.country,
        reference=row.key[:200],
        # a finding without a screen of its own (AML, the note, the account) is MEDIUM
        risk=find_highest_risk({risk, "MEDIUM"}),
        risk_score=max(score, most),
        entity_key=own_entity_key(send_findings.screens, own=own, party=name),
        amount=row.amount,
        currency="USD",
        amount_usd=row.amount,
        reasons=build_case_reasons(send_findings.findings, send_findings.screens, own=own),
        evidence={
            "payment": _build_payment_evidence(row),
            "screens": [screen.evidence for screen in send_findings.screens],
            "own": own,
            "party": _build_send_party_rows(send_findings),
        }
        | dict(facts),
    )
    open_case(opening=opening, now=now)


def _build_send_party_rows(send_findings: SendFindings) -> list[dict[str, str]]:
    own = next(
        (screen for screen in send_findings.screens if screen.side == send_findings.own), None
    )
    return build_request_rows(dict(own.evidence))["party"] if own is not None else []


def open_trouble_case(
    row: Send, why: SendTrouble, *, now: datetime, facts: Mapping[str, Any]
) -> None:
    """Open the case of a payment with a problem; a new one each time."""
    opening = CaseOpening(
        kind=KIND,
        ref=f"{row.send_id}.{row.steps}",
        owner=row.owner,
        title=f"Payment by the bank to {row.recipient.name}",
        party=row.recipient.name,
        country=row.recipient.country,
        reference=row.bank_id or row.key[:200],
        risk="MEDIUM" if why in TROUBLE_BY_STATE.values() else "HIGH",
        amount=row.amount,
        currency="USD",
        amount_usd=row.amount,
        reasons=[{"ref": why.code, "sentence": why.says}],
        evidence={"payment": _build_payment_evidence(row)} | dict(facts),
    )
    open_case(opening=opening, now=now)


def _build_payment_evidence(row: Send) -> dict[str, str]:
    return {
        "id": str(row.send_id),
        "amount": f"{row.amount:,.2f} USD",
        "payee": row.recipient.name,
        "method": row.method,
        "from": str(row.account_id),
        "account": f"ending {row.recipient.tail}",
        "purpose": row.category,
        "note": row.note,
    }


def stopping_rule_of(screening_outcome: ScreeningOutcome) -> str:
    """Return the row by which a screen stops a payment."""
    return "ACH-1" if screening_outcome.listed else "ACH-9"


def open_difference_case(difference: Difference, *, account: str, now: datetime) -> None:
    """Open the case of a difference between us and the bank; the same one if found again."""
    amounts = {"ours": difference.ours, "theirs": difference.theirs}
    figures = {name: f"{value:,.2f} USD" for name, value in amounts.items() if value is not None}
    known = difference.ours if difference.ours is not None else difference.theirs
    opening = CaseOpening(
        kind=KIND,
        # the same difference found tomorrow has the same reference, and so no second case
        ref=f"{difference.kind.code}.{canonical_digest([account, difference.bank_id])[:40]}",
        owner=OPERATOR,
        title=f"Difference at the bank: {difference.bank_id}",
        reference=difference.bank_id,
        risk="HIGH" if difference.kind is DOUBTED else "MEDIUM",
        amount=abs(known) if known is not None else None,
        currency="USD" if known is not None else "",
        reasons=[{"ref": difference.kind.code, "sentence": difference.kind.says}],
        evidence={"transaction": {"id": difference.bank_id, "account": account}} | figures,
    )
    open_case(opening=opening, now=now)
