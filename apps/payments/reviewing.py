"""The case of a payment that is HELD: what its checks flagged, together, for one decision."""

import uuid
from collections.abc import Mapping, Sequence
from datetime import datetime
from typing import Any

from apps.aml import deciding as aml
from apps.payments.models import Payment
from apps.payments.moving import Moved, move
from apps.payments.projection import proved
from apps.payments.requested import SIDES, told
from apps.payments.rules import words
from apps.review.actions import Opening, open_case
from apps.review.models import Case

KIND = "payment"
GRAVEST = ("HIGH", "MEDIUM", "LOW")
RELEASED = "releasedAt"  # beside the checks of a payment, once an officer let it through


def hold(*, payment: Payment, cases: Sequence[Opening], now: datetime) -> None:
    """Open the one case of a payment from those of its checks; in the transaction that holds it.

    It is as grave as the gravest of them, and has the rules of all.
    """
    risk = next(one for one in GRAVEST if one in {case.risk for case in cases})
    one = payment.instructed
    sides = {row["screenId"]: row["side"] for row in payment.found.get("screens", ())}
    known = [case.amount_usd for case in cases if case.amount_usd is not None]
    opening = Opening(
        kind=KIND,
        ref=payment.subject,
        owner=payment.owner,
        title=f"Payment to {one.creditor.name}",
        party=one.creditor.name,
        country=one.creditor.country,
        lei=one.creditor.lei,
        wallet=one.creditor.wallet,
        reference=payment.reference,
        amount=payment.amount,
        currency=payment.currency,
        amount_usd=max(known, default=None),
        risk=risk,
        risk_score=max(case.risk_score for case in cases),
        reasons=_reasons(cases, payment, sides),
        evidence=evidence(cases, sides) | told(payment),
        entity_key=_own_entity(cases, sides),
    )
    open_case(opening=opening, now=now)


def _own_entity(cases: Sequence[Opening], sides: Mapping[str, str]) -> str:
    """Return the listed party that the creditor matches: what its case is one of a pair with."""
    own = (case.entity_key for case in cases if sides.get(case.ref) == "creditor")
    return next(own, "")


def _reasons(
    cases: Sequence[Opening], payment: Payment, sides: Mapping[str, str]
) -> list[dict[str, str]]:
    """Return the rules of all cases, each once; those of a party begin with whom they are about."""
    names = {side: party.name for side, party in payment.instructed.named}
    found: dict[tuple[str, str], dict[str, str]] = {}
    for case in cases:
        side = sides.get(case.ref, "")
        whose = f"{SIDES[side]} {names[side]}: " if side in names else ""
        for one in case.reasons:
            said = dict(one) | {"sentence": f"{whose}{one['sentence']}"}
            found.setdefault((said["ref"], said["sentence"]), said)
    return list(found.values())


def evidence(cases: Sequence[Opening], sides: Mapping[str, str]) -> dict[str, Any]:
    """Return the evidence by check: `aml`, and `screens` of the parties that were flagged."""
    found: dict[str, Any] = {}
    for case in cases:
        if case.kind == "aml":
            found["aml"] = dict(case.evidence)
        else:
            side = sides.get(case.ref, "")
            found.setdefault("screens", []).append(dict(case.evidence) | {"side": side})
    return found


def decided(*, ref: str, outcome: str, now: datetime) -> None:
    """Release or reject a payment, as officers decided; part of the transaction that decides.

    One that is not HELD any more stays as it is; of one that was altered nothing is decided
    (PaymentUnproved). The AML screen that flagged it learns of it.
    """
    payment = Payment.objects.filter(payment_id=uuid.UUID(ref)).first()
    if payment is None or payment.state != "HELD":
        return
    payment = proved(payment)
    found = payment.found.get("aml", {})
    if found.get("action") == "FLAG":
        case = Case.objects.filter(kind=KIND, ref=ref).values_list("reason_code", flat=True)
        reason = case.first() or ""
        aml.learnt(ref=found["screenId"], outcome=outcome, reason=reason, now=now)
    try:
        if outcome == "APPROVE":
            move(payment, "RELEASED", now=now, found=payment.found | {RELEASED: now.isoformat()})
        else:
            said = payment.said | {"compliance": dict(words.BLOCKED_FLAGS)}
            move(payment, "REJECTED", now=now, said=said, error=words.BLOCKED)
    except Moved:
        raise RuntimeError(f"payment {ref} was moved while it was decided") from None
