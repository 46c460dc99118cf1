"""The case of a held settlement: its flagged checks, the oracle's score, and the decision."""

from collections.abc import Mapping, Sequence
from datetime import datetime
from typing import Any

from apps.backoffice.review.models import Case
from apps.backoffice.review.rules.risks import find_highest_risk
from apps.backoffice.review.services import (
    CaseOpening,
    load_answered_rules,
    lock_undecided_case,
    open_case,
    retire_case,
)
from apps.compliance.aml.services import decision_effects
from apps.compliance.screening.case_types.screens import SCREEN
from apps.payments.payments.case_types import AML_RULES
from apps.payments.payments.services.payment_case import evidence_by_check
from apps.payments.settlement.integrity import verify_settlement
from apps.payments.settlement.models import Settlement
from apps.payments.settlement.notifications import publish_settlement_status
from apps.payments.settlement.record_transition import record_transition
from apps.payments.settlement.rules.check_references import FLOW_REFS
from apps.payments.settlement.rules.flow import OFFICE_REF, FlowJudgement
from apps.payments.settlement.rules.transitions import Transition
from apps.platform.desk.record_page import build_fact_rows
from apps.platform.ledger.recorded_transitions import ConcurrentUpdate

KIND = "settlement"
LONGEST_SUMMARY = 300
SCREEN_RULES = frozenset[str]().union(*SCREEN.gravity)


def case_ref_of(row: Settlement) -> str:
    """Return the reference of the case of a settlement's current hold."""
    # a settlement may be held again by other checks: each hold is a step, and has a case of its own
    return f"{row.settlement_id}/{row.steps}"


def open_hold_case(
    *,
    row: Settlement,
    judgement: FlowJudgement,
    cases: Sequence[CaseOpening],
    registered: str,
    now: datetime,
) -> None:
    """Open the case of a settlement's current hold; in the transaction that holds it.

    `registered` is the name that the recipient's wallet is registered under, empty where it is not.
    """
    risks = {case.risk for case in cases} | {"MEDIUM"}
    screen = next((case for case in cases if case.kind != "aml"), None)
    party = registered or row.recipient
    # only the recipient is screened by name: the payer is our client
    sides = dict.fromkeys((case.ref for case in cases), "creditor")
    opening = CaseOpening(
        kind=KIND,
        ref=case_ref_of(row),
        owner=row.owner,
        title=f"Settlement to {party}",
        summary=row.reasoning[:LONGEST_SUMMARY],
        party=registered,
        country=screen.country if screen else "",
        lei=screen.lei if screen else "",
        wallet=row.recipient,
        reference=row.reference or "",
        amount=row.amount,
        currency=row.source,
        amount_usd=row.amount_usd,
        risk=find_highest_risk(risks),
        risk_score=max((case.risk_score for case in cases), default=0),
        reasons=_merge_reasons(judgement, cases),
        evidence=evidence_by_check(cases, sides) | build_case_rows(row),
        entity_key=screen.entity_key if screen else "",
    )
    open_case(opening=opening, now=now)


def lock_open_case(row: Settlement) -> Case | None:
    """Return the locked open case about a settlement's current hold, or None."""
    return lock_undecided_case(kind=KIND, ref=case_ref_of(row)) if row.state == "HELD" else None


def retire_hold_case(case: Case | None, taken: Transition, *, now: datetime) -> None:
    """Close the case of a hold that is over: the settlement was resubmitted and moved on."""
    if case is not None:
        retire_case(case=case, why=f"It was sent again. {taken.title}", now=now)


def _merge_reasons(judgement: FlowJudgement, cases: Sequence[CaseOpening]) -> list[dict[str, str]]:
    """Return the rules of all checks that hold it, each once."""
    reasons: dict[tuple[str, str], dict[str, str]] = {}
    for name in judgement.holding:
        row = judgement.rows[name]
        ref = row.ref if row.ref == OFFICE_REF else FLOW_REFS.get(name)
        if ref:
            merged_reason = {"ref": ref, "code": row.code, "sentence": row.title}
            reasons[merged_reason["ref"], merged_reason["sentence"]] = merged_reason
    for case in cases:
        for reason in case.reasons:
            # a screen and the flow may name the same rule: the flow's row comes first
            reasons.setdefault((reason["ref"], reason["sentence"]), dict(reason))
    return list(reasons.values())


def build_case_rows(row: Settlement) -> dict[str, list[dict[str, str]]]:
    """Return the request, and the known facts of the recipient, as rows."""
    oracle, why = row.found.get("oracle", {}), row.reasoning
    sanctions = row.found.get("checks", {}).get("sanctions", {})
    rows = [
        ("Amount", f"{row.amount:,.2f} {row.source}, paid in {row.asset}"),
        ("Pays from", row.sender),
        ("Pays to", row.recipient),
        ("Agent", row.agent_id),
        ("Reference", row.reference or ""),
        ("Stability oracle", _describe_oracle(oracle)),
        (
            "Politically exposed person of this name",
            str(sanctions.get("kept", {}).get("officeHolder", "")),
        ),
        # the summary of the case says it, where it holds it whole
        ("Why it is held", why if len(why) > LONGEST_SUMMARY else ""),
    ]
    return {
        "payment": list(build_fact_rows(*rows)),
        "party": [{"label": "Wallet", "value": row.recipient}],
    }


def _describe_oracle(oracle: Mapping[str, Any]) -> str:
    return f"{oracle['status']} at a score of {oracle['score']}" if oracle else "no answer"


def _find_answered_checks(row: Settlement, ref: str) -> list[str]:
    """Return the checks that hold a settlement and that the decision on its case answers.

    For the screen, a digest of its findings is added.
    """
    case = Case.objects.get(kind=KIND, ref=ref)
    answered = load_answered_rules(kind=KIND, ref=ref)
    own = {"aml": AML_RULES, "sanctions": SCREEN_RULES}
    names = [
        name
        for name in row.held_for
        if not (own.get(name) or {FLOW_REFS[name]}) & set(case.refs) - answered
    ]
    # the officers saw these matches: a release does not cover a later match with another party
    findings = row.found.get("checks", {}).get("sanctions", {}).get("kept", {}).get("findings", "")
    return [*names, findings] if "sanctions" in names and findings else names


def apply_case_decision(*, ref: str, outcome: str, now: datetime) -> None:
    """Release or reject a settlement by officers' decision; part of that transaction.

    A case of an earlier hold, or of a settlement that is no longer HELD, changes nothing; an
    altered settlement cannot be decided (SettlementIntegrityError).
    """
    number, _, steps = ref.partition("/")
    row = Settlement.objects.filter(settlement_id=number, state="HELD").first()
    if row is None or str(row.steps) != steps:
        return
    row = verify_settlement(row)
    # the decision on a flag is a label of its AML screen, as in a case of AML
    aml_record = row.found.get("records", {}).get("aml", {})
    if aml_record.get("action") == "FLAG":
        case = Case.objects.filter(kind=KIND, ref=ref).values_list("reason_code", flat=True)
        reason = case.first() or ""
        decision_effects.record_label(
            ref=aml_record["screenId"], outcome=outcome, reason=reason, now=now
        )
    try:
        if outcome == "APPROVE":
            record_transition(row, "RELEASED", now=now, seen=_find_answered_checks(row, ref))
        else:
            record_transition(row, "REJECTED", now=now)
    except ConcurrentUpdate:
        # the case is locked, and resubmission locks it first: only a fault of ours leads here
        raise RuntimeError(f"settlement {number} changed while it was decided") from None
    publish_settlement_status(row, now=now)
