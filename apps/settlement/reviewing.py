"""The case of a held settlement: what its checks flagged, the oracle's score, and the decision."""

from collections.abc import Mapping, Sequence
from datetime import datetime
from typing import Any

from apps.aml import deciding as aml
from apps.payments.reviewing import GRAVEST, evidence
from apps.review.actions import Opening, locked_undecided, open_case, retire
from apps.review.models import Case
from apps.settlement.models import Settlement
from apps.settlement.moving import Moved, move
from apps.settlement.projection import proved
from apps.settlement.rules.flow import OFFICE_REF, Judgement
from apps.settlement.rules.kinds import FLOW_REFS
from apps.settlement.rules.lifecycle import Turn
from apps.settlement.telling import tell

KIND = "settlement"
LONGEST_SUMMARY = 300


def ref_of(row: Settlement) -> str:
    """Return what the case of a hold is named by: a settlement may be held again, for more."""
    return f"{row.settlement_id}/{row.steps}"


def hold(*, row: Settlement, judgement: Judgement, cases: Sequence[Opening], now: datetime) -> None:
    """Open the case of a settlement as it is held now; in the transaction that holds it."""
    risks = {case.risk for case in cases} | {"MEDIUM"}
    screen = next((one for one in cases if one.kind != "aml"), None)
    party = screen.party if screen else row.recipient
    sides = dict.fromkeys((one.ref for one in cases), "creditor")
    opening = Opening(
        kind=KIND,
        ref=ref_of(row),
        owner=row.owner,
        title=f"Settlement to {party}",
        summary=row.reasoning[:LONGEST_SUMMARY],
        party=screen.party if screen else "",
        country=screen.country if screen else "",
        lei=screen.lei if screen else "",
        wallet=row.recipient,
        reference=row.reference or "",
        amount=row.amount,
        currency=row.source,
        amount_usd=row.amount_usd,
        risk=next(one for one in GRAVEST if one in risks),
        risk_score=max((case.risk_score for case in cases), default=0),
        reasons=_reasons(judgement, cases),
        evidence=evidence(cases, sides) | told(row),
        entity_key=screen.entity_key if screen else "",
    )
    open_case(opening=opening, now=now)


def waiting(row: Settlement) -> Case | None:
    """Return the case that asks about a settlement as it is held, locked, or None."""
    return locked_undecided(kind=KIND, ref=ref_of(row)) if row.state == "HELD" else None


def passed(case: Case | None, taken: Turn, *, now: datetime) -> None:
    """Retire the case of a hold that is over: the settlement was sent again, and took a turn."""
    if case is not None:
        retire(case=case, why=f"It was sent again. {taken.title}", now=now)


def _reasons(judgement: Judgement, cases: Sequence[Opening]) -> list[dict[str, str]]:
    """Return the rules of all checks that hold it, each once."""
    found: dict[tuple[str, str], dict[str, str]] = {}
    for name in judgement.holding:
        one = judgement.rows[name]
        ref = one.ref if one.ref == OFFICE_REF else FLOW_REFS.get(name)
        if ref:
            said = {"ref": ref, "code": one.code, "sentence": one.title}
            found[said["ref"], said["sentence"]] = said
    for case in cases:
        for reason in case.reasons:
            found.setdefault((reason["ref"], reason["sentence"]), dict(reason))
    return list(found.values())


def told(row: Settlement) -> dict[str, list[dict[str, str]]]:
    """Return what was asked, and what is known of the recipient, in rows."""
    oracle, why = row.found.get("oracle", {}), row.reasoning
    said = [
        ("Amount", f"{row.amount:,.2f} {row.source}, paid in {row.asset}"),
        ("Pays from", row.sender),
        ("Pays to", row.recipient),
        ("Agent", row.agent_id),
        ("Reference", row.reference or ""),
        ("Stability oracle", _oracle(oracle)),
        ("Office holder of this name", _office(row)),
        # the summary of the case says it, where it holds it whole
        ("Why it is held", why if len(why) > LONGEST_SUMMARY else ""),
    ]
    return {
        "payment": [{"label": label, "value": value} for label, value in said if value],
        "party": [{"label": "Wallet", "value": row.recipient}],
    }


def _office(row: Settlement) -> str:
    found = row.found.get("checks", {}).get("sanctions", {})
    return str(found.get("kept", {}).get("officeHolder", ""))


def _oracle(oracle: Mapping[str, Any]) -> str:
    return f"{oracle['status']} at a score of {oracle['score']}" if oracle else "no answer"


def decided(*, ref: str, outcome: str, now: datetime) -> None:
    """Release or reject a settlement, as officers decided; part of the transaction that decides.

    A case of an earlier hold, or of a settlement that is not HELD any more, changes nothing; of one
    that was altered nothing is decided (SettlementUnproved).
    """
    number, _, steps = ref.partition("/")
    row = Settlement.objects.filter(settlement_id=number, state="HELD").first()
    if row is None or str(row.steps) != steps:
        return
    row = proved(row)
    found = row.found.get("records", {}).get("aml", {})
    if found.get("action") == "FLAG":
        case = Case.objects.filter(kind=KIND, ref=ref).values_list("reason_code", flat=True)
        reason = case.first() or ""
        aml.learnt(ref=found["screenId"], outcome=outcome, reason=reason, now=now)
    try:
        if outcome == "APPROVE":
            move(row, "RELEASED", now=now, seen=list(row.held_for))
        else:
            move(row, "REJECTED", now=now)
    except Moved:
        raise RuntimeError(f"settlement {number} was moved while it was decided") from None
    tell(row, now=now)
