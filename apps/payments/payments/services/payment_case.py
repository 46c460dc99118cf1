"""The case of a payment that is HELD: what its checks flagged, together, for one decision."""

import uuid
from collections.abc import Mapping, Sequence
from datetime import datetime
from typing import Any

from django.db.models import QuerySet

from apps.backoffice.review.models import Case
from apps.backoffice.review.payment_hold_findings import Finding, list_answered_keys
from apps.backoffice.review.rules.risks import find_highest_risk
from apps.backoffice.review.services import CaseOpening, load_answered_rules, open_case
from apps.compliance.aml.services import decision_effects
from apps.payments.payments.case_rows import SIDE_LABELS, build_case_rows
from apps.payments.payments.findings import (
    load_holding_findings,
    narrow_case_to_findings,
    sides_by_screen,
)
from apps.payments.payments.integrity import INTEGRITY_FAILED, PaymentIntegrityError, verify_payment
from apps.payments.payments.models import Payment
from apps.payments.payments.record_transition import record_transition
from apps.payments.payments.rules import messages
from apps.payments.payments.rules.unchecked_payment_case import NOT_CHECKED
from apps.platform.ledger.recorded_transitions import ConcurrentUpdate

KIND = "payment"
# the step of a payment that is held when it is checked for the first time
FIRST_HOLD = 2
# beside the checks of a payment, once an officer released it
RELEASED = "releasedAt"


def case_ref_of(payment: Payment) -> str:
    """Return what the case of a hold is named by: a payment may be held again, for more."""
    first = payment.steps <= FIRST_HOLD
    return payment.subject if first else f"{payment.subject}/{payment.steps}"


def cases_of_payment(payment_id: str) -> QuerySet[Case]:
    """Return the cases of a payment, the first hold's first."""
    cases: QuerySet[Case] = Case.objects.filter(kind=KIND, ref__startswith=payment_id)
    return cases.order_by("pk")


def open_hold_case(
    *, payment: Payment, cases: Sequence[CaseOpening], findings: Sequence[Finding], now: datetime
) -> None:
    """Open the one case of a payment from those of its checks; in the transaction that holds it.

    It shows only the `findings` that hold it: those that officers already answered are omitted.
    Its severity is that of the most severe check.
    """
    sides, keys = sides_by_screen(payment.found), {finding.key for finding in findings}
    cases = [
        left for case in cases if (left := narrow_case_to_findings(case, sides, keys)) is not None
    ]
    risk = find_highest_risk({case.risk for case in cases})
    known = [case.amount_usd for case in cases if case.amount_usd is not None]
    own = (case.entity_key for case in cases if sides.get(case.ref) == "creditor")
    # reasons that concern a party begin with its name
    names = {side: party.name for side, party in payment.instructed.named}
    merged: dict[tuple[str, str], dict[str, str]] = {}
    for case in cases:
        side = sides.get(case.ref, "")
        whose = f"{SIDE_LABELS[side]} {names[side]}: " if side in names else ""
        for reason in case.reasons:
            merged_reason = dict(reason) | {"sentence": f"{whose}{reason['sentence']}"}
            merged.setdefault((merged_reason["ref"], merged_reason["sentence"]), merged_reason)
    opening = CaseOpening(
        **_case_fields(payment),
        amount_usd=max(known, default=None),
        risk=risk,
        risk_score=max(case.risk_score for case in cases),
        reasons=list(merged.values()),
        evidence=evidence_by_check(cases, sides) | build_case_rows(payment),
        entity_key=next(own, ""),
    )
    open_case(opening=opening, now=now)


def open_unchecked_case(*, payment: Payment, why: str, now: datetime) -> None:
    """Open the case of a payment whose checks could not be made, however often they were tried.

    To release it lets it be checked once more: it never passes unchecked.
    """
    sentence = f"Its checks could not be made, despite attempts for hours. {why}"
    opening = CaseOpening(
        **_case_fields(payment),
        risk="MEDIUM",
        risk_score=0,
        reasons=[{"code": NOT_CHECKED.code, "ref": NOT_CHECKED.ref, "sentence": sentence}],
        evidence=build_case_rows(payment),
        entity_key="",
    )
    open_case(opening=opening, now=now)


def _case_fields(payment: Payment) -> dict[str, Any]:
    """Return what the case of a payment says of it, whatever it is held for."""
    creditor = payment.instructed.creditor
    return {
        "kind": KIND,
        "ref": case_ref_of(payment),
        "owner": payment.owner,
        "title": f"Payment to {creditor.name}",
        "party": creditor.name,
        "country": creditor.country,
        "lei": creditor.lei,
        "wallet": creditor.wallet,
        "reference": payment.reference,
        "amount": payment.amount,
        "currency": payment.currency,
    }


def evidence_by_check(cases: Sequence[CaseOpening], sides: Mapping[str, str]) -> dict[str, Any]:
    """Return the evidence by check: `aml`, and `screens` of the parties that were flagged."""
    evidence: dict[str, Any] = {}
    for case in cases:
        if case.kind == "aml":
            evidence["aml"] = dict(case.evidence)
        else:
            side = sides.get(case.ref, "")
            evidence.setdefault("screens", []).append(dict(case.evidence) | {"side": side})
    return evidence


def apply_case_decision(*, ref: str, outcome: str, now: datetime) -> None:
    """Release or reject a payment, as officers decided; part of the transaction that decides.

    A release names the findings that the decision answers: what else is found holds it again. One
    that is not HELD any more stays as it is; of one that was altered or removed nothing is
    decided (PaymentIntegrityError). The AML screen that flagged it learns of it.
    """
    payment = Payment.objects.filter(payment_id=uuid.UUID(ref.partition("/")[0])).first()
    if payment is None:
        raise PaymentIntegrityError(INTEGRITY_FAILED)
    # the case of an earlier hold, or one that was decided already: nothing to do
    if payment.state != "HELD" or ref not in (payment.subject, case_ref_of(payment)):
        return
    payment = verify_payment(payment)
    aml_found = payment.found.get("aml", {})
    if aml_found.get("action") == "FLAG":
        case = Case.objects.filter(kind=KIND, ref=ref).values_list("reason_code", flat=True)
        reason = case.first() or ""
        # what officers decide is a label for the AML engine's calibration
        decision_effects.record_label(
            ref=aml_found["screenId"], outcome=outcome, reason=reason, now=now
        )
    try:
        if outcome == "APPROVE":
            rules = load_answered_rules(kind=KIND, ref=ref)
            answered = list_answered_keys(load_holding_findings(payment), rules)
            found_with_release = payment.found | {RELEASED: now.isoformat()}
            record_transition(
                payment, "RELEASED", now=now, facts={"answered": answered}, found=found_with_release
            )
        else:
            told_to_client = payment.said | {"compliance": dict(messages.BLOCKED_FLAGS)}
            record_transition(
                payment, "REJECTED", now=now, said=told_to_client, error=messages.BLOCKED
            )
    except ConcurrentUpdate:
        # the decision is rolled back with it: officers see the case as it is now
        raise RuntimeError(f"payment {ref} changed while it was decided") from None
